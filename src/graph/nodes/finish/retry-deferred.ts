import type { RunState } from '../../../core/domain/run-state.ts'
import type { Step } from '../../step.ts'

/** Gives each deferred task one more try, after all other tasks. */
export async function retryDeferred(state: RunState): Promise<Step<'requeued' | 'nothing_left'>> {
  const waiting = Object.values(state.tasks.results)
    .filter(({ id, verdict }) => verdict === 'deferred' && !state.tasks.retried.includes(id))
    .map(({ id }) => id)
  if (waiting.length === 0) return { outcome: 'nothing_left' }
  const kept = Object.entries(state.tasks.results).filter(([id]) => !waiting.includes(id))
  return {
    outcome: 'requeued',
    patch: {
      tasks: { results: Object.fromEntries(kept), retried: [...state.tasks.retried, ...waiting] },
    },
  }
}
