import { branchOf, taskIdOfBranch } from '../../core/domain/branches.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import { fingerprintIn, tasksInBody } from '../../core/domain/identity.ts'
import type { PullRequest } from '../../core/ports/forge.ts'
import type { TaskSet } from '../../publish/report/workspace-report.ts'
import type { Standing } from '../../tasks/standing/find-standing.ts'
import { takesBack } from '../../tasks/standing/judge-groups.ts'
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

/**
 * The names of the repositories, each after those that its open tasks need. One that cannot be read keeps its place: what
 * needs it fails later.
 */
export async function inOrder({ names, doors }: Repositories): Promise<readonly string[]> {
  const needs = await Promise.all(
    names.map(async (name) => {
      const found = await orProblem(doors.standing(name))
      return [name, typeof found === 'string' ? [] : openNeeds(found.tasks)] as const
    }),
  )
  return orderRepositories(names, new Map(needs))
}

/** Returns why a repository cannot be used, in a sentence. @throws ExecutorError `forge_unreachable`, which passes */
export const orProblem = <T extends object>(work: Promise<T>): Promise<T | string> =>
  work.catch((error: unknown) => {
    if (!(error instanceof ExecutorError) || error.code === 'forge_unreachable') throw error
    return error.message
  })

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

/** The tasks of a set with their pull requests, in the order of the repositories, those at the bottom of a stack first. */
export async function setMembers<Opened extends ReadableRepository>(
  workspace: Repositories<Opened>,
  set: TaskSet,
): Promise<readonly (SetMember & SetTask & { readonly opened: Opened })[]> {
  const { doors, sets } = workspace
  const others = sets.filter(({ name }) => name !== set.name)
  const ordered = await orderTasksOf(workspace, set)
  const members = await Promise.all(
    ordered.map(async (named) => {
      const { repository } = named
      const opened = await doors.opened(repository)
      const { forge, settings, workspace } = opened.ports
      const pulls = await doors.pullRequests(repository)
      const standing = await doors.standing(repository)
      const found = standing.tasks.find((task) => isSameTask(task.id, named.id))
      const id = found?.id ?? named.id
      const pullRequest = pullRequestOf(id, standing, pulls)
      const heads = [branchOf(id), pullRequest?.head]
      return {
        ...{ ...named, id, opened, forge, pullRequest },
        isDone: found?.status === 'done',
        base: (await workspace.view()).base.branch,
        reverting: pulls.find((pull) => heads.includes(pull.head) && takesBack(pull)) ?? null,
        sharedWith:
          others.find((other) => shares(other, set, repository, pullRequest))?.name ?? null,
        mergesWithoutChecks: settings.merge.withoutChecks,
        depth: depthOf(pullRequest, pulls),
      }
    }),
  )
  const groups = Map.groupBy(members, ({ repository }) => repository)
  return [...groups.values()].flatMap((group) => group.toSorted((a, b) => a.depth - b.depth))
}

/** As in `Depends on`, capitals do not count. */
export const isSameTask = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase()

/** Whether a pull request holds a task of the other set. */
function shares(
  other: TaskSet,
  { tasks }: TaskSet,
  repository: string,
  pull: PullRequest | null,
): boolean {
  const held = tasksInBody(pull?.body ?? '').map(({ id }) => `${repository}:${id}`)
  const has = (some: readonly string[], task: string) => some.some((each) => isSameTask(each, task))
  return held.some((task) => has(other.tasks, task) && !has(tasks, task))
}

/** How many open pull requests it is stacked on. */
function depthOf(pull: PullRequest | null, pulls: readonly PullRequest[]): number {
  const seen = new Set<PullRequest>()
  const below = (upper: PullRequest | null) =>
    pulls.find(({ head, state }) => state === 'open' && head === upper?.base) ?? null
  for (let now = below(pull); now !== null && !seen.has(now); now = below(now)) seen.add(now)
  return seen.size
}

/**
 * The pull request with a task's work, its own or its group's. Of a task that is done, it has been merged. One that was
 * reverted since is open again.
 */
function pullRequestOf(
  id: string,
  { tasks, results }: Pick<Standing, 'tasks' | 'results'>,
  pulls: readonly PullRequest[],
): PullRequest | null {
  const number = results[id]?.pullRequest?.number
  const current = pulls.find((pull) => pull.number === number)
  if (current !== undefined) return taskIdOfBranch(current.head) === null ? null : current
  const isDone = tasks.some((task) => task.id === id && task.status === 'done')
  const merged = pulls.find(
    ({ head, body, state }) =>
      state === 'merged' &&
      taskIdOfBranch(head) !== null &&
      (head === branchOf(id) || fingerprintIn(body, id) !== null),
  )
  return (isDone && merged) || null
}
