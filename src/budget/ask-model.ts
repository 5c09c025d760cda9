import type { RunState } from '../domain/run-state.ts'
import { addUsage, type Usage } from '../domain/usage.ts'
import type { ModelRequest, Ports } from '../ports.ts'
import { checkBudget, modelFor } from './check-budget.ts'
import { estimatePromptTokens } from './estimate-tokens.ts'

export type ModelAnswer =
  | {
      readonly status: 'answered'
      readonly text: string
      readonly finish: 'stop' | 'length'
      readonly patch: Pick<RunState, 'usage' | 'attempt'>
    }
  /** Not asked: a limit does not allow it, or the run is a dry one. `limit` and `reason` say which. */
  | {
      readonly status: 'over_budget'
      readonly limit: string
      readonly reason: string
      readonly patch: Partial<RunState>
    }
  | {
      readonly status: 'unavailable'
      readonly reason: string
      readonly retryAt: string | null
      readonly patch: Partial<RunState>
    }

/**
 * The one way to the model: chooses it, checks the budget first, and books what the call used on
 * the run and on the attempt. The patch is merged by whoever asked, whatever the status.
 */
export async function askModel(
  state: RunState,
  ports: Pick<Ports, 'model' | 'settings'>,
  request: {
    readonly purpose: ModelRequest['purpose']
    readonly messages: ModelRequest['messages']
    readonly maxOutputTokens?: number
    readonly json?: boolean
  },
): Promise<ModelAnswer> {
  const { purpose, messages, json = false } = request
  const { maxOutputTokens: wanted = ports.settings.model.maxOutputTokens } = request
  const promptTokens = estimatePromptTokens(messages)
  const budget = checkBudget(state, ports.settings, { promptTokens, maxOutputTokens: wanted })
  if (budget.status === 'over_budget') {
    return notAsked(budget.limit, recordLimit(state, budget))
  }
  const reply = await ports.model.complete({
    purpose,
    model: modelFor(state, ports.settings),
    messages,
    maxOutputTokens: budget.maxOutputTokens,
    continuations: budget.continuations,
    json,
  })
  const booked = book(state, reply.usage)
  if (reply.status === 'answered') {
    return { status: 'answered', text: reply.text, finish: reply.finish, patch: booked }
  }
  if (reply.status === 'withheld') return notAsked('A dry run does not ask the model.', booked)
  const { reason, retryAt } = reply
  const patch = { ...booked, ...stoppedBy(state, reason, retryAt) }
  return { status: 'unavailable', reason, retryAt, patch }
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

/** A limit is said once; one of the run also stops it. */
function recordLimit(
  state: RunState,
  { limit, scope }: { readonly limit: string; readonly scope: 'task' | 'run' },
): Partial<RunState> {
  const limits = state.limits.includes(limit) ? state.limits : [...state.limits, limit]
  return scope === 'run' ? { limits, stopped: 'limit' } : { limits }
}

function stoppedBy(state: RunState, reason: string, retryAt: string | null): Partial<RunState> {
  const error = {
    code: 'model_unavailable',
    message: `The model is not available: ${reason}`,
    next: `Run it again ${retryAt === null ? 'later' : `after ${retryAt}`}; finished work is kept.`,
    taskId: state.attempt?.task.id ?? null,
  }
  return { retryAt, stopped: 'unavailable', errors: [...state.errors, error] }
}
