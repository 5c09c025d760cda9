import {
  checkOutBranch,
  excludeFromGit,
  type UsersRepository,
} from '../../adapters/user-checkout.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { buildReport } from '../../publish/report/build-report.ts'
import { dryRunPorts } from '../../runs/dry-run-ports.ts'
import { exitCodeOf } from '../../runs/exit-code.ts'
import { runRoadmap } from '../../runs/run-roadmap.ts'
import { composeLocal, findApiKey, type Session } from '../compose/compose-local.ts'
import { combineObservers } from '../observe/combine-observers.ts'
import { untilInterrupted } from './interrupt.ts'
import { showProgress } from './progress.ts'
import { showSummary } from './summary.ts'
import type { Terminal } from './terminal.ts'

export interface RunFlags {
  readonly task?: readonly string[]
  readonly dryRun?: boolean
  readonly fresh?: boolean
  readonly resume?: boolean
  readonly checkout?: boolean
  readonly json?: boolean
}

/** The run itself, once the repository and the settings are known. */
export async function runHere(
  { repository, settings }: { readonly repository: UsersRepository; readonly settings: Settings },
  flags: RunFlags,
  terminal: Terminal,
): Promise<number> {
  const { root } = repository
  const dryRun = flags.dryRun ?? false
  const apiKey = dryRun ? 'none' : findApiKey(settings, terminal.environment)
  return untilInterrupted(terminal, async (signal) => {
    const { isTTY } = terminal
    const [session] = await Promise.all([
      composeLocal({ root, repository, settings, apiKey, isTTY, dryRun, signal }),
      dryRun ? undefined : excludeFromGit(repository, '.executor/'),
    ])
    try {
      const state = await walk(session, flags, terminal, signal)
      return await finish(state, { root, reportPath: session.reportPath }, flags, terminal)
    } finally {
      await session.close()
    }
  })
}

async function walk(
  { ports, observer }: Session,
  flags: RunFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<RunState> {
  const progress = await showProgress(terminal, ports.settings)
  try {
    return await runRoadmap(flags.dryRun ? dryRunPorts(ports) : ports, {
      only: flags.task ?? null,
      fresh: flags.fresh ?? false,
      dryRun: flags.dryRun ?? false,
      signal,
      observer: combineObservers(progress.observer, observer),
    })
  } finally {
    progress.stop()
  }
}

async function finish(
  state: RunState,
  { root, reportPath }: { readonly root: string; readonly reportPath: string },
  flags: RunFlags,
  terminal: Terminal,
): Promise<number> {
  const last = Object.values(state.results).findLast(({ thisRun, sha }) => thisRun && sha !== null)
  showSummary(state, { terminal, reportPath })
  if (flags.json) terminal.print(JSON.stringify(buildReport(state), null, 2))
  if (flags.checkout && !state.dryRun && last?.branch) {
    const switched = await checkOutBranch(root, last.branch)
    const said =
      switched.status === 'done' ? `on ${last.branch}` : `not switched: ${switched.reason}`
    terminal.say(`--checkout: ${said}`)
  }
  return exitCodeOf(state)
}
