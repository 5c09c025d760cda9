import type { StateFacts } from '../../core/domain/change-state.ts'

/** Returns true for a task that the run includes and that has no verdict yet. */
export const isLeft = (
  { run: { only }, tasks: { results } }: StateFacts<'run.only' | 'tasks.results'>,
  id: string,
): boolean => (only === null || only.includes(id)) && results[id] === undefined
