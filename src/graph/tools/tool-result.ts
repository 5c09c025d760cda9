import type { StatePatch } from '../../core/domain/change-state.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { NodeName, OutcomeOf } from '../../core/domain/steps.ts'
import type { Ports } from '../../core/ports.ts'
import type { ModelPorts } from '../../model/ask/ask-model.ts'
import type { StepOf } from '../step.ts'

/** The ports of the steps whose work the tools do. */
type StepPorts = ModelPorts & Pick<Ports, 'workspace' | 'sandbox' | 'memory' | 'random' | 'syntax'>

type CheckOf<Name extends NodeName> = (state: RunState, ports: StepPorts) => Promise<StepOf<Name>>

/** The steps that check every strategy's change; a tool runs the same on its draft. */
export interface DraftChecks {
  readonly validate_code: CheckOf<'validate_code'>
  readonly write_files: CheckOf<'write_files'>
  readonly verify_task: CheckOf<'verify_task'>
}

export type ToolPorts = StepPorts & { readonly checks: DraftChecks }

/** What a tool did. */
export interface ToolResult {
  /** For the model. */
  readonly observation: string
  /** For a person, in a few words: `3 in 2 files`. */
  readonly summary: string
  /** A wrong call costs only itself; a change or a test run that failed counts against the limits. */
  readonly fault?: 'call' | 'change' | 'tests'
  readonly patch?: StatePatch
  /** True when the project's tests ran for it. */
  readonly hasRun?: boolean
  /** Ends the loop with this outcome. */
  readonly ends?: Extract<
    OutcomeOf<'use_tool'>,
    'verified' | 'finished' | 'claims_done' | 'cannot_run'
  >
}

/** The summary of a call that was not run. */
export const notRun = 'refused'

export const wrongCall = (observation: string): ToolResult => ({
  observation,
  summary: notRun,
  fault: 'call',
})
