import type { Report, TaskReport } from './build-report.ts'
import { listDestructive } from './describe-destructive.ts'
import { describeReceipt } from './describe-receipt.ts'
import { summaryOf } from './write-report-markdown.ts'

const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

const style = `
:root { color-scheme: light dark; --line: #8884; --bar: #4a7dd0; --bad: #c8453b; --good: #3b8f5a }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem; margin-top: 2rem }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .35rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums }
.bar { height: .7rem; background: var(--bar); border-radius: 2px; min-width: 2px } .failed .bar { background: var(--bad) }
.good { color: var(--good) } .bad { color: var(--bad) } small { opacity: .75 }`

/** `report.html`: one self-contained page, with bars where Markdown has mermaid. */
export function writeReportHtml(report: Report): string {
  const facts = summaryOf(report).join(' · ').replaceAll('**', '')
  const title = `${report.dryRun ? '[DRY RUN] ' : ''}Run ${report.runId}`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${style}</style></head><body>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(facts)}<br><small>From ${escapeHtml(report.startedAt)} to ${escapeHtml(report.completedAt ?? 'now')}, on ${escapeHtml(report.base.branch)} at ${escapeHtml(report.base.sha.slice(0, 7))}</small></p>
${report.schedule === null ? '' : `<p>${escapeHtml(report.schedule.text)}</p>`}
${errors(report)}
<h2>Tasks</h2>
<table><tr><th>task</th><th>outcome</th><th>where</th><th class="n">repairs</th><th class="n">tokens</th><th class="n">cost</th><th class="n">time</th></tr>
${report.tasks.map(taskRow).join('\n')}
</table>
<h2>Time by task</h2>
${bars(report.tasks.map(({ id, seconds, outcome }) => ({ name: id, value: seconds, text: `${seconds.toFixed(1)} s`, bad: outcome === 'failed' })))}
<h2>Tokens by step</h2>
${bars(report.nodes.map(({ node, tokens: value, share }) => ({ name: node, value, text: `${value} (${share.toFixed(1)} %)`, bad: false })).filter(({ value }) => value > 0))}
${recoveries(report)}
${listed('Destructive operations', report.destructive.flatMap(listDestructive))}
${listed('Roadmap changes', report.roadmapChanges)}
${listed('Limits', report.limits)}
${listed('Left to other runs', report.held)}
</body></html>
`
}

function taskRow(task: TaskReport): string {
  const good = ['done', 'in_review'].includes(task.outcome)
  const where = task.pr
    ? `<a href="${escapeHtml(task.pr.url)}">#${task.pr.number}</a>`
    : escapeHtml(task.branch ?? '–')
  const { receipt } = task
  const said = receipt === null ? [] : [describeReceipt(receipt), ...(receipt.warnings ?? [])]
  const lines = [task.reason, ...said]
  const small = lines
    .filter((line) => line !== '')
    .map((line) => `<br><small>${escapeHtml(line)}</small>`)
  const mark = good ? 'good' : task.outcome === 'failed' ? 'bad' : ''
  return `<tr><td><b>${task.id}</b> ${escapeHtml(task.title)}${small.join('')}</td><td class="${mark}">${task.outcome}</td><td>${where}</td><td class="n">${task.repairs}</td><td class="n">${task.tokens}</td><td class="n">$${task.cost.toFixed(4)}</td><td class="n">${task.seconds.toFixed(1)} s</td></tr>`
}

interface Bar {
  readonly name: string
  readonly value: number
  readonly text: string
  readonly bad: boolean
}

function bars(rows: readonly Bar[]): string {
  const most = Math.max(...rows.map(({ value }) => value), 0)
  const lines = rows.map(
    ({ name, value, text, bad }) =>
      `<tr class="${bad ? 'failed' : ''}"><td style="width:12rem">${escapeHtml(name)}</td><td><div class="bar" style="width:${most === 0 ? 0 : Math.round((value / most) * 100)}%"></div></td><td class="n" style="width:10rem">${escapeHtml(text)}</td></tr>`,
  )
  return `<table>${lines.join('\n')}</table>`
}

function errors(report: Report): string {
  const lines = report.errors.map(
    ({ code, message, next, output = '' }) =>
      `<li><b class="bad">${escapeHtml(code)}</b> ${escapeHtml(message)}<br><small>${escapeHtml(next)}</small>${output === '' ? '' : `<pre>${escapeHtml(output)}</pre>`}</li>`,
  )
  return lines.length === 0 ? '' : `<h2>Errors</h2><ul>${lines.join('\n')}</ul>`
}

function recoveries(report: Report): string {
  const rows = report.recoveries.map(
    ({ taskId, proposal, decision, by }) =>
      `<li><b>${taskId}</b> ${proposal.strategy}, ${decision} by ${escapeHtml(by)}: ${escapeHtml(proposal.explanation)}</li>`,
  )
  return rows.length === 0 ? '' : `<h2>Recoveries</h2><ul>${rows.join('\n')}</ul>`
}

function listed(title: string, lines: readonly string[]): string {
  const items = lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')
  return lines.length === 0 ? '' : `<h2>${title}</h2><ul>${items}</ul>`
}
