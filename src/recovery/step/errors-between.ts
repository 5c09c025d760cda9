import {
  type ClassifiedError,
  classifiedAs,
  classifyProblem,
  classifyText,
  signatureOf,
} from '../../../packages/diagnosis/diagnosis.ts'
import type { Attempt, TriedRemedy } from '../../core/domain/attempt.ts'
import type { JournalEntry } from '../../core/domain/journal-event.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import {
  isInvestigation,
  type NodeName,
  type OutcomeOf,
  type StepName,
} from '../../core/domain/steps.ts'
import { failureSignature, problemSignature } from './note-repair.ts'

/**
 * Derives from the states around a step what failed and what was tried against it: remedies that were settled, an
 * outcome that reports a fault, and an unreachable model.
 */
export function errorsBetween(
  before: RunState,
  after: RunState,
  { node, outcome }: { readonly node: NodeName; readonly outcome: OutcomeOf<NodeName> },
): readonly JournalEntry[] {
  const attempt = after.attempt ?? before.attempt
  const whose = { task: attempt?.task.id ?? null, attempt: attempt?.number ?? null }
  const settled = settledBetween(before.attempt, after.attempt)
  const failed = attempt === null ? null : failureOf(node, outcome, after, attempt)
  // Problems of a change and failing tests are reported when they are found; faults met while investigating them do
  // not belong to the task.
  const found = settled.filter(
    ({ node: where }) => !where.startsWith('repair_') && !isInvestigation(where),
  )
  const errors = [...found.map(errorOf), ...(failed === null ? [] : [failed])]
  const seen = new Set<string>()
  const fresh = errors.filter(({ signature }) => !seen.has(signature) && seen.add(signature))
  return [
    ...fresh.map(
      ({ error: { type, severity, recoverable, line }, signature }): JournalEntry => ({
        ...{ kind: 'failed', ...whose, node, signature, message: line },
        error: { type, severity, recoverable },
      }),
    ),
    ...settled.map(
      ({ type, strategy, signature, fix, worked }): JournalEntry => ({
        // An unusable answer is known to be useless before the tests run again.
        ...{ kind: 'remedied', ...whose, node: node === 'repair_test' ? 'verify_task' : node },
        ...{ type, strategy, signature, fix },
        worked: worked === true,
      }),
    ),
  ]
}

/** Remedies whose effect became known in this step. */
function settledBetween(before: Attempt | null, after: Attempt | null): readonly TriedRemedy[] {
  const isSame = before?.task.id === after?.task.id && before?.number === after?.number
  const known = isSame ? (before?.remedies ?? []) : []
  return (after?.remedies ?? []).filter(
    ({ worked }, index) => worked !== null && (known[index]?.worked ?? null) === null,
  )
}

interface Failed {
  readonly error: ClassifiedError
  readonly signature: string
}

const errorOf = ({ type, message, signature }: TriedRemedy): Failed => ({
  error: classifiedAs(type, message),
  signature,
})

/** The fault that a step's outcome reports. */
function failureOf(
  node: NodeName,
  outcome: OutcomeOf<NodeName>,
  { record: { errors }, tasks: { results } }: RunState,
  attempt: Attempt,
): Failed | null {
  const as = (error: ClassifiedError, tool: string): Failed => ({
    error,
    signature: signatureOf({ type: error.type, tool, message: error.line }),
  })
  if (outcome === 'unavailable') return as(classifyText(errors.at(-1)?.message ?? ''), 'model')
  switch (`${node} ${outcome}` as StepName) {
    case 'validate_code invalid':
    case 'validate_code invalid_again':
    case 'write_files unfit':
    case 'validate_code repairs_spent': {
      const [first] = attempt.problems
      if (first === undefined) return null
      return { error: classifyProblem(first), signature: problemSignature(first) }
    }
    case 'use_tool failed':
    case 'verify_task failed':
    case 'verify_task failed_again':
    case 'verify_task repairs_spent': {
      const [first] = attempt.broken
      if (first === undefined)
        return as(classifiedAs('test_failure', attempt.failure?.message ?? ''), '')
      return {
        error: classifiedAs('test_failure', first.message),
        signature: failureSignature(first),
      }
    }
    case 'write_files cannot_run':
    case 'use_tool cannot_run':
    case 'verify_task cannot_run':
      return as(classifyText(`${attempt.failure?.message}\n${attempt.failure?.output}`), 'verify')
    case 'execute_task failed':
    case 'think failed':
    case 'repair_code too_large':
    case 'repair_test too_large':
      return as(classifiedAs('model_error', attempt.failure?.message ?? ''), 'model')
    case 'build_context too_large':
      return as(classifiedAs('validation', attempt.failure?.message ?? ''), 'context')
    case 'write_files refused':
      return as(classifyText(attempt.failure?.message ?? ''), 'files')
    case 'checkpoint overtaken':
      return as(classifiedAs('git_conflict', results[attempt.task.id]?.reason ?? ''), 'git')
    case 'checkpoint forge_refused':
    case 'await_approval forge_refused':
    case 'apply_recovery forge_refused':
      return as(classifyText(errors.at(-1)?.message ?? ''), 'forge')
    default:
      return null
  }
}
