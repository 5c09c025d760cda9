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

/** A model call without an answer, with its changes to the state. */
export interface Unanswered {
  readonly status: 'over_budget' | 'unavailable'
  readonly reason: string
  readonly patch: StatePatch
}

/**
 * The step of every node whose question got no answer: an exhausted budget becomes the task's verdict; an unreachable
 * model ends the run, and the next one resumes at this node.
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
 * The step of every node whose question, proposal or pull request could not reach the forge: the attempt stays, and
 * the next run resumes at this node. `null` for any other error.
 */
export function withoutForge(
  state: RunState,
  error: RunError | null,
): { readonly outcome: 'forge_refused'; readonly patch: StatePatch } | null {
  if (error?.code !== 'forge_unreachable') return null
  const progress = { stopped: 'unavailable', resumeAt: state.progress.next } as const
  return { outcome: 'forge_refused', patch: { ...noteErrors(state, error), progress } }
}

/** The step of a node whose question exceeds the model's window even in its smallest form. */
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
