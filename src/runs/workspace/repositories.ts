import { branchOf } from '../../core/domain/task-id.ts'
import type { PullRequest } from '../../core/ports/forge.ts'
import type { TaskSet } from '../../publish/report/workspace-report.ts'
import type { Standing } from '../../roadmap/standing/find-standing.ts'
import { takesBack } from '../../roadmap/standing/judge-groups.ts'
import type { SetMember } from './merge-set.ts'
import { orderRepositories, splitTaskName } from './order-repositories.ts'
import {
  type ReadableRepository,
  RepositoryDoors,
  type WorkspaceRepository,
} from './repository-doors.ts'

/** What `RepositoryDoors` offers. */
type Doors<Opened extends ReadableRepository> = Pick<
  RepositoryDoors<Opened>,
  keyof RepositoryDoors<Opened>
>

/** Several repositories, and the sets of tasks across them. */
export interface Repositories<Opened extends ReadableRepository = ReadableRepository> {
  readonly names: readonly string[]
  readonly sets: readonly TaskSet[]
  readonly doors: Doors<Opened>
}

export const assembleWorkspace = <Opened extends ReadableRepository>(
  repositories: readonly WorkspaceRepository<Opened>[],
  sets: readonly TaskSet[],
): Repositories<Opened> => ({
  names: repositories.map(({ name }) => name),
  sets,
  doors: new RepositoryDoors(repositories),
})

/** The names of the repositories, each after those that its open tasks need. */
export async function inOrder({ names, doors }: Repositories): Promise<readonly string[]> {
  const needs = await Promise.all(
    names.map(async (name) => [name, openNeeds((await doors.standing(name)).tasks)] as const),
  )
  return orderRepositories(names, new Map(needs))
}

const openNeeds = (tasks: Standing['tasks']) =>
  tasks.flatMap(({ status, elsewhere = [] }) => (status === 'done' ? [] : elsewhere))

/** A task of a set: `api:T-1`, and its two parts. */
export interface SetTask {
  readonly task: string
  readonly repository: string
  readonly id: string
}

/** The tasks of a set in the order of the repositories. */
export async function orderTasksOf(
  workspace: Repositories,
  { tasks }: Pick<TaskSet, 'tasks'>,
): Promise<readonly SetTask[]> {
  const order = await inOrder(workspace)
  return order.flatMap((repository) =>
    tasks.flatMap((task) => {
      const parts = splitTaskName(task)
      return parts?.repository === repository ? [{ task, ...parts }] : []
    }),
  )
}

/** The tasks of a set with their pull requests, in the order of the repositories. */
export async function setMembers<Opened extends ReadableRepository>(
  workspace: Repositories<Opened>,
  set: TaskSet,
): Promise<readonly (SetMember & SetTask & { readonly opened: Opened })[]> {
  const ordered = await orderTasksOf(workspace, set)
  return Promise.all(
    ordered.map(async (named) => {
      const { repository, id } = named
      const { doors } = workspace
      const opened = await doors.opened(repository)
      const { forge, settings } = opened.ports
      const pulls = await doors.pullRequests(repository)
      return {
        ...{ ...named, opened, forge },
        pullRequest: pullRequestOf(id, await doors.standing(repository), pulls),
        reverting: pulls.find((pull) => pull.head === branchOf(id) && takesBack(pull)) ?? null,
        mergesWithoutChecks: settings.merge.withoutChecks,
      }
    }),
  )
}

/** Of a task that is done, its pull request has been merged. One that was reverted since is open again. */
function pullRequestOf(
  id: string,
  { tasks, results }: Pick<Standing, 'tasks' | 'results'>,
  pulls: readonly PullRequest[],
): PullRequest | null {
  const number = results[id]?.pullRequest?.number
  const current = pulls.find((pull) => pull.number === number)
  if (current !== undefined) return current
  const isDone = tasks.some((task) => task.id === id && task.status === 'done')
  const merged = pulls.find(({ head, state }) => head === branchOf(id) && state === 'merged')
  return (isDone && merged) || null
}
