import type { DiffStat } from '../../../../packages/change/change.ts'
import type { Receipt } from '../../../../packages/judge/judge.ts'
import { clip, countOf } from '../../../../packages/text/text.ts'
import type { Report, TaskReport } from '../build-report.ts'
import { describeDollars, describeNoTasks, nextStep } from '../describe-result.ts'
import { describeNewTests, describeRun } from '../describe-verification.ts'
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
