import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { findRepository, originOf } from '../../../adapters/user-checkout.ts'
import { ExecutorError } from '../../../core/domain/errors.ts'
import { branchOf } from '../../../core/domain/task-id.ts'
import type { PullRequest } from '../../../core/ports/forge.ts'
import type { TaskSet } from '../../../publish/report/workspace-report.ts'
import type { SetMember } from '../../../runs/workspace/merge-set.ts'
import { orderRepositories, splitTaskName } from '../../../runs/workspace/order-repositories.ts'
import type { Session } from '../../compose/compose.ts'
import { readWorkspaceFile, type WorkspaceFile } from '../../config/read-workspace-file.ts'
import type { OpenProgress } from '../../progress/open-progress.ts'
import { findGitHub } from '../find-github.ts'
import { loadSettings } from '../load-settings.ts'
import { openGitHub } from '../open-github.ts'
import type { Terminal } from '../terminal.ts'
import {
  openOnDisk,
  type ReadableRepository,
  RepositoryDoors,
  type WorkspaceRepository,
} from './repository-door.ts'

export type WorkspaceFlags = Readonly<Record<string, unknown>> & {
  readonly file?: string
  readonly json?: boolean
  readonly maxTokens?: string
  readonly github?: boolean
  readonly yes?: boolean
}

export interface OpenedWorkspace {
  readonly path: string
  readonly directory: string
  readonly names: readonly string[]
  readonly sets: readonly TaskSet[]
  readonly doors: RepositoryDoors
  repositoryOf(name: string): WorkspaceRepository
  order(): Promise<readonly string[]>
}

const usualFile = 'workspace.yml'

/** @throws ExecutorError `bad_usage` without the file, `config_invalid`, `not_a_repository` */
export async function openWorkspaceFile(
  flags: WorkspaceFlags,
  terminal: Terminal,
): Promise<OpenedWorkspace> {
  const path = resolve(terminal.directory, flags.file ?? usualFile)
  const file = readWorkspaceFile(flags.file ?? usualFile, await readText(path))
  const directory = dirname(path)
  const repositories = await Promise.all(
    Object.entries(file.repositories).map(([name, place]) =>
      openRepository(name, place, { directory, flags, terminal }),
    ),
  )
  const roots = new Map(repositories.map(({ name, repository }) => [repository.root, name]))
  if (roots.size < repositories.length) {
    throw new ExecutorError('config_invalid', `${path}: two names are of the same repository.`)
  }
  const byName = new Map(repositories.map((each) => [each.name, each]))
  const names = [...byName.keys()]
  const open = flags.github ? (each: WorkspaceRepository) => openToRead(each, terminal) : openOnDisk
  const doors = new RepositoryDoors(repositories, open)
  return {
    ...{ path, directory, names, doors, sets: setsOf(file) },
    repositoryOf(name) {
      const found = byName.get(name)
      if (found === undefined) throw new Error(`There is no repository ${name}.`)
      return found
    },
    async order() {
      const needs = await Promise.all(
        names.map(async (name) => [name, openNeeds((await doors.standing(name)).tasks)] as const),
      )
      return orderRepositories(names, new Map(needs))
    },
  }
}

const setsOf = ({ sets }: WorkspaceFile) =>
  Object.entries(sets).map(([name, { tasks, atomic }]) => ({ name, tasks, atomic }))

/** A session with the repository on GitHub that a checkout came from. */
export async function openSessionOnGitHub(
  { repository, settings }: WorkspaceRepository,
  more: { readonly signal: AbortSignal; readonly apiKey: string; readonly progress?: OpenProgress },
  terminal: Terminal,
): Promise<Session> {
  const place = findGitHub(await originOf(repository), terminal.environment)
  return openGitHub({ settings, ...more }, repository, place, terminal)
}

async function openToRead(
  each: WorkspaceRepository,
  terminal: Terminal,
): Promise<ReadableRepository> {
  const { signal } = new AbortController()
  const session = await openSessionOnGitHub(each, { signal, apiKey: 'none' }, terminal)
  return {
    ports: session.ports,
    async last() {
      const loaded = await session.ports.store.load()
      return loaded.status === 'loaded' ? loaded.state : null
    },
    close: () => session.close(),
  }
}

/**
 * A set by its name, or a single task as a set.
 * @throws ExecutorError `bad_usage` for any other word
 */
export function findSet({ sets, names, path }: OpenedWorkspace, word: string): TaskSet {
  const task = splitTaskName(word)
  const single = task && names.includes(task.repository) ? [word] : null
  const found =
    sets.find(({ name }) => name === word) ??
    (single && { name: word, tasks: single, atomic: false })
  if (found !== null) return found
  const known = sets.map(({ name }) => name).join(', ') || 'none'
  throw new ExecutorError(
    'bad_usage',
    `${word} is neither a set of ${path} nor a task like api:T-1. Sets: ${known}.`,
  )
}

/** The tasks of a set in the order of the repositories. */
export async function orderTasksOf(
  workspace: OpenedWorkspace,
  { tasks }: TaskSet,
): Promise<readonly { readonly task: string; readonly repository: string; readonly id: string }[]> {
  const order = await workspace.order()
  return order.flatMap((repository) =>
    tasks.flatMap((task) => {
      const parts = splitTaskName(task)
      return parts?.repository === repository ? [{ task, ...parts }] : []
    }),
  )
}

/** The tasks of a set with their pull requests, in the order of the repositories. */
export async function setMembers(
  workspace: OpenedWorkspace,
  set: TaskSet,
): Promise<readonly SetMember[]> {
  const { doors, repositoryOf } = workspace
  const ordered = await orderTasksOf(workspace, set)
  return Promise.all(
    ordered.map(async ({ task, repository, id }) => {
      const { results } = await doors.standing(repository)
      const number = results[id]?.pullRequest?.number
      const pulls = await doors.pullRequests(repository)
      const pullRequest = pulls.find((pull) => pull.number === number) ?? mergedPull(pulls, id)
      const mergesWithoutChecks = repositoryOf(repository).settings.merge.withoutChecks
      return { task, pullRequest, forge: await doors.forge(repository), mergesWithoutChecks }
    }),
  )
}

/** Of a task that is done, its pull request has been merged. */
const mergedPull = (pulls: readonly PullRequest[], id: string) =>
  pulls.find(({ head, state }) => head === branchOf(id) && state === 'merged') ?? null

const openNeeds = (
  tasks: readonly { readonly status: string; readonly elsewhere?: readonly string[] | undefined }[],
) => tasks.flatMap(({ status, elsewhere = [] }) => (status === 'done' ? [] : elsewhere))

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    const how = 'Write one: repositories: { api: ../api, web: ../web }'
    throw new ExecutorError('bad_usage', `There is no ${path}. ${how}`, { cause })
  })
}

async function openRepository(
  name: string,
  place: string,
  {
    directory,
    flags,
    terminal,
  }: { readonly directory: string; readonly flags: WorkspaceFlags; readonly terminal: Terminal },
): Promise<WorkspaceRepository> {
  const repository = await findRepository(resolve(directory, place))
  return { name, repository, settings: await loadSettings(repository.root, flags, terminal) }
}
