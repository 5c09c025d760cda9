/** The run's report as a comment on its pull requests. */

import {
  boundMarkdown,
  countOf,
  fold,
  neutraliseLine,
  paragraphs,
  writeList,
} from '../../../packages/text/text.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { describeRedStart, type Report, type TaskReport } from './build-report.ts'
import { linkTo, verdictText } from './describe-result.ts'
import { summaryOf, writeReportMarkdown } from './write-report-markdown.ts'

/** The comment is found by this and its author. */
export const reportMarker = '<!-- executor:report -->'

/** GitHub accepts 65,536 characters. */
const longestComment = 65_000
const mostNamed = 8

/** Numbers of the pull requests that get the report: those of this run. */
export function reportedPulls(
  { tasks }: Report,
  which: Settings['reportComment'],
): readonly number[] {
  const own = tasks.flatMap(({ pr, thisRun }) => (pr !== null && thisRun ? pr.number : []))
  const all = [...new Set(own)].sort((a, b) => a - b)
  if (which === 'all') return all
  return which === 'last' ? all.slice(-1) : []
}

/** Five lines, and the whole report folded below them. */
export function writeReportComment(report: Report, pullRequest: number): string {
  const own = report.tasks.filter(({ thisRun }) => thisRun)
  const isHere = ({ pr }: TaskReport) => pr?.number === pullRequest
  const others = own.filter((task) => !isHere(task) && task.pr !== null)
  const left = others.length - mostNamed
  const beside = others.slice(0, mostNamed).map((task) => `${linkTo(task.pr)} ${nameOf(task)}`)
  const lines = [
    summaryOf(report).join(' · '),
    named('This pull request', own.filter(isHere).map(nameOf)),
    named('Others of this run', left > 0 ? [...beside, `and ${left} more`] : beside),
    [neutraliseLine(describeRedStart(report) ?? ''), describeErrors(report)]
      .filter((each) => each !== '')
      .join(' '),
    report.runLog === null
      ? `Run \`${report.runId}\``
      : `Run \`${report.runId}\`: [log](${report.runLog})`,
  ].filter((each) => each !== '')
  const folded = fold('The report of the run', writeReportMarkdown(report).trim())
  return boundMarkdown(paragraphs([writeList(lines), folded]), longestComment)
}

const named = (what: string, names: readonly string[]): string =>
  names.length === 0 ? '' : `${what}: ${names.join(', ')}`

/** `**T-1** in review, proven` */
function nameOf({ id, outcome, receipt }: TaskReport): string {
  const words = new Set([verdictText(outcome), receipt?.evidence ?? verdictText(outcome)])
  return `**${neutraliseLine(id)}** ${[...words].join(', ')}`
}

const describeErrors = ({ errors }: Report): string =>
  errors.length === 0 ? '' : `${countOf(errors.length, 'error')}: see the report.`
