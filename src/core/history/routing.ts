/**
 * Whether another route would serve better than the configured one. Said only of routes with ten
 * samples or more, with the interval in which each rate lies; and only said: what is configured is a
 * person's to change.
 */
import { comparedFrom, type Route } from './misroutes.ts'
import type { RouteFigures } from './statistics.ts'

/** How much lower a rate may be and still count as good as another. */
const asGood = 0.1

/** At most this share of the cost is cheaper. */
const cheaper = 0.7

export interface RouteAdvice {
  readonly route: Route
  /** `serves_more`: its interval lies above the other's. `costs_less`: as good, for less. */
  readonly why: 'serves_more' | 'costs_less'
  /** The two rates or costs, in words. */
  readonly evidence: string
  /** For `.github/executor.yml`. */
  readonly config: string
}

export interface RoutingJudgement {
  /** The configured route; its figures, when it has been taken. */
  readonly configured: Route
  readonly current: RouteFigures | null
  readonly routes: readonly RouteFigures[]
  readonly advice: readonly RouteAdvice[]
  /** Why there is no advice; `null` when there is some. */
  readonly silence: string | null
}

export function judgeRoutes(configured: Route, routes: readonly RouteFigures[]): RoutingJudgement {
  const isConfigured = ({ model, strategy }: Route) =>
    model === configured.model && strategy === configured.strategy
  const current = routes.find(isConfigured) ?? null
  const others = routes.filter((route) => !isConfigured(route))
  const base = { configured, current, routes }
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
  const silence =
    advice.length > 0 ? null : 'No other route is better beyond what chance could make of it.'
  return { ...base, advice, silence }
}

/** Executions that say something about the route. */
export const samplesOf = ({ served, failed }: RouteFigures): number => served + failed

export const nameRoute = ({ model, strategy }: Route): string =>
  `${model || 'no model'}, ${strategy || 'no code asked for'}`

function compare(current: RouteFigures, other: RouteFigures): RouteAdvice | null {
  const [here, there] = [current.confidence, other.confidence]
  if (here === null || there === null || current.successRate === null) return null
  const { model, strategy } = other
  const route = { route: { model, strategy }, config: configOf(other) }
  if (there.low > here.high) {
    const evidence = `serves ${describeRate(other)}, the configured one ${describeRate(current)}`
    return { ...route, why: 'serves_more', evidence }
  }
  const [cost, now] = costs(current, other)
  if (there.low >= current.successRate - asGood && now > 0 && cost <= cheaper * now) {
    const share = Math.round((cost / now) * 100)
    const evidence = `serves ${describeRate(other)} against ${describeRate(current)}, for ${share} % of the cost`
    return { ...route, why: 'costs_less', evidence }
  }
  return null
}

/** What one execution costs by the other route and by the current one: dollars where both are known. */
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

/** YAML; a model's name is quoted, it may hold any character. */
const configOf = ({ model, strategy }: Route): string =>
  `model: ${JSON.stringify(model)}\nstrategy: ${strategy}`
