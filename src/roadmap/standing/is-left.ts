import type { RunState } from '../../core/domain/run-state.ts'

/** True for a task that was asked for and has no verdict yet. */
export function isLeft({ only, results }: Pick<RunState, 'only' | 'results'>, id: string): boolean {
  return (only === null || only.includes(id)) && results[id] === undefined
}
