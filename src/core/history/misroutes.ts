/**
 * A misroute: an execution whose route served it badly, where the record shows that another would have
 * served. Three kinds can be told from what is recorded:
 *
 * - `needed_a_plan`: `single` failed, and the task was too large for it: it was split afterwards or
 *   called too complex, the answer was cut at its greatest length, or the change had many files.
 * - `plan_not_needed`: `two_phase` served at once with one file, and used more than twice the tokens that
 *   such tasks take by `single` with the same model (the median of ten or more).
 * - `other_route_served`: it failed, and later the same task, in the same words, was served by another
 *   model or strategy: the first that served it counts.
 *
 * One case proves nothing: a kind is shown from five cases of the same route.
 */

import type { Execution } from './execution.ts'

export const misrouteKinds = ['needed_a_plan', 'plan_not_needed', 'other_route_served'] as const
export type MisrouteKind = (typeof misrouteKinds)[number]

/** Files of a change from which a task is large. */
export const manyFiles = 5

/** How many times the usual tokens are too many. */
export const wasteFactor = 2

/** Cases of one kind and route from which they are shown. */
export const shownFrom = 5

/** Executions of a route from which it is compared with another. */
export const comparedFrom = 10

export interface Route {
  readonly model: string
  readonly strategy: string
}

/** One execution as evidence, newest first. */
export interface MisrouteCase extends Pick<Execution, 'run' | 'task' | 'attempt' | 'startedAt'> {
  readonly verdict: string
  /** What shows it, in words. */
  readonly evidence: string
}

export interface MisrouteGroup {
  readonly kind: MisrouteKind
  readonly route: Route
  /** The route that would have served. */
  readonly better: Route
  readonly cases: number
  /** Executions of the route with a verdict for or against it. */
  readonly of: number
  readonly examples: readonly MisrouteCase[]
}

export interface Misroutes {
  readonly shown: readonly MisrouteGroup[]
  /** Cases of kinds and routes that have too few to be shown. */
  readonly tooFew: number
}

/** Most cases first. */
export function judgeMisroutes(groups: readonly MisrouteGroup[]): Misroutes {
  const shown = groups.filter(({ cases }) => cases >= shownFrom)
  const others = groups.filter(({ cases }) => cases > 0 && cases < shownFrom)
  return {
    shown: shown.toSorted((a, b) => b.cases - a.cases),
    tooFew: others.reduce((sum, { cases }) => sum + cases, 0),
  }
}
