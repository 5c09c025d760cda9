import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { replaceFile } from '../../../adapters/plain-file.ts'
import { findRepository } from '../../../adapters/user-checkout.ts'
import { ExecutorError } from '../../../core/domain/errors.ts'
import { totalTokens } from '../../../core/domain/usage.ts'
import type { Report } from '../../../publish/report/build-report.ts'
import {
  buildWorkspaceReport,
  type WorkspaceReport,
  writeWorkspaceReport,
} from '../../../publish/report/workspace-report.ts'
import { orderRepositories, splitTaskName } from '../../../runs/workspace/order-repositories.ts'
import { type WalkEnd, walkWorkspace } from '../../../runs/workspace/walk-workspace.ts'
import { findApiKey } from '../../compose/compose.ts'
import { readWorkspaceFile, type WorkspaceFile } from '../../config/read-workspace-file.ts'
import { openProgress } from '../../progress/open-progress.ts'
import { paintMark } from '../../progress/tell-run.ts'
import { runInProcess } from '../../run-in-process.ts'
import { untilInterrupted } from '../interrupt.ts'
import { loadSettings } from '../load-settings.ts'
import type { Terminal } from '../terminal.ts'
import { RepositoryDoors, type WorkspaceRepository } from '../workspace/repository-door.ts'
import { rollback } from './rollback.ts'

type Flags = Readonly<Record<string, unknown>> & {
  readonly file?: string
  readonly json?: boolean
  readonly maxTokens?: string
}

/** `executor workspace run`: works through the roadmaps of several repositories as one. Exit codes as of `run`. */
export async function workspaceRun(flags: Flags, terminal: Terminal): Promise<number> {
  const workspace = await openWorkspaceFile(flags, terminal)
  return untilInterrupted(terminal, async (signal) => {
    const reports = new Map<string, Report[]>(workspace.names.map((name) => [name, []]))
    const budget = { left: flags.maxTokens === undefined ? null : Number(flags.maxTokens) }
    const { doors } = workspace
    const end = await walkWorkspace(
      await workspace.order(),
      {
        look: (name) => doors.work(name),
        async run(name, only) {
          const { repository } = workspace.repositoryOf(name)
          terminal.say(terminal.paint('bold', `${name}  ${repository.root}`))
          const left = budget.left === null ? {} : { maxTokens: String(Math.max(1, budget.left)) }
          const settings = await loadSettings(repository.root, { ...flags, ...left }, terminal)
          const ran = await runInProcess({
            ...{ repository, settings, signal, isTTY: terminal.isTTY, elsewhere: doors },
            apiKey: findApiKey(settings, terminal.environment),
            progress: openProgress(terminal, settings, 'one task'),
            ...(only && { task: only }),
          })
          reports.get(name)?.push(ran.report)
          if (budget.left !== null) budget.left -= totalTokens(ran.state.spent.usage)
          doors.forget(name)
          return ran.state
        },
      },
      signal,
    )
    const report = await reportOn(workspace, reports)
    await keepReport(workspace.directory, report)
    show(report, flags, terminal)
    return exitCodeOf(report, end)
  })
}

/** `executor workspace plan`: ready and waiting tasks, and the sets. Runs nothing. */
export async function workspacePlan(flags: Flags, terminal: Terminal): Promise<number> {
  const workspace = await openWorkspaceFile(flags, terminal)
  const report = await reportOn(workspace, new Map())
  show(report, flags, terminal)
  return 0
}

/** `executor workspace rollback`: reverts the tasks of a set, the last repository first. */
export async function workspaceRollback(
  set: string,
  flags: Flags,
  terminal: Terminal,
): Promise<number> {
  const workspace = await openWorkspaceFile(flags, terminal)
  const tasks =
    workspace.sets.find(({ name }) => name === set)?.tasks ?? (splitTaskName(set) && [set])
  if (
    tasks == null ||
    tasks.some((task) => !workspace.names.includes(splitTaskName(task)?.repository ?? ''))
  ) {
    const known = workspace.sets.map(({ name }) => name).join(', ') || 'none'
    throw new ExecutorError(
      'bad_usage',
      `${set} is neither a set of ${workspace.path} nor a task like api:T-1. Sets: ${known}.`,
    )
  }
  let worst = 0
  const order = await workspace.order()
  const newestFirst = order
    .toReversed()
    .flatMap((name) =>
      tasks.filter((task) => splitTaskName(task)?.repository === name).toReversed(),
    )
  for (const task of newestFirst) {
    const { repository = '', id = '' } = splitTaskName(task) ?? {}
    const { root } = workspace.repositoryOf(repository).repository
    terminal.say(terminal.paint('bold', task))
    const code = await rollback(id, { ...flags, json: false }, { ...terminal, directory: root })
    worst = Math.max(worst, code)
  }
  return worst
}

interface OpenedWorkspace {
  readonly path: string
  readonly directory: string
  readonly names: readonly string[]
  readonly sets: readonly {
    readonly name: string
    readonly tasks: readonly string[]
    readonly atomic: boolean
  }[]
  readonly doors: RepositoryDoors
  repositoryOf(name: string): WorkspaceRepository
  order(): Promise<readonly string[]>
}

const usualFile = 'workspace.yml'

/** @throws ExecutorError `bad_usage` without the file, `config_invalid`, `not_a_repository` */
async function openWorkspaceFile(flags: Flags, terminal: Terminal): Promise<OpenedWorkspace> {
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
  const doors = new RepositoryDoors(repositories)
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
  }: { readonly directory: string; readonly flags: Flags; readonly terminal: Terminal },
): Promise<WorkspaceRepository> {
  const repository = await findRepository(resolve(directory, place))
  return { name, repository, settings: await loadSettings(repository.root, flags, terminal) }
}

async function reportOn(
  { names, doors, sets, repositoryOf }: OpenedWorkspace,
  reports: ReadonlyMap<string, readonly Report[]>,
): Promise<WorkspaceReport> {
  const members = await Promise.all(
    names.map(async (name) => ({
      name,
      root: repositoryOf(name).repository.root,
      runs: reports.get(name) ?? [],
      standing: await doors.standing(name),
      waits: (await doors.ready(name)).waits,
    })),
  )
  return buildWorkspaceReport(members, sets)
}

async function keepReport(directory: string, report: WorkspaceReport): Promise<void> {
  const place = join(directory, '.executor')
  await mkdir(place, { recursive: true })
  // The folder need not be in a repository, and its contents belong in none.
  await writeFile(join(place, '.gitignore'), '*\n')
  await replaceFile(join(place, 'workspace.json'), `${JSON.stringify(report, null, 2)}\n`)
  await replaceFile(join(place, 'workspace.md'), writeWorkspaceReport(report))
}

function show(report: WorkspaceReport, flags: Flags, terminal: Terminal): void {
  if (flags.json) {
    terminal.print(JSON.stringify(report, null, 2))
    return
  }
  for (const { id, title, outcome, reason, branch } of report.tasks) {
    const mark = outcome === 'ready' ? '○' : paintMark(outcome, terminal.paint)
    const where = branch === null ? '' : ` on ${branch}`
    terminal.say(
      `${mark} ${id} ${outcome}${where}  ${title}${reason === '' ? '' : `\n    ${reason}`}`,
    )
  }
  for (const { name, status, advice } of report.sets) {
    terminal.say(`set ${name}: ${status}${advice === '' ? '' : `. ${advice}`}`)
  }
  terminal.say(
    `${report.done} done, ${report.failed} failed, ${report.open} open, ${report.tokens} tokens`,
  )
}

function exitCodeOf({ open, failed }: WorkspaceReport, end: WalkEnd): number {
  if (end !== 'done') return 4
  if (failed > 0) return 1
  return open > 0 ? 3 : 0
}
