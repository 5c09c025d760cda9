/** Figures that the history derives. */
import type { TaskWay } from '../domain/route.ts'
import type { Verdict } from '../domain/verdict.ts'

/** The period: from this day on (`2026-01-31`), or all. */
export interface Period {
  readonly since: string | null
}

/** Selects executions, newest first. */
export interface HistoryQuery extends Period {
  /** `null`: all tasks. */
  readonly task: string | null
  readonly limit: number
}

/** The executions of a model, a strategy or a day. */
export interface Figures {
  /** A model's name, a strategy, or a day (UTC). Empty: no request to a model. */
  readonly name: string
  readonly executions: number
  readonly served: number
  readonly failed: number
  /** Of those that served or failed; `null` without any. */
  readonly successRate: number | null
  readonly requests: number
  readonly tokens: number
  readonly dollars: number
  /** Of executions with a verdict; `null` without any. */
  readonly secondsP50: number | null
  readonly secondsP90: number | null
}

/** A model and a strategy together. */
export interface RouteFigures extends Figures {
  readonly model: string
  readonly strategy: string
  /** 95 % confidence interval of the success rate. */
  readonly confidence: Interval | null
  readonly medianTokens: number | null
  /** The judged executions, apart by the complexity of their task; empty without any. */
  readonly byComplexity: readonly ComplexityCounts[]
}

export interface ComplexityCounts {
  readonly complexity: string
  readonly served: number
  readonly failed: number
}

export interface ErrorGroup {
  readonly type: string
  readonly node: string
  /** The part of the message that repeats when the error does. */
  readonly signature: string
  readonly times: number
  /** `2026-01-31`, UTC. */
  readonly lastDay: string
  readonly remedies: readonly RemedyFigures[]
}

/** A remedy tried against an error. */
export interface RemedyFigures {
  readonly strategy: string
  readonly tried: number
  readonly worked: number
}

/** Verdicts that count for a route. */
export const servedVerdicts: readonly Verdict[] = ['done', 'in_review', 'unverified']

/**
 * Verdicts that count against a route. Deferred and skipped tasks had another cause, and waiting ones are not judged
 * yet: they do not count.
 */
export const failedVerdicts: readonly Verdict[] = ['failed', 'replaced', 'over_budget', 'rejected']

/**
 * One attempt at one task in one run, as the journal records it: its route, its usage and its outcome. A route is the
 * model and the strategy (`single` asks for the code directly, `two_phase` for a plan first).
 */
export interface Execution {
  readonly run: string
  readonly task: string
  readonly attempt: number
  readonly title: string
  /** ISO 8601, UTC; the clock may have gone back in between. */
  readonly startedAt: string
  readonly endedAt: string
  /** By a clock that never goes back. */
  readonly seconds: number
  /** Empty without a request to a model. */
  readonly model: string
  readonly strategy: RouteStrategy
  readonly requests: number
  readonly tokens: number
  readonly dollars: number
  /** Answers truncated at their length limit. */
  readonly cut: number
  /** Of the last change; `null` without one. */
  readonly files: number | null
  readonly repairs: number
  /** Empty: not judged yet, or killed. */
  readonly verdict: Verdict | ''
  readonly reason: string
  /** The proposal after its failure; empty without one. */
  readonly recovery: string
  readonly decision: string
  /** Of the last failed step; empty without one. */
  readonly errorType: string
}

/** Empty: neither a plan nor code was requested. */
export type RouteStrategy = TaskWay | 'agent' | ''

export interface Interval {
  readonly low: number
  readonly high: number
}

/** The normal deviate of a two-sided 95 %. */
const deviate = 1.959964

/**
 * Wilson's score interval at 95 % for this many successes among the samples: honest for few samples, and never
 * outside 0 and 1. `null` without a sample.
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
