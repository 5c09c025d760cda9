import type { Report, TaskReport } from './build-report.ts'
import { listDestructive } from './describe-destructive.ts'
import { describeReceipt } from './describe-receipt.ts'
import { summaryOf } from './write-report-markdown.ts'

/** HTML as it is. Every other value in a page is text, and is escaped. */
interface Html {
  readonly html: string
}
type Value = string | number | Html | readonly Html[]

const escapes: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }

function written(value: Value): string {
  if (typeof value === 'object') return 'html' in value ? value.html : value.map(written).join('\n')
  return String(value).replaceAll(/[&<>"]/g, (letter) => `&${escapes[letter]};`)
}

const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html => ({
  html: String.raw({ raw: parts }, ...values.map(written)),
})

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
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${{ html: style }}</style></head><body>
<h1>${title}</h1>
<p>${facts}<br><small>From ${report.startedAt} to ${report.completedAt ?? 'now'}, on ${report.base.branch} at ${report.base.sha.slice(0, 7)}</small></p>
${report.schedule === null ? '' : html`<p>${report.schedule.text}</p>`}
${errors(report)}
<h2>Tasks</h2>
<table><tr><th>task</th><th>outcome</th><th>where</th><th class="n">repairs</th><th class="n">tokens</th><th class="n">cost</th><th class="n">time</th></tr>
${report.tasks.map(taskRow)}
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
`.html
}

function taskRow(task: TaskReport): Html {
  const good = ['done', 'in_review'].includes(task.outcome)
  const where = task.pr
    ? html`<a href="${task.pr.url}">#${task.pr.number}</a>`
    : (task.branch ?? '–')
  const { receipt } = task
  const said = receipt === null ? [] : [describeReceipt(receipt), ...(receipt.warnings ?? [])]
  const lines = [task.reason, ...said]
  const small = lines.filter((line) => line !== '').map((line) => html`<br><small>${line}</small>`)
  const mark = good ? 'good' : task.outcome === 'failed' ? 'bad' : ''
  return html`<tr><td><b>${task.id}</b> ${task.title}${small}</td><td class="${mark}">${task.outcome}</td><td>${where}</td><td class="n">${task.repairs}</td><td class="n">${task.tokens}</td><td class="n">$${task.cost.toFixed(4)}</td><td class="n">${task.seconds.toFixed(1)} s</td></tr>`
}

interface Bar {
  readonly name: string
  readonly value: number
  readonly text: string
  readonly bad: boolean
}

function bars(rows: readonly Bar[]): Html {
  const most = Math.max(...rows.map(({ value }) => value), 0)
  const lines = rows.map(
    ({ name, value, text, bad }) =>
      html`<tr class="${bad ? 'failed' : ''}"><td style="width:12rem">${name}</td><td><div class="bar" style="width:${most === 0 ? 0 : Math.round((value / most) * 100)}%"></div></td><td class="n" style="width:10rem">${text}</td></tr>`,
  )
  return html`<table>${lines}</table>`
}

function errors(report: Report): Value {
  const lines = report.errors.map(
    ({ code, message, next, output = '' }) =>
      html`<li><b class="bad">${code}</b> ${message}<br><small>${next}</small>${output === '' ? '' : html`<pre>${output}</pre>`}</li>`,
  )
  return lines.length === 0 ? '' : html`<h2>Errors</h2><ul>${lines}</ul>`
}

function recoveries(report: Report): Value {
  const rows = report.recoveries.map(
    ({ taskId, proposal, decision, by }) =>
      html`<li><b>${taskId}</b> ${proposal.strategy}, ${decision} by ${by}: ${proposal.explanation}</li>`,
  )
  return rows.length === 0 ? '' : html`<h2>Recoveries</h2><ul>${rows}</ul>`
}

function listed(title: string, lines: readonly string[]): Value {
  const items = lines.map((line) => html`<li>${line}</li>`)
  return lines.length === 0 ? '' : html`<h2>${title}</h2><ul>${items}</ul>`
}
