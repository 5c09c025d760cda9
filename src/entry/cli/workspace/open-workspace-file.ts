import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { newest, readState } from '../../../adapters/file-store/state-files.ts'
import { createLocalForge } from '../../../adapters/local-forge.ts'
import { openClient } from '../../../adapters/octokit/client.ts'
import { answersOf } from '../../../adapters/octokit/failure.ts'
import { readDefaultBranch } from '../../../adapters/octokit/repository.ts'
import { createSystemClock } from '../../../adapters/system.ts'
import { findRepository, type UsersRepository } from '../../../adapters/user-checkout.ts'
import { ExecutorError } from '../../../core/domain/errors.ts'
import { isRepositoryName } from '../../../core/domain/repository-name.ts'
import type { Settings } from '../../../core/domain/settings.ts'
import type { TaskSet } from '../../../publish/report/workspace-report.ts'
import { splitTaskName } from '../../../runs/workspace/order-repositories.ts'
import { assembleWorkspace, type Repositories } from '../../../runs/workspace/repositories.ts'
import {
  type ReadableRepository,
  readable,
  type WorkspaceRepository,
} from '../../../runs/workspace/repository-doors.ts'
import type { Session, SessionRequest } from '../../compose/compose.ts'
import { isThisMachine } from '../../compose/compose-github.ts'
import { openWorkspace } from '../../compose/compose-local.ts'
import { readWorkspaceFile, setsOf } from '../../config/read-workspace-file.ts'
import { configPath } from '../../config/resolve-in-repository.ts'
import { findGitHub } from '../find-github.ts'
import { loadSettings, settingsIn } from '../load-settings.ts'
import { openGitHub } from '../open-github.ts'
import { openToWrite } from '../open-to-write.ts'
import type { Terminal } from '../terminal.ts'

export type WorkspaceFlags = Readonly<Record<string, unknown>> & {
  readonly file?: string
  readonly json?: boolean
  readonly maxTokens?: string
  readonly github?: boolean
  readonly yes?: boolean
}

/** A repository of the workspace: a checkout on this disk, or one on GitHub. */
export interface CliRepository extends WorkspaceRepository {
  readonly checkout: UsersRepository | null
  settingsWith(flags: WorkspaceFlags): Promise<Settings>
  /** Opens it for a run or a rollback: on GitHub with `--github`, else the checkout. */
  openSession(request: SessionRequest): Promise<Session>
}

export interface OpenedWorkspace extends Repositories {
  readonly path: string
  readonly directory: string
  repositoryOf(name: string): CliRepository
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
      isRepositoryName(place)
        ? onGitHub(name, place, flags, terminal)
        : onDisk(name, resolve(directory, place), flags, terminal),
    ),
  )
  const roots = new Set(repositories.map(({ root }) => root))
  if (roots.size < repositories.length) {
    throw new ExecutorError('config_invalid', `${path}: two names are of the same repository.`)
  }
  const byName = new Map(repositories.map((each) => [each.name, each]))
  return {
    ...assembleWorkspace(repositories, setsOf(file)),
    ...{ path, directory },
    repositoryOf(name) {
      const found = byName.get(name)
      if (found === undefined) throw new Error(`There is no repository ${name}.`)
      return found
    },
  }
}

async function onDisk(
  name: string,
  path: string,
  flags: WorkspaceFlags,
  terminal: Terminal,
): Promise<CliRepository> {
  const checkout = await findRepository(path)
  const { root } = checkout
  const settings = await loadSettings(root, flags, terminal)
  const openSession = (request: SessionRequest) => openToWrite(request, checkout, flags, terminal)
  return {
    ...{ name, root, checkout, openSession },
    settingsWith: (more) => loadSettings(root, more, terminal),
    open: () =>
      flags.github ? openToRead(settings, openSession) : openCheckout(checkout, settings),
  }
}

/** Opens a repository on this disk, without a lock. */
async function openCheckout(
  repository: UsersRepository,
  settings: Settings,
): Promise<ReadableRepository> {
  const { root } = repository
  const workspace = await openWorkspace(root, settings, createSystemClock(), { repository })
  return {
    ports: { workspace, settings, forge: createLocalForge() },
    async last() {
      const read = await readState(join(root, '.executor'), newest)
      return read.status === 'read' ? read.state : null
    },
    close: async () => {},
  }
}

/** @throws ExecutorError `bad_usage` without `--github` */
async function onGitHub(
  name: string,
  fullName: string,
  flags: WorkspaceFlags,
  terminal: Terminal,
): Promise<CliRepository> {
  if (!flags.github) {
    const how = `Add --github, or write ./${fullName} for a folder.`
    throw new ExecutorError('bad_usage', `${name} is ${fullName} on GitHub. ${how}`)
  }
  const { GITHUB_SERVER_URL = 'https://github.com' } = terminal.environment
  const root = `${GITHUB_SERVER_URL}/${fullName}`
  const place = findGitHub(root, terminal.environment)
  const text = await readConfig(place, terminal)
  const settingsWith = async (more: WorkspaceFlags) => settingsIn(text, more, terminal)
  const settings = await settingsWith(flags)
  const openSession = (request: SessionRequest) => openGitHub(request, null, place, terminal)
  return {
    ...{ name, root, checkout: null, openSession, settingsWith },
    open: () => openToRead(settings, openSession),
  }
}

async function readConfig(
  { token, ...place }: ReturnType<typeof findGitHub>,
  { say }: Terminal,
): Promise<string | null> {
  const pace = !isThisMachine(place.apiUrl)
  const about = { ...place, token: () => token, pace, clock: createSystemClock() }
  const repository = openClient({ ...about, log: say })
  const { orThrow } = answersOf(repository)
  return (await orThrow(readDefaultBranch(repository, configPath))).text
}

async function openToRead(
  settings: Settings,
  openSession: CliRepository['openSession'],
): Promise<ReadableRepository> {
  const { signal } = new AbortController()
  return readable(await openSession({ settings, signal, apiKey: 'none' }))
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

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    const how = 'Write one: repositories: { api: ../api, web: ../web }'
    throw new ExecutorError('bad_usage', `There is no ${path}. ${how}`, { cause })
  })
}
