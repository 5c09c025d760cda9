/** What the history answers, summed up. */
import type { Verdict } from '../domain/verdict.ts'

/** What is looked at: from this day on (`2026-01-31`), or all. */
export interface Period {
  readonly since: string | null
}

/** Which executions, the newest first. */
export interface HistoryQuery extends Period {
  /** `null`: of all tasks. */
  readonly task: string | null
  readonly limit: number
}

/** The executions of a model, a strategy or a day. */
export interface Figures {
  /** A model's name, a strategy, or a day (UTC). Empty: no model was asked. */
  readonly name: string
  readonly executions: number
  readonly served: number
  readonly failed: number
  /** Of those that served or failed; `null` where there is none. */
  readonly successRate: number | null
  readonly requests: number
  readonly tokens: number
  readonly dollars: number
  /** Of executions with a verdict; `null` where there is none. */
  readonly secondsP50: number | null
  readonly secondsP90: number | null
}

/** A model and a strategy together. */
export interface RouteFigures extends Figures {
  readonly model: string
  readonly strategy: string
  /** Where the success rate would be with many more samples, at 95 %. */
  readonly confidence: Interval | null
  readonly medianTokens: number | null
}

export interface ErrorGroup {
  readonly type: string
  readonly node: string
  /** What of the message stays the same when it happens again. */
  readonly signature: string
  readonly times: number
  /** `2026-01-31`, UTC. */
  readonly lastDay: string
  readonly remedies: readonly RemedyFigures[]
}

/** What was tried against an error. */
export interface RemedyFigures {
  readonly strategy: string
  readonly tried: number
  readonly worked: number
}

/** Verdicts by which a route did what it was taken for. */
export const servedVerdicts: readonly Verdict[] = ['done', 'in_review', 'unverified']

/**
 * Verdicts that count against a route. What was deferred or skipped lacked something else, and what
 * waits is not judged yet: neither is counted.
 */
export const failedVerdicts: readonly Verdict[] = ['failed', 'replaced', 'over_budget', 'rejected']

/**
 * One attempt at one task in one run, as the journal tells it: which route it took, what it used, and
 * what came of it. A route is the model and the strategy (`single` asks for the code at once,
 * `two_phase` for a plan first).
 */
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

export interface Interval {
  readonly low: number
  readonly high: number
}

/** The normal deviate of a two-sided 95 %. */
const deviate = 1.959964

/**
 * Wilson's score interval at 95 % for a rate of which this many of so many samples are known: honest
 * for few samples, and never outside of 0 and 1. `null` without a sample.
 */
export function wilsonInterval(successes: number, samples: number): Interval | null {
  if (samples <= 0) return null
  const rate = successes / samples
  const square = deviate ** 2
  const middle = rate + square / (2 * samples)
  const spread = deviate * Math.sqrt((rate * (1 - rate)) / samples + square / (4 * samples ** 2))
  const scale = 1 + square / samples
  return {
    low: Math.max(0, (middle - spread) / scale),
    high: Math.min(1, (middle + spread) / scale),
  }
}
