/**
 * Compares the configured route with others. Judges only routes with ten samples or more, with the interval of each
 * rate, and only advises: changing the configuration is a person's decision.
 */
import { type Execution, type RouteFigures, wilsonInterval } from './statistics.ts'

/** How much lower a rate may be and still count as equally good. */
export const asGood = 0.1

/** At most this share of the cost counts as cheaper. */
export const cheaper = 0.7

export interface RouteAdvice {
  readonly route: ModelRoute
  /** `serves_more`: its interval is above the other's. `costs_less`: equally good, for less. */
  readonly why: 'serves_more' | 'costs_less'
  /** The two rates or costs, in words. */
  readonly evidence: string
  /** For `.github/executor.yml`. */
  readonly config: string
}

export interface RoutingJudgement {
  /** The configured route; its figures, when it has been used. */
  readonly configured: ModelRoute
  readonly current: RouteFigures | null
  readonly routes: readonly RouteFigures[]
  readonly advice: readonly RouteAdvice[]
  /** Why there is no advice; `null` when there is. */
  readonly silence: string | null
}

export function judgeRoutes(
  configured: ModelRoute,
  routes: readonly RouteFigures[],
): RoutingJudgement {
  const isConfigured = ({ model, strategy }: ModelRoute) =>
    model === configured.model && strategy === configured.strategy
  const current = routes.find(isConfigured) ?? null
  const others = routes.filter((route) => !isConfigured(route))
  const base = { configured, current, routes }
  if (configured.strategy === 'auto') {
    const silence = 'With strategy: auto each task has its own way, so no route is recommended.'
    return { ...base, advice: [], silence }
  }
  if (current === null || samplesOf(current) < comparedFrom) {
    const has = `has ${current === null ? 0 : samplesOf(current)} judged executions`
    const silence = `The configured route (${nameRoute(configured)}) ${has}; nothing is recommended below ${comparedFrom}.`
    return { ...base, advice: [], silence }
  }
  const known = others.filter((route) => samplesOf(route) >= comparedFrom)
  if (known.length === 0) {
    const silence = `No other route has ${comparedFrom} judged executions to compare with.`
    return { ...base, advice: [], silence }
  }
  const advice = known.flatMap((route) => compare(current, route) ?? [])
  const silence = advice.length > 0 ? null : 'No other route is better by more than chance.'
  return { ...base, advice, silence }
}

/** Executions that count for or against the route. */
export const samplesOf = ({ served, failed }: Pick<RouteFigures, 'served' | 'failed'>): number =>
  served + failed

export const nameRoute = ({ model, strategy }: ModelRoute): string =>
  `${model || 'no model'}, ${strategy || 'no code asked for'}`

function compare(current: RouteFigures, other: RouteFigures): RouteAdvice | null {
  const alike = compareAlike(current, other)
  if (alike === null) return null
  const { here, there, rate } = alike
  const { model, strategy } = other
  const route = { route: { model, strategy }, config: configOf(other) }
  if (there.low > here.high) {
    const evidence = `serves ${describeRate(other)}, the configured one ${describeRate(current)}`
    return { ...route, why: 'serves_more', evidence }
  }
  const [cost, now] = costs(current, other)
  if (there.low >= rate - asGood && now > 0 && cost <= cheaper * now) {
    const share = Math.round((cost / now) * 100)
    const evidence = `serves ${describeRate(other)} against ${describeRate(current)}, for ${share} % of the cost`
    return { ...route, why: 'costs_less', evidence }
  }
  return null
}

/**
 * The intervals of both routes on tasks of the complexities that both have had, as if the other had had as many of each as
 * the current one: a route that gets the easier tasks is no better for it. `null` below ten samples of either.
 */
function compareAlike(current: RouteFigures, other: RouteFigures) {
  const pairs = current.byComplexity.flatMap((here) => {
    const there = other.byComplexity.find(({ complexity }) => complexity === here.complexity)
    return there === undefined ? [] : [{ here, there }]
  })
  const count = (side: 'here' | 'there') =>
    pairs.reduce((sum, pair) => sum + samplesOf(pair[side]), 0)
  const [samples, others] = [count('here'), count('there')]
  if (samples < comparedFrom || others < comparedFrom) return null
  const served = pairs.reduce((sum, { here }) => sum + here.served, 0)
  const share = pairs.reduce(
    (sum, { here, there }) => sum + (samplesOf(here) / samples) * (there.served / samplesOf(there)),
    0,
  )
  const here = wilsonInterval(served, samples)
  const there = wilsonInterval(share * others, others)
  return here && there && { here, there, rate: served / samples }
}

/** Cost of one execution by the other and by the current route: in dollars when both are known. */
function costs(current: RouteFigures, other: RouteFigures): readonly [number, number] {
  if (current.dollars > 0 && other.dollars > 0) {
    return [other.dollars / other.executions, current.dollars / current.executions]
  }
  return [other.medianTokens ?? 0, current.medianTokens ?? 0]
}

/** `12 of 14 (86 %, 60–96 %)` */
export function describeRate(figures: RouteFigures): string {
  const { served, successRate, confidence } = figures
  if (successRate === null || confidence === null) return 'nothing judged yet'
  const percent = (rate: number) => Math.round(rate * 100)
  const range = `${percent(confidence.low)}–${percent(confidence.high)} %`
  return `${served} of ${samplesOf(figures)} (${percent(successRate)} %, ${range})`
}

/** YAML; a model's name is quoted, as it may hold any character. */
const configOf = ({ model, strategy }: ModelRoute): string =>
  `model: ${JSON.stringify(model)}\nstrategy: ${strategy}`

/**
 * A misroute: an execution whose route failed or wasted tokens, while the record shows that another would have
 * served. The record can show three kinds:
 *
 * - `needed_a_plan`: `single` failed, and the task was too large for it: it was split afterwards or classified as too
 * complex, the answer was truncated at its limit, or the change had many files.
 * - `plan_not_needed`: `two_phase` served at once with one file, and used more than twice the tokens that such tasks
 * take by `single` with the same model (the median of ten or more).
 * - `other_route_served`: it failed, and later another model or strategy served the same task in the same words; the
 * first to serve it counts.
 *
 * One case proves nothing: a kind is shown from five cases of the same route.
 */
export const misrouteKinds = ['needed_a_plan', 'plan_not_needed', 'other_route_served'] as const
export type MisrouteKind = (typeof misrouteKinds)[number]

/** Files from which a change counts as large. */
export const manyFiles = 5

/** Multiple of the usual tokens that counts as waste. */
export const wasteFactor = 2

/** Cases of one kind and route from which they are shown. */
export const shownFrom = 5

/** Executions of a route from which it is compared with another. */
export const comparedFrom = 10

export interface ModelRoute {
  readonly model: string
  readonly strategy: string
}

/** One execution as evidence, newest first. */
export interface MisrouteCase extends Pick<Execution, 'run' | 'task' | 'attempt' | 'startedAt'> {
  readonly verdict: string
  /** The evidence, in words. */
  readonly evidence: string
}

export interface MisrouteGroup {
  readonly kind: MisrouteKind
  readonly route: ModelRoute
  /** The route that would have served. */
  readonly better: ModelRoute
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
