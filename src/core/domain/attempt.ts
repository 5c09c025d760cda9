import type { ChangeSet } from './change-set.ts'
import type { StateFacts, StatePatch } from './change-state.ts'
import type { Attempt, Draft, Failure, RunState } from './run-state.ts'
import type { NodeName } from './steps.ts'
import type { Receipt } from './test-report.ts'
import type { TaskResult, Verdict } from './verdict.ts'

/** The attempt under way. Only nodes after `pick_task` may ask. */
export function attemptOf(state: RunState): Attempt {
  if (state.attempt === null)
    throw new Error(`${state.progress.next} needs an attempt, and there is none.`)
  return state.attempt
}

/** The node at work. A run that is over has none. */
export function nodeOf({ progress: { next } }: StateFacts<'progress.next'>): NodeName {
  if (next === 'END') throw new Error('The run is over: no node is at work.')
  return next
}

/** What a fresh attempt and a repeated one share: nothing was drafted, tested or judged yet. */
export const untried = {
  draft: null,
  problems: [],
  validationRepairs: 0,
  testRepairs: 0,
  tests: null,
  receipt: null,
  broken: [],
  remedies: [],
  failure: null,
  classification: null,
  proposal: null,
  destructive: [],
  allowed: [],
} as const satisfies Partial<Attempt>

/** A patch that changes some facts of the attempt under way. */
export function patchAttempt(
  state: RunState,
  change: Partial<Attempt>,
): { readonly attempt: Attempt } {
  return { attempt: { ...attemptOf(state), ...change } }
}

/** Why an attempt ends; what is not told is empty. */
export const failureAt = (
  at: Failure['at'],
  message: string,
  told: Partial<Failure> = {},
): Failure => ({ at, message, problems: [], failures: [], output: '', ...told })

/** A repaired draft with what was noted of the ones before it, once each. */
export function withEarlierNotes(draft: Draft, before: Draft | null): Draft {
  const notes = [...new Set([...(before?.notes ?? []), ...draft.notes])]
  const warnings = [...new Set([...(before?.warnings ?? []), ...(draft.warnings ?? [])])]
  return { ...draft, notes, warnings }
}

/** All that a draft changes: the model's own, and the locks that we made in the place of its. */
export function changesOf(draft: Draft | null): ChangeSet {
  const locks = (draft?.locks ?? []).map(({ change }) => change)
  const ours = new Set(locks.map(({ path }) => path))
  return [...(draft?.changes ?? []).filter(({ path }) => !ours.has(path)), ...locks]
}

/** What a person must see of the draft is seen in the receipt: it is all that a report has of it. */
function receiptOf({ receipt, draft }: Attempt): Receipt | null {
  const left = draft?.warnings ?? []
  if (receipt === null || left.length === 0) return receipt
  return { ...receipt, warnings: [...new Set([...(receipt.warnings ?? []), ...left])] }
}

/**
 * A patch that ends the attempt under way with a verdict: results stand in the order in which they were
 * filed last. `decide_next` adds what the last step cost and lets the attempt go.
 */
export function fileVerdict(
  state: RunState,
  verdict: Verdict,
  facts: Partial<Pick<TaskResult, 'reason' | 'branch' | 'sha' | 'pullRequest'>> = {},
): StatePatch {
  const attempt = attemptOf(state)
  const { id, title, fingerprint } = attempt.task
  const result: TaskResult = {
    id,
    title,
    fingerprint,
    verdict,
    reason: '',
    branch: null,
    sha: null,
    start: attempt.start.sha,
    pullRequest: null,
    attempts: attempt.number,
    repairs: attempt.validationRepairs + attempt.testRepairs,
    usage: attempt.usage,
    seconds: attempt.seconds,
    receipt: receiptOf(attempt),
    forecastTokens: null,
    thisRun: true,
    ...facts,
  }
  const { [id]: _, ...others } = state.tasks.results
  return { tasks: { results: { ...others, [id]: result } } }
}
