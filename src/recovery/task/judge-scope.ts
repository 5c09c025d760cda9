import { readLabel } from '../../../packages/roadmap/roadmap.ts'
import type { Task } from '../../../packages/task/task.ts'
import type { Attempt } from '../../core/domain/attempt.ts'
import type { PlanGround } from '../../model/planning/judge-plan.ts'
import type { RawTask } from '../../model/prompts/recover.ts'

/** Tasks with fewer words of their own say too little to compare. */
const fewestWords = 4

/**
 * Why a model's tasks may not take the place of one, as a sentence for the model: each file must be one that the task
 * may change or create, no line may be a field, which only people write, and a part must ask for less than the whole.
 */
export function judgeScope(
  raw: readonly RawTask[],
  attempt: Pick<Attempt, 'task' | 'plan'>,
  gate: PlanGround['gate'],
): string | null {
  for (const proposed of raw) {
    const why =
      whyNotTheseFiles(proposed, gate) ??
      whyNotTheseLines(proposed) ??
      (raw.length > 1 ? whyNotSmaller(proposed, attempt) : null)
    if (why !== null) return `"${proposed.title.slice(0, 80)}" ${why}`
  }
  return null
}

function whyNotTheseFiles({ files }: RawTask, gate: PlanGround['gate']): string | null {
  for (const named of files) {
    const path = named.replaceAll('`', '').replace(/^(?:\.\/)+/, '')
    const objection = gate.objectionsTo([path]).get(path)
    if (objection !== undefined) {
      return `names the file ${JSON.stringify(named.slice(0, 120))}, which it may not change: ${objection}`
    }
  }
  return null
}

function whyNotTheseLines({ details }: RawTask): string | null {
  const field = details
    .map((line) => readLabel(line.replace(/^\s*(?:[-*+]\s+)?/, '')))
    .find(Boolean)
  return field ? `has a line that reads as the field "${field.name}": write it as a sentence` : null
}

function whyNotSmaller(
  { title, details, files }: RawTask,
  { task, plan }: Pick<Attempt, 'task' | 'plan'>,
): string | null {
  const own = wordsOf(`${title}\n${details.join('\n')}`)
  const whole = wordsOf(ownWords(task))
  const isSame = title.trim().toLowerCase() === task.title.trim().toLowerCase()
  const isWhole = whole.size >= fewestWords && [...whole].every((word) => own.has(word))
  if (isSame || isWhole) return 'asks for the whole task again: a part asks for less'
  const planned = task.files.length > 0 ? task.files : (plan?.files ?? [])
  const takesAll = planned.length > 1 && planned.every((path) => files.includes(path))
  return takesAll ? 'changes all files of the task: a part changes fewer' : null
}

const ownWords = ({ title, details }: Task): string =>
  [title, ...details.split('\n').filter((line) => readLabel(line) === null)].join('\n')

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(/[\p{L}\p{N}_./-]{3,}/gu) ?? [])
