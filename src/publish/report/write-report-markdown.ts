import {
  clip,
  countOf,
  fenced,
  headed,
  neutraliseLine,
  oneLine,
  paragraphs,
  tableCell,
  writeList,
  writeTable,
} from '../../../packages/text/text.ts'
import { totalTokens } from '../../core/domain/usage.ts'
import { describeRecovered } from '../../core/history/learning.ts'
import { phaseEnd } from '../../core/journal/time-by-phase.ts'
import { describeForecast } from '../../model/budget/forecast.ts'
import {
  describeRedStart,
  describeTotals,
  type Report,
  secondsByPhase,
  type TaskReport,
} from './build-report.ts'
import { writeDestructive } from './describe-change.ts'
import { describeDecision } from './describe-decision.ts'
import {
  describeCost,
  describeDollars,
  describeNoTasks,
  describeOutputs,
  describeReceipt,
  linkTo,
  nextStep,
} from './describe-verification.ts'
import { writeOvertaken } from './write-overtaken.ts'

/** `report.md`: the contents of report.json, for people. GitHub renders the diagrams. */
export function writeReportMarkdown(report: Report): string {
  const parts = [
    `# ${report.dryRun ? '[DRY RUN] ' : ''}Run ${report.runId}`,
    summaryOf(report).join(' · '),
    beginning(report),
    tableCell(report.schedule?.text ?? ''),
    headed('## Errors', report.errors.map(describeError).join('\n')),
    `## Tasks\n${taskTable(report)}`,
    reasons(report.tasks),
    ...report.tasks.map(({ overtaken }) => (overtaken ? writeOvertaken(overtaken) : '')),
    list('Ways', routes(report.tasks)),
    list('Later answers', laterAnswers(report.tasks)),
    picture('The stack', drawStack(report)),
    headed('## Verification', report.tasks.flatMap(describeVerification).join('\n')),
    recoveryTable(report),
    writeDestructive(report.destructive),
    ...[
      list('Roadmap changes', report.roadmapChanges),
      list('Limits', report.limits),
      list('Left to other runs', report.held),
      list('Hidden text, kept from the model', report.hidden.map(describeHidden)),
    ],
    `## Steps\n${nodeTable(report)}`,
    whereTimeWent(report),
    picture('Time', drawTimeline(report)),
    picture('Tokens', drawCost(report)),
  ]
  return `${paragraphs(parts)}\n`
}

/** The figures of a run; for a dry run, its forecast. */
export function summaryOf({ usage, ...report }: Report): readonly string[] {
  const tokens = totalTokens(usage)
  const time = `${report.durationSeconds.toFixed(1)} s`
  const cost = describeCost(report)
  const { recovered } = report
  if (report.dryRun) {
    const planned = report.tasks.filter(({ outcome }) => outcome === 'planned').length
    return [`${planned} tasks planned`, `forecast: about ${tokens} tokens, ${cost}`, time]
  }
  return [
    `**${describeTotals(report)}**`,
    `success rate: ${Math.round(report.successRate * 100)} %`,
    ...(report.lei === 0 ? [] : [`LEI ${report.lei} (stubs per 1,000 changed lines)`]),
    ...(recovered.tried === 0 ? [] : [describeRecovered(recovered)]),
    time,
    `${tokens} tokens in ${countOf(usage.requests, 'request')}`,
    cost,
  ]
}

/** When and where it ran; the forecast, to compare with the actual cost; and lint's findings. */
function beginning(report: Report): string {
  const { startedAt, completedAt, base, retryAt, preview, runLog } = report
  const at = `on \`${base.branch}\` at \`${base.sha.slice(0, 7)}\``
  const red = describeRedStart(report)
  const sentences = [`From ${startedAt} to ${completedAt ?? 'now'}, ${at}.`]
  if (red !== null) sentences.push(`**${neutraliseLine(red)}**`)
  if (retryAt !== null) sentences.push(`Come back after ${retryAt}.`)
  if (runLog !== null) sentences.push(`[Run log](${runLog}).`)
  if (preview !== null) {
    const forecast = describeForecast({ ...preview, samples: preview.pastTasks })
    sentences.push(`Forecast: ${forecast}.`)
    const found = countOf(preview.warnings, 'warning')
    if (preview.warnings > 0)
      sentences.push(`The roadmap has ${found}: \`executor lint\` shows them.`)
  }
  return sentences.join(' ')
}

function describeError({ code, message, next, taskId, output }: Report['errors'][number]): string {
  const about = taskId === null ? '' : ` (${tableCell(taskId)})`
  const shown = output === undefined ? '' : `\n\n${fenced(output)}\n`
  return `- **${tableCell(code)}**${about}: ${tableCell(message)}\n  Next: ${tableCell(next)}${shown}`
}

const taskColumns = [
  'task',
  'outcome',
  'where',
  'attempts:',
  'repairs:',
  'tokens:',
  'cost:',
  'time:',
]

export function taskTable({
  tasks,
  ...report
}: Pick<Report, 'tasks' | 'errors' | 'unfinished'>): string {
  if (tasks.length === 0) return tableCell(describeNoTasks(report))
  const rows = tasks.map((task) => {
    const figures = task.thisRun
      ? [task.attempts, task.repairs, task.tokens, describeDollars(task.cost), seconds(task, 1)]
      : ['–', '–', '–', '–', '–']
    const name = `**${tableCell(task.id)}** ${tableCell(task.title)}`
    return [name, task.outcome, linkTo(task.pr) || `\`${task.branch ?? '–'}\``, ...figures]
  })
  return writeTable(taskColumns, rows)
}

const seconds = (timed: { readonly seconds: number }, digits: number): string =>
  `${timed.seconds.toFixed(digits)} s`

function reasons(tasks: readonly TaskReport[]): string {
  const lines = tasks
    .filter(({ reason }) => reason !== '')
    .map(({ id, reason, outcome, pr, thisRun, overtaken }) =>
      `**${tableCell(id)}**: ${tableCell(reason)} ${thisRun ? nextStep(outcome, pr, overtaken) : ''}`.trimEnd(),
    )
  return writeList(lines)
}

function describeVerification({ id, receipt }: TaskReport): readonly string[] {
  if (receipt === null) return []
  const remarks = [...(receipt.warnings ?? []).map((each) => `⚠️ ${each}`), ...receipt.notes]
  return [
    `- **${tableCell(id)}** ${tableCell(describeReceipt(receipt))}`,
    ...remarks.map((note) => `  - ${tableCell(note)}`),
    ...describeOutputs(receipt).map((each) => each.replaceAll(/^/gm, '  ')),
  ]
}

/** The ways that `strategy: auto` chose. */
const routes = (tasks: readonly TaskReport[]): readonly string[] =>
  tasks.flatMap(({ id, route }) => (route === undefined ? [] : [`${id} ${route}`]))

/** In characters. */
const longestAnswer = 200

/** The requests that brought a result after the first one did not. */
const laterAnswers = (tasks: readonly TaskReport[]): readonly string[] =>
  tasks.flatMap(({ id, request }) =>
    request === undefined ? [] : [`${id}: ${tableCell(clip(request, longestAnswer))}`],
  )

function recoveryTable({ recoveries }: Report): string {
  const rows = recoveries.map(({ taskId, proposal, decision, by, at }) =>
    [taskId, proposal.strategy, describeDecision(decision, by), at, proposal.explanation].map(
      tableCell,
    ),
  )
  const columns = ['task', 'proposal', 'decision', 'at', 'why']
  return rows.length === 0 ? '' : `## Recoveries\n${writeTable(columns, rows)}`
}

function nodeTable({ nodes, isCostPartial }: Report): string {
  const rows = nodes.map((node) => [
    ...[node.node, node.calls, node.tokens],
    ...[`${node.share.toFixed(1)} %`, describeDollars(node.cost, isCostPartial), seconds(node, 2)],
  ])
  return writeTable(['step', 'calls:', 'tokens:', 'share:', 'cost:', 'time:'], rows)
}

/** `Time: model 12.0 s, tests 3.5 s, other 0.4 s.` */
function whereTimeWent(report: Report): string {
  const spent = secondsByPhase(report).map(
    ({ phase, seconds: sum }) => `${phase} ${sum.toFixed(1)} s`,
  )
  return spent.length === 0 ? '' : `Time: ${spent.join(', ')}.`
}

/** "T-1, README.md line 3, HTML comment: <!-- … -->" */
const describeHidden = ({ taskId, path, channel, line, excerpt }: Report['hidden'][number]) =>
  `${taskId}, ${path ?? 'the roadmap'} line ${line}, ${channel}: ${excerpt}`

const list = (title: string, lines: readonly string[]): string =>
  headed(`## ${title}`, writeList(lines.map(tableCell)))

const picture = (title: string, drawing: string): string =>
  headed(`## ${title}`, drawing && fenced(drawing, 'mermaid'))

/** Text for a mermaid label, without characters that mermaid or HTML interpret. */
const plain = (text: string): string =>
  oneLine(text.replaceAll(/[^\p{L}\p{N} .,_/+-]/gu, ' ')).slice(0, 60)

/** A bar for each task of this run that shows when it was worked on. Empty without any. */
export function drawTimeline(report: Report): string {
  const worked = report.tasks.filter(({ thisRun, seconds }) => thisRun && seconds > 0)
  if (worked.length === 0) return ''
  const lines = ['gantt', '  dateFormat X', '  axisFormat %M:%S', '  title Time by task']
  let at = 0
  for (const { id, title, seconds, outcome, phases } of worked) {
    // Without a journal, one task is drawn after the other.
    const from = phases[0]?.at ?? at
    const to = phases.length === 0 ? at + seconds : Math.max(...phases.map(phaseEnd))
    // Milliseconds would be unreadable on the axis; a bar is at least one second wide.
    const start = Math.round(from)
    at = start + Math.max(1, Math.round(to - from))
    const state = outcome === 'failed' ? 'crit, ' : ''
    // The id comes first: mermaid would interpret a title that begins with `section` or `click`.
    lines.push(`  ${plain(`${id} ${title}`)} :${state}${start}, ${at}`)
  }
  return lines.join('\n')
}

/** Tokens by step. */
export function drawCost(report: Report): string {
  const spent = report.nodes.filter(({ tokens }) => tokens > 0)
  if (spent.length === 0) return ''
  const slices = spent.map(({ node, tokens }) => `  "${node}" : ${tokens}`)
  return ['pie showData title Tokens by step', ...slices].join('\n')
}

/** The branches and the branch each was started from: the order to review and merge in. */
export function drawStack(report: Report): string {
  const stacked = report.tasks.filter(({ branch, sha }) => branch !== null && sha !== null)
  if (stacked.length === 0) return ''
  const bySha = new Map(stacked.map((task) => [task.sha, task]))
  const names = new Map(stacked.map((task, index) => [task, `t${index + 1}`]))
  const name = (task: TaskReport) => names.get(task) ?? 'base'
  const lines = ['flowchart LR', `  base(["${plain(report.base.branch)}"])`]
  for (const task of stacked) {
    const number = task.pr === null ? '' : ` PR ${task.pr.number}`
    lines.push(`  ${name(task)}["${task.id}${number}"]`)
  }
  for (const task of stacked) {
    const parent = bySha.get(task.start)
    lines.push(`  ${parent && parent !== task ? name(parent) : 'base'} --> ${name(task)}`)
  }
  return lines.join('\n')
}
