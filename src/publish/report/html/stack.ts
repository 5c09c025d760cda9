import { clip } from '../../../../packages/text/text.ts'
import type { Report, TaskReport } from '../build-report.ts'
import { addressIn, badge, foreign, html, lengths, link, lookOf, type Markup } from './markup.ts'

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
