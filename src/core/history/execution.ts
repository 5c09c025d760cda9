/**
 * One attempt at one task in one run, as the journal tells it: which route it took, what it used, and
 * what came of it. A route is the model and the strategy (`single` asks for the code at once,
 * `two_phase` for a plan first).
 */
import type { Verdict } from '../domain/verdict.ts'

/** Verdicts by which a route did what it was taken for. */
export const servedVerdicts: readonly Verdict[] = ['done', 'in_review', 'unverified']

/**
 * Verdicts that count against a route. What was deferred or skipped lacked something else, and what
 * waits is not judged yet: neither is counted.
 */
export const failedVerdicts: readonly Verdict[] = ['failed', 'replaced', 'over_budget', 'rejected']

export interface Execution {
  readonly run: string
  readonly task: string
  readonly attempt: number
  readonly title: string
  /** ISO 8601, UTC; the clock may have gone back in between. */
  readonly startedAt: string
  readonly endedAt: string
  /** Measured by a clock that never goes back. */
  readonly seconds: number
  /** Empty where no model was asked. */
  readonly model: string
  readonly strategy: RouteStrategy
  readonly requests: number
  readonly tokens: number
  readonly dollars: number
  /** Answers that were cut at their greatest length. */
  readonly cut: number
  /** Of the last change; `null` where there was none. */
  readonly files: number | null
  readonly repairs: number
  /** Empty: not judged yet, or cut off. */
  readonly verdict: Verdict | ''
  readonly reason: string
  /** What was proposed about it when it failed; empty when nothing was. */
  readonly recovery: string
  readonly decision: string
  /** Of the last failed step; empty where none failed. */
  readonly errorType: string
}

/** Empty: neither a plan nor code was asked for. */
export type RouteStrategy = 'single' | 'two_phase' | ''
