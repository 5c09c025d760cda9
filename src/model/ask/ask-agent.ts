import { readStored, stripHidden } from '../../../packages/text/text.ts'
import { type AgentWork, agentWorkSchema } from '../../core/domain/agent-work.ts'
import { changeState, joinPatches, type StatePatch } from '../../core/domain/change-state.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { Unanswered } from '../../core/domain/unanswered.ts'
import { addUsage, noUsage, type Usage } from '../../core/domain/usage.ts'
import type { Admission, OpenRelay, RelaySize } from '../../core/ports/relay.ts'
import type { Ports } from '../../core/ports.ts'
import { modelFor } from '../budget/check-budget.ts'
import { book, noteUnreadable, recordLimit, stoppedBy } from './ask-model.ts'
import { attemptPlace, hashRequest, outlineRequest, reserveBudget } from './record-call.ts'

type AgentPorts = Pick<Ports, 'relay' | 'settings' | 'store' | 'clock' | 'ledger'>

/** The caller merges the patch, whatever the status. */
export type AgentAnswer =
  | { readonly status: 'answered'; readonly work: AgentWork; readonly patch: StatePatch }
  | Unanswered

/** Statuses after which no retry can help: the key, the model or the address is wrong. */
const refusals: ReadonlySet<number> = new Set([401, 403, 404])
/** Statuses that the program's own request causes: another session may ask for less. */
const ownFaults: ReadonlySet<number> = new Set([400, 413, 422])

/**
 * The only way to an agent: opens a relay to the model, lets the agent work, and books each of its requests on the day,
 * the run and the attempt. Reuses the work of a session that the run's journal has whole. A session that was killed is
 * begun again, and what it has used counts.
 *
 * @param perform lets the agent work until it ends; `prompt` is without hidden characters
 * @throws ExecutorError `model_rejected` when the endpoint refused the agent's requests for good
 */
export async function askAgent(
  state: RunState,
  ports: AgentPorts,
  given: string,
  perform: (relay: OpenRelay, prompt: string) => Promise<AgentWork>,
): Promise<AgentAnswer> {
  const { store, clock } = ports
  const prompt = stripHidden(given, 'plain').text
  const model = modelFor(state, ports.settings)
  const messages = [{ role: 'user', content: prompt }] as const
  const hash = hashRequest({ purpose: 'agent', model, messages, json: false })
  const { calls: call } = state.spent
  const known = await findKnown(state, hash, ports)
  if (known !== null) return known
  const began = clock.monotonic()
  const meter = new Meter(state, ports, await usedBefore(state, ports))
  const relay = await ports.relay.open(model, (size) => meter.admit(size))
  const left = await perform(relay, prompt).finally(() => relay.close())
  const { used } = meter
  // The next session has another number, however this one ended: what it used is never counted again.
  const booked = joinPatches(meter.patch, book(state, used), { spent: { calls: call + 1 } })
  const reason = relay.overBudget()
  if (reason !== null) return { status: 'over_budget', reason, patch: booked }
  // A cancelled session says nothing about the task.
  relay.signal.throwIfAborted()
  const failure = relay.failure()
  const isLost = failure !== null && (left.problem !== null || left.changes.length === 0)
  if (isLost && !ownFaults.has(failure.status)) {
    if (refusals.has(failure.status)) throw new ExecutorError('model_rejected', failure.reason)
    const stopped = stoppedBy(state, failure.reason, null)
    return { status: 'unavailable', reason: failure.reason, patch: joinPatches(booked, stopped) }
  }
  const work = isLost ? { ...left, problem: failure.reason } : left
  const seconds = clock.monotonic() - began
  await store.record(state.run.id, [
    {
      ...{ kind: 'answered', ...attemptPlace(state), purpose: 'agent', model, seconds, call, hash },
      ...{ text: JSON.stringify(work), finish: 'stop', usage: used, exact: true },
      outline: outlineRequest(messages),
    },
  ])
  return { status: 'answered', work, patch: booked }
}

/** The work of a session that ended before a kill. */
async function findKnown(
  state: RunState,
  hash: string,
  { store, ledger }: Pick<AgentPorts, 'store' | 'ledger'>,
): Promise<AgentAnswer | null> {
  const { calls } = state.spent
  const known = await store.answer(state.run.id, calls, hash)
  const work = known !== null && 'text' in known ? readStored(agentWorkSchema, known.text) : null
  if (known === null || work === null) return null
  ledger?.book(known.usage)
  const patch = joinPatches(book(state, known.usage), { spent: { calls: calls + 1 } })
  return { status: 'answered', work, patch }
}

/** What a session used that was killed before its end. */
async function usedBefore(
  { run, spent }: RunState,
  { store, ledger }: Pick<AgentPorts, 'store' | 'ledger'>,
): Promise<Usage> {
  const events = await store.journal(run.id)
  const used = events
    .flatMap((event) =>
      event.kind === 'relayed' && event.call === spent.calls ? [event.usage] : [],
    )
    .reduce(addUsage, noUsage)
  if (used.requests > 0) ledger?.book(used)
  return used
}

/** Admits requests within the budget, and books each. */
class Meter {
  used: Usage
  patch: StatePatch = {}
  readonly #state: RunState
  readonly #ports: AgentPorts
  readonly #began: number

  constructor(state: RunState, ports: AgentPorts, used: Usage) {
    this.used = used
    this.#state = state
    this.#ports = ports
    this.#began = ports.clock.monotonic()
  }

  async admit(size: RelaySize): Promise<Admission> {
    const { settings, clock, store } = this.#ports
    const state = this.#state
    const seconds = state.spent.seconds + clock.monotonic() - this.#began
    const now = changeState(state, book(state, this.used), { spent: { seconds } })
    const { budget, today, settle } = await reserveBudget(now, this.#ports, size)
    this.patch = noteUnreadable(state, today)
    if (budget.status === 'over_budget') {
      this.patch = joinPatches(this.patch, recordLimit(changeState(state, this.patch), budget))
      return { status: 'over_budget', reason: budget.limit }
    }
    const model = modelFor(state, settings)
    const about = {
      kind: 'relayed',
      ...attemptPlace(state),
      call: state.spent.calls,
      model,
    } as const
    return {
      status: 'admitted',
      model,
      maxOutputTokens: budget.maxOutputTokens,
      settle: async (ended) => {
        this.used = addUsage(this.used, ended.usage)
        await settle(ended.usage)
        await store.record(state.run.id, [{ ...about, ...ended }])
      },
    }
  }
}
