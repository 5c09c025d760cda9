import type { Roadmap, Task } from '../../task/task.ts'
import { readRoadmap } from './read-roadmap.ts'

interface Issue {
  readonly number: number
  readonly title: string
  readonly body: string
}

const issueIdPrefix = (number: number): string => `T-issue-${number}`

/**
 * Reads the tasks of an adopted issue with the roadmap's own parser: its check boxes, or the whole issue if it has
 * none. Ids are `T-issue-7`, or `T-issue-7-1`, `T-issue-7-2`, …; ids in the text only serve dependencies within the
 * issue, and groups only hold its own tasks: an issue's author must not be able to take other work back.
 */
export function issueTasks(
  { number, title, body }: Issue,
  options: { readonly granularity: 'task' | 'leaf' },
): Roadmap {
  const read = readRoadmap(body, options)
  const { tasks, problems } = read.tasks.length > 0 ? read : readRoadmap(asItem(title, body))
  const prefix = issueIdPrefix(number)
  const only = tasks.length === 1
  const ids = new Map(tasks.map(({ id }, at) => [id, only ? prefix : `${prefix}-${at + 1}`]))
  const named = (id: string): string => ids.get(id) ?? id
  return {
    tasks: tasks.map(
      (task): Task => ({
        ...task,
        id: named(task.id),
        ...(task.former && { former: { ...task.former, id: named(task.id) } }),
        dependsOn: task.dependsOn.map(named),
        ...(task.together !== undefined && { together: `${prefix}.${task.together}` }),
        ...(task.group !== undefined && { group: `${prefix}.${task.group}` }),
      }),
    ),
    problems,
  }
}

/** The issue that a task with this id comes from; `null` for a task of the roadmap. */
export function issueOf(issues: readonly Pick<Issue, 'number'>[], id: string): number | null {
  const number = Number(/^T-issue-(\d+)(?:-\d+)?$/.exec(id)?.[1])
  return issues.some((issue) => issue.number === number) ? number : null
}

/** The tasks that come from this issue. */
export const tasksOfIssue = <T extends Pick<Task, 'id'>>(
  tasks: readonly T[],
  number: number,
): readonly T[] => tasks.filter(({ id }) => issueOf([{ number }], id) === number)

/** The issue as one list item whose details are its body. */
export function asItem(title: string, body: string): string {
  const details = body.split(/\r?\n/).map((line) => (line === '' ? '' : `  ${line}`))
  return [`- [ ] ${title.replaceAll(/\s+/g, ' ').trim()}`, ...details].join('\n')
}
