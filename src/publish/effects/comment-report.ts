import {
  boundMarkdown,
  countOf,
  fold,
  neutraliseLine,
  paragraphs,
  writeList,
} from '../../../packages/text/text.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { RunError } from '../../core/domain/run-state.ts'
import type { Settings } from '../../core/domain/settings.ts'
import type { Ports } from '../../core/ports.ts'
import { describeRedStart, type Report, type TaskReport } from '../report/build-report.ts'
import { linkTo, verdictText } from '../report/describe-verification.ts'
import { summaryOf, writeReportMarkdown } from '../report/write-report-markdown.ts'

/**
 * Writes the report on the run's pull requests: one comment on each, which later runs edit in place. An edit notifies
 * no one.
 *
 * @returns what the forge refused
 */
export async function commentReport(
  report: Report,
  { forge, settings }: Pick<Ports, 'forge' | 'settings'>,
): Promise<readonly RunError[]> {
  const errors: RunError[] = []
  if (waitsForForge(report)) return errors
  for (const number of reportedPulls(report, settings.reportComment)) {
    const body = writeReportComment(report, number)
    const written = await forge.upsertComment(number, reportMarker, body)
    if (written.status === 'ok') continue
    const said = `The report is not on #${number}: ${written.detail}`
    errors.push(new ExecutorError(written.code, said).toRecord(null))
  }
  return errors
}

/** The forge has told this run to come back: it asks nothing more, and comments then. A model's limit is another one. */
const waitsForForge = ({ retryAt, errors }: Report): boolean =>
  retryAt !== null &&
  errors.findLast(({ code }) => code.endsWith('_unavailable'))?.code === 'forge_unavailable'

/** The comment is found by this and its author. */
export const reportMarker = '<!-- executor:report -->'

/** GitHub accepts 65,536 characters. */
const longestComment = 65_000
const mostNamed = 8

/** Numbers of the pull requests that get the report: those of this run. */
function reportedPulls({ tasks }: Report, which: Settings['reportComment']): readonly number[] {
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
