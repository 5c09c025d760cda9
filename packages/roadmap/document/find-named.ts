import type { Task } from '../../task/task.ts'

type Named = Pick<Task, 'id' | 'fingerprint'>

/** Returns true when an earlier version began the task under this id and fingerprint. */
export const isFormer = ({ former }: Pick<Task, 'former'>, { id, fingerprint }: Named): boolean =>
  former?.id === id && former.fingerprint === fingerprint

/** The tasks that have this id, or were begun under it. */
export function findByName<T extends { readonly task: Pick<Task, 'id' | 'former'> }>(
  tasks: readonly T[],
  wanted: Named,
): readonly T[] {
  const former = tasks.filter(({ task }) => isFormer(task, wanted))
  return former.length > 0 ? former : tasks.filter(({ task }) => task.id === wanted.id)
}

/**
 * Finds a task. The same id means the same task even if its words changed; the same words mean the same task even if
 * its section was renumbered.
 */
export function findNamed<
  T extends { readonly task: Pick<Task, 'id' | 'fingerprint' | 'former' | 'line'> },
>(tasks: readonly T[], wanted: Named): T | { readonly reason: string } {
  const { id, fingerprint } = wanted
  const named = findByName(tasks, wanted)
  const alike = tasks.filter(({ task }) => task.fingerprint === fingerprint)
  const candidates = named.length > 0 ? named : alike
  const [first] = candidates
  const lines = candidates.map(({ task }) => task.line).join(', ')
  if (!first) return { reason: `The roadmap no longer has the task ${id}.` }
  if (candidates.length === 1) return first
  if (candidates === alike) return { reason: `${id} could be any of the tasks on lines ${lines}.` }
  const same = new Set(named.map(({ task }) => task.fingerprint)).size === 1
  return same ? first : { reason: `${id} names different tasks, on lines ${lines}.` }
}
