import { isDeepStrictEqual } from 'node:util'
import { changeState } from '../../core/domain/change-state.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import { noUsage, type Usage } from '../../core/domain/usage.ts'
import type { DaySpending } from '../../core/ports/store.ts'
import type { Ports } from '../../core/ports.ts'
import { type BudgetCheck, checkBudget, mostSpent } from '../budget/check-budget.ts'
import { recordSpending } from './record-call.ts'

type Needs = Pick<Ports, 'settings' | 'store' | 'clock' | 'ledger'>

interface Budgeted {
  readonly budget: BudgetCheck
  readonly today: DaySpending
  /** Records what the request used: to be called once it has an answer, or none. */
  settle(usage: Usage): Promise<void>
}

/**
 * Checks that a request fits the budget. Where lanes share it, reserves the most that the request may spend; while
 * another lane's reservation is in the way, waits for that lane's answer before it calls anything too much.
 */
export async function reserveBudget(
  state: RunState,
  ports: Needs,
  request: { readonly promptTokens: number; readonly maxOutputTokens: number },
): Promise<Budgeted> {
  const { settings, ledger } = ports
  const book = (usage: Usage) => recordSpending(usage, ports)
  if (ledger === undefined) {
    const today = await spentToday(ports)
    return { budget: checkBudget(state, settings, { ...request, today }), today, settle: book }
  }
  const { plan, settle } = await ledger.reserve(async ({ spent, reserved }) => {
    const today = await spentToday(ports)
    const now = changeState(state, { spent: { usage: spent } })
    const budget = checkBudget(now, settings, { ...request, today })
    const beside = checkBudget(now, settings, { ...request, today, reserved })
    const isInTheWay = reserved.tokens > 0 || reserved.dollars > 0
    if (isInTheWay && !isDeepStrictEqual(budget, beside)) return null
    const most =
      budget.status === 'ok'
        ? mostSpent(state, settings, request.promptTokens, budget)
        : { tokens: 0, dollars: 0 }
    return { plan: { budget, today }, most }
  })
  if (plan.budget.status === 'over_budget') await settle(noUsage)
  return { ...plan, settle: (usage) => settle(usage, () => book(usage)) }
}

/** Reads the day's spending, which is a file, only when a limit needs it. */
async function spentToday({ store, clock, settings }: Needs): Promise<DaySpending> {
  const { tokensPerDay, dollarsPerDay } = settings.limits
  return tokensPerDay === null && dollarsPerDay === null
    ? { tokens: 0, dollars: 0, unreadable: null }
    : store.spendingOn(clock.now().slice(0, 10))
}
