import type { RunState } from '../core/domain/run-state.ts'
import type { Ports } from '../core/ports.ts'

/** What a node found, in a word the edge table knows, and what it changes in the state. */
export interface Step<Outcome extends string> {
  readonly outcome: Outcome
  readonly patch?: Partial<RunState>
}

/** The outcomes every node that asks the model has besides its own. */
export type ModelOutcome = 'over_budget' | 'unavailable'

/** A node names only the ports it uses; whoever gives it all of them may call it. */
type AnyNode = (state: RunState, ports: Ports) => Promise<Step<string>>

export type NodeTable = Readonly<Record<string, AnyNode>>

type OutcomeOf<Node> = Node extends (state: RunState, ports: never) => Promise<Step<infer Outcome>>
  ? Outcome
  : never

/** One row per node, one column per outcome; a forgotten or unknown one does not compile. */
export type EdgeTable<Nodes extends NodeTable> = {
  readonly [Name in keyof Nodes]: {
    readonly [Outcome in OutcomeOf<Nodes[Name]>]: Extract<keyof Nodes, string> | 'END'
  }
}
