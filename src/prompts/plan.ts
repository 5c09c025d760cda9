import type { Plan } from '../domain/run-state.ts'
import type { Task } from '../domain/task.ts'
import type { Message } from '../ports.ts'
import { describeTask } from './draft.ts'
import { readJsonObject, stringsOf } from './read-json.ts'

const instructions = `Plan a small change to a repository. Reply with one JSON object and nothing else:
{"files": ["paths to create or change"], "complexity": "low" | "medium" | "high", "steps": ["short steps"]}`

export function planPrompt(task: Task, map: string): readonly Message[] {
  return [
    { role: 'system', content: instructions },
    { role: 'user', content: `PROJECT\n${map}\n\n${describeTask(task)}` },
  ]
}

/** A plan from a model's answer, or `null` when there is none in it: planning is a help, not a gate. */
export function readPlan(answer: string): Plan | null {
  const value = readJsonObject(answer)
  if (value === null) return null
  const { complexity } = value
  return {
    files: stringsOf(value.files, 20),
    complexity: complexity === 'low' || complexity === 'high' ? complexity : 'medium',
    steps: stringsOf(value.steps, 12),
  }
}
