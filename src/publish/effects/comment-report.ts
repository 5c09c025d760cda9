import { ExecutorError } from '../../core/domain/errors.ts'
import type { RunError } from '../../core/domain/run-state.ts'
import type { Ports } from '../../core/ports.ts'
import type { Report } from '../report/build-report.ts'
import { reportedPulls, reportMarker, writeReportComment } from '../report/write-report-comment.ts'

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
