import type { Task } from '../../../packages/task/task.ts'
import { type Fields, isFields, plainAnswer } from '../../../packages/text/text.ts'
import type { Plan, PlanPart } from '../../core/domain/attempt.ts'
import type { Message } from '../../core/ports/model.ts'
import { promptOf } from './compose-prompt.ts'
import { describeTask } from './draft.ts'
import { type JsonReading, readJsonArray, readJsonObject, stringsOf } from './read-json.ts'

const instructions = `Plan a small change to a repository. Reply with one JSON object and nothing else:
{"files": ["paths to create or change"], "complexity": "low" | "medium" | "high", "steps": ["short steps"]}
If the complexity is high, write each step as {"id": "a", "does": "a short step", "files": ["its own paths"], "needs": ["ids of steps before it"]}.`

export const planPrompt = (task: Task, map: string): readonly Message[] =>
  promptOf(instructions, [`PROJECT\n${map}`, describeTask(task)])

const severalPlans = `Make three different plans for one change to a repository, each as short as it can be. Reply with one JSON object and nothing else:
{"plans": [{"files": ["paths to create or change"], "steps": [{"id": "a", "does": "a short step", "files": ["its own paths"], "needs": ["ids of steps before it"]}]}]}`

/** Asks for three plans of one complex task. */
export const plansPrompt = (task: Task, map: string): readonly Message[] =>
  promptOf(severalPlans, [`PROJECT\n${map}`, describeTask(task)])

const choice =
  'Which of these plans completes the task best? Reply with its number and nothing else.'

/** Asks which of the plans, each in a line, is best. */
export const choosePlanPrompt = (task: Task, plans: readonly string[]): readonly Message[] =>
  promptOf(choice, [describeTask(task), plans.map((plan, at) => `${at + 1}. ${plan}`).join('\n')])

/** The number in an answer, from 1; `null` without one. */
export function readChoice(answer: string): number | null {
  const [number] = plainAnswer(answer).match(/\d{1,3}/) ?? []
  return number === undefined ? null : Number(number)
}

const mostPlans = 3

/** The plans in an answer: its list `plans`, or a bare list. None when it has no such list. */
export function readPlans(answer: string): readonly Plan[] {
  const wrapped = readJsonObject(answer, ({ plans }) => ({ value: plans }))
  const bare = 'problem' in wrapped ? readJsonArray(answer) : wrapped
  const list: readonly unknown[] = 'value' in bare && Array.isArray(bare.value) ? bare.value : []
  return list.filter(isFields).slice(0, mostPlans).map(planOf)
}

const mostFiles = 20
const mostSteps = 12
/** In characters. */
const longestId = 40

/** The plan in a model's answer; discards fields of the wrong shape. */
export const readPlan = (answer: string): JsonReading<Plan> =>
  readJsonObject(answer, (said) => ({ value: planOf(said) }))

function planOf({ files, complexity, steps }: Fields): Plan {
  const parts = partsOf(steps)
  const named = [...stringsOf(files, mostFiles), ...parts.flatMap((part) => part.files)]
  const plain = stringsOf(steps, mostSteps).filter((step) => step !== '')
  const plan = {
    files: [...new Set(named)].slice(0, mostFiles),
    complexity: levelOf(complexity),
  } as const
  return parts.length === 0
    ? { ...plan, steps: plain }
    : { ...plan, steps: parts.map(({ does }) => does), parts }
}

function levelOf(complexity: unknown): Plan['complexity'] {
  const level = typeof complexity === 'string' ? complexity.trim().toLowerCase() : ''
  return level === 'low' || level === 'high' ? level : 'medium'
}

/** The steps with their files; none when every step is plain text. A plain step among them has no file. */
function partsOf(steps: unknown): readonly PlanPart[] {
  const list: readonly unknown[] = Array.isArray(steps) ? steps.slice(0, mostSteps) : []
  if (!list.some(isFields)) return []
  return list.flatMap((step, index) => {
    const fields = isFields(step) ? step : { does: step }
    const [does] = stringsOf(
      wordings.map((name) => fields[name]),
      wordings.length,
    ).filter(Boolean)
    if (does === undefined) return []
    const [id = String(index + 1)] = idsOf([fields.id])
    const files = stringsOf(fields.files, mostFiles).filter((path) => path !== '')
    return [{ id, does, files, needs: idsOf(fields.needs) }]
  })
}

/** Names that models use for what a step does. */
const wordings = ['does', 'description', 'action', 'title', 'task', 'step']

/** Models number steps as often as they name them. */
function idsOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return []
  const ids = value
    .slice(0, mostSteps)
    .map((id: unknown) => (typeof id === 'number' ? String(id) : id))
  return stringsOf(ids, mostSteps)
    .map((id) => id.slice(0, longestId))
    .filter((id) => id !== '')
}
