import type { AdoptedIssue } from '../../core/domain/answer.ts'
import type { Roadmap, Task } from '../../core/domain/task.ts'
import { readRoadmap } from './read-roadmap.ts'

const issueIdPrefix = (number: number): string => `T-issue-${number}`

/**
 * The tasks of an adopted issue, read by the roadmap's own parser: its check boxes, or, without any,
 * the issue as a whole. Ids are `T-issue-7`, or `T-issue-7-1`, `T-issue-7-2`, …; ids in the text only
 * serve the dependencies within it.
 */
export function issueTasks(
  { number, title, body }: Pick<AdoptedIssue, 'number' | 'title' | 'body'>,
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
      }),
    ),
    problems,
  }
}

/** The issue that a task of this id comes from; `null` for one of the roadmap. */
export function issueOf(
  issues: readonly Pick<AdoptedIssue, 'number'>[],
  id: string,
): number | null {
  const number = Number(/^T-issue-(\d+)(?:-\d+)?$/.exec(id)?.[1])
  return issues.some((issue) => issue.number === number) ? number : null
}

/** Of these tasks the ones that come from this issue. */
export const tasksOfIssue = <T extends Pick<Task, 'id'>>(
  tasks: readonly T[],
  number: number,
): readonly T[] => tasks.filter(({ id }) => issueOf([{ number }], id) === number)

/** The issue as one item of a list, whose details are its body. */
function asItem(title: string, body: string): string {
  const details = body.split(/\r?\n/).map((line) => (line === '' ? '' : `  ${line}`))
  return [`- [ ] ${title.replaceAll(/\s+/g, ' ').trim()}`, ...details].join('\n')
}
