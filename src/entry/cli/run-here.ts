import { resolve } from 'node:path'
import { errorCode } from '../../../packages/files/files.ts'
import type { TaskStatus } from '../../../packages/task/task.ts'
import { countOf, nameSome } from '../../../packages/text/text.ts'
import { type LineStream, openLineStream } from '../../adapters/line-stream.ts'
import {
  checkOutBranch,
  excludeFromGit,
  type UsersRepository,
} from '../../adapters/user-checkout.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { totalTokens } from '../../core/domain/usage.ts'
import { isFinishedVerdict } from '../../core/domain/verdict.ts'
import { describeBasis } from '../../model/budget/forecast.ts'
import { howToGoOn } from '../../model/budget/run-limits.ts'
import { buildReport, describeRedStart, describeTotals } from '../../publish/report/build-report.ts'
import { describeCost } from '../../publish/report/describe-verification.ts'
import { describeOvertaken } from '../../publish/report/write-overtaken.ts'
import { exitCodeOf } from '../../runs/run-results.ts'
import { topBranches } from '../../tasks/start/top-branches.ts'
import { findApiKey, type Session } from '../compose/compose.ts'
import { composeLocal } from '../compose/compose-local.ts'
import type { RunEvent } from '../events/event-schema.ts'
import { describeResult } from '../observe/describe-step.ts'
import { openProgress } from '../progress/open-progress.ts'
import { paintMark } from '../progress/tell-run.ts'
import { walk } from '../walk.ts'
import type { Flags } from './flags.ts'
import { inSession } from './interrupt.ts'
import type { Terminal } from './terminal.ts'

export interface RunFlags extends Flags<'dryRun' | 'fresh' | 'resume' | 'checkout' | 'json'> {
  readonly task?: readonly string[]
  /** A file for events; `true` for standard output. */
  readonly events?: string | boolean
}

export async function runHere(
  { repository, settings }: { readonly repository: UsersRepository; readonly settings: Settings },
  flags: RunFlags,
  terminal: Terminal,
): Promise<number> {
  const dryRun = flags.dryRun ?? false
  const apiKey = dryRun ? 'none' : findApiKey(settings, terminal.environment)
  const open = async (signal: AbortSignal) => {
    const { isTTY } = terminal
    const progress = openProgress(terminal, settings, 'one task')
    const [session] = await Promise.all([
      composeLocal({ repository, settings, apiKey, isTTY, dryRun, signal, progress }),
      dryRun ? undefined : excludeFromGit(repository, '.executor/'),
    ])
    return session
  }
  const lines = openEventLines(flags, terminal)
  return inSession(terminal, open, async (session, signal) => {
    const emit = (event: RunEvent) => lines?.write(`${JSON.stringify(event)}\n`)
    const state = await walk(session, flags, signal, lines && emit).finally(() => lines?.close())
    const code = await finish(state, { root: repository.root, session }, flags, terminal)
    await sayWhatIsNotOpen(state, session.ports, terminal)
    return code
  })
}

async function finish(
  state: RunState,
  { root, session }: { readonly root: string; readonly session: Session },
  flags: RunFlags,
  terminal: Terminal,
): Promise<number> {
  const { ports, reportPath } = session
  showSummary(state, { terminal, reportPath })
  if (flags.json) {
    const report = buildReport(state, { events: await ports.store.journal(state.run.id) })
    terminal.print(JSON.stringify(report, null, 2))
  }
  if (flags.checkout && !state.run.dryRun) {
    const tips = await topBranches(state, ports)
    if (tips.length > 0) terminal.say(`--checkout: ${await checkOutTop(root, tips)}`)
  }
  return exitCodeOf(state)
}

/** Switches to the one branch that holds all work of the run; returns what a person reads. */
async function checkOutTop(root: string, [branch = '', ...others]: readonly string[]) {
  if (others.length > 0) {
    const all = [branch, ...others].join(', ')
    return `not switched: the work is on separate branches, ${all}. Choose one with git switch.`
  }
  const switched = await checkOutBranch(root, branch)
  return switched.status === 'done' ? `on ${branch}` : `not switched: ${switched.reason}`
}

/** The end of a run: the result of each task that is not simply done, the totals, and what to do next. */
export function showSummary(
  state: RunState,
  { terminal, reportPath }: { readonly terminal: Terminal; readonly reportPath: string | null },
): void {
  const results = Object.values(state.tasks.results)
  const untouched = results.filter(
    ({ verdict, attempts }) => attempts === 0 && !isFinishedVerdict(verdict),
  )
  for (const result of untouched) {
    terminal.say(`${paintMark(result.verdict, terminal.paint)} ${describeResult(result)}`)
  }
  for (const { overtaken } of results) {
    if (overtaken !== undefined) terminal.say(describeOvertaken(overtaken).join('\n  '))
  }
  for (const { message, next, output } of state.record.errors) {
    const shown = output === undefined ? '' : `\n${output.replaceAll(/^/gm, '      ')}`
    terminal.say(
      `${terminal.paint('red', 'error')} ${message}${shown}\n${terminal.paint('cyan', 'next')}  ${next}`,
    )
  }
  for (const limit of state.progress.limits)
    terminal.say(`${terminal.paint('yellow', 'limit')} ${limit}`)
  const tokens = `${totalTokens(state.spent.usage)} tokens`
  const report = buildReport(state)
  const cost = `, ${describeCost(report)}`
  if (state.run.dryRun) {
    const basis = describeBasis(state.roadmap.preview?.pastTasks ?? 0)
    terminal.say(`[DRY RUN] nothing was written. Forecast: ${tokens}${cost} (${basis}).`)
    return
  }
  if (results.length === 0 && state.record.errors.length === 0 && state.progress.stopped === null) {
    const why = `: ${state.roadmap.path} has no open task, like: - [ ] Add a login page`
    terminal.say(`Nothing to do${state.run.only === null ? why : '.'}`)
    const alike = state.roadmap.preview?.likeTasks ?? 0
    if (alike > 0) {
      const places = countOf(alike, 'place')
      terminal.say(`Lint names ${places} with boxes that no run works on: executor lint`)
    }
    return
  }
  const sum = results.length === 0 ? 'No task done yet' : describeTotals(report)
  terminal.say(`${sum}, ${tokens}${cost}, ${state.spent.seconds.toFixed(1)} s`)
  const red = describeRedStart(report)
  if (red !== null) terminal.say(red)
  sayNext(state, terminal, reportPath)
}

function sayNext(state: RunState, terminal: Terminal, reportPath: string | null): void {
  if (state.progress.stopped === 'cancelled') {
    terminal.say('Stopped. Run the same command again to resume.')
    return
  }
  if (state.progress.retryAt !== null) terminal.say(`Come back after ${state.progress.retryAt}.`)
  const advice = exitCodeOf(state) === 4 ? howToGoOn(state.progress.limits) : null
  if (advice !== null) terminal.say(`${terminal.paint('cyan', 'next')}  ${advice}`)
  if (Object.values(state.tasks.parked).some(({ destructive }) => destructive.length > 0)) {
    const how = 'Run the same command at a terminal to decide about what waits.'
    terminal.say(`${terminal.paint('cyan', 'next')}  ${how}`)
  }
  if (reportPath === null) return
  const branches = reviewable(state)
  const [first, ...others] = branches
  if (first !== undefined) {
    const command = `git log --stat ${state.roadmap.base.branch}..${first}`
    const each = others.length === 0 ? '' : `, and so for ${nameSome(others, mostBranches)}`
    terminal.say(`Review it: ${command}${each}`)
  }
  terminal.say(`Report: ${reportPath}`)
}

const mostBranches = 5

/** Branches without a pull request on which this run finished work, without those that another one contains. */
function reviewable({ tasks: { results } }: RunState): readonly string[] {
  const finished = Object.values(results).filter(({ thisRun, sha }) => thisRun && sha !== null)
  if (finished.at(-1)?.pullRequest !== null) return []
  const starts = new Set(finished.map(({ start }) => start))
  const own = finished.flatMap(({ branch, sha }) => (branch && !starts.has(sha) ? [branch] : []))
  return [...new Set(own)]
}

const closedWords: Readonly<Partial<Record<TaskStatus, string>>> = {
  done: 'is ticked as done',
  cancelled: 'is cancelled',
  blocked: 'is blocked',
}

/** Names the requested task ids that are not open in the roadmap. */
async function sayWhatIsNotOpen(
  { run, roadmap, tasks }: RunState,
  ports: Session['ports'],
  terminal: Terminal,
): Promise<void> {
  const asked = (run.only ?? []).filter((id) => tasks.results[id] === undefined)
  if (asked.length === 0) return
  const { loadRoadmap } = await import('../../tasks/load-roadmap.ts')
  const known = await loadRoadmap({ roadmap }, ports)
  const closed = (known?.tasks ?? []).flatMap(({ id, status }) => {
    const words = asked.includes(id) ? closedWords[status] : undefined
    return words === undefined ? [] : [`${id} ${words}`]
  })
  if (closed.length === 0) return
  terminal.say(`Left alone: ${closed.join(', ')} in ${roadmap.path}.`)
  const how = 'To redo one, set its box to [ ], commit, and run the same command.'
  terminal.say(`${terminal.paint('cyan', 'next')}  ${how}`)
}

/**
 * Opens the place of `--events`; `null` without the flag. A place that is lost later ends the events, not the run.
 *
 * @throws ExecutorError `bad_usage` when it cannot be written, or when `--json` needs standard output
 */
export function openEventLines(
  { events, json }: { readonly events?: string | boolean; readonly json?: boolean },
  terminal: Terminal,
): LineStream | null {
  if (events === undefined || events === false) return null
  const path = events === true || events === '-' ? null : resolve(terminal.directory, events)
  if (path === null && json) {
    throw new ExecutorError(
      'bad_usage',
      '--events and --json both need standard output: name a file for the events, --events=FILE.',
    )
  }
  try {
    return openLineStream(path, (reason) =>
      terminal.say(`note: the events end here, and the run continues: ${reason}`),
    )
  } catch (error) {
    const why = errorCode(error) ?? String(error)
    throw new ExecutorError('bad_usage', `--events: ${path} cannot be written: ${why}.`)
  }
}
