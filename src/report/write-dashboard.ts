import { isTaskId } from '../domain/task-id.ts'
import type { Verdict } from '../domain/verdict.ts'
import { neutraliseLine } from '../safety/neutralise.ts'

/** What the dashboard is found by, together with its author. */
export const dashboardMarker = '<!-- executor:dashboard -->'

/** What the dashboard is drawn from; nothing of it changes where nothing happened. */
export interface DashboardFacts {
  /** In the roadmap's order. */
  readonly tasks: readonly {
    readonly id: string
    readonly title: string
    readonly status: string
  }[]
  readonly results: Readonly<Record<string, DashboardResult>>
  /** Ids of tasks that are worked on now, and of those that could be started. */
  readonly running: readonly string[]
  readonly ready: readonly string[]
  /** What each of the other open tasks waits for. */
  readonly waits: Readonly<Record<string, string>>
}

interface DashboardResult {
  readonly verdict: Verdict
  readonly reason: string
  readonly pullRequest: { readonly number: number; readonly url: string } | null
}

/** What a ticked box asks for. */
export interface DashboardOrder {
  readonly does: 'run' | 'retry'
  /** `null`: everything that is ready. */
  readonly id: string | null
}

type Section =
  | 'waiting'
  | 'running'
  | 'review'
  | 'ready'
  | 'failed'
  | 'deferred'
  | 'blocked'
  | 'out'

const headings: Readonly<Record<Section, string>> = {
  waiting: 'Waiting for you',
  running: 'Running',
  review: 'In review',
  ready: 'Ready',
  failed: 'Failed',
  deferred: 'Deferred',
  blocked: 'Blocked',
  out: 'Skipped or rejected',
}
const sections = Object.keys(headings) as readonly Section[]

const sectionOf: Readonly<Record<Verdict, Section | null>> = {
  waiting: 'waiting',
  in_review: 'review',
  unverified: 'review',
  failed: 'failed',
  over_budget: 'failed',
  deferred: 'deferred',
  skipped: 'out',
  rejected: 'out',
  done: null,
  replaced: null,
}

/** What the box in front of a task does, where there is one. */
const doesIn: Partial<Record<Section, DashboardOrder['does']>> = {
  ready: 'run',
  failed: 'retry',
  deferred: 'retry',
  out: 'retry',
}

/** What GitHub takes for a body, in characters. */
const longestBody = 65_536
const longestTitle = 200
const longestReason = 300
const mostRows = 200

/**
 * The body of the one sticky issue: a line for each open task, with boxes that act when they are
 * ticked. The same facts give the same text, to the letter: what did not change is not written again.
 */
export function writeDashboard(facts: DashboardFacts): string {
  for (let rows = mostRows; ; rows = Math.floor(rows / 2)) {
    const text = draw(facts, rows)
    if (text.length <= longestBody || rows === 0) return text
  }
}

function draw(facts: DashboardFacts, most: number): string {
  const bySection = Map.groupBy(facts.tasks, (task) => findSection(task, facts))
  const done = facts.tasks.filter((task) => isDone(task, facts)).length
  const parts = sections.flatMap((section) => {
    const tasks = bySection.get(section) ?? []
    if (tasks.length === 0) return []
    const rows = tasks.slice(0, most).map((task) => row(task, section, facts))
    const all =
      section === 'ready' ? [`- [ ] ${orderMarker('run', 'all')} **run all of them now**`] : []
    const more = tasks.length > most ? [`- and ${tasks.length - most} more`] : []
    return [`### ${headings[section]} (${tasks.length})`, [...all, ...rows, ...more].join('\n')]
  })
  const count = `${done} of ${facts.tasks.length} tasks are done.`
  const how =
    'Whoever may write here can tick a box, and that is done; or comment `/run T-1`. The label `executor:stop` on this issue stops everything.'
  return `${[dashboardMarker, `${count} ${how}`, ...parts].join('\n\n')}\n`
}

function isDone(
  { id, status }: DashboardFacts['tasks'][number],
  { results }: DashboardFacts,
): boolean {
  return status === 'done' || results[id]?.verdict === 'done'
}

function findSection(task: DashboardFacts['tasks'][number], facts: DashboardFacts): Section | null {
  const { id, status } = task
  if (!isTaskId(id)) return null
  if (facts.running.includes(id)) return 'running'
  const verdict = facts.results[id]?.verdict
  if (verdict !== undefined) return sectionOf[verdict]
  if (facts.ready.includes(id)) return 'ready'
  return status === 'done' || status === 'cancelled' ? null : 'blocked'
}

function row(
  { id, title }: DashboardFacts['tasks'][number],
  section: Section,
  { results, waits }: DashboardFacts,
): string {
  const does = doesIn[section]
  const box = does === undefined ? '' : `[ ] ${orderMarker(does, id)} ${does} `
  const { reason = waits[id] ?? '', pullRequest = null } = results[id] ?? {}
  const link = pullRequest === null ? '' : ` in ${linkTo(pullRequest)}`
  const why = reason === '' ? '' : `: ${shortened(reason, longestReason)}`
  return `- ${box}**${id}** ${shortened(title, longestTitle)}${link}${why}`
}

const orderMarker = (does: DashboardOrder['does'], id: string): string =>
  `<!-- executor:do ${does} ${id} -->`

/** A link that nothing in the address can end. */
const linkTo = ({ number, url }: { readonly number: number; readonly url: string }): string =>
  /^https?:\/\/[^\s()<>[\]]+$/.test(url) ? `[#${number}](${url})` : `pull request ${number}`

/** Cut before it is made harmless, so that no cut takes that away again. */
function shortened(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return neutraliseLine(line.length > most ? `${line.slice(0, most).toWellFormed()}…` : line)
}

const orderLine = /^- \[([ xX])\] <!-- executor:do (run|retry) (all|T-[\w.-]{1,64}) -->/gm

/**
 * What a person ordered: boxes that are ticked now and were there, unticked, before. A box that was
 * not ours to begin with orders nothing.
 */
export function readDashboardOrders(before: string, after: string): readonly DashboardOrder[] {
  const offered = new Map(boxesIn(before).map((box) => [box.key, box.ticked]))
  const ordered = boxesIn(after).filter(({ key, ticked }) => ticked && offered.get(key) === false)
  return [...new Map(ordered.map((box) => [box.key, box.order])).values()]
}

interface Box {
  readonly key: string
  readonly ticked: boolean
  readonly order: DashboardOrder
}

function boxesIn(body: string): readonly Box[] {
  return [...body.replaceAll('\r\n', '\n').matchAll(orderLine)].flatMap(
    ([, tick, does, id = '']) => {
      if (id !== 'all' && !isTaskId(id)) return []
      const order = {
        does: does === 'retry' ? 'retry' : 'run',
        id: id === 'all' ? null : id,
      } as const
      return [{ key: `${does} ${id}`, ticked: tick !== ' ', order }]
    },
  )
}
