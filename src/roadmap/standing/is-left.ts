import type { StateFacts } from '../../core/domain/change-state.ts'

/** True for a task that was asked for and has no verdict yet. */
export function isLeft(
  { run: { only }, tasks: { results } }: StateFacts<'run.only' | 'tasks.results'>,
  id: string,
): boolean {
  return (only === null || only.includes(id)) && results[id] === undefined
}
