import type { Task } from '../../core/domain/task.ts'

type Named = Pick<Task, 'id' | 'fingerprint'>

/** True where work that bears this name and these words was begun on the task. */
export function isFormer({ former }: Pick<Task, 'former'>, { id, fingerprint }: Named): boolean {
  return former?.id === id && former.fingerprint === fingerprint
}

/** The tasks that bear this name, or were begun under it. */
export function findByName<T extends { readonly task: Pick<Task, 'id' | 'former'> }>(
  tasks: readonly T[],
  wanted: Named,
): readonly T[] {
  const former = tasks.filter(({ task }) => isFormer(task, wanted))
  return former.length > 0 ? former : tasks.filter(({ task }) => task.id === wanted.id)
}

/**
 * The task that is meant: the same id is the same task, though its words were mended; the same words
 * are the same task, though its section was renumbered.
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
