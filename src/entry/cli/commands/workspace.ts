import { createDataMask } from '../../../../packages/text/text.ts'
import type { UsersRepository } from '../../../adapters/user-checkout.ts'
import type { RunState } from '../../../core/domain/run-state.ts'
import type { Settings } from '../../../core/domain/settings.ts'
import { totalTokens } from '../../../core/domain/usage.ts'
import { buildReport, type Report } from '../../../publish/report/build-report.ts'
import type { TaskSet, WorkspaceReport } from '../../../publish/report/workspace-report.ts'
import { mergeSet, obstacleText } from '../../../runs/workspace/merge-set.ts'
import { nameOneAnother } from '../../../runs/workspace/name-one-another.ts'
import { inOrder, orderTasksOf, setMembers } from '../../../runs/workspace/repositories.ts'
import { type WalkEnd, walkWorkspace } from '../../../runs/workspace/walk-workspace.ts'
import { findApiKey } from '../../compose/compose.ts'
import { openProgress } from '../../progress/open-progress.ts'
import { runInProcess } from '../../run-in-process.ts'
import { walk } from '../../walk.ts'
import { untilInterrupted } from '../interrupt.ts'
import type { Terminal } from '../terminal.ts'
import {
  type CliRepository,
  findSet,
  type OpenedWorkspace,
  openWorkspaceFile,
  type WorkspaceFlags,
} from '../workspace/open-workspace-file.ts'
import { keepReport, reportOn, showWorkspace } from '../workspace/show-workspace.ts'
import { rollBackIn } from './rollback.ts'

/** `executor workspace run`: works through the roadmaps of several repositories as one. Exit codes as of `run`. */
export async function workspaceRun(flags: WorkspaceFlags, terminal: Terminal): Promise<number> {
  return inWorkspace(flags, terminal, async (workspace, signal) => {
    const reports = new Map<string, Report[]>(workspace.names.map((name) => [name, []]))
    const budget = { left: flags.maxTokens === undefined ? null : Number(flags.maxTokens) }
    const { doors } = workspace
    const run = async (name: string, only: readonly string[] | null): Promise<RunState> => {
      const repository = workspace.repositoryOf(name)
      terminal.say(terminal.paint('bold', `${name}  ${repository.root}`))
      const left = budget.left === null ? {} : { maxTokens: String(Math.max(1, budget.left)) }
      const settings = await repository.settingsWith({ ...flags, ...left })
      const asked = { repository, settings, only, signal }
      const { checkout } = repository
      const ran =
        flags.github || checkout === null
          ? await runOnGitHub(asked, workspace, terminal)
          : await runOnDisk({ ...asked, checkout }, workspace, terminal)
      reports.get(name)?.push(ran.report)
      if (budget.left !== null) budget.left -= totalTokens(ran.state.spent.usage)
      await doors.forget(name)
      return ran.state
    }
    const look = (name: string) => doors.work(name)
    const end = await walkWorkspace(await inOrder(workspace), { look, run }, signal)
    if (flags.github) await nameSets(workspace, terminal)
    const report = await reportOn(workspace, reports)
    await keepReport(workspace.directory, report)
    showWorkspace(report, flags, terminal)
    return exitCodeOf(report, end)
  })
}

interface AskedRun {
  readonly repository: CliRepository
  readonly settings: Settings
  readonly only: readonly string[] | null
  readonly signal: AbortSignal
}

interface Ran {
  readonly state: RunState
  readonly report: Report
}

function runOnDisk(
  { checkout, settings, only, signal }: AskedRun & { readonly checkout: UsersRepository },
  { doors }: OpenedWorkspace,
  terminal: Terminal,
): Promise<Ran> {
  return runInProcess({
    ...{ repository: checkout, settings, signal, isTTY: terminal.isTTY, elsewhere: doors },
    apiKey: findApiKey(settings, terminal.environment),
    progress: openProgress(terminal, settings, 'one task'),
    ...(only && { task: only }),
  })
}

async function runOnGitHub(
  { repository, settings, only, signal }: AskedRun,
  { doors }: OpenedWorkspace,
  terminal: Terminal,
): Promise<Ran> {
  const apiKey = findApiKey(settings, terminal.environment)
  const progress = openProgress(terminal, settings, 'one task')
  const session = await repository.openSession({ settings, signal, apiKey, progress })
  try {
    const own = { ...session, ports: { ...session.ports, elsewhere: doors } }
    const state = await walk(own, only === null ? {} : { task: only }, signal)
    const mask = createDataMask(session.redact)
    const events = await session.ports.store.journal(state.run.id)
    return { state, report: mask(buildReport(state, { events })) }
  } finally {
    await session.close()
  }
}

async function nameSets(workspace: OpenedWorkspace, { say }: Terminal): Promise<void> {
  for (const set of workspace.sets)
    await nameOneAnother(set, await setMembers(workspace, set), { by: 'command' }, say)
}

/** `executor workspace plan`: ready and waiting tasks, and the sets. Runs nothing. */
export async function workspacePlan(flags: WorkspaceFlags, terminal: Terminal): Promise<number> {
  return inWorkspace(flags, terminal, async (workspace) => {
    showWorkspace(await reportOn(workspace, new Map()), flags, terminal)
    return 0
  })
}

/** `executor workspace rollback`: reverts the tasks of a set, the last repository first. */
export async function workspaceRollback(
  word: string,
  flags: WorkspaceFlags,
  terminal: Terminal,
): Promise<number> {
  return inWorkspace(flags, terminal, (workspace) =>
    rollBackSet(workspace, findSet(workspace, word), flags, terminal),
  )
}

async function rollBackSet(
  workspace: OpenedWorkspace,
  set: TaskSet,
  flags: WorkspaceFlags,
  terminal: Terminal,
): Promise<number> {
  let worst = 0
  for (const { task, repository, id } of (await orderTasksOf(workspace, set)).toReversed()) {
    const { openSession, settingsWith } = workspace.repositoryOf(repository)
    terminal.say(terminal.paint('bold', task))
    const settings = await settingsWith({})
    const open = (signal: AbortSignal) => openSession({ settings, signal, apiKey: 'none' })
    const asked = { target: id, newest: null }
    const code = await rollBackIn(open, asked, { ...flags, json: false }, terminal)
    worst = Math.max(worst, code)
  }
  return worst
}

/**
 * `executor workspace merge`: merges the pull requests of a set on GitHub in order, all or none. Returns 0 when all are
 * merged, 3 when one is not ready, 1 when a merge failed halfway: of an atomic set, it then proposes the reverts.
 */
export async function workspaceMerge(
  word: string,
  flags: WorkspaceFlags,
  terminal: Terminal,
): Promise<number> {
  const onGitHub = { ...flags, github: true }
  return inWorkspace(onGitHub, terminal, async (workspace) => {
    const set = findSet(workspace, word)
    let hasMerged = false
    const result = await mergeSet(await setMembers(workspace, set), (task, how) => {
      hasMerged = true
      terminal.say(
        `${terminal.paint('green', '✔')} ${task} is ${how === 'merged' ? 'merged' : 'in the merge queue'}`,
      )
    })
    switch (result.status) {
      case 'merged':
        terminal.say(`set ${set.name}: ${result.merged.join(', ')} merged`)
        return 0
      case 'not_ready':
        terminal.say(
          `set ${set.name}: ${hasMerged ? 'not all is merged' : 'nothing was merged'}.\n  ${result.obstacles.map(obstacleText).join('\n  ')}`,
        )
        return 3
      default: {
        const { merged, failed } = result
        const halfway = `${merged.join(', ')} merged, and ${obstacleText(failed)}`
        terminal.say(`set ${set.name}: ${halfway}.`)
        if (!set.atomic) return 1
        terminal.say('It is atomic, so the reverts are proposed:')
        await rollBackSet(
          workspace,
          { ...set, tasks: merged },
          { ...onGitHub, yes: true },
          terminal,
        )
        return 1
      }
    }
  })
}

function inWorkspace(
  flags: WorkspaceFlags,
  terminal: Terminal,
  work: (workspace: OpenedWorkspace, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  return untilInterrupted(terminal, async (signal) => {
    const workspace = await openWorkspaceFile(flags, terminal)
    try {
      return await work(workspace, signal)
    } finally {
      await workspace.doors.close()
    }
  })
}

function exitCodeOf({ open, failed }: WorkspaceReport, end: WalkEnd): number {
  if (end !== 'done') return 4
  if (failed > 0) return 1
  return open > 0 ? 3 : 0
}
