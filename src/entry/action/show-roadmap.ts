import { type LintFinding, readDocument } from '../../../packages/roadmap/roadmap.ts'
import { paragraphs, tableCell, writeTable } from '../../../packages/text/text.ts'
import { headOf } from '../../adapters/user-checkout.ts'
import type { Settings } from '../../core/domain/settings.ts'
import type { Workspace } from '../../core/ports/workspace.ts'
import { describeForecast } from '../../model/budget/forecast.ts'
import { linkTo } from '../../publish/report/describe-verification.ts'
import { readAdopted } from '../../runs/issues/adopted-issues.ts'
import { describeFindings, type LintReport, reportLint } from '../../tasks/lint-report.ts'
import { missingRoadmap } from '../../tasks/missing-roadmap.ts'
import { findStanding } from '../../tasks/standing/find-standing.ts'
import type { Session } from '../compose/compose.ts'
import type { JobRunner } from './runner.ts'

/** GitHub shows ten annotations of each kind per step; the table has more. */
const mostAnnotations = 30
const mostRows = 300

/**
 * `command: lint`: annotates the lines of the roadmap, adds a table to the job summary, and fails the step on errors.
 * Anyone may have written the roadmap of the checked-out commit: it is read from git's objects, so that no symlink
 * leads elsewhere, and nothing in it is executed.
 */
export async function showLint(options: {
  readonly directory: string
  readonly checkout: Workspace
  readonly settings: Settings
  /** Skip a roadmap that equals the default branch's. */
  readonly onlyChanged: boolean
  readonly runner: JobRunner
}): Promise<number> {
  const { directory, checkout, settings, onlyChanged, runner } = options
  const path = settings.roadmap
  const [head, { base }] = await Promise.all([headOf(directory), checkout.view()])
  const read = async (sha: string) => (await checkout.readFiles(sha, [path])).get(path)
  const [written, before] = await Promise.all([
    read(head),
    onlyChanged ? read(base.sha) : undefined,
  ])
  if (onlyChanged && written === before) {
    runner.say(`This pull request does not change ${path}.`)
    return 0
  }
  if (written === undefined) {
    if (!onlyChanged) throw await missingRoadmap(head, { workspace: checkout, settings })
    runner.annotate('warning', `This pull request deletes ${path}.`)
    return 0
  }
  const files = await checkout.listFiles(head)
  const { text, roadmap } = readDocument(written, settings)
  const report = reportLint({
    file: path,
    text,
    roadmap,
    files: new Map(files.map((file) => [file.path, file.size])),
    settings,
    past: [],
  })
  for (const finding of report.findings.slice(0, mostAnnotations)) {
    annotate(path, finding, runner)
  }
  await runner.summarise(summarise(report))
  runner.say(`${path}: ${describeFindings(report.summary)}.`)
  if (report.summary.errors === 0) return 0
  runner.fail(`${path} has ${describeFindings(report.summary)}; a run would refuse it.`)
  return 1
}

function annotate(file: string, finding: LintFinding, runner: JobRunner): void {
  const { severity, message, fix, line, column, rule } = finding
  const level = severity === 'error' || severity === 'warning' ? severity : 'notice'
  const place = { title: rule, file, startLine: line, startColumn: column }
  runner.annotate(level, `${message} ${fix}`, place)
}

function summarise({ file, findings, summary, forecast }: LintReport): string {
  const { tokens, dollars, pastTasks: samples, tasks } = forecast
  const expected = describeForecast({ tasks: tasks.length, tokens, dollars, samples })
  const rows = findings
    .slice(0, mostRows)
    .map(({ line, severity, rule, message, fix }) => [
      ...[line, severity, rule],
      ...[tableCell(message), tableCell(fix)],
    ])
  const left = findings.length - mostRows
  const columns = ['line:', 'severity', 'rule', 'problem', 'how to fix it']
  const parts = [
    `## Lint of ${tableCell(file)}`,
    `${describeFindings(summary)}. Forecast: ${expected}.`,
    rows.length === 0 ? '' : writeTable(columns, rows),
    left > 0 ? `and ${left} more: \`executor lint\` shows them.` : '',
  ]
  return `${paragraphs(parts)}\n`
}
/** `command: plan` and `report`: the status of each task as job summary and output; writes nothing. */
export async function showPlan({ ports }: Session, runner: JobRunner): Promise<number> {
  const { workspace, forge, settings } = ports
  const { base, branches } = await workspace.refresh()
  const issues = readAdopted(await workspace.parked())
  const pullRequests = await forge.pullRequests()
  const standing = await findStanding({ base, branches }, pullRequests, issues, ports)
  const errors = standing.problems.filter(({ severity }) => severity === 'error')
  for (const { line, column, message, fix } of errors) {
    const place = { file: settings.roadmap, startLine: line, startColumn: column }
    runner.annotate('error', `${message} ${fix}`, place)
  }
  const rows = standing.tasks.map(({ id, title, status }) => {
    const result = standing.results[id]
    return [id, tableCell(title), result?.verdict ?? status, linkTo(result?.pullRequest)]
  })
  const table = writeTable(['task', 'title', 'stands', 'PR'], rows)
  await runner.summarise(`## Plan\n${table}\n`)
  runner.output('ready-tasks', standing.ready)
  if (errors.length === 0) return 0
  runner.fail(`${settings.roadmap} has ${errors.length} error(s), see above.`)
  return 1
}
