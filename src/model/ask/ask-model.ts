import { mayTry, signatureOf } from '../../../packages/diagnosis/diagnosis.ts'
import { estimatePromptTokens, stripHidden } from '../../../packages/text/text.ts'
import type { TriedRemedy } from '../../core/domain/attempt.ts'
import {
  changeState,
  joinPatches,
  nodeOf,
  type StatePatch,
} from '../../core/domain/change-state.ts'
import { isError } from '../../core/domain/errors.ts'
import type { RecordedAnswer, RecordedSilence } from '../../core/domain/journal-event.ts'
import type { RunError, RunState } from '../../core/domain/run-state.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { addUsage, noUsage, type Usage } from '../../core/domain/usage.ts'
import type { Message, ModelReply, ModelRequest } from '../../core/ports/model.ts'
import type { DaySpending } from '../../core/ports/store.ts'
import type { Ports } from '../../core/ports.ts'
import { type BudgetCheck, modelFor, smallestAnswer } from '../budget/check-budget.ts'
import {
  type AskedBefore,
  attemptPlace,
  freeSample,
  hashRequest,
  noteAnswer,
  outlineRequest,
  recordSetbacks,
  reserveBudget,
} from './record-call.ts'

export interface ModelQuestion {
  readonly purpose: ModelRequest['purpose']
  /** The messages; as a function, the messages with this share, 1 or less, of the optional content. */
  readonly messages: readonly Message[] | ((share: number) => readonly Message[])
  /** The least sample number; a question that was answered before gets the next free one. */
  readonly sample?: number
  readonly maxOutputTokens?: number
  readonly json?: boolean
  /** The caller has less context to offer: a silent endpoint ends the question as too large. */
  readonly endsWhenSilent?: boolean
  /** Tools that the answer may call natively, where the endpoint can. */
  readonly tools?: ModelRequest['tools']
}

/** The caller merges the patch, whatever the status. */
export type ModelAnswer = { readonly patch: StatePatch } & (
  | {
      readonly status: 'answered'
      readonly text: string
      readonly finish: 'stop' | 'length'
      /** As in `ModelReply`. */
      readonly why?: string
      /** The answer was cut off because it would not have ended: it cannot be used. */
      readonly runaway?: true
    }
  /** Not asked: a limit forbids it, or this is a dry run. `reason` says which. */
  | { readonly status: 'over_budget'; readonly reason: string }
  /**
   * The prompt exceeds the model's window, however short its answer; `wasAsked` is false when that was known before.
   * `isSilent`: no data came for it, so a smaller one may help.
   */
  | {
      readonly status: 'too_large'
      readonly reason: string
      readonly wasAsked: boolean
      readonly isSilent: boolean
    }
  | { readonly status: 'unavailable'; readonly reason: string; readonly retryAt: string | null }
)

/** The ports that a request to the model needs. */
export type ModelPorts = Pick<Ports, 'model' | 'settings' | 'store' | 'clock' | 'ledger'>

const shares = [1 / 2, 1 / 4, 1 / 8]

/**
 * The only way to the model: chooses it, checks the budget first, and books the usage on the day, the run and the
 * attempt. Reuses an answer that the run's journal has. Strips hidden characters from every prompt. Remembers, for
 * the rest of the run, the window that an endpoint reports. Asks with less, three times at most, when the prompt
 * exceeds the window, and once when the endpoint is silent; each try is a remedy of the attempt. Never sends the same
 * request twice in one attempt: a question that was answered before is drawn as another sample.
 */
export async function askModel(
  state: RunState,
  ports: ModelPorts,
  question: ModelQuestion,
): Promise<ModelAnswer> {
  const { endsWhenSilent = hasLess(state, question) } = question
  let asked = await askOnce(state, ports, { ...question, endsWhenSilent }, shownOf(question, 1))
  for (const share of typeof question.messages === 'function' ? shares : []) {
    if (asked.status !== 'too_large') break
    const { reason, patch, wasAsked, isSilent } = asked
    const now: RunState = changeState(state, patch)
    if (wasAsked && !isSilent && !mayAsk(now, 'smaller_scope')) break
    const next = await askOnce(now, ports, question, shownOf(question, share))
    const fix = `asked with 1/${1 / share} of the context`
    const type = isSilent ? 'timeout' : 'model_error'
    const tried = aboutModel(now, 'smaller_scope', reason, fix, type)
    const worked = isSilent ? next.status === 'answered' : next.status !== 'too_large'
    // A window that was known before is not an error of this step.
    const noted = wasAsked ? noteRemedy(changeState(now, next.patch), { ...tried, worked }) : {}
    asked = { ...next, patch: joinPatches(patch, next.patch, noted) }
  }
  return askThinker(state, ports, question, asked)
}

/**
 * Asks a model that thinks before it answers once more, with the full length, when its thoughts used up the length that
 * the answer needs; remembers it for the rest of the run.
 */
async function askThinker(
  state: RunState,
  ports: ModelPorts,
  question: ModelQuestion,
  asked: ModelAnswer,
): Promise<ModelAnswer> {
  const { maxOutputTokens } = ports.settings.model
  const isCut = asked.status === 'answered' && asked.finish === 'length' && asked.text.trim() === ''
  const { maxOutputTokens: given = maxOutputTokens } = question
  if (!isCut || asked.runaway || given >= maxOutputTokens) return asked
  const model = modelFor(state, ports.settings)
  const learned = { thinking: [...new Set([...state.learned.thinking, model])] }
  const now = changeState(state, asked.patch, { learned })
  const again = await askOnce(now, ports, question, shownOf(question, 1))
  return { ...again, patch: joinPatches(asked.patch, { learned }, again.patch) }
}

/** True if half of the optional content is a smaller prompt that may be tried. */
function hasLess(state: RunState, question: ModelQuestion): boolean {
  if (typeof question.messages !== 'function') return false
  const lengthOf = (share: number) =>
    shownOf(question, share).reduce((sum, { content }) => sum + content.length, 0)
  return mayAsk(state, 'smaller_scope', 'timeout') && lengthOf(1 / 2) < lengthOf(1)
}

export const shownOf = ({ messages }: ModelQuestion, share: number): readonly Message[] =>
  typeof messages === 'function' ? messages(share) : messages

/** `null` when the endpoint refuses the request: an optional question does not end the run. */
export const unlessRejected = <Answer>(asked: Promise<Answer>): Promise<Answer | null> =>
  asked.catch((error: unknown) => {
    if (isError(error, 'model_rejected')) return null
    throw error
  })

/** The first part of a list; never empty unless the list is. */
export const firstOf = <Each>(list: readonly Each[], share: number): readonly Each[] =>
  list.slice(0, Math.ceil(list.length * share))

/** Outside an attempt only the caller's own limit counts. */
export const mayAsk = (
  { attempt }: RunState,
  remedy: 'ask_again' | 'smaller_scope',
  type: ModelFault = 'model_error',
): boolean => attempt === null || mayTry(attempt.remedies, type, remedy)

type ModelFault = 'model_error' | 'timeout'

export const noteRemedy = (
  { attempt }: RunState,
  tried: TriedRemedy,
): Pick<RunState, 'attempt'> => ({
  attempt: attempt && { ...attempt, remedies: [...attempt.remedies, tried] },
})

/** A remedy against a fault of the model or its endpoint. */
export function aboutModel(
  state: RunState,
  strategy: 'ask_again' | 'smaller_scope',
  message: string,
  fix: string,
  type: ModelFault = 'model_error',
): TriedRemedy {
  const node = nodeOf(state)
  const signature = signatureOf({ type, tool: node, message })
  return { node, type, strategy, signature, message, subject: '', fix, worked: null }
}

async function askOnce(
  state: RunState,
  ports: ModelPorts,
  {
    purpose,
    json = false,
    maxOutputTokens,
    tools,
    endsWhenSilent = false,
    sample: least = 0,
  }: ModelQuestion,
  given: readonly Message[],
): Promise<ModelAnswer> {
  const { settings, store, clock } = ports
  const messages = given.map((message) => ({
    ...message,
    content: stripHidden(message.content, 'plain').text,
  }))
  const model = modelFor(state, settings)
  const { sample, digest } = freeSample(state, model, messages, least)
  const hash = hashRequest({ purpose, model, messages, json, sample })
  const known = await findKnown(state, ports, { model, hash, digest, endsWhenSilent })
  if (known !== null) return known
  const wanted = wantedLength(state, model, settings, maxOutputTokens)
  const promptTokens = estimatePromptTokens(messages, tools)
  const size = { promptTokens, maxOutputTokens: wanted }
  const { budget, today, settle } = await reserveBudget(state, ports, size)
  const admitted = noteUnreadable(state, today)
  if (budget.status === 'over_budget') {
    const patch = recordLimit(changeState(state, admitted), budget)
    return { status: 'over_budget', reason: budget.limit, patch }
  }
  const window = state.learned.windows[model]
  const room = roomIn(window, promptTokens)
  if (room < Math.min(wanted, smallestAnswer)) {
    await settle(noUsage)
    const reason = `the request takes about ${promptTokens} tokens, and ${model} takes ${window} with its answer`
    return { status: 'too_large', reason, wasAsked: false, isSilent: false, patch: admitted }
  }
  const began = clock.monotonic()
  const length = Math.min(budget.maxOutputTokens, room)
  const { continuations } = budget
  const asked = { purpose, model, messages, json, continuations, maxOutputTokens: length }
  const request = {
    ...asked,
    ...(sample > 0 && { sample }),
    ...(tools !== undefined && { tools }),
    ...(endsWhenSilent && { endsWhenSilent }),
  }
  const { reply, learnt } = await askWithin(state, ports, request, hash).catch(async (error) => {
    await settle(noUsage)
    throw error
  })
  const patch = joinPatches(admitted, learnt, book(state, reply.usage))
  if (reply.status === 'withheld') {
    await settle(noUsage)
    return { status: 'over_budget', reason: 'A dry run does not ask the model.', patch }
  }
  await recordSetbacks(state, reply, ports)
  // Book the usage first: an answer in the journal is neither paid for nor booked again.
  await settle(reply.usage)
  const about = { ...attemptPlace(state), purpose, model, seconds: clock.monotonic() - began }
  if (reply.status === 'answered') {
    const answer = { call: state.spent.calls, hash, ...keptOf(reply), exact: true }
    const row = { kind: 'answered', ...about, ...answer } as const
    const outline = outlineRequest(messages)
    // Record the answer before using it: whatever ends the run now, it is not requested again.
    await store.record(state.run.id, [{ ...row, outline }])
    return answered(answer, noteAnswer(state, { ...answer, model, digest }, patch))
  }
  const { status, reason } = reply
  if (status === 'silent') {
    const said = { call: state.spent.calls, hash, reason, usage: reply.usage }
    await store.record(state.run.id, [{ kind: 'silent', ...about, ...said }])
    return silent(said, patch)
  }
  if (status === 'too_large') return { status, reason, wasAsked: true, isSilent: false, patch }
  const stopped = stoppedBy(state, reason, reply.retryAt)
  return { status, reason, retryAt: reply.retryAt, patch: joinPatches(patch, stopped) }
}

/** The tokens that the answer may take; a model that thinks first gets all that is configured. */
const wantedLength = (
  { learned }: RunState,
  model: string,
  { model: { maxOutputTokens: most } }: Pick<Settings, 'model'>,
  asked = most,
): number => (learned.thinking.includes(model) ? most : Math.min(asked, most))

/** What the journal has for this call, from before a kill. */
async function findKnown(
  state: RunState,
  { store, ledger }: Pick<ModelPorts, 'store' | 'ledger'>,
  asked: AskedBefore & { readonly hash: string; readonly endsWhenSilent: boolean },
): Promise<ModelAnswer | null> {
  const { hash, endsWhenSilent } = asked
  const known = await store.answer(state.run.id, state.spent.calls, hash)
  if (known === null || !('text' in known || endsWhenSilent)) return null
  ledger?.book(known.usage)
  const booked = book(state, known.usage)
  if (!('text' in known)) return silent(known, booked)
  return answered(known, noteAnswer(state, { ...known, ...asked }, booked))
}

const silent = ({ reason }: RecordedSilence, patch: StatePatch): ModelAnswer => ({
  ...{ status: 'too_large', reason, wasAsked: true, isSilent: true, patch },
})

/** Tokens that a window leaves for the answer. */
const roomIn = (window: number | undefined, promptTokens: number): number =>
  window === undefined ? Number.POSITIVE_INFINITY : window - promptTokens

/** Most endpoints count the answer's length in: when only that exceeds the window, asks for a shorter answer. */
async function askWithin(
  state: RunState,
  { model, store }: ModelPorts,
  request: ModelRequest,
  hash: string,
): Promise<{ readonly reply: ModelReply; readonly learnt: StatePatch }> {
  const about = { ...attemptPlace(state), purpose: request.purpose, call: state.spent.calls, hash }
  const reply = await model.complete(request).catch(async (error: unknown) => {
    if (!isError(error, 'model_rejected')) throw error
    const refused = { kind: 'refused', model: request.model, reason: error.message } as const
    await store.record(state.run.id, [{ ...about, ...refused }])
    throw error
  })
  if (reply.status !== 'too_large') return { reply, learnt: {} }
  const { reason, window, promptTokens, usage } = reply
  // A replay gets the same refusal.
  const said = { kind: 'too_large', reason, window, promptTokens } as const
  await store.record(state.run.id, [{ ...about, ...said }])
  const counted = promptTokens ?? estimatePromptTokens(request.messages, request.tools)
  const known = window ?? counted + smallestAnswer - 1
  const windows = { ...state.learned.windows, [request.model]: known }
  const learnt = { learned: { windows } }
  const room = roomIn(window ?? undefined, counted)
  const isAnswerTooLong = room >= smallestAnswer && room < request.maxOutputTokens
  if (!isAnswerTooLong) return { reply, learnt }
  const again = await model.complete({ ...request, maxOutputTokens: room })
  return { reply: { ...again, usage: addUsage(usage, again.usage) }, learnt }
}

/** What the journal keeps of an answer. */
export const keptOf = ({
  text,
  finish,
  why,
  usage,
  runaway,
  promptSpeed,
}: Omit<Extract<ModelReply, { readonly status: 'answered' }>, 'status'>) => ({
  ...{ text, finish, usage },
  ...(why && { why }),
  ...(runaway && { runaway }),
  ...(promptSpeed && { promptSpeed }),
})

/** Counts the call, so that the next one has another number. */
const answered = (
  { call, text, finish, why, runaway }: RecordedAnswer,
  booked: StatePatch,
): ModelAnswer => ({
  ...{ status: 'answered', text, finish },
  ...(why && { why }),
  ...(runaway && { runaway }),
  patch: joinPatches(booked, { spent: { calls: call + 1 } }),
})

export function book(state: RunState, usage: Usage): StatePatch {
  const { attempt } = state
  return {
    spent: { usage: addUsage(state.spent.usage, usage) },
    attempt: attempt && { ...attempt, usage: addUsage(attempt.usage, usage) },
  }
}

/** Warns once when a limit counts less than was spent. */
export function noteUnreadable(
  { progress: { limits } }: RunState,
  { unreadable }: DaySpending,
): StatePatch {
  if (unreadable === null) return {}
  const sentence = `What was spent today is known only in part: ${unreadable}.`
  return limits.includes(sentence) ? {} : { progress: { limits: [...limits, sentence] } }
}

/** Reports a limit once; a limit of the run or the day also stops the run. */
export function recordLimit(
  state: RunState,
  { limit, scope }: Extract<BudgetCheck, { status: 'over_budget' }>,
): StatePatch {
  const limits = [...new Set([...state.progress.limits, limit])]
  return scope === 'run' || scope === 'day'
    ? { progress: { limits, stopped: 'limit' } }
    : { progress: { limits } }
}

export function stoppedBy(state: RunState, reason: string, retryAt: string | null): StatePatch {
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
