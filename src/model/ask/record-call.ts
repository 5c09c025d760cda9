/** What a call to the model leaves in the journal and in the day's spending. */

import { createHash } from 'node:crypto'
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
import type { Message, ModelReply, ModelRequest } from '../../core/ports/model.ts'
import type { DaySpending } from '../../core/ports/store.ts'
import type { Ports } from '../../core/ports.ts'
import { type BudgetCheck, checkBudget, mostSpent } from '../budget/check-budget.ts'

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

/**
 * SHA-256 of the request, in hex; the allowed length of the answer does not count. Sample 0 has the hash that it had
 * before there were samples, so stored answers stay paid.
 */
export function hashRequest(
  request: Pick<ModelRequest, 'purpose' | 'model' | 'messages' | 'json' | 'sample'>,
): string {
  const { purpose, model, messages, json, sample = 0 } = request
  const turns = messages.map(({ role, content }) => [role, content])
  const parts = [purpose, model, turns, json, ...(sample > 0 ? [sample] : [])]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

const digitsOfDigest = 12

/** Equal for two requests that differ only in numbers, which a model at temperature 0 answers alike. */
export function digestRequest(model: string, messages: readonly Message[], sample: number): string {
  const turns = messages.map(({ role, content }) => [role, content.replaceAll(/\d+/g, '#')])
  const hash = createHash('sha256')
    .update(JSON.stringify([model, turns, sample]))
    .digest('hex')
  return hash.slice(0, digitsOfDigest)
}

/** Lines of a message that are compared one by one; later ones count only in the hash. */
const mostLines = 4000

const digits = 4

/**
 * Encodes each message as one short digest per line: some thousand characters that reveal no text but show where
 * another request differs. Ignores numbers, because times and ports differ between test runs.
 */
export const outlineRequest = (messages: readonly Message[]): readonly string[] =>
  messages.map(({ content }) => linesOf(content).map(digest).join(''))

/** Describes in a few words where a request differs from a recorded outline; empty when only numbers differ. */
export function describeDifferences(
  recorded: readonly string[],
  messages: readonly Message[],
): readonly string[] {
  const now = outlineRequest(messages)
  if (now.length !== recorded.length) {
    return [`it has ${now.length} messages, and had ${recorded.length}`]
  }
  return messages.flatMap(({ role, content }, at) => {
    const difference = describeMessage(split(recorded[at] ?? ''), linesOf(content))
    return difference === null ? [] : [`message ${at + 1} (${role}), ${difference}`]
  })
}

/** The lines between the common start and the common end. */
function describeMessage(old: readonly string[], lines: readonly string[]): string | null {
  const now = lines.map(digest)
  const shorter = Math.min(old.length, now.length)
  let start = 0
  while (start < shorter && old[start] === now[start]) start += 1
  if (start === old.length && start === now.length) return null
  let end = 0
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end += 1
  const removed = old.length - start - end
  const added = lines.slice(start, lines.length - end)
  const counts = `from line ${start + 1}: ${removed} lines were ${added.length} others`
  const shown = added.find((line) => line.trim() !== '')
  return shown === undefined ? counts : `${counts}, + ${shown.trim().slice(0, 120)}`
}

const linesOf = (text: string): readonly string[] => text.split('\n', mostLines)

const split = (outline: string): readonly string[] =>
  Array.from({ length: Math.ceil(outline.length / digits) }, (_, at) =>
    outline.slice(at * digits, (at + 1) * digits),
  )

/** FNV-1a, folded to 16 bits. */
function digest(line: string): string {
  let hash = 0x811c9dc5
  for (const character of line.trim().replaceAll(/\d+/g, '#')) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  }
  return ((hash >>> 16) ^ (hash & 0xffff)).toString(16).padStart(digits, '0').slice(-digits)
}
