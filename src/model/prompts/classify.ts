import {
  type ChangeSet,
  changeBetween,
  contentAfter,
  contentBefore,
  type FileChange,
} from '../../../packages/change/change.ts'
import type { Task } from '../../../packages/task/task.ts'
import { fenced, showText } from '../../../packages/text/text.ts'
import { type Failure, type FailureReason, failureReasonSchema } from '../../core/domain/attempt.ts'
import type { Message } from '../../core/ports/model.ts'
import { writePatch } from '../../core/write-patch.ts'
import { promptOf, shortenFile } from './compose-prompt.ts'
import { describeTask } from './draft.ts'
import { type JsonReading, readJsonObject } from './read-json.ts'

const reasons = failureReasonSchema.options

/** The reasons that are possible: a change that was never run lacks nothing but what its imports name. */
function reasonsFor({ at, failures, problems }: Failure): readonly FailureReason[] {
  const isUnrun = at === 'repairs_spent' && failures.length === 0
  const lacks = problems.some(({ type }) => type === 'import')
  const impossible = isUnrun ? ['environment_issue', ...(lacks ? [] : ['missing_dependency'])] : []
  return reasons.filter((reason) => !impossible.includes(reason))
}

/** The wanted answer, in one line. */
export function classificationForm(failure: Failure): string {
  const listed = reasonsFor(failure).map((reason) => `"${reason}"`)
  return `{"reason": ${listed.join(' | ')}, "explanation": "one sentence with the evidence"}`
}

/** Characters of the last code. */
const longestCode = 2_000

/** What an attempt did before it failed: a line for each repair, and its last changes. */
export interface Tries {
  readonly repairs: readonly string[]
  readonly changes: ChangeSet
}

/** `share`, 1 or less, limits the last output and the last code. */
export function classifyPrompt(
  task: Task,
  failure: Failure,
  { repairs, changes }: Tries = { repairs: [], changes: [] },
  share = 1,
): readonly Message[] {
  const problems = failure.problems.slice(0, 5).map((p) => `${p.path}:${p.line} ${p.message}`)
  const tests = failure.failures.slice(0, 5).map((f) => `${f.test}: ${shortenFile(f.message, 300)}`)
  const evidence = [
    failure.message,
    ...problems,
    ...tests,
    shortenFile(failure.output, 1_500 * share),
  ]
  const code = writePatch(changes.flatMap(asShown), longestCode * share).trimEnd()
  const instructions = `An automatic attempt at a task failed. Say why. Reply with one JSON object and nothing else:
${classificationForm(failure)}`
  return promptOf(instructions, [
    describeTask(task),
    repairs.length === 0 ? '' : `WHAT WAS TRIED\n${repairs.join('\n')}`,
    code === '' ? '' : `THE LAST CODE\n${fenced(code, 'diff')}`,
    `WHAT HAPPENED\n${evidence.join('\n')}`,
  ])
}

/** A change between the texts that a model may see: a patch has lines of the file around it. */
function asShown(change: FileChange): ChangeSet {
  const [before, after] = [contentBefore(change), contentAfter(change)].map(
    (text) => text && showText(change.path, text).text,
  )
  return [changeBetween(change.path, before, after) ?? []].flat()
}

/** Reads the model's reason for a failed attempt; one that is impossible counts as unknown. */
export function readClassification(
  answer: string,
  failure: Failure,
): JsonReading<{ readonly reason: FailureReason; readonly explanation: string }> {
  return readJsonObject(answer, ({ reason: named, explanation }) => {
    const reason = reasons.find((known) => known === named)
    if (reason === undefined) return { problem: `"reason" is none of ${reasons.join(', ')}` }
    if (typeof explanation !== 'string') return { problem: '"explanation" is no text' }
    const possible = reasonsFor(failure).includes(reason) ? reason : 'unknown'
    return { value: { reason: possible, explanation: shortenFile(explanation.trim(), 400) } }
  })
}
