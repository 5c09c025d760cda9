import { clip } from '../../../../packages/text/text.ts'
import { type Phase, type PhaseName, phaseNames } from '../../../core/journal/time-by-phase.ts'
import { type Report, secondsByPhase, type TaskReport } from '../build-report.ts'
import {
  addressIn,
  badge,
  duration,
  foreign,
  html,
  lengths,
  link,
  lookOf,
  type Markup,
} from './markup.ts'

/** Each phase has a distinct shape, to tell it without colour: its top and height within 14 px. */
const bars: Readonly<Record<PhaseName, { readonly y: number; readonly height: number }>> = {
  model: { y: 1, height: 12 },
  repair: { y: 1, height: 12 },
  tests: { y: 5, height: 8 },
  installing: { y: 10, height: 3 },
  waiting: { y: 4.5, height: 5 },
  other: { y: 6.5, height: 1.5 },
}

const phaseWords: Readonly<Record<PhaseName, string>> = {
  model: 'model',
  tests: 'tests',
  installing: 'installing',
  repair: 'repair',
  waiting: 'waiting for a person',
  other: 'git, GitHub and checks',
}

/** The most rows, about one screen. */
const mostRows = 40

/** When each task was worked on, by phase. `null` without a journal. */
export function timeline(report: Report): Markup | null {
  const worked = report.tasks.flatMap((task, index) =>
    task.phases.length === 0 ? [] : [{ ...task, anchor: `task-${index + 1}` }],
  )
  if (worked.length === 0) return null
  const axis = timeAxis([...report.phases, ...worked.flatMap(({ phases }) => phases)])
  const longest = worked.toSorted((a, b) => busy(b.phases) - busy(a.phases)).slice(0, mostRows)
  const rows = worked.filter((task) => longest.includes(task))
  const left = worked.length - rows.length
  const isTold = report.phases.some(({ phase }) => phase !== 'other')
  const run = isTold ? row('the run', null, report.phases, axis) : null
  return html`<section aria-labelledby="timeline"><h2 id="timeline">Timeline</h2>
<ul class="legend">${keys(report)}</ul>
${left > 0 ? html`<p class="note">The ${rows.length} tasks that took longest; ${left} more are in the list of tasks.</p>` : null}
<div class="lanes"><div class="lane axis" aria-hidden="true"><span></span>${drawAxis(axis)}</div>
<ul>${run}${rows.map(({ id, title, phases, anchor }) => row(id, { title, anchor }, phases, axis))}</ul></div>
${axis.pauses.length === 0 ? null : html`<p class="note">Pauses are shortened: ${axis.pauses.map(({ seconds }) => duration(seconds)).join(', ')}.</p>`}
</section>`
}

const keys = (report: Report): readonly Markup[] => {
  const spent = new Map(secondsByPhase(report).map(({ phase, seconds }) => [phase, seconds]))
  return phaseNames.flatMap((phase) => {
    const seconds = spent.get(phase)
    return seconds === undefined ? [] : key(phase, seconds)
  })
}

const busy = (phases: readonly Phase[]): number =>
  phases.reduce((sum, { phase, seconds }) => sum + (phase === 'waiting' ? 0 : seconds), 0)

function row(
  id: string,
  task: { readonly title: string; readonly anchor: string } | null,
  phases: readonly Phase[],
  axis: TimeAxis,
): Markup {
  const label = describePhases(phases)
  const name =
    task === null
      ? html`<span>${id}</span>`
      : html`<span><a href="#${task.anchor}" title="${clip(task.title, lengths.title)}"><bdi>${clip(id, 40)}</bdi></a><small>${foreign(task.title, 80)}</small></span>`
  return html`<li class="lane">${name}<svg class="strip" role="img"><title>${label}</title>${axis.pauses.map(pauseLine)}${phases.map((phase) => bar(phase, axis))}</svg></li>`
}

/** `model 3.2 s, tests 1.1 s` */
export const describePhases = (phases: readonly Phase[]): string =>
  secondsByPhase({ phases, tasks: [] })
    .map(({ phase, seconds }) => `${phaseWords[phase]} ${duration(seconds)}`)
    .join(', ')

/** The least width of a bar in per cent; a narrower one would be invisible. */
const leastWidth = 0.25

function bar({ phase, at, seconds }: Phase, axis: TimeAxis): Markup {
  const { y, height } = bars[phase]
  const from = axis.place(at)
  const width = Math.max(leastWidth, axis.place(at + seconds) - from)
  return html`<rect class="${phase}" x="${from}%" y="${y}" width="${width.toFixed(2)}%" height="${height}" rx="1"/>`
}

const pauseLine = ({ at }: { readonly at: number }): Markup =>
  html`<line class="pause" x1="${at}%" x2="${at}%" y1="0" y2="14"/>`

function key(phase: PhaseName, seconds: number): Markup {
  const { y, height } = bars[phase]
  return html`<li><svg class="swatch" aria-hidden="true"><rect class="${phase}" x="1" y="${y}" width="20" height="${height}" rx="1"/></svg>${phaseWords[phase]} <b>${duration(seconds)}</b></li>`
}

const drawAxis = ({ ticks }: TimeAxis): Markup =>
  html`<svg class="strip">${ticks.map(({ at, seconds }) => html`<line x1="${at}%" x2="${at}%" y1="10" y2="14"/><text x="${at}%" y="8" class="${at === 0 ? 'first' : ''}">${clock(seconds)}</text>`)}</svg>`

/** `0`, `30 s`, `2:30 min`, `5 min`, `7:10 h` */
function clock(seconds: number): string {
  if (seconds < 60) return seconds === 0 ? '0' : `${seconds} s`
  const [big, small, unit] = seconds < 3600 ? [60, 1, 'min'] : [3600, 60, 'h']
  const left = Math.round((seconds % big) / small)
  const more = left === 0 ? '' : `:${String(left).padStart(2, '0')}`
  return `${Math.floor(seconds / big)}${more} ${unit}`
}

/** A time axis that shortens long pauses. Positions are in per cent of its width. */
interface TimeAxis {
  place(seconds: number): number
  readonly ticks: readonly { readonly at: number; readonly seconds: number }[]
  /** Positions and durations of the shortened pauses. */
  readonly pauses: readonly { readonly at: number; readonly seconds: number }[]
}

interface Stretch {
  readonly from: number
  readonly to: number
}

/** A pause is shortened if it is longer than this many seconds, and than this share of the time worked. */
const leastPause = 60
const pausePart = 0.08
/** Width of a shortened pause, as a share of the axis. */
const pauseWidth = 0.035
/** The most pauses that are shortened; shorter ones are drawn in full. */
const mostPauses = 6

const steps = [
  ...[0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30],
  ...[1, 2, 3, 5, 10, 15, 30].map((minutes) => minutes * 60),
  ...[1, 2, 3, 6, 12, 24, 48, 96, 168].map((hours) => hours * 3600),
]
const mostTicks = 8

/** Builds the axis. Time spent only waiting for people is a pause. */
function timeAxis(phases: readonly Phase[]): TimeAxis {
  const ends = phases.map(({ at, seconds }) => at + seconds)
  const end = ends.reduce((latest, each) => Math.max(latest, each), 0)
  const busy = stretchesOf(phases.filter(({ phase }) => phase !== 'waiting'))
  const worked = busy.reduce((sum, { from, to }) => sum + to - from, 0)
  const gaps = [...busy, { from: end, to: end }]
    .map(({ from }, index): Stretch => ({ from: busy[index - 1]?.to ?? 0, to: from }))
    .filter(({ from, to }) => to - from > Math.max(leastPause, worked * pausePart))
    .toSorted((a, b) => b.to - b.from - (a.to - a.from))
    .slice(0, mostPauses)
    .toSorted((a, b) => a.from - b.from)
  const lost = gaps.reduce((sum, { from, to }) => sum + to - from, 0)
  const shown = Math.max(end - lost, 1e-9)
  const perSecond = (100 * (1 - gaps.length * pauseWidth)) / shown
  const place = (seconds: number): number => {
    let at = Math.min(Math.max(seconds, 0), end) * perSecond
    for (const { from, to } of gaps) {
      if (seconds <= from) break
      const inside = Math.min(seconds, to) - from
      at += (inside / (to - from)) * 100 * pauseWidth - inside * perSecond
    }
    return Math.round(at * 100) / 100
  }
  const step = steps.find((each) => shown / each <= mostTicks) ?? shown
  const ticks = Array.from(
    { length: Math.min(Math.floor(end / step), 400) },
    (_, n) => (n + 1) * step,
  )
    .filter((seconds) => !gaps.some(({ from, to }) => seconds >= from && seconds <= to))
    .map((seconds) => ({ at: place(seconds), seconds }))
  return {
    place,
    ticks: apart([{ at: 0, seconds: 0 }, ...ticks]),
    pauses: gaps.map(({ from, to }) => ({ at: place((from + to) / 2), seconds: to - from })),
  }
}

/** Drops ticks that are closer together than a label is wide. */
function apart(ticks: TimeAxis['ticks']): TimeAxis['ticks'] {
  let last = Number.NEGATIVE_INFINITY
  return ticks.filter(({ at }) => {
    if (at - last < 100 / (mostTicks + 2) || at > 97) return false
    last = at
    return true
  })
}

function stretchesOf(phases: readonly Phase[]): readonly Stretch[] {
  const all: { from: number; to: number }[] = []
  for (const { at, seconds } of phases.toSorted((a, b) => a.at - b.at)) {
    const last = all.at(-1)
    if (last !== undefined && at <= last.to) last.to = Math.max(last.to, at + seconds)
    else all.push({ from: at, to: at + seconds })
  }
  return all
}

/** A branch and the branches started from it. */
interface Branch {
  readonly task: TaskReport
  readonly children: Branch[]
}

/** One row of the graph: the branch's lane, the lane it starts from, and the lanes that pass by. */
interface Row {
  readonly task: TaskReport
  readonly lane: number
  readonly parent: number
  /** True when a branch started from it continues in the same lane. */
  readonly goesOn: boolean
  readonly passing: readonly number[]
}

const laneWidth = 18
const rowHeight = 44
/** Branches beyond this many lanes share the last one. */
const mostLanes = 12
const mostOpen = 60

/** The branches and the branch each was started from, in the order to review and merge in. `null` without branches. */
export function stack(report: Report): Markup | null {
  const rows = rowsOf(report.tasks)
  if (rows.length === 0) return null
  const lanes = Math.min(mostLanes, Math.max(...rows.map(({ lane }) => lane)) + 1)
  const width = lanes * laneWidth + 6
  const list = html`<ol class="stack"><li class="base">${rail(width, [], { from: null, lane: 0, goesOn: true, tone: 'plain' })}<span class="name"><b><bdi>${clip(report.base.branch, lengths.title)}</bdi></b> <code>${link(addressIn(report.repository, 'commit', report.base.sha), report.base.sha.slice(0, 7))}</code></span></li>
${rows.map((row) => branchRow(row, width, report))}</ol>`
  return html`<section aria-labelledby="stack"><h2 id="stack">Branches</h2>
<p class="note">Review and merge from the top down: each branch contains the ones that it grows from.</p>
${rows.length > mostOpen ? html`<details><summary>${rows.length} branches</summary>${list}</details>` : list}</section>`
}

function branchRow(
  { task, lane, parent, goesOn, passing }: Row,
  width: number,
  report: Report,
): Markup {
  const { branch, pr, title, outcome } = task
  const name = pr === null ? foreign(branch ?? '', lengths.title) : `#${pr.number}`
  const address = pr?.url ?? (branch === null ? null : addressIn(report.repository, 'tree', branch))
  return html`<li>${rail(width, passing, { from: parent, lane, goesOn, tone: lookOf(outcome).tone })}<span class="name">${link(address, name)} <b><bdi>${clip(task.id, 80)}</bdi></b> ${foreign(title, lengths.title)}</span>${badge(outcome)}</li>`
}

interface Knot {
  readonly from: number | null
  readonly lane: number
  readonly goesOn: boolean
  readonly tone: string
}

function rail(
  width: number,
  passing: readonly number[],
  { from, lane, goesOn, tone }: Knot,
): Markup {
  const middle = rowHeight / 2
  const x = (of: number) => Math.min(of, mostLanes - 1) * laneWidth + 10
  const lines = passing.map((of) => `M${x(of)} 0V${rowHeight}`)
  if (from === lane) lines.push(`M${x(lane)} 0V${middle}`)
  else if (from !== null)
    lines.push(`M${x(from)} 0C${x(from)} ${middle} ${x(from)} ${middle} ${x(lane)} ${middle}`)
  if (goesOn) lines.push(`M${x(lane)} ${middle}V${rowHeight}`)
  return html`<svg class="rail" width="${width}" height="${rowHeight}" aria-hidden="true"><path d="${lines.join('')}"/><circle class="${tone}" cx="${x(lane)}" cy="${middle}" r="5"/></svg>`
}

function rowsOf(tasks: readonly TaskReport[]): readonly Row[] {
  const roots = treeOf(tasks)
  const sizes = sizesOf(roots)
  const bySize = (a: Branch, b: Branch) => (sizes.get(a) ?? 0) - (sizes.get(b) ?? 0)
  const rows: Row[] = []
  // The child with the largest subtree continues in its parent's lane; the others branch off to the right before it,
  // so a stack of hundreds is one lane. Each branch of the base branches off, and the base keeps its own lane.
  const visit = (first: Branch, lane: number, from: number, passing: readonly number[]): void => {
    let parent = from
    for (let branch: Branch | undefined = first; branch !== undefined; ) {
      const inOrder: readonly Branch[] = branch.children.toSorted(bySize)
      const last = inOrder.at(-1)
      rows.push({ task: branch.task, lane, parent, goesOn: last !== undefined, passing })
      for (const child of inOrder.slice(0, -1)) visit(child, lane + 1, lane, [...passing, lane])
      parent = lane
      branch = last
    }
  }
  for (const [index, root] of roots.entries())
    visit(root, 1, 0, index < roots.length - 1 ? [0] : [])
  return rows
}

/** The number of branches in the subtree of each branch. */
function sizesOf(roots: readonly Branch[]): ReadonlyMap<Branch, number> {
  const all = [...roots]
  for (const branch of all) all.push(...branch.children)
  const sizes = new Map<Branch, number>()
  for (const branch of all.toReversed())
    sizes.set(
      branch,
      branch.children.reduce((sum, child) => sum + (sizes.get(child) ?? 0), 1),
    )
  return sizes
}

/** The branches on the base, each with its subtree. A cycle, which no run creates, is put on the base. */
function treeOf(tasks: readonly TaskReport[]): readonly Branch[] {
  const branches = tasks
    .filter(({ branch, sha }) => branch !== null && sha !== null)
    .map((task): Branch => ({ task, children: [] }))
  const bySha = new Map(branches.map((branch) => [branch.task.sha, branch]))
  const roots: Branch[] = []
  const parentOf = new Map<Branch, Branch>()
  for (const branch of branches) {
    const parent = bySha.get(branch.task.start)
    if (parent === undefined || isBelow(parent, branch, parentOf)) {
      roots.push(branch)
      continue
    }
    parentOf.set(branch, parent)
    parent.children.push(branch)
  }
  return roots
}

function isBelow(branch: Branch, top: Branch, parentOf: ReadonlyMap<Branch, Branch>): boolean {
  let at: Branch | undefined = branch
  while (at !== undefined && at !== top) at = parentOf.get(at)
  return at === top
}
