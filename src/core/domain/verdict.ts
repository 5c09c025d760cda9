import { z } from 'zod'
import { diagnosisSchema } from '../../../packages/diagnosis/diagnosis.ts'
import { judgedSchemas, type Receipt } from '../../../packages/judge/judge.ts'
import {
  count,
  maybeCount,
  maybeText,
  object,
  type Stored,
  text,
  webAddress,
} from '../../../packages/text/text.ts'
import { overtakenSchema } from './overtaken.ts'
import { usageSchema } from './usage.ts'

/** A task's standing at the end of a run. A task with a verdict is never picked again. */
const verdictSchema = z.enum([
  'done',
  'in_review',
  'unverified',
  /** New tasks replaced it. */
  'replaced',
  'deferred',
  'skipped',
  'failed',
  'waiting',
  'over_budget',
  'rejected',
  /** Its work was taken back, because a task that it belongs together with failed for good. */
  'rolled_back',
])

export type Verdict = z.infer<typeof verdictSchema>

/** Verdicts that mean "the executor did its part". */
export const finishedVerdicts: readonly Verdict[] = ['done', 'in_review', 'unverified', 'replaced']

/** Returns true for one of them; false without a verdict. */
export const isFinishedVerdict = (verdict: string | undefined): boolean =>
  finishedVerdicts.some((finished) => finished === verdict)

const answersSchema = object({ usable: count, of: count })

export type Answers = Stored<typeof answersSchema>

export const taskResultSchema = object({
  id: text,
  title: text,
  fingerprint: text,
  verdict: verdictSchema,
  /** One plain sentence; empty when the verdict says it all. */
  reason: text,
  branch: maybeText,
  /** Head of the branch; `null` when there is no branch, or when the base contains it. */
  sha: maybeText,
  /** The commit that the branch started from, when known. */
  start: maybeText,
  pullRequest: object({ number: count, url: webAddress }).nullable(),
  attempts: count,
  repairs: count,
  usage: usageSchema,
  seconds: count,
  receipt: judgedSchemas.receipt.nullable(),
  /** Of a cause outside its tests and its code. */
  diagnosis: diagnosisSchema.optional(),
  /** The error that its last answer ended on, comparable between tasks; absent where there is none. */
  endedOn: text.exactOptional(),
  /** No answer for it was a change that could be written and tested; absent otherwise. */
  unusable: z.literal(true).exactOptional(),
  /** Of a task that was not finished: its answers, and how many of them could be tested. */
  answers: answersSchema.exactOptional(),
  /** Of a finished commit that is kept beside its branch, because someone else pushed. */
  overtaken: overtakenSchema.optional(),
  /** The way that `strategy: auto` chose, and why. */
  route: text.optional(),
  /** How its last answer was asked for, and why; absent for a first request. */
  request: text.exactOptional(),
  /** The task's forecast before calibration; `null` when it was not finished. */
  forecastTokens: maybeCount.default(null),
  /** False when an earlier run did the work and this one only found it. */
  thisRun: z.boolean(),
})

export type TaskResult = Stored<typeof taskResultSchema>

/**
 * The red part of a suite before the change: its counts, or the command that runs no test, before as after. An accept
 * command is red before a change that is right, so a command alone counts only where nothing was verified.
 *
 * @returns `null` for a suite that was green or did not run
 */
export function redBefore({
  result,
  before,
  commands,
}: Pick<Receipt, 'result' | 'before' | 'commands'>): Receipt['before'] | Receipt['commands'][0] {
  if (before !== null && before.failed + before.passed > 0) return before.failed > 0 ? before : null
  const isBlocked = ({ before: start, exitCode }: Receipt['commands'][0]) =>
    start != null && start.counts === null && start.exitCode !== 0 && exitCode !== 0
  return result === 'unverified' ? (commands.find(isBlocked) ?? null) : null
}
