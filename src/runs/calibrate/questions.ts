/** The questions of a calibration: the prompts of real runs, about small tasks. */

import { readRoadmap } from '../../../packages/roadmap/roadmap.ts'
import type { Task } from '../../../packages/task/task.ts'
import type { AnswerForm } from '../../core/domain/answer-form.ts'
import type { Settings } from '../../core/domain/settings.ts'
import type { ModelRequest } from '../../core/ports/model.ts'
import type { Ports } from '../../core/ports.ts'
import { classifyPrompt } from '../../model/prompts/classify.ts'
import { draftPrompt } from '../../model/prompts/draft.ts'
import { repairCodePrompt } from '../../model/prompts/repair-code.ts'
import { thinkPrompt } from '../../model/prompts/think.ts'
import { defineTools } from '../../model/prompts/tools.ts'
import {
  type Judgement,
  judgeDraft,
  judgeJson,
  judgeRepair,
  judgeToolCall,
} from './judge-answers.ts'
import { brokenChange, codeTasks, failedTask, type SmallTask, unseenTask } from './small-tasks.ts'

export interface CalibrationQuestion {
  /** A form of code, or another thing that a model must be able to do. */
  readonly ability: AnswerForm | 'json' | 'tools' | 'repairs'
  readonly about: string
  readonly asks: Pick<ModelRequest, 'messages' | 'json' | 'tools'>
  judge(answer: string): Promise<Judgement>
}

/** The forms that are measured, each with every task of code. */
const forms = ['whole', 'edits'] as const satisfies readonly AnswerForm[]

/** Every question, in the order in which they are asked. */
export function calibrationQuestions(
  { tools }: Pick<Settings, 'tools'>,
  ports: Pick<Ports, 'syntax'>,
): readonly CalibrationQuestion[] {
  const drafts = codeTasks.flatMap((each) => forms.map((form) => askForCode(each, form, ports)))
  return [...drafts, askWhy(), askForTool(tools), askForRepair(ports)]
}

const nothingBefore = { plan: null, history: null, feedback: null } as const

function askForCode(
  each: SmallTask,
  form: AnswerForm,
  ports: Pick<Ports, 'syntax'>,
): CalibrationQuestion {
  const { path, text, test } = each
  const files = [
    { ...test, whole: true },
    { path, text, whole: true },
  ]
  const shown = { task: taskIn(each.line), files, targets: [path], map: '', form }
  const messages = draftPrompt({ ...nothingBefore, ...shown })
  return {
    ...{ ability: form, about: each.about, asks: { messages, json: false } },
    judge: (answer) => judgeDraft(answer, each, form, ports),
  }
}

function askWhy(): CalibrationQuestion {
  const { line, failure } = failedTask
  const messages = classifyPrompt(taskIn(line), failure)
  return {
    ...{ ability: 'json', about: 'why a task failed', asks: { messages, json: true } },
    judge: async (answer) => judgeJson(answer),
  }
}

function askForTool({ allowed, native, summariseOver }: Settings['tools']): CalibrationQuestion {
  const { line, map } = unseenTask
  const messages = thinkPrompt({
    ...{
      ...nothingBefore,
      task: taskIn(line),
      files: [],
      targets: [],
      map,
      allowed,
      summariseOver,
    },
    ...{ turns: [], reflections: [], left: 'Left: 20 tool calls, 5 test runs.' },
  })
  const tools = native ? { tools: defineTools(allowed) } : {}
  return {
    ...{ ability: 'tools', about: 'a file that is not shown' },
    asks: { messages, json: false, ...tools },
    judge: async (answer) => judgeToolCall(answer),
  }
}

function askForRepair(ports: Pick<Ports, 'syntax'>): CalibrationQuestion {
  const { line, path, problem, excerpt } = brokenChange
  const messages = repairCodePrompt({
    task: taskIn(line),
    problems: [{ ...problem, path, excerpt }],
  })
  return {
    ...{ ability: 'repairs', about: 'a syntax error', asks: { messages, json: false } },
    judge: (answer) => judgeRepair(answer, ports),
  }
}

function taskIn(line: string): Task {
  const [task] = readRoadmap(line).tasks
  if (task === undefined) throw new Error(`No task in: ${line}`)
  return task
}
