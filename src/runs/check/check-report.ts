import type { Receipt } from '../../core/domain/test-report.ts'
import type { CheckFinding } from './check-rules.ts'

/** The document of `executor check --json`. */
export interface CheckReport {
  readonly version: 1
  /** As the person named it; `-` for standard input. */
  readonly change: string
  readonly base: { readonly name: string; readonly sha: string }
  /** `null` for a patch. */
  readonly head: string | null
  readonly result: Receipt['result']
  readonly findings: readonly CheckFinding[]
  /** `null` for a patch that does not apply. */
  readonly receipt: Receipt | null
}
