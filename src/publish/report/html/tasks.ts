import type { DiffStat } from '../../../../packages/change/change.ts'
import type { Receipt } from '../../../../packages/judge/judge.ts'
import { clip, countOf } from '../../../../packages/text/text.ts'
import { totalTokens } from '../../../core/domain/usage.ts'
import type { Report, TaskReport } from '../build-report.ts'
import { describeDecision } from '../describe-decision.ts'
import {
  describeDollars,
  describeNewTests,
  describeNoTasks,
  describeRun,
  nextStep,
} from '../describe-verification.ts'
import type { TaskNote } from '../report-steps.ts'
import { describeOvertaken } from '../write-overtaken.ts'
import { titleOfNotes } from '../write-scratchpad.ts'
import {
  addressIn,
  badge,
  type Content,
  constant,
  duration,
  foreign,
  grouped,
  html,
  lengths,
  link,
  lookOf,
  type Markup,
  outcomesInOrder,
} from './markup.ts'
import { describePhases } from './timeline.ts'

/** Beyond this many tasks, those that are done without warnings are only in `report.json`. */
const mostTasks = 500
const mostLines = 20
/** A loop of tools has 30 calls. */
const mostNotes = 40

/** Every task with its outcome, links and commands, and filters by outcome and by words. */
export function taskList(report: Report): Markup {
  const { tasks } = report
  if (tasks.length === 0) {
    return html`<section aria-labelledby="tasks"><h2 id="tasks">Tasks</h2><p>${foreign(describeNoTasks(report))}</p></section>`
  }
  const shown = shownOf(tasks)
  const left = tasks.length - shown.size
  const items = tasks.map((task, index) => (shown.has(task) ? taskItem(task, index, report) : null))
  return html`<section aria-labelledby="tasks"><h2 id="tasks">Tasks</h2>
${filters(tasks)}
${left > 0 ? html`<p class="note">${left} tasks that need nothing are not shown; <code>report.json</code> has them.</p>` : null}
<ul class="tasks">${items}</ul>
<p class="note" id="none" role="status" hidden>No task matches.</p></section>`
}

function shownOf(tasks: readonly TaskReport[]): ReadonlySet<TaskReport> {
  const needed = tasks.filter(({ outcome }) => lookOf(outcome).tone !== 'good')
  const others = tasks.filter(({ outcome }) => lookOf(outcome).tone === 'good')
  return new Set([...needed, ...others].slice(0, mostTasks))
}

/** Radio buttons, which work without the script, and the search field, which the script shows. */
function filters(tasks: readonly TaskReport[]): Markup | null {
  const counts = outcomesInOrder
    .map((outcome) => ({ outcome, n: tasks.filter((task) => task.outcome === outcome).length }))
    .filter(({ n }) => n > 0)
  if (tasks.length < 2) return null
  const one = (outcome: string, name: string, n: number, isChosen: boolean) =>
    html`<label><input type="radio" name="outcome" id="show-${outcome}" value="${outcome}"${isChosen ? constant(' checked') : null}><span>${name} <b>${n}</b></span></label>`
  const choices = counts.length < 2 ? [] : counts
  return html`<div class="filters" role="search">
<fieldset${choices.length === 0 ? constant(' hidden') : null}><legend>Show</legend>${one('all', 'all', tasks.length, true)}${choices.map(({ outcome, n }) => one(outcome, lookOf(outcome).words, n, false))}</fieldset>
<label class="find" hidden>Find <input type="search" id="find" autocomplete="off" placeholder="id, title, file, reason"></label></div>`
}

function taskItem(task: TaskReport, index: number, report: Report): Markup {
  const { id, title, outcome, reason, pr, overtaken } = task
  const next = task.thisRun ? nextStep(outcome, pr, overtaken) : 'An earlier run did this.'
  const warnings = task.receipt?.warnings ?? []
  return html`<li class="task" data-outcome="${outcome}" id="task-${index + 1}"><h3 id="name-${index + 1}"><span class="id"><bdi>${clip(id, 80)}</bdi></span> ${foreign(title, lengths.title)}</h3> ${badge(outcome)}
<p class="facts">${between(factsOf(task, report))}</p>
${reason === '' ? null : html`<p class="reason">${foreign(reason)}</p>`}
${warnings.length === 0 ? null : html`<ul class="warnings">${bounded(warnings, (each) => html`<li>${foreign(each)}</li>`)}</ul>`}
${next === '' ? null : html`<p class="next">${foreign(next)}</p>`}
${overtaken === undefined ? null : html`<pre tabindex="0">${describeOvertaken(overtaken).join('\n')}</pre>`}
${details(task, `name-${index + 1}`)}
${notesOf(task)}</li>`
}

const evidenceWords = {
  proven: 'proven: a test was red before',
  unharmed: 'unharmed: no test shows it',
  unverified: null,
} as const

function factsOf(task: TaskReport, report: Report): readonly Content[] {
  const { pr, branch, changed, receipt, repairs, tokens, cost, seconds, thisRun, attempts } = task
  return [
    pr && link(pr.url, `#${pr.number}`),
    branch &&
      link(
        addressIn(report.repository, 'tree', branch),
        html`<code>${clip(branch, lengths.title)}</code>`,
      ),
    changed && diffstat(changed),
    receipt?.evidence === undefined ? null : evidenceWords[receipt.evidence],
    ...(thisRun && seconds > 0 ? [duration(seconds)] : []),
    ...(tokens > 0
      ? [`${grouped(tokens)} tokens`, cost === null ? 'cost unknown' : describeDollars(cost)]
      : []),
    ...(attempts > 1 ? [countOf(attempts, 'attempt')] : []),
    ...(repairs > 0 ? [countOf(repairs, 'repair')] : []),
  ].filter((fact) => fact !== null && fact !== '')
}

const between = (facts: readonly Content[]): readonly Markup[] =>
  facts.map((fact) => html`<span>${fact}</span> `)

const diffstat = ({ files, ...lines }: DiffStat): Markup =>
  html`<span>${signedLines(lines)} in ${countOf(files, 'file')}</span>`

/** `+12 −0` */
export const signedLines = ({ added, removed }: Omit<DiffStat, 'files'>): Markup =>
  html`<span class="diff"><ins>+${grouped(added)}</ins> <del>−${grouped(removed)}</del></span>`

function bounded<Item>(items: readonly Item[], write: (item: Item) => Markup): readonly Markup[] {
  const left = items.length - mostLines
  const more = left > 0 ? [html`<li>and ${left} more</li>`] : []
  return [...items.slice(0, mostLines).map(write), ...more]
}

function details({ receipt, phases }: TaskReport, name: string): Markup | null {
  const time = describePhases(phases)
  if (receipt === null && time === '') return null
  const spent = time === '' ? null : html`<p class="note">Time: ${time}.</p>`
  return html`<details><summary>Verification and time</summary>${receipt && verification(receipt, name)}${spent}</details>`
}

function verification(receipt: Receipt, name: string): Markup {
  const { commands, notes, sandbox, result } = receipt
  const proofs = describeNewTests(receipt)
  const rows = commands.map(
    (run) =>
      html`<tr><th scope="row"><code>${clip(run.command, lengths.title)}</code></th><td>${run.before === undefined ? '–' : describeRun(run.before)}</td><td>${describeRun(run)}</td><td class="n">${duration(run.seconds)}</td></tr>`,
  )
  const outputs = commands.flatMap(({ command, output }) =>
    output === undefined
      ? []
      : html`<p class="note">The last lines of <code>${clip(command, 120)}</code></p><pre tabindex="0">${clip(output, lengths.output)}</pre>`,
  )
  const table =
    rows.length === 0
      ? html`<p>${result}: nothing was run.</p>`
      : html`<div class="wide" tabindex="0" role="region" aria-labelledby="${name}"><table><thead><tr><th scope="col">command</th><th scope="col">before</th><th scope="col">after</th><th scope="col" class="n">time</th></tr></thead><tbody>${rows}</tbody></table></div>`
  return html`${table}${sandbox === null ? null : html`<p class="note">Sandbox: ${sandbox}.</p>`}${proofs.length === 0 ? null : html`<ul class="notes">${proofs.map((each) => html`<li>${foreign(each)}</li>`)}</ul>`}${notes.length === 0 ? null : html`<ul class="notes">${bounded(notes, (note) => html`<li>${foreign(note)}</li>`)}</ul>`}${outputs}`
}

/** Thoughts, tool calls and reflections, by attempt; the newest where they are many. */
function notesOf({ notes }: TaskReport): Markup | null {
  if (notes.length === 0) return null
  const calls = notes.filter(({ kind }) => kind === 'call').length
  const attempts = [...Map.groupBy(notes.slice(-mostNotes), ({ attempt }) => attempt)]
  const left = notes.length - mostNotes
  const lists = attempts.map(([attempt, own]) => {
    const head = attempts.length > 1 ? html`<p class="note">Attempt ${attempt}</p>` : null
    return html`${head}<ul class="notes">${own.map((note) => html`<li>${noteItem(note)}</li>`)}</ul>`
  })
  return html`<details><summary>${titleOfNotes(calls)}</summary>${left > 0 ? html`<p class="note">${left} earlier ones are in <code>report.json</code>.</p>` : null}${lists}</details>`
}

function noteItem(note: TaskNote): Markup {
  if (note.kind === 'reflection') {
    return html`Why it failed:<ul class="notes">${note.lines.map((line) => html`<li>${foreign(line)}</li>`)}</ul>`
  }
  const thought = note.thought === '' ? null : html`${foreign(note.thought)} `
  return html`${thought}<span>⚒ <code>${note.call}</code> → ${foreign(note.summary)}</span>`
}

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
