import type { RunState } from '../../core/domain/run-state.ts'
import { totalTokens } from '../../core/domain/usage.ts'
import { finishedVerdicts } from '../../core/domain/verdict.ts'
import { describeBasis } from '../../model/budget/forecast.ts'
import { howToGoOn } from '../../model/budget/how-to-go-on.ts'
import { buildReport, describeTotals } from '../../publish/report/build-report.ts'
import { exitCodeOf } from '../../runs/exit-code.ts'
import { describeResult } from '../observe/describe-step.ts'
import { paintMark } from './progress.ts'
import type { Terminal } from './terminal.ts'

/** The end of a run: what came of each task that is not simply done, the sums, and what to do next. */
export function showSummary(
  state: RunState,
  { terminal, reportPath }: { readonly terminal: Terminal; readonly reportPath: string | null },
): void {
  const results = Object.values(state.results)
  const untouched = results.filter(
    ({ verdict, attempts }) => attempts === 0 && !finishedVerdicts.includes(verdict),
  )
  for (const result of untouched) {
    terminal.say(`${paintMark(result.verdict, terminal)} ${describeResult(result)}`)
  }
  for (const { message, next, output } of state.errors) {
    const said = output === undefined ? '' : `\n${output.replaceAll(/^/gm, '      ')}`
    terminal.say(
      `${terminal.paint('red', 'error')} ${message}${said}\n${terminal.paint('cyan', 'next')}  ${next}`,
    )
  }
  for (const limit of state.limits) terminal.say(`${terminal.paint('yellow', 'limit')} ${limit}`)
  const tokens = `${totalTokens(state.usage)} tokens`
  const cost = state.usage.dollars > 0 ? `, $${state.usage.dollars.toFixed(4)}` : ''
  if (state.dryRun) {
    const basis = describeBasis(state.preview?.pastTasks ?? 0)
    terminal.say(`[DRY RUN] nothing was written. Forecast: ${tokens}${cost} (${basis}).`)
    return
  }
  if (results.length === 0 && state.errors.length === 0 && state.stopped === null) {
    terminal.say(`Nothing to do: ${state.roadmap} has no open task, like: - [ ] Add a login page`)
    return
  }
  const sum = results.length === 0 ? 'No task done yet' : describeTotals(buildReport(state).totals)
  terminal.say(`${sum}, ${tokens}${cost}, ${state.seconds.toFixed(1)} s`)
  sayNext(state, terminal, reportPath)
}

function sayNext(state: RunState, terminal: Terminal, reportPath: string | null): void {
  if (state.stopped === 'cancelled') {
    terminal.say('Stopped. Run the same command again to go on where it was.')
    return
  }
  if (state.retryAt !== null) terminal.say(`Come back after ${state.retryAt}.`)
  const advice = exitCodeOf(state) === 4 ? howToGoOn(state.limits) : null
  if (advice !== null) terminal.say(`${terminal.paint('cyan', 'next')}  ${advice}`)
  if (Object.values(state.parked).some(({ destructive }) => destructive.length > 0)) {
    const how = 'Run the same command at a terminal to decide about what waits.'
    terminal.say(`${terminal.paint('cyan', 'next')}  ${how}`)
  }
  const last = Object.values(state.results).findLast(({ thisRun, sha }) => thisRun && sha !== null)
  if (reportPath === null) return
  const isLocal = last !== undefined && last.pullRequest === null
  if (isLocal) terminal.say(`Look at it: git log --stat ${state.base.branch}..${last.branch}`)
  terminal.say(`Report: ${reportPath}`)
}
