import type { Plan } from '../../core/domain/attempt.ts'
import type { Task } from '../../core/domain/task.ts'
import type { Message } from '../../core/ports/model.ts'
import { promptOf } from './compose-prompt.ts'
import { describeTask } from './draft.ts'
import { type JsonReading, readJsonObject, stringsOf } from './read-json.ts'

const instructions = `Plan a small change to a repository. Reply with one JSON object and nothing else:
{"files": ["paths to create or change"], "complexity": "low" | "medium" | "high", "steps": ["short steps"]}`

export const planPrompt = (task: Task, map: string): readonly Message[] =>
  promptOf(instructions, [`PROJECT\n${map}`, describeTask(task)])

/** The plan in a model's answer; discards fields of the wrong shape. */
export const readPlan = (answer: string): JsonReading<Plan> =>
  readJsonObject(answer, ({ files, complexity, steps }) => ({
    value: {
      files: stringsOf(files, 20),
      complexity: complexity === 'low' || complexity === 'high' ? complexity : 'medium',
      steps: stringsOf(steps, 12),
    },
  }))
