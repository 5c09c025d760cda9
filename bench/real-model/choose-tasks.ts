import { createHash } from 'node:crypto'
import type { Choice } from './real-task.ts'

interface Numbered {
  /** The dataset's name for it, which ends with its number: `HumanEval/13`. */
  readonly task_id: string
}

export const numberOf = ({ task_id }: Numbered): number => Number(/\d+$/.exec(task_id)?.[0])

/** The first `n` of the odd or even ones, in the order of SHA-256 of `<seed>:<task_id>`. */
export function chooseNumbered<Task extends Numbered>(
  tasks: readonly Task[],
  { n, part, seed }: Pick<Choice, 'n' | 'part' | 'seed'>,
): readonly Task[] {
  const rank = ({ task_id }: Task) =>
    createHash('sha256').update(`${seed}:${task_id}`).digest('hex')
  return tasks
    .filter((task) => part === null || numberOf(task) % 2 === (part === 'odd' ? 1 : 0))
    .map((task) => ({ task, rank: rank(task) }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, n)
    .map(({ task }) => task)
}
