import type { RunState } from '../../../core/domain/run-state.ts'
import { totalTokens } from '../../../core/domain/usage.ts'
import { buildReport, type Report } from '../../../publish/report/build-report.ts'
import type { TaskSet, WorkspaceReport } from '../../../publish/report/workspace-report.ts'
import { mergeSet } from '../../../runs/workspace/merge-set.ts'
import { type WalkEnd, walkWorkspace } from '../../../runs/workspace/walk-workspace.ts'
import { createDataMask } from '../../../text/secrets/mask-data.ts'
import { findApiKey } from '../../compose/compose.ts'
import { openProgress } from '../../progress/open-progress.ts'
import { runInProcess } from '../../run-in-process.ts'
import { walk } from '../../walk.ts'
import { untilInterrupted } from '../interrupt.ts'
import { loadSettings } from '../load-settings.ts'
import type { Terminal } from '../terminal.ts'
import { nameOneAnother } from '../workspace/name-one-another.ts'
import {
  findSet,
  type OpenedWorkspace,
  openSessionOnGitHub,
  openWorkspaceFile,
  orderTasksOf,
  setMembers,
  type WorkspaceFlags,
} from '../workspace/open-workspace-file.ts'
import type { WorkspaceRepository } from '../workspace/repository-door.ts'
import { keepReport, reportOn, showWorkspace } from '../workspace/show-workspace.ts'
import { rollback } from './rollback.ts'

/** `executor workspace run`: works through the roadmaps of several repositories as one. Exit codes as of `run`. */
export async function workspaceRun(flags: WorkspaceFlags, terminal: Terminal): Promise<number> {
  return inWorkspace(flags, terminal, async (workspace, signal) => {
    const reports = new Map<string, Report[]>(workspace.names.map((name) => [name, []]))
    const budget = { left: flags.maxTokens === undefined ? null : Number(flags.maxTokens) }
    const { doors } = workspace
    const run = async (name: string, only: readonly string[] | null): Promise<RunState> => {
      const { repository } = workspace.repositoryOf(name)
      terminal.say(terminal.paint('bold', `${name}  ${repository.root}`))
      const left = budget.left === null ? {} : { maxTokens: String(Math.max(1, budget.left)) }
      const settings = await loadSettings(repository.root, { ...flags, ...left }, terminal)
      const asked = { where: { name, repository, settings }, only, signal }
      const ran = await (flags.github ? runOnGitHub : runOnDisk)(asked, workspace, terminal)
      reports.get(name)?.push(ran.report)
      if (budget.left !== null) budget.left -= totalTokens(ran.state.spent.usage)
      await doors.forget(name)
      return ran.state
    }
    const look = (name: string) => doors.work(name)
    const end = await walkWorkspace(await workspace.order(), { look, run }, signal)
    if (flags.github) await nameOneAnother(workspace, terminal)
    const report = await reportOn(workspace, reports)
    await keepReport(workspace.directory, report)
    showWorkspace(report, flags, terminal)
    return exitCodeOf(report, end)
  })
}

interface AskedRun {
  readonly where: WorkspaceRepository
  readonly only: readonly string[] | null
  readonly signal: AbortSignal
}

interface Ran {
  readonly state: RunState
  readonly report: Report
}

function runOnDisk(
  { where: { repository, settings }, only, signal }: AskedRun,
  { doors }: OpenedWorkspace,
  terminal: Terminal,
): Promise<Ran> {
  return runInProcess({
    ...{ repository, settings, signal, isTTY: terminal.isTTY, elsewhere: doors },
    apiKey: findApiKey(settings, terminal.environment),
    progress: openProgress(terminal, settings, 'one task'),
    ...(only && { task: only }),
  })
}

async function runOnGitHub(
  { where, only, signal }: AskedRun,
  { doors }: OpenedWorkspace,
  terminal: Terminal,
): Promise<Ran> {
  const apiKey = findApiKey(where.settings, terminal.environment)
  const progress = openProgress(terminal, where.settings, 'one task')
  const session = await openSessionOnGitHub(where, { signal, apiKey, progress }, terminal)
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
    const { root } = workspace.repositoryOf(repository).repository
    terminal.say(terminal.paint('bold', task))
    const code = await rollback(id, { ...flags, json: false }, { ...terminal, directory: root })
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
    const result = await mergeSet(await setMembers(workspace, set), (task, how) => {
      terminal.say(
        `${terminal.paint('green', '✔')} ${task} is ${how === 'merged' ? 'merged' : 'in the merge queue'}`,
      )
    })
    switch (result.status) {
      case 'merged':
        terminal.say(`set ${set.name}: ${result.merged.join(', ')} merged`)
        return 0
      case 'not_ready':
        terminal.say(`set ${set.name}: nothing was merged.\n  ${result.reasons.join('\n  ')}`)
        return 3
      default: {
        const { merged, failed, reason } = result
        terminal.say(`set ${set.name}: ${merged.join(', ')} merged, and ${failed} ${reason}.`)
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
