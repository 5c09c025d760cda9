/** What a call to the model leaves in the journal and in the day's spending. */

import { isDeepStrictEqual } from 'node:util'
import { classifyText, signatureOf } from '../../../packages/diagnosis/diagnosis.ts'
import {
  changeState,
  joinPatches,
  nodeOf,
  type StatePatch,
} from '../../core/domain/change-state.ts'
import type { JournalEntry, RecordedAnswer } from '../../core/domain/journal-event.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import { noUsage, totalTokens, type Usage } from '../../core/domain/usage.ts'
import type { Message, ModelReply } from '../../core/ports/model.ts'
import type { DaySpending } from '../../core/ports/store.ts'
import type { Ports } from '../../core/ports.ts'
import { type BudgetCheck, checkBudget, mostSpent } from '../budget/check-budget.ts'
import { digestRequest } from './identify-request.ts'

export const attemptPlace = ({ attempt }: RunState) => ({
  task: attempt?.task.id ?? null,
  attempt: attempt?.number ?? null,
})

/** Records each retry of the endpoint as an error of the history, with the wait as its remedy. */
export async function recordSetbacks(
  state: RunState,
  reply: ModelReply,
  { store }: Pick<Ports, 'store'>,
): Promise<void> {
  const { setbacks = [] } = reply
  if (setbacks.length === 0) return
  const rows = setbacks.flatMap(({ reason, seconds }, at): JournalEntry[] => {
    const { type, severity, recoverable, line: message } = classifyText(reason)
    const signature = signatureOf({ type, tool: 'model', message })
    const about = { ...attemptPlace(state), node: nodeOf(state), signature }
    const worked = reply.status === 'answered' && at === setbacks.length - 1
    const fix = `waited ${seconds.toFixed(1)} s`
    return [
      { kind: 'failed', ...about, message, error: { type, severity, recoverable } },
      { kind: 'remedied', ...about, type, strategy: 'back_off', fix, worked },
    ]
  })
  await store.record(state.run.id, rows)
}

/** Writes the spending to disk before the answer is used: a killed run has spent it, too. */
async function recordSpending(
  usage: Usage,
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
): Promise<void> {
  const tokens = totalTokens(usage)
  if (tokens === 0 && usage.dollars === 0) return
  await store.recordSpending({ at: clock.now(), tokens, dollars: usage.dollars })
}

/** The first sample, from `least` on, that this attempt has no answer to. */
export function freeSample(
  { attempt }: RunState,
  model: string,
  messages: readonly Message[],
  least: number,
): { readonly sample: number; readonly digest: string } {
  const asked = new Set(attempt?.asked ?? [])
  for (let sample = least; ; sample += 1) {
    const digest = digestRequest(model, messages, sample)
    if (!asked.has(digest)) return { sample, digest }
  }
}

export interface AskedBefore {
  readonly model: string
  readonly digest: string
}

/** Notes that the attempt has an answer to this request, and the speed, which the context of later requests follows. */
export function noteAnswer(
  state: RunState,
  { model, digest, promptSpeed }: AskedBefore & Pick<RecordedAnswer, 'promptSpeed'>,
  patch: StatePatch,
): StatePatch {
  const { attempt, learned } = changeState(state, patch)
  const speeds = { ...learned.speeds, ...(promptSpeed && { [model]: promptSpeed }) }
  const noted = promptSpeed === undefined ? patch : joinPatches(patch, { learned: { speeds } })
  if (attempt === null) return noted
  return joinPatches(noted, { attempt: { ...attempt, asked: [...attempt.asked, digest] } })
}

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
