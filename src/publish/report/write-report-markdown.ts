import { describeForecast } from '../../model/budget/forecast.ts'
import { fenced, neutraliseLine } from '../../text/markdown/neutralise.ts'
import { describeTotals, type Report, type TaskReport } from './build-report.ts'
import { writeDestructive } from './describe-destructive.ts'
import { describeHidden } from './describe-hidden.ts'
import { describeOutputs, describeReceipt } from './describe-receipt.ts'
import { drawCost, drawStack, drawTimeline } from './draw-report.ts'
import { nextStep } from './next-step.ts'

/** `report.md`: the same as report.json, for people. GitHub draws the pictures. */
export function writeReportMarkdown(report: Report): string {
  const sections = [
    `# ${report.dryRun ? '[DRY RUN] ' : ''}Run ${report.runId}`,
    summarise(report),
    report.schedule === null ? '' : cell(report.schedule.text),
    report.errors.length === 0 ? '' : listErrors(report),
    `## Tasks\n${taskTable(report)}`,
    reasons(report.tasks),
    picture('The stack', drawStack(report)),
    receipts(report.tasks),
    report.recoveries.length === 0 ? '' : `## Recoveries\n${recoveryTable(report)}`,
    writeDestructive(report.destructive),
    list('Roadmap changes', report.roadmapChanges),
    list('Limits', report.limits),
    list('Left to other runs', report.held),
    list('Hidden text, kept from the model', report.hidden.map(describeHidden)),
    `## Steps\n${nodeTable(report)}`,
    picture('Time', drawTimeline(report)),
    picture('Tokens', drawCost(report)),
  ]
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`
}

function summarise(report: Report): string {
  const rows = summaryOf(report)
  const when = `From ${report.startedAt} to ${report.completedAt ?? 'now'}, on \`${report.base.branch}\` at \`${report.base.sha.slice(0, 7)}\`.`
  const back = report.retryAt === null ? '' : ` Come back after ${report.retryAt}.`
  return `${rows.join(' · ')}\n\n${when}${back}${beforehand(report)}`
}

/** The figures of a run; of a dry run, what it forecasts. */
export function summaryOf({ usage, ...report }: Report): readonly string[] {
  const tokens = usage.promptTokens + usage.completionTokens
  const time = `${report.durationSeconds.toFixed(1)} s`
  const cost = `$${usage.dollars.toFixed(4)}`
  const { tried, succeeded } = report.recovered
  if (report.dryRun) {
    const planned = report.tasks.filter(({ outcome }) => outcome === 'planned').length
    return [`${planned} tasks planned`, `forecast: about ${tokens} tokens, ${cost}`, time]
  }
  return [
    `**${describeTotals(report.totals)}**`,
    `success of what was tried: ${Math.round(report.successRate * 100)} %`,
    ...(report.lei === 0 ? [] : [`LEI ${report.lei} (stubs per 1,000 changed lines)`]),
    ...(tried === 0 ? [] : [`${succeeded} of ${tried} recoveries succeeded`]),
    time,
    `${tokens} tokens in ${usage.requests} requests`,
    cost,
  ]
}

/** The forecast, to hold against what it took, and what lint had to say. */
function beforehand({ preview }: Report): string {
  if (preview === null) return ''
  const { warnings, pastTasks: samples } = preview
  const many = `${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`
  const found = warnings === 0 ? '' : ` The roadmap has ${many}: \`executor lint\` shows them.`
  return ` Forecast: ${describeForecast({ ...preview, samples })}.${found}`
}

function listErrors({ errors }: Report): string {
  const lines = errors.map(({ code, message, next, taskId, output }) => {
    const said = output === undefined ? '' : `\n\n${fenced(output)}\n`
    return `- **${cell(code)}**${taskId === null ? '' : ` (${cell(taskId)})`}: ${cell(message)}\n  Next: ${cell(next)}${said}`
  })
  return `## Errors\n${lines.join('\n')}`
}

/** For a table's cell or a list's item: no pipe ends it, not even one behind a back-slash. */
const cell = (text: string): string => neutraliseLine(text).replaceAll(/(\\*)\|/g, '$1$1\\|')

function taskTable({ tasks, errors }: Pick<Report, 'tasks' | 'errors'>): string {
  const head = '| task | outcome | where | attempts | repairs | tokens | cost | time |'
  const rows = tasks.map((task) => {
    const where = task.pr ? `[#${task.pr.number}](${task.pr.url})` : `\`${task.branch ?? '–'}\``
    const figures = task.thisRun
      ? `${task.attempts} | ${task.repairs} | ${task.tokens} | $${task.cost.toFixed(4)} | ${task.seconds.toFixed(1)} s`
      : '– | – | – | – | –'
    return `| **${cell(task.id)}** ${cell(task.title)} | ${task.outcome} | ${where} | ${figures} |`
  })
  return tasks.length === 0
    ? `${errors.length === 0 ? 'There was nothing to do' : 'No task was tried'}.`
    : [head, '|---|---|---|--:|--:|--:|--:|--:|', ...rows].join('\n')
}

function reasons(tasks: readonly TaskReport[]): string {
  const said = tasks.filter(({ reason }) => reason !== '')
  return said
    .map(({ id, reason, outcome, pr, thisRun }) =>
      `- **${cell(id)}**: ${cell(reason)} ${thisRun ? nextStep(outcome, pr) : ''}`.trimEnd(),
    )
    .join('\n')
}

function receipts(tasks: readonly TaskReport[]): string {
  const lines = tasks.flatMap(({ id, receipt }) => {
    if (receipt === null) return []
    const said = [...(receipt.warnings ?? []).map((each) => `⚠️ ${each}`), ...receipt.notes]
    const notes = said.map((note) => `  - ${cell(note)}`)
    const outputs = describeOutputs(receipt).map((each) => each.replaceAll(/^/gm, '  '))
    return [`- **${cell(id)}** ${cell(describeReceipt(receipt))}`, ...notes, ...outputs]
  })
  return lines.length === 0 ? '' : `## Verification\n${lines.join('\n')}`
}

function recoveryTable({ recoveries }: Report): string {
  const rows = recoveries.map(
    ({ taskId, proposal, decision, by, at }) =>
      `| ${cell(taskId)} | ${proposal.strategy} | ${decision} by ${cell(by)} | ${cell(at)} | ${cell(proposal.explanation)} |`,
  )
  return ['| task | proposal | decision | at | why |', '|---|---|---|---|---|', ...rows].join('\n')
}

function nodeTable({ nodes }: Report): string {
  const rows = nodes.map(
    ({ node, calls, tokens, share, seconds }) =>
      `| ${node} | ${calls} | ${tokens} | ${share.toFixed(1)} % | ${seconds.toFixed(2)} s |`,
  )
  const head = ['| step | calls | tokens | share | time |', '|---|--:|--:|--:|--:|']
  return [...head, ...rows].join('\n')
}

function list(title: string, lines: readonly string[]): string {
  return lines.length === 0
    ? ''
    : `## ${title}\n${lines.map((line) => `- ${cell(line)}`).join('\n')}`
}

function picture(title: string, drawing: string): string {
  return drawing === '' ? '' : `## ${title}\n${fenced(drawing, 'mermaid')}`
}
