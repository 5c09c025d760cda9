import type { Remedy } from '../../packages/diagnosis/diagnosis.ts'
import { attemptOf, changeState, fileVerdict, nodeOf } from '../core/domain/change-state.ts'
import type { JournalEntry } from '../core/domain/journal-event.ts'
import type { NodeMetrics, RunState } from '../core/domain/run-state.ts'
import type { NodeName, OutcomeOf } from '../core/domain/steps.ts'
import { addUsage, noUsage, subtractUsage } from '../core/domain/usage.ts'
import type { Ports } from '../core/ports.ts'
import { eventsBetween } from './events-between.ts'
import type { NodeTable, Step, StepOf } from './step.ts'

/** Learns of every step, for progress on a terminal or in a log. */
export interface Observer {
  /** A fact that a person should know before the first step. */
  noticed?(sentence: string): void
  started?(node: NodeName, state: RunState): void
  finished?(node: NodeName, outcome: OutcomeOf<NodeName>, state: RunState): void
  /** Does the work of a step that one of several lanes takes, so that its calls can be told apart. */
  inLane?<Result>(lane: number, work: () => Promise<Result>): Promise<Result>
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
    readonly waited?: () => number
  },
): Promise<RunState> {
  let state = start
  while (state.progress.next !== 'END' && !options.signal.aborted) {
    options.observer?.started?.(state.progress.next, state)
    const taken = await takeStep(state, { nodes, edges }, ports, options)
    if (taken === 'cancelled') break
    state = taken.state
    await ports.store.save(state, taken.events)
    await learnFixes(taken.events, ports)
    options.observer?.finished?.(taken.node, taken.outcome, state)
  }
  return state
}

type Edges = {
  readonly [Name in NodeName]?: Readonly<Record<string, RunState['progress']['next']>>
}

/** The steps of a walk, and where each leads. */
export interface Table {
  readonly nodes: Partial<NodeTable>
  readonly edges: Edges
}

/** A step that was taken, and not yet saved. */
export interface Taken {
  readonly node: NodeName
  readonly outcome: OutcomeOf<NodeName>
  /** The state after it, at the next node. */
  readonly state: RunState
  readonly events: readonly JournalEntry[]
}

/** Takes the step at which the state stands; `cancelled` when a cancel interrupted it: then it did not happen. */
export async function takeStep(
  before: RunState,
  { nodes, edges }: Table,
  ports: Ports,
  around: {
    readonly signal: AbortSignal
    /** Seconds spent so far waiting for a person's answers: they do not count as work. */
    readonly waited?: (() => number) | undefined
  },
): Promise<Taken | 'cancelled'> {
  const { signal, waited = () => 0 } = around
  const node = nodeOf(before)
  const began = ports.clock.monotonic()
  const waitedBefore = waited()
  const step = await runNode(nodes[node], before, ports, signal)
  if (step === 'cancelled') return step
  const seconds = ports.clock.monotonic() - began - (waited() - waitedBefore)
  const { outcome } = step
  const next = { progress: { next: destination(edges, node, outcome) } }
  const state = limitSteps(changeState(account(before, node, step, seconds), next), ports)
  return { node, outcome, state, events: eventsBetween(before, state, { node, outcome, seconds }) }
}

/** Remembers which remedies worked, for other runs as well. */
export async function learnFixes(
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
): Promise<StepOf<NodeName> | 'cancelled'> {
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
