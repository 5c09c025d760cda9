import { fold, paragraphs } from '../../../packages/text/text.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import { buildReport } from './build-report.ts'
import { summaryOf, taskTable } from './write-report-markdown.ts'

const [begin, end] = ['<!-- executor:last-run -->', '<!-- executor:last-run-end -->']
const mostRows = 50

/** The part of the dashboard with the results of the last run, folded. */
export function writeLastRun(state: RunState, runLog?: string): string {
  const report = buildReport(state, { runLog })
  const own = report.tasks.filter(({ thisRun, attempts }) => thisRun && attempts > 0)
  const left = own.length - mostRows
  const id = `\`${report.runId}\``
  const summary = summaryOf(report).join(' · ').replaceAll('**', '')
  const body = paragraphs([
    taskTable({ ...report, tasks: own.slice(0, mostRows) }),
    left > 0 ? `and ${left} more.` : '',
    `Run ${runLog === undefined ? id : `[${id}](${runLog})`}, ${report.completedAt ?? report.startedAt}.`,
  ])
  return `${begin}\n${fold(`Last run: ${summary}`, body)}\n${end}`
}

/** That part of a dashboard's body, verbatim; empty without one. */
export function readLastRun(body: string): string {
  const text = body.replaceAll('\r\n', '\n')
  const from = text.lastIndexOf(begin)
  const to = text.indexOf(end, from)
  return from === -1 || to === -1 ? '' : text.slice(from, to + end.length)
}
