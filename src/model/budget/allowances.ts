import type { RunState } from '../../core/domain/run-state.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { type noUsage, totalTokens } from '../../core/domain/usage.ts'

/** What a limit is about. One of the `run` or the `day` leaves nothing for other tasks either. */
export type LimitScope = 'call' | 'task' | 'run' | 'day'

export type SpendUnit = 'tokens' | 'dollars'

/** One thing that may be spent. */
export interface Allowance {
  readonly scope: LimitScope
  /** "Task T-1 may use 20,000 tokens (its Budget line)". */
  readonly rule: string
  readonly unit: SpendUnit
  readonly limit: number
  /** Always 0 for a call: each starts anew. */
  readonly used: number
}

/** Tokens and dollars that were used. */
type Spent = Readonly<Record<SpendUnit, number>>

/** Every limit that is set, the narrowest first. `today` is what all runs of this day used. */
export function listAllowances(
  state: RunState,
  { limits }: Pick<Settings, 'limits'>,
  today: Spent,
): readonly Allowance[] {
  const list: Allowance[] = []
  const add = (
    scope: LimitScope,
    unit: SpendUnit,
    limit: number | null | undefined,
    used: Spent,
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

/** Tokens of code for one request: what is set, and at most half of what a request may use. */
export function contextBudget(
  { limits }: Pick<Settings, 'limits'>,
  window: number = Number.POSITIVE_INFINITY,
): number {
  const { contextTokens, tokensPerCall } = limits
  const most = Math.min(tokensPerCall ?? Number.POSITIVE_INFINITY, window)
  return Math.min(contextTokens, Math.floor(most / 2))
}

/** `20,000 tokens`, `$0.10`. */
export const amountOf = (unit: SpendUnit, value: number): string =>
  unit === 'tokens'
    ? `${Math.round(value).toLocaleString('en')} tokens`
    : `$${value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 4 })}`

const nothing: Spent = { tokens: 0, dollars: 0 }

const spentBy = (usage: typeof noUsage): Spent => ({
  tokens: totalTokens(usage),
  dollars: usage.dollars,
})

const spenders: Readonly<Record<LimitScope, (state: RunState) => string>> = {
  call: () => 'One request',
  task: ({ attempt }) => `Task ${attempt?.task.id}`,
  run: () => 'The run',
  day: () => 'All runs of one day',
}
