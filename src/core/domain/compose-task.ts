import type { Task } from '../../../packages/task/task.ts'

/**
 * One unit of work of several small tasks, with the identity of the first. Scope and accept commands are those of all:
 * a task that names no file leaves the scope open.
 *
 * @param members at least one; one alone stays as it is
 */
export function composeTask(members: readonly Task[]): Task {
  const [first, ...others] = members
  if (first === undefined) throw new Error('A group has at least one task.')
  if (others.length === 0) return first
  const union = (of: (task: Task) => readonly string[]) => [...new Set(members.flatMap(of))]
  return {
    ...first,
    title: members.map(({ title }) => title).join('; '),
    details: members.map(tell).join('\n\n'),
    files: members.some(({ files }) => files.length === 0) ? [] : union(({ files }) => files),
    accept: union(({ accept }) => accept),
    dependsOn: union(({ dependsOn }) => dependsOn).filter(
      (id) => !members.some((member) => member.id === id),
    ),
    subtasks: [],
    members,
  }
}

const tell = ({ id, title, details }: Task): string =>
  `${id}: ${title}${details === '' ? '' : `\n${details}`}`
