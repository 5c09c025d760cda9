import type { StatePatch } from '../core/domain/change-state.ts'
import type { RunState } from '../core/domain/run-state.ts'
import type { NodeName, OutcomeOf } from '../core/domain/steps.ts'
import type { Ports } from '../core/ports.ts'

/** A node's result: an outcome that the edge table knows, and its changes to the state. */
export interface Step<Outcome extends string> {
  readonly outcome: Outcome
  readonly patch?: StatePatch
}

/** The result of this node. */
export type StepOf<Name extends NodeName> = Step<OutcomeOf<Name>>

/** A node names only the ports that it uses; a caller with all of them may call it. */
type NodeOf<Name extends NodeName> = (state: RunState, ports: Ports) => Promise<StepOf<Name>>

export type NodeTable = { readonly [Name in NodeName]: NodeOf<Name> }

/** One row per node, one column per outcome; a missing or unknown one does not compile. */
export type EdgeTable = {
  readonly [Name in NodeName]: { readonly [Outcome in OutcomeOf<Name>]: NodeName | 'END' }
}
