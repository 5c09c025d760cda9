import { readFile } from 'node:fs/promises'
import * as core from '@actions/core'
import { howToGoOn } from '../../budget/how-to-go-on.ts'
import type { RunState } from '../../domain/run-state.ts'
import { totalTokens } from '../../domain/usage.ts'
import { findReady } from '../../reconcile/find-standing.ts'
import { buildReport } from '../../report/build-report.ts'
import { writeReportMarkdown } from '../../report/write-report-markdown.ts'
import { exitCodeOf } from '../../runs/exit-code.ts'
import { boundMarkdown, longestSummary } from '../../safety/bound-text.ts'
import type { Session } from '../compose-local.ts'

/** Job summary, outputs and annotations. A red job is one that failed, not one that waits. */
export async function finishRun(
  state: RunState,
  session: Session,
  /** Whether the last report that was written is about all of it. */
  isWhole: boolean,
): Promise<number> {
  if (process.env.GITHUB_STEP_SUMMARY) {
    await core.summary.addRaw(await summarise(state, session, isWhole)).write()
  }
  await setOutputs(state, session)
  for (const { message, next } of state.errors) core.error(session.redact(`${message} ${next}`))
  for (const limit of state.limits) core.notice(session.redact(`Limit reached: ${limit}`))
  if (state.retryAt !== null) core.notice(`Come back after ${state.retryAt}.`)
  const code = exitCodeOf(state)
  const advice = code === 4 ? howToGoOn(state.limits) : null
  if (advice !== null) core.notice(advice)
  if (code === 3) core.notice('Tasks wait for a person; see the report.')
  if (code === 1) core.setFailed('Some tasks could not be done; see the report.')
  return code === 1 || code === 2 ? 1 : 0
}

/** A set-up that broke in the middle: what was done until then is shown, the error is thrown on. */
export async function showBrokenRun({ reportPath }: Session): Promise<void> {
  const report = await readFile(reportPath, 'utf8').catch(() => null)
  if (report === null || !process.env.GITHUB_STEP_SUMMARY) return
  await core.summary.addRaw(boundMarkdown(report, longestSummary)).write()
}

/** Nothing had to be worked on: the outputs say so. */
export function finishWithoutRun({ reportPath }: Session): number {
  for (const name of ['completed', 'failed', 'deferred', 'waiting', 'tokens'])
    core.setOutput(name, 0)
  core.setOutput('pull-requests', '[]')
  core.setOutput('report', reportPath)
  core.setOutput('cost', '0.0000')
  core.setOutput('ready-tasks', '[]')
  return 0
}

/** The report as it was written; a dry run writes none, and a cancelled one comes to none. */
async function summarise(
  state: RunState,
  { reportPath, redact }: Session,
  isWhole: boolean,
): Promise<string> {
  const isWritten = isWhole && state.next === 'END' && !state.dryRun
  const written = isWritten ? await readFile(reportPath, 'utf8').catch(() => null) : null
  const report = written ?? redact(writeReportMarkdown(buildReport(state)))
  return boundMarkdown(report, longestSummary)
}

async function setOutputs(state: RunState, { ports, reportPath }: Session): Promise<void> {
  const results = Object.values(state.results)
  const count = (...verdicts: string[]) =>
    results.filter(({ verdict, thisRun }) => thisRun && verdicts.includes(verdict)).length
  const opened = results.flatMap(({ id, pullRequest, thisRun }) =>
    pullRequest !== null && thisRun ? [{ task: id, ...pullRequest }] : [],
  )
  core.setOutput('completed', count('done', 'in_review', 'unverified'))
  core.setOutput('failed', count('failed', 'skipped', 'rejected', 'over_budget'))
  core.setOutput('deferred', count('deferred'))
  core.setOutput('waiting', results.filter(({ verdict }) => verdict === 'waiting').length)
  core.setOutput('pull-requests', JSON.stringify(opened))
  core.setOutput('report', reportPath)
  core.setOutput('cost', state.usage.dollars.toFixed(4))
  core.setOutput('tokens', totalTokens(state.usage))
  core.setOutput(
    'ready-tasks',
    JSON.stringify((await findReady(state, state.results, ports)).ready),
  )
}
