import {
  changeState,
  failureAt,
  fileVerdict,
  joinPatches,
  noteErrors,
  patchAttempt,
  type StatePatch,
} from './change-state.ts'
import type { RunError, RunState } from './run-state.ts'

/** How a model call ended that brought no answer, with what it changes in the state. */
export interface Unanswered {
  readonly status: 'over_budget' | 'unavailable'
  readonly reason: string
  readonly patch: StatePatch
}

/**
 * The step of every node whose question to the model got no answer: no money left is the
 * task's verdict; no model for now ends the run, and the next one goes on at this node.
 */
export function withoutAnswer(
  state: RunState,
  asked: Unanswered,
): { readonly outcome: 'over_budget' | 'unavailable'; readonly patch: StatePatch } {
  if (asked.status === 'unavailable') {
    const later = { progress: { resumeAt: state.progress.next } }
    return { outcome: 'unavailable', patch: joinPatches(asked.patch, later) }
  }
  const { reason } = asked
  const verdict = fileVerdict(changeState(state, asked.patch), 'over_budget', { reason })
  return { outcome: 'over_budget', patch: joinPatches(asked.patch, verdict) }
}

/**
 * The step of every node whose question, proposal or pull request a forge could not be given for now:
 * the attempt stays as it is, and the next run goes on at this node with it. `null` for any other error.
 */
export function withoutForge(
  state: RunState,
  error: RunError | null,
): { readonly outcome: 'forge_refused'; readonly patch: StatePatch } | null {
  if (error?.code !== 'forge_unreachable') return null
  const progress = { stopped: 'unavailable', resumeAt: state.progress.next } as const
  return { outcome: 'forge_refused', patch: { ...noteErrors(state, error), progress } }
}

/** The step of a node whose question is more than the model can read, however little is shown with it. */
export function withoutRoom(
  state: RunState,
  { reason, patch }: { readonly reason: string; readonly patch: StatePatch },
): { readonly outcome: 'too_large'; readonly patch: StatePatch } {
  const message = `the request is more than the model can read: ${reason}`
  const failure = failureAt('too_large', message)
  return {
    outcome: 'too_large',
    patch: joinPatches(patch, patchAttempt(changeState(state, patch), { failure })),
  }
}
