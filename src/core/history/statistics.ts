/** What the history answers, summed up. */
import type { Interval } from './wilson.ts'

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
