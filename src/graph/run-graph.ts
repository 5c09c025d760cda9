import { attemptOf, changeState, fileVerdict } from '../core/domain/change-state.ts'
import type { JournalEntry } from '../core/domain/journal-event.ts'
import type { NodeMetrics, RunState } from '../core/domain/run-state.ts'
import type { Remedy } from '../core/domain/step-error.ts'
import type { NodeName, OutcomeOf } from '../core/domain/steps.ts'
import { addUsage, noUsage, subtractUsage } from '../core/domain/usage.ts'
import type { Ports } from '../core/ports.ts'
import { eventsBetween } from './events-between.ts'
import type { NodeTable, Step } from './step.ts'

/** Learns of every step, for progress on a terminal or in a log. */
export interface Observer {
  /** A fact that a person should know before the first step. */
  noticed?(sentence: string): void
  started?(node: NodeName, state: RunState): void
  finished?(node: NodeName, outcome: OutcomeOf<NodeName>, state: RunState): void
}

type Edges = {
  readonly [Name in NodeName]?: Readonly<Record<string, RunState['progress']['next']>>
}

/**
 * Walks the table from `state.next` to END, a cancel, or an error of the set-up. Saves the state after every node, so
 * a killed run repeats at most one.
 */
export async function runGraph(
  start: RunState,
  nodes: Partial<NodeTable>,
  edges: Edges,
  ports: Ports,
  options: {
    readonly signal: AbortSignal
    readonly observer?: Observer
    /** Seconds spent so far waiting for a person's answers: they do not count as work. */
    readonly waited?: () => number
  },
): Promise<RunState> {
  let state = start
  while (state.progress.next !== 'END' && !options.signal.aborted) {
    const node = state.progress.next
    options.observer?.started?.(node, state)
    const began = ports.clock.monotonic()
    const waited = options.waited?.() ?? 0
    const step = await runNode(nodes[node], state, ports, options.signal)
    if (step === 'cancelled') break
    const seconds = ports.clock.monotonic() - began - ((options.waited?.() ?? 0) - waited)
    const before = state
    state = account(before, node, step, seconds)
    state = limitSteps(
      changeState(state, { progress: { next: destination(edges, node, step.outcome) } }),
      ports,
    )
    const { outcome } = step
    const events = eventsBetween(before, state, { node, outcome, seconds })
    await ports.store.save(state, events)
    await learnFixes(events, ports)
    options.observer?.finished?.(node, step.outcome, state)
  }
  return state
}

/** Remembers which remedies worked, for other runs as well. */
async function learnFixes(
  events: readonly JournalEntry[],
  { memory }: Pick<Ports, 'memory'>,
): Promise<void> {
  for (const event of events) {
    if (event.kind !== 'remedied') continue
    const { signature, type, strategy, fix, worked } = event
    if (isWorthKnowing(strategy)) await memory.learn({ signature, type, strategy, fix, worked })
  }
}

/** Waiting teaches nothing. */
const isWorthKnowing = (strategy: Remedy): boolean =>
  strategy === 'correct_command' || strategy === 'ask_again'

/** A node that a cancel interrupted did not happen; any other error is thrown. */
async function runNode(
  node: NodeTable[NodeName] | undefined,
  state: RunState,
  ports: Ports,
  signal: AbortSignal,
): Promise<Step<OutcomeOf<NodeName>> | 'cancelled'> {
  if (node === undefined) throw new Error(`There is no node called ${state.progress.next}.`)
  const cancelled = Promise.withResolvers<'cancelled'>()
  const cancel = () => cancelled.resolve('cancelled')
  signal.addEventListener('abort', cancel, { once: true })
  try {
    return await Promise.race([node(state, ports), cancelled.promise])
  } catch (error) {
    if (signal.aborted) return 'cancelled'
    throw error
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

function destination(edges: Edges, node: NodeName, outcome: string): RunState['progress']['next'] {
  const next = edges[node]?.[outcome]
  if (next === undefined) throw new Error(`${node} has no edge for the outcome ${outcome}.`)
  return next
}

/** Merges the patch and books the node's time and tokens, so that the shares add up. */
function account(before: RunState, node: NodeName, step: Step<string>, seconds: number): RunState {
  const after: RunState = changeState(before, step.patch)
  const spent = subtractUsage(after.spent.usage, before.spent.usage)
  const { attempt } = after
  return changeState(after, {
    spent: {
      seconds: after.spent.seconds + seconds,
      nodes: { ...after.spent.nodes, [node]: addMetrics(after.spent.nodes[node], seconds, spent) },
    },
    attempt: attempt && {
      ...attempt,
      seconds: attempt.seconds + seconds,
      steps: attempt.steps + 1,
    },
  })
}

function addMetrics(
  metrics: NodeMetrics | undefined,
  seconds: number,
  spent: NodeMetrics['usage'],
): NodeMetrics {
  return {
    calls: (metrics?.calls ?? 0) + 1,
    seconds: (metrics?.seconds ?? 0) + seconds,
    usage: addUsage(metrics?.usage ?? noUsage, spent),
  }
}

/** The last counter: whatever the nodes return, a task ends. */
function limitSteps(state: RunState, ports: Pick<Ports, 'settings'>): RunState {
  const limit = ports.settings.limits.iterations
  if (state.attempt === null || state.attempt.steps < limit) return state
  // A run that waits for its model stops here; the next run continues with the task.
  if (state.progress.resumeAt !== null) return state
  if (state.tasks.results[attemptOf(state).task.id] !== undefined) return state
  const reason = `stopped after ${limit} steps (max-iterations)`
  return changeState(state, fileVerdict(state, 'failed', { reason }), {
    progress: { next: 'decide_next' },
  })
}
