import {
  changeState,
  joinPatches,
  nodeOf,
  type StatePatch,
} from '../../core/domain/change-state.ts'
import { isError } from '../../core/domain/errors.ts'
import type { JournalEntry, RecordedAnswer } from '../../core/domain/journal-event.ts'
import type { RunError, RunState } from '../../core/domain/run-state.ts'
import type { TriedRemedy } from '../../core/domain/step-error.ts'
import { addUsage, totalTokens, type Usage } from '../../core/domain/usage.ts'
import type { Message, ModelReply, ModelRequest } from '../../core/ports/model.ts'
import type { DaySpending } from '../../core/ports/store.ts'
import type { Ports } from '../../core/ports.ts'
import { classifyText, signatureOf } from '../../text/diagnosis/diagnose.ts'
import { mayTry } from '../../text/diagnosis/remedy-table.ts'
import { stripHidden } from '../../text/hidden/show-text.ts'
import { estimatePromptTokens } from '../../text/words/estimate-tokens.ts'
import { type BudgetCheck, checkBudget, modelFor, smallestAnswer } from '../budget/check-budget.ts'
import { hashRequest, outlineRequest } from './identify-request.ts'

export interface ModelQuestion {
  readonly purpose: ModelRequest['purpose']
  /** What is asked; as a function, what is asked with this share, 1 or less, of what could be shown. */
  readonly messages: readonly Message[] | ((share: number) => readonly Message[])
  readonly maxOutputTokens?: number
  readonly json?: boolean
}

/** The patch is merged by the caller, whatever the status. */
export type ModelAnswer = { readonly patch: StatePatch } & (
  | { readonly status: 'answered'; readonly text: string; readonly finish: 'stop' | 'length' }
  /** Not asked: a limit does not allow it, or the run is a dry one. `reason` says which. */
  | { readonly status: 'over_budget'; readonly reason: string }
  /** More than the model can read, however short its answer; `wasAsked` is false where that was known before. */
  | { readonly status: 'too_large'; readonly reason: string; readonly wasAsked: boolean }
  | { readonly status: 'unavailable'; readonly reason: string; readonly retryAt: string | null }
)

/** What asking the model needs. */
export type ModelPorts = Pick<Ports, 'model' | 'settings' | 'store' | 'clock'>

const shares = [1 / 2, 1 / 4, 1 / 8]

/**
 * The one way to the model: chooses it, checks the budget first, and books what the call used on the day, the run and
 * the attempt. An answer that the run's journal has already is not asked for again. Whatever a prompt was made of, no
 * hidden character leaves with it. What an endpoint says of the model's window holds for the rest of the run. What is
 * more than the model can read is asked with less, three times at most, each noted as a remedy of the attempt.
 */
export async function askModel(
  state: RunState,
  ports: ModelPorts,
  question: ModelQuestion,
): Promise<ModelAnswer> {
  let asked = await askOnce(state, ports, question, shownOf(question, 1))
  for (const share of typeof question.messages === 'function' ? shares : []) {
    if (asked.status !== 'too_large') break
    const { reason, patch, wasAsked } = asked
    const now: RunState = changeState(state, patch)
    if (wasAsked && !mayAsk(now, 'smaller_scope')) break
    const next = await askOnce(now, ports, question, shownOf(question, share))
    const tried = aboutModel(
      now,
      'smaller_scope',
      reason,
      `asked with 1/${1 / share} of the context`,
    )
    // What was known of the model is no error of this step.
    const noted = wasAsked
      ? noteRemedy(changeState(now, next.patch), { ...tried, worked: next.status !== 'too_large' })
      : {}
    asked = { ...next, patch: joinPatches(patch, next.patch, noted) }
  }
  return asked
}

export const shownOf = ({ messages }: ModelQuestion, share: number): readonly Message[] =>
  typeof messages === 'function' ? messages(share) : messages

/** `null` where the endpoint refuses the question: what is only a help does not end the run. */
export const unlessRejected = <Answer>(asked: Promise<Answer>): Promise<Answer | null> =>
  asked.catch((error: unknown) => {
    if (isError(error, 'model_rejected')) return null
    throw error
  })

/** Of a list its beginning, and never nothing of something. */
export const firstOf = <Each>(list: readonly Each[], share: number): readonly Each[] =>
  list.slice(0, Math.ceil(list.length * share))

/** Where no attempt is under way nothing counts but the caller's own bound. */
export const mayAsk = ({ attempt }: RunState, remedy: 'ask_again' | 'smaller_scope'): boolean =>
  attempt === null || mayTry(attempt.remedies, 'model_error', remedy)

export const noteRemedy = (
  { attempt }: RunState,
  tried: TriedRemedy,
): Pick<RunState, 'attempt'> => ({
  attempt: attempt && { ...attempt, remedies: [...attempt.remedies, tried] },
})

/** A try against what the model or its endpoint did wrong. */
export function aboutModel(
  state: RunState,
  strategy: 'ask_again' | 'smaller_scope',
  message: string,
  fix: string,
): TriedRemedy {
  const type = 'model_error'
  const node = nodeOf(state)
  const signature = signatureOf({ type, tool: node, message })
  return { node, type, strategy, signature, message, subject: '', fix, worked: null }
}

async function askOnce(
  state: RunState,
  ports: ModelPorts,
  { purpose, json = false, maxOutputTokens }: ModelQuestion,
  given: readonly Message[],
): Promise<ModelAnswer> {
  const { settings, store, clock } = ports
  const messages = given.map((message) => ({
    ...message,
    content: stripHidden(message.content, 'plain').text,
  }))
  const model = modelFor(state, settings)
  const hash = hashRequest({ purpose, model, messages, json })
  const known = await store.answer(state.run.id, state.spent.calls, hash)
  if (known !== null) return answered(known, book(state, known.usage))
  const wanted = maxOutputTokens ?? settings.model.maxOutputTokens
  const promptTokens = estimatePromptTokens(messages)
  const today = await spentToday(ports)
  const admitted = admit(state, today)
  const budget = checkBudget(state, settings, { promptTokens, maxOutputTokens: wanted, today })
  if (budget.status === 'over_budget') {
    const patch = recordLimit(changeState(state, admitted), budget)
    return { status: 'over_budget', reason: budget.limit, patch }
  }
  const window = state.learned.windows[model]
  const room = roomIn(window, promptTokens)
  if (room < Math.min(wanted, smallestAnswer)) {
    const reason = `the request takes about ${promptTokens} tokens, and ${model} takes ${window} with its answer`
    return { status: 'too_large', reason, wasAsked: false, patch: admitted }
  }
  const began = clock.monotonic()
  const length = Math.min(budget.maxOutputTokens, room)
  const { continuations } = budget
  const request = { purpose, model, messages, json, continuations, maxOutputTokens: length }
  const { reply, learnt } = await askWithin(state, ports, request, hash)
  const patch = joinPatches(admitted, learnt, book(state, reply.usage))
  if (reply.status === 'withheld') {
    return { status: 'over_budget', reason: 'A dry run does not ask the model.', patch }
  }
  await recordSetbacks(state, reply, ports)
  if (reply.status === 'answered') {
    const { text, finish, usage } = reply
    const answer = { call: state.spent.calls, hash, text, finish, usage, exact: true }
    const about = { purpose, model, seconds: clock.monotonic() - began }
    const row = { kind: 'answered', ...placeOf(state), ...about, ...answer } as const
    const outline = outlineRequest(messages)
    // Booked first: an answer that is in the journal is not paid for, and not booked, again.
    await record(usage, ports)
    // Before anything is made of it: whatever ends the run now, it is not asked again.
    await store.record(state.run.id, [{ ...row, outline }])
    return answered(answer, patch)
  }
  await record(reply.usage, ports)
  const { status, reason } = reply
  if (status === 'too_large') return { status, reason, wasAsked: true, patch }
  const stopped = stoppedBy(state, reason, reply.retryAt)
  return { status, reason, retryAt: reply.retryAt, patch: joinPatches(patch, stopped) }
}

/** Tokens that a window leaves for the answer. */
const roomIn = (window: number | undefined, promptTokens: number): number =>
  window === undefined ? Number.POSITIVE_INFINITY : window - promptTokens

const placeOf = ({ attempt }: RunState) => ({
  task: attempt?.task.id ?? null,
  attempt: attempt?.number ?? null,
})

/** Most endpoints count the answer's length in: where only that is too much, a shorter one is asked for. */
async function askWithin(
  state: RunState,
  { model, store }: ModelPorts,
  request: ModelRequest,
  hash: string,
): Promise<{ readonly reply: ModelReply; readonly learnt: StatePatch }> {
  const reply = await model.complete(request)
  if (reply.status !== 'too_large') return { reply, learnt: {} }
  const { reason, window, promptTokens, usage } = reply
  const { purpose } = request
  const said = { purpose, call: state.spent.calls, hash, reason, window, promptTokens }
  // For a replay: it hears the same again.
  await store.record(state.run.id, [{ kind: 'too_large', ...placeOf(state), ...said }])
  const counted = promptTokens ?? estimatePromptTokens(request.messages)
  const known = window ?? counted + smallestAnswer - 1
  const windows = { ...state.learned.windows, [request.model]: known }
  const learnt = { learned: { windows } }
  const room = roomIn(window ?? undefined, counted)
  const isAnswerTooLong = room >= smallestAnswer && room < request.maxOutputTokens
  if (!isAnswerTooLong) return { reply, learnt }
  const again = await model.complete({ ...request, maxOutputTokens: room })
  return { reply: { ...again, usage: addUsage(usage, again.usage) }, learnt }
}

/** Each time that the endpoint had to be asked again is a row of the history. */
async function recordSetbacks(
  state: RunState,
  reply: ModelReply,
  { store }: ModelPorts,
): Promise<void> {
  const setbacks = 'setbacks' in reply ? (reply.setbacks ?? []) : []
  if (setbacks.length === 0) return
  const rows = setbacks.map((reason): JournalEntry => {
    const { type, severity, recoverable, line: message } = classifyText(reason)
    const signature = signatureOf({ type, tool: 'model', message })
    const error = { type, severity, recoverable }
    return { kind: 'failed', ...placeOf(state), node: nodeOf(state), signature, message, error }
  })
  await store.record(state.run.id, rows)
}

/** The next call is another one. */
const answered = ({ call, text, finish }: RecordedAnswer, booked: StatePatch): ModelAnswer => ({
  status: 'answered',
  text,
  finish,
  patch: joinPatches(booked, { spent: { calls: call + 1 } }),
})

function book(state: RunState, usage: Usage): StatePatch {
  const { attempt } = state
  return {
    spent: { usage: addUsage(state.spent.usage, usage) },
    attempt: attempt && { ...attempt, usage: addUsage(attempt.usage, usage) },
  }
}

/** Asked only where it limits anything: it is a file to read. */
async function spentToday({ store, clock, settings }: ModelPorts): Promise<DaySpending> {
  const { tokensPerDay, dollarsPerDay } = settings.limits
  return tokensPerDay === null && dollarsPerDay === null
    ? { tokens: 0, dollars: 0, unreadable: null }
    : store.spendingOn(clock.now().slice(0, 10))
}

/** A limit that counts with less than was spent says so, once. */
function admit({ progress: { limits } }: RunState, { unreadable }: DaySpending): StatePatch {
  if (unreadable === null) return {}
  const sentence = `What was spent today is known only in part: ${unreadable}.`
  return limits.includes(sentence) ? {} : { progress: { limits: [...limits, sentence] } }
}

/** On disk before anything is made of the answer: a killed run has spent it, too. */
async function record(usage: Usage, { store, clock }: ModelPorts): Promise<void> {
  const tokens = totalTokens(usage)
  if (tokens === 0 && usage.dollars === 0) return
  await store.recordSpending({ at: clock.now(), tokens, dollars: usage.dollars })
}

/** A limit is said once; one of the run or the day also stops the run. */
function recordLimit(
  state: RunState,
  { limit, scope }: Extract<BudgetCheck, { status: 'over_budget' }>,
): StatePatch {
  const limits = [...new Set([...state.progress.limits, limit])]
  return scope === 'run' || scope === 'day'
    ? { progress: { limits, stopped: 'limit' } }
    : { progress: { limits } }
}

function stoppedBy(state: RunState, reason: string, retryAt: string | null): StatePatch {
  const error: RunError = {
    code: 'model_unavailable',
    message: `The model is not available: ${reason}`,
    next: `Run it again ${retryAt === null ? 'later' : `after ${retryAt}`}; finished work is kept.`,
    taskId: state.attempt?.task.id ?? null,
  }
  return {
    progress: { retryAt, stopped: 'unavailable' },
    record: { errors: [...state.record.errors, error] },
  }
}
