import type { RunState } from '../domain/run-state.ts'
import type { Price, Settings } from '../domain/settings.ts'
import { noUsage, totalTokens, type Usage } from '../domain/usage.ts'
import { dollarsFor, priceOf } from './prices.ts'

/** Less room than this is not worth a request: no change set fits. */
const smallestAnswer = 256

const mostContinuations = 2

/** One thing that may be spent, and how much of it a call with this answer would spend at most. */
interface Allowance {
  readonly scope: 'task' | 'run'
  /** "Task T-1 may use 20,000 tokens (its Budget line)". */
  readonly rule: string
  readonly unit: 'tokens' | 'dollars'
  readonly limit: number
  readonly used: number
}

export type BudgetCheck =
  | {
      readonly status: 'ok'
      /** What was asked for, or what is left. */
      readonly maxOutputTokens: number
      /** How often a cut answer may be continued within what is left. */
      readonly continuations: number
    }
  /** `limit` is a sentence; a limit of the `run` leaves nothing for other tasks either. */
  | { readonly status: 'over_budget'; readonly scope: 'task' | 'run'; readonly limit: string }

/**
 * Whether one more model call fits into what the task and the run may spend, before it is made.
 * The prompt counts as estimated and the answer as long as it may become; an answer that would not
 * fit is asked for shorter, down to 256 tokens. An unknown price costs nothing.
 */
export function checkBudget(
  state: RunState,
  settings: Settings,
  request: { readonly promptTokens: number; readonly maxOutputTokens?: number },
): BudgetCheck {
  const minutes = settings.limits.minutes
  if (minutes !== null && state.seconds >= minutes * 60) {
    const limit = `The run may take ${minutes} minutes (limits.minutes), and they are over.`
    return { status: 'over_budget', scope: 'run', limit }
  }
  const wanted = request.maxOutputTokens ?? settings.model.maxOutputTokens
  const price = priceOf(modelFor(state, settings), settings.model.prices)
  const allowances = listAllowances(state, settings)
  const room = (allowance: Allowance) => outputThatFits(allowance, request.promptTokens, price)

  const needed = Math.min(wanted, smallestAnswer)
  const spent = allowances.find((allowance) => room(allowance) < needed)
  if (spent !== undefined) {
    const least = spending(spent.unit, request.promptTokens, needed, 0, price)
    return { status: 'over_budget', scope: spent.scope, limit: explain(spent, least) }
  }
  const maxOutputTokens = Math.min(wanted, ...allowances.map(room))
  const fits = (continuations: number) =>
    allowances.every(
      ({ unit, limit, used }) =>
        used + spending(unit, request.promptTokens, maxOutputTokens, continuations, price) <= limit,
    )
  let continuations = mostContinuations
  while (continuations > 0 && !fits(continuations)) continuations--
  return { status: 'ok', maxOutputTokens, continuations }
}

/** The model that answers now: the task's own, else the run's. */
export const modelFor = (state: RunState, settings: Settings): string =>
  state.attempt?.task.model ?? settings.model.name

function listAllowances(state: RunState, settings: Settings): readonly Allowance[] {
  const { limits } = settings
  const task = state.attempt?.task
  const used = state.attempt?.usage ?? noUsage
  const list: Allowance[] = []
  const add = (
    scope: Allowance['scope'],
    unit: Allowance['unit'],
    limit: number | null | undefined,
    usage: Usage,
    source: string,
  ) => {
    if (limit === null || limit === undefined) return
    const who = scope === 'task' ? `Task ${task?.id}` : 'The run'
    const rule = `${who} may use ${amount(unit, limit)} (${source})`
    list.push({
      scope,
      rule,
      unit,
      limit,
      used: unit === 'tokens' ? totalTokens(usage) : usage.dollars,
    })
  }
  if (task !== undefined) {
    add('task', 'tokens', task.budget?.tokens, used, 'its Budget line')
    add('task', 'dollars', task.budget?.dollars, used, 'its Budget line')
    add('task', 'tokens', limits.tokensPerTask, used, 'limits.tokens-per-task')
    add('task', 'dollars', limits.dollarsPerTask, used, 'limits.cost-per-task')
  }
  add('run', 'tokens', limits.tokens, state.usage, 'max-tokens')
  add('run', 'dollars', limits.dollars, state.usage, 'max-cost')
  return list
}

/** The longest answer that one call may have within an allowance; negative when the prompt is too much. */
function outputThatFits(allowance: Allowance, promptTokens: number, price: Price | null): number {
  const left = allowance.limit - allowance.used
  if (allowance.unit === 'tokens') return Math.floor(left) - promptTokens
  const forAnswer = left - dollarsFor({ promptTokens, completionTokens: 0 }, price)
  if (forAnswer < 0 || left <= 0) return -1
  if (price === null || price.completion === 0) return Number.POSITIVE_INFINITY
  return Math.floor((forAnswer * 1e6) / price.completion)
}

/** What a call spends at most when its answer is cut and continued so many times: each time the prompt grows. */
function spending(
  unit: Allowance['unit'],
  prompt: number,
  output: number,
  continuations: number,
  price: Price | null,
): number {
  const calls = continuations + 1
  const promptTokens = calls * prompt + (continuations * calls * output) / 2
  const completionTokens = calls * output
  return unit === 'tokens'
    ? promptTokens + completionTokens
    : dollarsFor({ promptTokens, completionTokens }, price)
}

function explain(allowance: Allowance, least: number): string {
  const { rule, unit, used } = allowance
  return `${rule}: ${amount(unit, used)} are used, and the next request needs at least ${amount(unit, least)}.`
}

const amount = (unit: Allowance['unit'], value: number): string =>
  unit === 'tokens'
    ? `${Math.round(value).toLocaleString('en')} tokens`
    : `$${value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 4 })}`
