import { trailer } from '../../core/domain/identity.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import { taskIdOfBranch, taskIdOfRecoveryBranch } from '../../core/domain/task-id.ts'
import type { RepositoryView } from '../../core/ports/workspace.ts'

/**
 * Tasks that this run had not come to when it was cut off, and whose branches somebody moved since: what
 * became of them is seen when they are judged anew, by the next run. In the words of `held`.
 */
export function workedOnSince(
  { run: { id: runId }, progress: { next }, attempt, tasks: { heads, results } }: RunState,
  { branches }: Pick<RepositoryView, 'branches'>,
): RunState['tasks']['leases'] {
  // All branches are looked at there.
  if (next === 'parse_roadmap') return {}
  const moved = branches.filter(
    ({ name, sha, trailers }) => sha !== heads[name] && trailers[trailer.run] !== runId,
  )
  const tasks = moved.flatMap(
    ({ name }) => taskIdOfBranch(name) ?? taskIdOfRecoveryBranch(name) ?? [],
  )
  const left = tasks.filter((id) => id !== attempt?.task.id && results[id] === undefined)
  return Object.fromEntries(left.map((id) => [id, 'another run has worked on it since']))
}
