import { nodeOf } from '../../core/domain/attempt.ts'
import type { JournalEntry, RecordedAnswer } from '../../core/domain/journal-event.ts'
import type { RunError, RunState } from '../../core/domain/run-state.ts'
import { addUsage, totalTokens, type Usage } from '../../core/domain/usage.ts'
import type { ModelReply, ModelRequest } from '../../core/ports/model.ts'
import type { DaySpending } from '../../core/ports/store.ts'
import type { Ports } from '../../core/ports.ts'
import { classifyText } from '../../text/diagnosis/classify-step.ts'
import { signatureOf } from '../../text/diagnosis/signature.ts'
import { stripHidden } from '../../text/hidden/strip-hidden.ts'
import { estimatePromptTokens } from '../../text/words/estimate-tokens.ts'
import type { LimitScope } from '../budget/allowances.ts'
import { checkBudget, modelFor, smallestAnswer } from '../budget/check-budget.ts'
import { hashRequest } from './hash-request.ts'
import { outlineRequest } from './outline-request.ts'

export type ModelAnswer =
  | {
      readonly status: 'answered'
      readonly text: string
      readonly finish: 'stop' | 'length'
      readonly patch: Pick<RunState, 'usage' | 'attempt' | 'calls'> &
        Partial<Pick<RunState, 'limits' | 'windows'>>
    }
  /** Not asked: a limit does not allow it, or the run is a dry one. `limit` and `reason` say which. */
  | {
      readonly status: 'over_budget'
      readonly limit: string
      readonly reason: string
      readonly patch: Partial<RunState>
    }
  /** More than the model can read, however short its answer. */
  | {
      readonly status: 'too_large'
      readonly reason: string
      /** False where that was known, and nobody was asked. */
      readonly wasAsked: boolean
      readonly patch: Partial<RunState>
    }
  | {
      readonly status: 'unavailable'
      readonly reason: string
      readonly retryAt: string | null
      readonly patch: Partial<RunState>
    }

/** What asking the model needs. */
export type ModelPorts = Pick<Ports, 'model' | 'settings' | 'store' | 'clock'>

/**
 * The one way to the model: chooses it, checks the budget first, and books what the call used on the day, the run and
 * the attempt. An answer that the run's journal has already is not asked for again. The patch is merged by whoever
 * asked, whatever the status. Whatever a prompt was made of, no character that nobody sees leaves with it. What an
 * endpoint says of the model's window holds for the rest of the run: an answer may be no longer than what it leaves.
 */
export async function askModel(
  state: RunState,
  ports: ModelPorts,
  request: {
    readonly purpose: ModelRequest['purpose']
    readonly messages: ModelRequest['messages']
    readonly maxOutputTokens?: number
    readonly json?: boolean
  },
): Promise<ModelAnswer> {
  const { purpose, json = false } = request
  const messages = request.messages.map((message) => ({
    ...message,
    content: stripHidden(message.content, 'plain').text,
  }))
  const model = modelFor(state, ports.settings)
  const hash = hashRequest({ purpose, model, messages, json })
  const known = await ports.store.answer(state.runId, state.calls, hash)
  if (known !== null) return answered(known, book(state, known.usage))
  const { maxOutputTokens: wanted = ports.settings.model.maxOutputTokens } = request
  const promptTokens = estimatePromptTokens(messages)
  const today = await spentToday(ports)
  const budget = checkBudget(state, ports.settings, {
    promptTokens,
    maxOutputTokens: wanted,
    today,
  })
  if (budget.status === 'over_budget') {
    return notAsked(budget.limit, recordLimit({ ...state, ...admitted(state, today) }, budget))
  }
  const room = roomIn(state.windows[model], promptTokens)
  if (room < Math.min(wanted, smallestAnswer)) {
    const reason = `the request takes about ${promptTokens} tokens, and ${model} takes ${state.windows[model]} with its answer`
    return { status: 'too_large', reason, wasAsked: false, patch: admitted(state, today) }
  }
  const began = ports.clock.monotonic()
  const { continuations } = budget
  const maxOutputTokens = Math.min(budget.maxOutputTokens, room)
  const whole = { purpose, model, messages, json, continuations, maxOutputTokens }
  const { reply, windows } = await askWithin(state, ports, whole, hash)
  await recordSetbacks(state, reply, ports)
  const learnt = windows === state.windows ? {} : { windows }
  const booked = { ...admitted(state, today), ...learnt, ...book(state, reply.usage) }
  if (reply.status === 'withheld') return notAsked('A dry run does not ask the model.', booked)
  if (reply.status === 'answered') {
    const { text, finish, usage } = reply
    const seconds = ports.clock.monotonic() - began
    const answer = { call: state.calls, hash, text, finish, usage, exact: true }
    // Booked first: an answer that is in the journal is not paid for, and not booked, again.
    await record(reply.usage, ports)
    const outline = outlineRequest(messages)
    await keep(state, ports, { ...answer, purpose, model, seconds, outline })
    return answered(answer, booked)
  }
  await record(reply.usage, ports)
  if (reply.status === 'too_large') {
    return { status: 'too_large', reason: reply.reason, wasAsked: true, patch: booked }
  }
  const { reason, retryAt } = reply
  const patch = { ...booked, ...stoppedBy(state, reason, retryAt) }
  return { status: 'unavailable', reason, retryAt, patch }
}

/** Tokens that a window leaves for the answer. */
const roomIn = (window: number | undefined, promptTokens: number): number =>
  window === undefined ? Number.POSITIVE_INFINITY : window - promptTokens

interface Heard {
  readonly reply: ModelReply
  /** With what was learnt from it. */
  readonly windows: RunState['windows']
}

/** Most endpoints count the answer's length in: where only that is too much, a shorter one is asked for. */
async function askWithin(
  { runId, calls: call, attempt, windows: known }: RunState,
  { model, store }: ModelPorts,
  request: ModelRequest,
  hash: string,
): Promise<Heard> {
  const reply = await model.complete(request)
  if (reply.status !== 'too_large') return { reply, windows: known }
  const { reason, window, promptTokens, usage } = reply
  const whose = { task: attempt?.task.id ?? null, attempt: attempt?.number ?? null }
  const said = { call, hash, reason, window, promptTokens }
  // For a replay: it hears the same again.
  await store.record(runId, [{ kind: 'too_large', purpose: request.purpose, ...whose, ...said }])
  const counted = reply.promptTokens ?? estimatePromptTokens(request.messages)
  const windows = { ...known, [request.model]: window ?? counted + smallestAnswer - 1 }
  const room = roomIn(window ?? undefined, counted)
  const isAnswerTooLong = room >= smallestAnswer && room < request.maxOutputTokens
  if (!isAnswerTooLong) return { reply, windows }
  const again = await model.complete({ ...request, maxOutputTokens: room })
  return { reply: { ...again, usage: addUsage(usage, again.usage) }, windows }
}

/** Each time that the endpoint had to be asked again is a row of the history. */
async function recordSetbacks(
  state: RunState,
  reply: ModelReply,
  { store }: ModelPorts,
): Promise<void> {
  const setbacks = 'setbacks' in reply ? (reply.setbacks ?? []) : []
  if (setbacks.length === 0) return
  const { runId, attempt } = state
  const node = nodeOf(state)
  const whose = { task: attempt?.task.id ?? null, attempt: attempt?.number ?? null }
  const rows = setbacks.map((reason): JournalEntry => {
    const { type, severity, recoverable, line: message } = classifyText(reason)
    const signature = signatureOf({ type, tool: 'model', message })
    return {
      kind: 'failed',
      ...whose,
      node,
      signature,
      message,
      error: { type, severity, recoverable },
    }
  })
  await store.record(runId, rows)
}

/** The next call is another one. */
const answered = (
  { call, text, finish }: RecordedAnswer,
  booked: Omit<Extract<ModelAnswer, { status: 'answered' }>['patch'], 'calls'>,
): ModelAnswer => ({ status: 'answered', text, finish, patch: { ...booked, calls: call + 1 } })

/** In the journal before anything is made of it: whatever ends the run now, it is not asked again. */
function keep(
  { runId, attempt }: RunState,
  { store }: ModelPorts,
  answer: RecordedAnswer & {
    readonly purpose: string
    readonly model: string
    readonly seconds: number
    readonly outline: readonly string[]
  },
): Promise<void> {
  const task = attempt?.task.id ?? null
  return store.record(runId, [
    { kind: 'answered', task, attempt: attempt?.number ?? null, ...answer },
  ])
}

const notAsked = (limit: string, patch: Partial<RunState>): ModelAnswer => ({
  status: 'over_budget',
  limit,
  reason: limit,
  patch,
})

function book(state: RunState, usage: Usage): Pick<RunState, 'usage' | 'attempt'> {
  const { attempt } = state
  return {
    usage: addUsage(state.usage, usage),
    attempt: attempt && { ...attempt, usage: addUsage(attempt.usage, usage) },
  }
}

/** Asked only where it limits anything: it is a file to read. */
async function spentToday({ store, clock, settings }: ModelPorts): Promise<DaySpending> {
  const { tokensPerDay, dollarsPerDay } = settings.limits
  if (tokensPerDay === null && dollarsPerDay === null) {
    return { tokens: 0, dollars: 0, unreadable: null }
  }
  return store.spendingOn(dayOf(clock.now()))
}

/** A limit that counts with less than was spent says so, once. */
function admitted(
  { limits }: RunState,
  { unreadable }: DaySpending,
): Partial<Pick<RunState, 'limits'>> {
  if (unreadable === null) return {}
  const sentence = `What was spent today is known only in part: ${unreadable}.`
  return limits.includes(sentence) ? {} : { limits: [...limits, sentence] }
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
  { limit, scope }: { readonly limit: string; readonly scope: LimitScope },
): Partial<RunState> {
  const limits = [...new Set([...state.limits, limit])]
  return scope === 'run' || scope === 'day' ? { limits, stopped: 'limit' } : { limits }
}

const dayOf = (now: string): string => now.slice(0, 10)

function stoppedBy(state: RunState, reason: string, retryAt: string | null): Partial<RunState> {
  const error: RunError = {
    code: 'model_unavailable',
    message: `The model is not available: ${reason}`,
    next: `Run it again ${retryAt === null ? 'later' : `after ${retryAt}`}; finished work is kept.`,
    taskId: state.attempt?.task.id ?? null,
  }
  return { retryAt, stopped: 'unavailable', errors: [...state.errors, error] }
}
