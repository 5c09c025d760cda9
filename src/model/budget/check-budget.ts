import { amountOf } from '../../../packages/task/task.ts'
import { estimateTokens } from '../../../packages/text/text.ts'
import type { Attempt } from '../../core/domain/attempt.ts'
import { attemptOf, wayOf } from '../../core/domain/change-state.ts'
import type { TaskWay } from '../../core/domain/route.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { Price, Settings } from '../../core/domain/settings.ts'
import { dollarsFor, type noUsage, priceOf, totalTokens } from '../../core/domain/usage.ts'
import type { Amount } from '../../core/ports/ledger.ts'

/** A request with less room for its answer is pointless: no change set fits. */
export const smallestAnswer = 256

const mostContinuations = 2

export type BudgetCheck =
  | {
      readonly status: 'ok'
      /** The requested length, or as much of it as the budget allows. */
      readonly maxOutputTokens: number
      /** How often a truncated answer may be continued within the budget. */
      readonly continuations: number
    }
  /** `limit` is a sentence. */
  | { readonly status: 'over_budget'; readonly scope: LimitScope; readonly limit: string }

/**
 * Checks, before a model call, that it fits the limits of a call, the task, the run and the day. Counts the estimated
 * prompt and the longest possible answer; shortens an answer that would not fit, down to 256 tokens. An unknown price
 * counts as zero.
 */
export function checkBudget(
  state: RunState,
  settings: Settings,
  request: {
    readonly promptTokens: number
    readonly maxOutputTokens?: number
    /** Usage of all runs since 00:00 UTC; zero when not given. */
    readonly today?: Amount
    /** The most that other requests of the run may still use. */
    readonly reserved?: Amount
  },
): BudgetCheck {
  const minutes = settings.limits.minutes
  if (minutes !== null && state.spent.seconds >= minutes * 60) {
    const limit = `The run may take ${minutes} minutes (limits.minutes), and they are over.`
    return { status: 'over_budget', scope: 'run', limit }
  }
  const { promptTokens, today = nothing, reserved = nothing } = request
  const wanted = request.maxOutputTokens ?? settings.model.maxOutputTokens
  const price = priceOf(modelFor(state, settings), settings.model.prices)
  const allowances = listAllowances(state, settings, today).map((allowance) =>
    allowance.scope === 'run' || allowance.scope === 'day'
      ? { ...allowance, used: allowance.used + reserved[allowance.unit] }
      : allowance,
  )
  const room = (allowance: Allowance) => outputThatFits(allowance, promptTokens, price)

  const needed = Math.min(wanted, smallestAnswer)
  const spent = allowances.find((allowance) => room(allowance) < needed)
  if (spent !== undefined) {
    const least = spending(spent, promptTokens, needed, 0, price)
    return { status: 'over_budget', scope: spent.scope, limit: explain(spent, least) }
  }
  const maxOutputTokens = Math.min(wanted, ...allowances.map(room))
  const fits = (continuations: number) =>
    allowances.every((allowance) => {
      const more = spending(allowance, promptTokens, maxOutputTokens, continuations, price)
      return allowance.used + more <= allowance.limit
    })
  let continuations = mostContinuations
  while (continuations > 0 && !fits(continuations)) continuations--
  return { status: 'ok', maxOutputTokens, continuations }
}

/** The most that a request within this budget spends on the run and the day. */
export function mostSpent(
  state: RunState,
  settings: Settings,
  promptTokens: number,
  { maxOutputTokens, continuations }: Extract<BudgetCheck, { status: 'ok' }>,
): Amount {
  const price = priceOf(modelFor(state, settings), settings.model.prices)
  const used = usageOf(promptTokens, maxOutputTokens, continuations)
  return { tokens: totalTokens(used), dollars: dollarsFor(used, price) }
}

/** Tokens, at the price of a prompt, that the limits of the task and the run leave; infinite without a limit. */
export function roomForTask(state: RunState, settings: Settings): number {
  const price = priceOf(modelFor(state, settings), settings.model.prices)
  const rooms = listAllowances(state, settings, nothing)
    .filter(({ scope }) => scope === 'task' || scope === 'run')
    .map((allowance) =>
      outputThatFits(allowance, 0, price && { ...price, completion: price.prompt }),
    )
  return Math.min(Number.POSITIVE_INFINITY, ...rooms)
}

/** The model in use: the task's own, or else the run's. */
export const modelFor = (state: RunState, settings: Settings): string =>
  state.attempt?.task.model ?? settings.model.name

/** The longest answer of one call that an allowance permits; negative when the prompt alone exceeds it. */
function outputThatFits(allowance: Allowance, promptTokens: number, price: Price | null): number {
  const left = allowance.limit - allowance.used
  if (allowance.unit === 'tokens') return Math.floor(left) - promptTokens
  const forAnswer = left - dollarsFor({ promptTokens, completionTokens: 0 }, price)
  if (forAnswer < 0 || left <= 0) return -1
  if (price === null || price.completion === 0) return Number.POSITIVE_INFINITY
  return Math.floor((forAnswer * 1e6) / price.completion)
}

/**
 * The most that a call spends when its answer is truncated and continued this many times: the prompt grows each time.
 * A limit per call counts each request separately, and the last one costs most.
 */
function spending(
  { unit, scope }: Allowance,
  prompt: number,
  output: number,
  continuations: number,
  price: Price | null,
): number {
  const every = usageOf(prompt, output, continuations)
  const last = { promptTokens: prompt + continuations * output, completionTokens: output }
  const tokens = scope === 'call' ? last : every
  return unit === 'tokens' ? totalTokens(tokens) : dollarsFor(tokens, price)
}

function usageOf(prompt: number, output: number, continuations: number) {
  const calls = continuations + 1
  return {
    promptTokens: calls * prompt + (continuations * calls * output) / 2,
    completionTokens: calls * output,
  }
}

function explain({ rule, unit, used, scope }: Allowance, least: number): string {
  const needed = `the next request needs at least ${amountOf(unit, least)}`
  if (scope === 'call') return `${rule}: ${needed}.`
  const reset = scope === 'day' ? ' It resets at 00:00 UTC.' : ''
  return `${rule}: ${amountOf(unit, used)} are used, and ${needed}.${reset}`
}

/** The scope of a limit. One of the `run` or the `day` also stops all other tasks. */
export type LimitScope = 'call' | 'task' | 'run' | 'day'

export type SpendUnit = 'tokens' | 'dollars'

/** One limit on spending. */
export interface Allowance {
  readonly scope: LimitScope
  /** "Task T-1 may use 20,000 tokens (its Budget line)". */
  readonly rule: string
  readonly unit: SpendUnit
  readonly limit: number
  /** Always 0 for a call: each starts at zero. */
  readonly used: number
}

/** All configured limits, the narrowest first. `today` is the usage of all runs of this day. */
function listAllowances(
  state: RunState,
  { limits }: Pick<Settings, 'limits'>,
  today: Amount,
): readonly Allowance[] {
  const list: Allowance[] = []
  const add = (
    scope: LimitScope,
    unit: SpendUnit,
    limit: number | null | undefined,
    used: Amount,
    source: string,
  ) => {
    if (limit === null || limit === undefined) return
    const rule = `${spenders[scope](state)} may use ${amountOf(unit, limit)} (${source})`
    list.push({ scope, rule, unit, limit, used: used[unit] })
  }
  add('call', 'tokens', limits.tokensPerCall, nothing, 'limits.tokens-per-call')
  add('call', 'dollars', limits.dollarsPerCall, nothing, 'limits.cost-per-call')
  if (state.attempt !== null) {
    const { budget } = state.attempt.task
    const used = spentBy(state.attempt.usage)
    add('task', 'tokens', budget?.tokens, used, 'its Budget line')
    add('task', 'dollars', budget?.dollars, used, 'its Budget line')
    add('task', 'tokens', limits.tokensPerTask, used, 'limits.tokens-per-task')
    add('task', 'dollars', limits.dollarsPerTask, used, 'limits.cost-per-task')
  }
  add('run', 'tokens', limits.tokens, spentBy(state.spent.usage), 'max-tokens')
  add('run', 'dollars', limits.dollars, spentBy(state.spent.usage), 'max-cost')
  add('day', 'tokens', limits.tokensPerDay, today, 'limits.tokens-per-day')
  add('day', 'dollars', limits.dollarsPerDay, today, 'limits.cost-per-day')
  return list
}

/** Tokens of code for one request: the configured number, and at most half of what a request may use. */
export function contextBudget(
  { limits }: Pick<Settings, 'limits'>,
  window: number = Number.POSITIVE_INFINITY,
): number {
  const { contextTokens, tokensPerCall } = limits
  const most = Math.min(tokensPerCall ?? Number.POSITIVE_INFINITY, window)
  return Math.min(contextTokens, Math.floor(most / 2))
}

/** The budget of a prompt's code. With tools, the model reads the missing code itself, and every request repeats it. */
export const contextShare = (settings: Pick<Settings, 'limits'>, way: TaskWay | 'agent'): number =>
  Math.floor(contextBudget(settings) * (way === 'tools' ? 1 / 2 : 1))

/** Tokens of the code and facts that an attempt's first request shows. */
export const shownTokens = ({ map, context }: Pick<Attempt, 'map' | 'context'>): number =>
  estimateTokens([map, ...context.map(({ text }) => text)].join('\n'))

/** In tokens: half of what counts as much (`core/history/fold-events.ts`). */
const littleCode = 2_000

/** A server reads the code of one request in a minute, where its speed is known, or this many tokens of it. */
const readingSeconds = 60
const leastRead = 2_000

/** The configured budget, or one that fits the model, its speed or its refinement; halved for each time that it proved too large. */
export function contextBudgetOf(state: RunState, settings: Settings): number {
  const refused = attemptOf(state).remedies.filter(
    ({ node, strategy }) => node === 'execute_task' && strategy === 'smaller_scope',
  ).length
  const way = wayOf(attemptOf(state), settings.strategy)
  const { refinement } = attemptOf(state)
  const most = refinement === 'less_code' ? littleCode : Number.POSITIVE_INFINITY
  const half = Math.floor(contextShare(settings, way) / 2 ** refused)
  const model = modelFor(state, settings)
  const { windows, speeds = {} } = state.learned
  const speed = speeds[model] ?? Number.POSITIVE_INFINITY
  const read = Math.max(leastRead, Math.floor(readingSeconds * speed))
  return Math.min(half, most, read, contextBudget(settings, windows[model]))
}

const nothing: Amount = { tokens: 0, dollars: 0 }

const spentBy = (usage: typeof noUsage): Amount => ({
  tokens: totalTokens(usage),
  dollars: usage.dollars,
})

const spenders: Readonly<Record<LimitScope, (state: RunState) => string>> = {
  call: () => 'One request',
  task: ({ attempt }) => `Task ${attempt?.task.id}`,
  run: () => 'The run',
  day: () => 'All runs of one day',
}
