/** Chooses which small tasks become one unit of work: one request, one branch, one pull request. */

import { depthOf } from '../../../packages/roadmap/roadmap.ts'
import { isTestFile } from '../../../packages/source/source.ts'
import { isPattern, type Task, taskPaths } from '../../../packages/task/task.ts'
import { composeTask } from '../../core/domain/compose-task.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { forecastTask } from '../../model/budget/forecast.ts'

/** More tasks in one answer are harder to write and to review. */
export const mostMembers = 4
/** Forecast tokens of one small task, and of a group. */
const smallTask = 4_000
const smallGroup = 6_000
/** Characters, files and subtasks of a small task. */
const mostWords = 800
const mostFiles = 3
const mostSubtasks = 3

export interface GroupRules {
  readonly by: Settings['group']
  /** Ids of open tasks that each task needs. */
  readonly dependsOn: ReadonlyMap<string, readonly string[]>
  /** Bytes by path at the base commit. */
  readonly sizes: ReadonlyMap<string, number>
  /** The run's limit of tasks may leave room for fewer. */
  readonly most?: number
}

/**
 * The group that a task leads: itself, and at most three small tasks after it that belong with it and need nothing
 * that it does not need. Deterministic.
 *
 * @param others candidates in the run's order
 */
export function chooseGroup(
  leader: Task,
  others: readonly Task[],
  rules: GroupRules,
): readonly Task[] {
  const { by, dependsOn, sizes, most = mostMembers } = rules
  if (by === 'off' || !isSmall(leader, sizes)) return [leader]
  const group = [leader]
  const ids = new Set([leader.id])
  const allowed = new Set(dependsOn.get(leader.id))
  for (const task of others) {
    if (group.length >= Math.min(most, mostMembers)) break
    const needs = dependsOn.get(task.id) ?? []
    const fits =
      isSmall(task, sizes) &&
      hasSameWay(leader, task) &&
      belongs(task, group, by) &&
      needs.every((id) => ids.has(id) || allowed.has(id)) &&
      tokensOf(composeTask([...group, task]), sizes) <= smallGroup
    if (!fits) continue
    group.push(task)
    ids.add(task.id)
  }
  return group
}

/** Splits the tasks of a run, in its order, into units of work, as far as it can be told before the run. */
export function planGroups(
  order: readonly Task[],
  rules: GroupRules,
): readonly (readonly Task[])[] {
  const planned = new Set<string>()
  return order.flatMap((leader) => {
    if (planned.has(leader.id)) return []
    const others = order.filter(({ id }) => id !== leader.id && !planned.has(id))
    const group = rules.by === 'off' ? [leader] : chooseGroup(leader, others, rules)
    for (const { id } of group) planned.add(id)
    return [group]
  })
}

const tokensOf = (task: Task, sizes: GroupRules['sizes']): number =>
  forecastTask(task, sizes, null).tokens

/** A task with a budget or an owner, or that is all or nothing with others, goes alone. */
function isSmall(task: Task, sizes: GroupRules['sizes']): boolean {
  const { id, title, details, subtasks, budget, together, owner } = task
  return (
    budget === null &&
    together === undefined &&
    owner === undefined &&
    depthOf({ id }) === 0 &&
    title.length + details.length <= mostWords &&
    subtasks.length < mostSubtasks &&
    filesOf(task).length <= mostFiles &&
    tokensOf(task, sizes) <= smallTask
  )
}

export const hasSameWay = (one: Task, other: Task): boolean =>
  one.model === other.model && one.verify === other.verify

/** A written group counts for every rule. */
function belongs(task: Task, group: readonly Task[], by: Settings['group']): boolean {
  const [first] = group
  const named = first?.group ?? task.group
  if (named !== undefined || by === 'explicit') {
    return named !== undefined && group.every((each) => each.group === task.group)
  }
  if (by === 'section') return isSameSection(task, first)
  const files = new Set(group.flatMap(filesOf))
  return filesOf(task).some((path) => files.has(path))
}

const isSameSection = (one: Task, other: Task | undefined): boolean =>
  one.headings.length > 0 && one.headings.join('\n') === other?.headings.join('\n')

const filesOf = (task: Task): readonly string[] =>
  taskPaths(task).filter((path) => !isPattern(path) && !isTestFile(path))
