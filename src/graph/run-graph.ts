import type { RunState } from '../core/domain/run-state.ts'
import type { NodeName, OutcomeOf } from '../core/domain/steps.ts'
import type { Ports } from '../core/ports.ts'
import type { NodeTable } from './step.ts'
import { type Edges, learnFixes, takeStep } from './take-step.ts'

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
