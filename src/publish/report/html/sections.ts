/** The sections of the page besides its tasks: what needs a person, costs, and changes of the roadmap. */
import { clip, countOf } from '../../../../packages/text/text.ts'
import { totalTokens } from '../../../core/domain/usage.ts'
import type { Report, TaskReport } from '../build-report.ts'
import { describeDecision } from '../describe-decision.ts'
import { describeDollars, nextStep } from '../describe-result.ts'
import {
  badge,
  type Content,
  duration,
  foreign,
  grouped,
  html,
  lengths,
  link,
  type Markup,
} from './markup.ts'

const mostRows = 40
const mostNeeding = 25

const needsPerson: ReadonlySet<TaskReport['outcome']> = new Set([
  ...(['waiting', 'failed', 'unverified', 'budget_exceeded'] as const),
])

/** Tasks that failed or wait for an answer, each with how to answer. */
export function needsYou(report: Report): Markup | null {
  const tasks = report.tasks.filter(({ outcome, thisRun }) => thisRun && needsPerson.has(outcome))
  const left = tasks.length - mostNeeding
  const items = [
    ...report.errors.slice(0, mostNeeding).map(error),
    ...tasks.slice(0, mostNeeding).map(need),
    ...(left > 0 ? [html`<li><p>and ${left} more, in the list of tasks</p></li>`] : []),
  ]
  if (items.length === 0) return null
  return html`<section class="needs" aria-labelledby="needs"><h2 id="needs">Needs you</h2><ul>${items}</ul></section>`
}

function need({ id, title, outcome, reason, pr, overtaken }: TaskReport): Markup {
  const next = nextStep(outcome, pr, overtaken)
  return html`<li>${badge(outcome)}<div><p><b><bdi>${clip(id, 80)}</bdi></b> ${foreign(title, lengths.title)} ${pr && link(pr.url, `#${pr.number}`)}</p>${reason === '' ? null : html`<p class="reason">${foreign(reason, 400)}</p>`}${next === '' ? null : html`<p class="next">${foreign(next)}</p>`}</div></li>`
}

const error = ({ code, message, next, taskId, output = '' }: Report['errors'][number]): Markup =>
  html`<li><span class="badge bad">error</span><div><p><code>${code}</code> ${taskId === null ? null : html`<b><bdi>${clip(taskId, 80)}</bdi></b> `}${foreign(message)}</p><p class="next">${foreign(next)}</p>${output === '' ? null : html`<pre tabindex="0">${clip(output, lengths.output)}</pre>`}</div></li>`

/** Tokens and dollars by step and by task. */
export function costs(report: Report): Markup | null {
  const spent = report.nodes.filter(({ tokens, seconds }) => tokens > 0 || seconds > 0)
  if (spent.length === 0) return null
  const steps = spent.toSorted((a, b) => b.tokens - a.tokens || b.seconds - a.seconds)
  const most = Math.max(...steps.map(({ share }) => share))
  const rows = steps.map(
    ({ node, calls, tokens, share, cost, seconds }) =>
      html`<tr><th scope="row"><code>${node}</code></th><td class="n">${grouped(calls)}</td><td class="n">${tokens === 0 ? '–' : grouped(tokens)}</td><td class="share">${share === 0 ? null : html`${meter(share / most)}<span>${share.toFixed(1)} %</span>`}</td><td class="n">${tokens > 0 ? describeDollars(cost, report.isCostPartial) : '–'}</td><td class="n">${duration(seconds)}</td></tr>`,
  )
  const { usage } = report
  const total = html`<tfoot><tr><th scope="row">all</th><td></td><td class="n">${grouped(totalTokens(usage))}</td><td></td><td class="n">${describeDollars(report.cost, report.isCostPartial)}</td><td class="n">${duration(report.durationSeconds)}</td></tr></tfoot>`
  return html`<section aria-labelledby="cost"><h2 id="cost">Tokens, cost and time</h2>
<p class="note">${grouped(usage.promptTokens)} tokens in, ${grouped(usage.completionTokens)} out, in ${countOf(usage.requests, 'request')}.${report.cost === null ? ' The price of the model is not known: set it under prices in the configuration.' : ''}</p>
<div class="pair">${tableOf('By step', ['step', 'calls:', 'tokens:', 'share', 'cost:', 'time:'], rows, total)}${costByTask(report)}</div></section>`
}

function costByTask({ tasks }: Report): Markup | null {
  const spent = tasks.filter(({ tokens }) => tokens > 0).toSorted((a, b) => b.tokens - a.tokens)
  if (spent.length === 0) return null
  const most = spent[0]?.tokens ?? 1
  const rows = spent
    .slice(0, mostRows)
    .map(
      ({ id, tokens, cost, seconds }) =>
        html`<tr><th scope="row"><bdi>${clip(id, 80)}</bdi></th><td class="n">${grouped(tokens)}</td><td class="share">${meter(tokens / most)}</td><td class="n">${describeDollars(cost)}</td><td class="n">${duration(seconds)}</td></tr>`,
    )
  const left = spent.length - mostRows
  const caption =
    left > 0 ? `By task: the ${mostRows} that used most, of ${spent.length}` : 'By task'
  return tableOf(caption, ['task', 'tokens:', '', 'cost:', 'time:'], rows)
}

const meter = (part: number): Markup =>
  html`<svg class="meter" aria-hidden="true"><rect width="${(part * 100).toFixed(1)}%" height="8" rx="1"/></svg>`

/** @param columns names; a colon at the end aligns a column right, and one without a name holds a picture */
function tableOf(
  caption: string,
  columns: readonly string[],
  rows: readonly Content[],
  foot: Content = null,
): Markup {
  const heads = columns.map((name) =>
    name === ''
      ? html`<td></td>`
      : html`<th scope="col" class="${name.endsWith(':') ? 'n' : ''}">${name.replace(':', '')}</th>`,
  )
  return html`<div class="wide" tabindex="0" role="region" aria-label="${caption}"><table><caption>${caption}</caption><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody>${foot}</table></div>`
}

/** The proposals and decisions about failed tasks, and the changes of the roadmap. */
export function decisions(report: Report): Markup {
  const recoveries = report.recoveries.map(
    ({ taskId, proposal, decision, by, at }) =>
      html`<tr><th scope="row"><bdi>${clip(taskId, 80)}</bdi></th><td>${proposal.strategy.toLowerCase()}</td><td>${decided(decision, by)}</td><td>${at.slice(0, 16).replace('T', ' ')}</td><td>${foreign(proposal.explanation, 600)}</td></tr>`,
  )
  const operations = report.destructive.flatMap(({ taskId, operations: found, decision, by }) =>
    found.map(
      ({ category, path, line, operation, why }) =>
        html`<tr><th scope="row"><bdi>${clip(taskId, 80)}</bdi></th><td>${decided(decision, by)}</td><td>${category}</td><td><code>${clip(path, 200)}:${line}</code></td><td><code>${clip(operation, 200)}</code></td><td>${foreign(why, 400)}</td></tr>`,
    ),
  )
  const patches = report.destructive
    .filter(({ decision, patch }) => decision === 'waiting' && patch !== '')
    .map(
      ({ taskId, patch }) =>
        html`<details><summary>The change of <bdi>${clip(taskId, 80)}</bdi> that waits</summary><pre tabindex="0">${clip(patch, lengths.output)}</pre></details>`,
    )
  return html`${section('recoveries', 'Recoveries', recoveries, (rows) => tableOf('What was proposed and decided', ['task', 'proposal', 'decision', 'at', 'why'], rows))}
${section('destructive', 'Destructive operations', operations, (rows) => html`${tableOf('Operations that cannot be undone', ['task', 'decision', 'category', 'where', 'operation', 'why'], rows)}${patches}`)}
${section('roadmap', 'Roadmap changes', report.roadmapChanges, listed)}
${section('limits', 'Limits', report.limits, listed)}
${section('held', 'Left to other runs', report.held, listed)}
${section('hidden', 'Hidden text, kept from the model', report.hidden, (all) => listed(all.map(({ taskId, path, line, channel, excerpt }) => `${taskId}, ${path ?? 'the roadmap'} line ${line}, ${channel}: ${excerpt}`)))}`
}

const decided = (decision: string, by: string): Content =>
  foreign(describeDecision(decision, by), 100)

function section<Item>(
  id: string,
  title: string,
  items: readonly Item[],
  body: (items: readonly Item[]) => Markup,
): Markup | null {
  if (items.length === 0) return null
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${body(items)}</section>`
}

const mostListed = 200

const listed = (lines: readonly string[]): Markup => {
  const left = lines.length - mostListed
  const more = left > 0 ? html`<li>and ${left} more</li>` : null
  return html`<ul class="notes">${lines.slice(0, mostListed).map((line) => html`<li>${foreign(line)}</li>`)}${more}</ul>`
}
