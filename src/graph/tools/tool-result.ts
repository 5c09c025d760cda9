import type { StatePatch } from '../../core/domain/change-state.ts'
import type { OutcomeOf } from '../../core/domain/steps.ts'
import type { Ports } from '../../core/ports.ts'
import type { ModelPorts } from '../../model/ask/ask-model.ts'

/** Ports of the tools: those of the nodes whose work they do. */
export type ToolPorts = ModelPorts &
  Pick<Ports, 'workspace' | 'sandbox' | 'memory' | 'random' | 'syntax'>

/** What a tool did. */
export interface ToolResult {
  /** For the model. */
  readonly observation: string
  /** For a person, in a few words: `3 in 2 files`. */
  readonly summary: string
  /** A wrong call costs only itself; a change or a test run that failed counts against the limits. */
  readonly fault?: 'call' | 'change' | 'tests'
  readonly patch?: StatePatch
  /** Ends the loop with this outcome. */
  readonly ends?: Extract<
    OutcomeOf<'use_tool'>,
    'verified' | 'finished' | 'claims_done' | 'cannot_run'
  >
}

export const wrongCall = (observation: string): ToolResult => ({
  observation,
  summary: 'refused',
  fault: 'call',
})
