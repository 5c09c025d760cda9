import type { Diagnosis } from './diagnosis.ts'
import type { Receipt } from './test-report.ts'
import type { Usage } from './usage.ts'

/** How a task stands at the end of a run. A task with a verdict is never picked again. */
export type Verdict =
  | 'done'
  | 'in_review'
  | 'unverified'
  /** New tasks took its place. */
  | 'replaced'
  | 'deferred'
  | 'skipped'
  | 'failed'
  | 'waiting'
  | 'over_budget'
  | 'rejected'

/** The verdicts that count as "the bot did its part". */
export const finishedVerdicts: readonly Verdict[] = ['done', 'in_review', 'unverified', 'replaced']

export interface TaskResult {
  readonly id: string
  readonly title: string
  readonly fingerprint: string
  readonly verdict: Verdict
  /** One plain sentence; empty when the verdict says it all. */
  readonly reason: string
  readonly branch: string | null
  /** Head of the branch; `null` when there is none, or when the base already contains it. */
  readonly sha: string | null
  /** The commit the branch grew from, where known. */
  readonly start: string | null
  readonly pullRequest: { readonly number: number; readonly url: string } | null
  readonly attempts: number
  readonly repairs: number
  readonly usage: Usage
  readonly seconds: number
  readonly receipt: Receipt | null
  /** Of what else than its tests or its code ended it. */
  readonly diagnosis?: Diagnosis | undefined
  /** What the task was expected to take, before history was asked; `null` when it was not finished. */
  readonly forecastTokens: number | null
  /** False when an earlier run did the work and this one only found it. */
  readonly thisRun: boolean
}
