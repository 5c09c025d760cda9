import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { RunState } from '../../core/domain/run-state.ts'
import { totalTokens } from '../../core/domain/usage.ts'
import { isFinishedVerdict } from '../../core/domain/verdict.ts'
import { howToGoOn } from '../../model/budget/run-limits.ts'
import { buildReport } from '../../publish/report/build-report.ts'
import { writeReportMarkdown } from '../../publish/report/write-report-markdown.ts'
import { exitCodeOf } from '../../runs/run-results.ts'
import { findReady } from '../../tasks/standing/find-standing.ts'
import type { Session } from '../compose/compose.ts'
import type { GitHubSession } from '../compose/compose-github.ts'
import type { JobRunner } from './runner.ts'

interface Finish {
  readonly session: GitHubSession
  readonly runner: JobRunner
  /** True when the last report covers everything that the job did. */
  readonly isWhole: boolean
}

export async function finishRun(state: RunState, finish: Finish): Promise<number> {
  const { runner } = finish
  const calls = describeCalls(state, finish.session)
  runner.say(calls)
  await runner.summarise(`${await summarise(state, finish)}\n${calls}\n`)
  setOutputs(await outputsOf(state, finish.session), runner)
  for (const { message, next, output } of state.record.errors)
    runner.annotate(
      'error',
      [`${message} ${next}`, ...(output === undefined ? [] : [output])].join('\n'),
    )
  for (const limit of state.progress.limits) runner.annotate('notice', `Limit reached: ${limit}`)
  if (state.progress.retryAt !== null)
    runner.annotate('notice', `Come back after ${state.progress.retryAt}.`)
  const code = exitCodeOf(state)
  const advice = code === 4 ? howToGoOn(state.progress.limits) : null
  if (advice !== null) runner.annotate('notice', advice)
  if (code === 3) runner.annotate('notice', 'Tasks wait for a person; see the report.')
  if (code === 1) runner.fail('Some tasks could not be done; see the report.')
  return code === 1 || code === 2 ? 1 : 0
}

function describeCalls({ tasks: { results } }: RunState, { apiCalls }: GitHubSession): string {
  const { made, reads, unchanged } = apiCalls
  const finished = Object.values(results).filter(
    ({ verdict, thisRun }) => thisRun && isFinishedVerdict(verdict),
  ).length
  const each = finished === 0 ? '' : `, ${(made / finished).toFixed(1)} for each finished task`
  return `GitHub: ${made} API calls${each}. GitHub answered ${unchanged} of ${reads} reads with "not modified", which its rate limit does not count.`
}

/** Shows the work done before the set-up failed, and rethrows the error. */
export async function showBrokenRun({ reportPath }: Session, runner: JobRunner): Promise<void> {
  const report = await readFile(reportPath, 'utf8').catch(() => null)
  if (report !== null) await runner.summarise(report)
}

export function finishWithoutRun({ reportPath }: Session, runner: JobRunner): number {
  const none = { completed: 0, unverified: 0, failed: 0, deferred: 0, waiting: 0, tokens: 0 }
  const report = existsSync(reportPath) ? reportPath : ''
  const rest = { 'pull-requests': [], report, 'run-id': '', cost: '0.0000', 'ready-tasks': [] }
  setOutputs({ ...none, ...rest }, runner)
  return 0
}

function setOutputs(outputs: Readonly<Record<string, unknown>>, runner: JobRunner): void {
  for (const [name, value] of Object.entries(outputs)) runner.output(name, value)
}

/** The written report, else one built from the state: a dry run and a cancelled run write none. */
async function summarise(state: RunState, { session, isWhole }: Finish): Promise<string> {
  const isWritten = isWhole && state.progress.next === 'END' && !state.run.dryRun
  const written = isWritten ? await readFile(session.reportPath, 'utf8').catch(() => null) : null
  return written ?? writeReportMarkdown(buildReport(state))
}

async function outputsOf(state: RunState, { ports, reportPath }: GitHubSession) {
  const results = Object.values(state.tasks.results)
  const count = (...verdicts: string[]) =>
    results.filter(({ verdict, thisRun }) => thisRun && verdicts.includes(verdict)).length
  const opened = results.flatMap(({ id, pullRequest, thisRun }) =>
    pullRequest !== null && thisRun ? [{ task: id, ...pullRequest }] : [],
  )
  const { cost } = buildReport(state)
  return {
    completed: count('done', 'in_review', 'unverified'),
    unverified: count('unverified'),
    failed: count(
      ...['failed', 'skipped', 'rejected', 'rolled_back'],
      ...(state.run.dryRun ? [] : ['over_budget']),
    ),
    deferred: count('deferred'),
    waiting: results.filter(({ verdict }) => verdict === 'waiting').length,
    'pull-requests': opened,
    report: existsSync(reportPath) && !state.run.dryRun ? reportPath : '',
    'run-id': state.run.id,
    // A dry run has only a forecast.
    cost: state.run.dryRun ? '0.0000' : (cost?.toFixed(4) ?? 'unknown'),
    tokens: state.run.dryRun ? 0 : totalTokens(state.spent.usage),
    'ready-tasks': (await findReady(state, state.tasks.results, ports)).ready,
  }
}
