import { isToDo, type TaskStatus } from '../../task/task.ts'
import type { Box, ListItem } from './list-item.ts'
import { type Block, readDetails, type Source } from './read-blocks.ts'
import { type Field, type FieldName, readItemFields, readLabel } from './read-fields.ts'
import { type Claim, readTitle, type TaskTitle } from './read-title.ts'
import {
  fieldsOf,
  type Heading,
  isCriteria,
  type LeftOut,
  leftOutBy,
  readLeftOut,
  readRuns,
  type SectionUnit,
  unitsBelow,
  unitsOf,
} from './section-units.ts'

export type Granularity = 'task' | 'leaf'

/** A heading with the metadata between it and its first task. */
export interface Section {
  readonly heading: Heading
  readonly fields: readonly Field[]
  /** The number of tasks directly under the heading. */
  readonly tasks: number
  /** The lines between it and the next heading, 1-based; without any, `endLine` is less than `line`. */
  readonly line: number
  readonly endLine: number
  /** The text above its first task, as its purpose or a sample; `null` without any. */
  readonly intro: SectionIntro | null
}

export interface SectionIntro {
  readonly text: string
  /** 1-based, inclusive. */
  readonly line: number
  readonly endLine: number
  /** True when only its beginning is kept. */
  readonly isCut: boolean
}

/** A box nested under a task. */
export interface NestedBox {
  readonly box: Box
  readonly title: string
  readonly claim: Claim
  /** Column of its list item. */
  readonly column: number
}

/** A task with its position, and everything its text says without reference to other tasks. */
export interface FoundTask {
  readonly box: Box
  /** Column of its list item, 1-based. */
  readonly column: number
  /** The status of its box; a task that occurs in several places is open while any of them is. */
  readonly status: TaskStatus
  /** The headings above it, outermost first. */
  readonly sections: readonly Section[]
  /** Titles of those headings, then of the list items around it. */
  readonly path: readonly string[]
  readonly nested: readonly NestedBox[]
  readonly title: TaskTitle
  /** `20` for a task "Phase 20: Sync". */
  readonly phase: string | null
  readonly details: string
  /** The details without the text below its list item, as earlier versions read them. */
  readonly ownDetails: string
  readonly fields: readonly Field[]
  /** The section elsewhere that describes it: "### Phase 20" for the box "Phase 20: Sync". */
  readonly about: Section | null
  /** The last line that belongs to it, 1-based. */
  readonly endLine: number
  /** What leaves it out, if its box is open. */
  readonly leftOut: LeftOut | null
}

/** Text that belongs to no task; lines are 1-based and inclusive. */
export interface LooseLines {
  readonly line: number
  readonly endLine: number
  /** True when its boxes are success criteria. */
  readonly isCriteria: boolean
}

export interface RoadmapOutline {
  readonly tasks: readonly FoundTask[]
  /** All headings, including those without tasks. */
  readonly sections: readonly Section[]
  readonly loose: readonly LooseLines[]
}

/** Finds every task of a document and the headings above it. Works heading by heading to hold little in memory. */
export function findTasks(source: Source, granularity: Granularity): RoadmapOutline {
  const { lines } = source
  const tasks: FoundTask[] = []
  const all: Section[] = []
  const loose: LooseLines[] = []
  const beside: { section: Section; lines: readonly LooseLines[] }[] = []
  let sections: Section[] = []
  const runs = readRuns(source)
  for (const [index, { title }] of runs.entries()) {
    const units = unitsOf(runs, index, lines)
    const path = sections.filter((s) => title && s.heading.depth < title.depth)
    const own = [...path.map((s) => s.heading.title), ...(title ? [title.title] : [])]
    const out = sectionsOut(title, path)
    const found = units.map(({ item, isCriterion, leftOut }) =>
      item === null || isCriterion ? [] : collect(item, own, granularity, leftOut ?? out),
    )
    const first = found.findIndex((list) => list.length > 0)
    const intro = units.slice(0, first === -1 ? units.length : first)
    const count = found.reduce((sum, list) => sum + list.length, 0)
    const section: Section | null = title && {
      heading: title,
      fields: fieldsOf(intro, lines),
      tasks: count,
      line: units[0]?.block.line ?? title.line,
      endLine: units.at(-1)?.block.endLine ?? 0,
      intro: introOf(title, intro, lines),
    }
    sections = section ? [...path, section] : []
    if (section) all.push(section)
    takeBelow(units, found, sections, lines, { tasks, loose })
    const isPreface = title === null || title.depth === 1
    if (count === 0 && section && !isPreface) beside.push({ section, lines: looseLines(units) })
  }
  // A section without tasks that describes a task, or contains the headings of some, is not loose text.
  const joined = joinPhases(tasks, all, lines)
  const described = new Set(joined.flatMap(({ sections: above, about }) => [...above, about]))
  const prose = beside.flatMap((each) => (described.has(each.section) ? [] : each.lines))
  return { tasks: joined, sections: all, loose: [...loose, ...prose] }
}

/** In characters: some 1,000 tokens. */
const longestIntro = 4_000

/**
 * The text of these blocks without fields, and without a label of the tasks. Text under a document's title counts only
 * with a sample. HTML stays and blocks stay whole, so that what they hide from readers can be told.
 */
function introOf(
  title: Heading,
  units: readonly SectionUnit[],
  lines: readonly string[],
): SectionIntro | null {
  const told = units.slice(0, units.findLastIndex(({ isLabel }) => !isLabel) + 1)
  const shown = told.filter(({ block, isLabel }) => says(block) && !isLabel)
  const hasSample = shown.some(({ block }) => block.kind === 'code')
  const [first, last] = [shown[0], shown.at(-1)]
  if (first === undefined || last === undefined || (title.depth === 1 && !hasSample)) return null
  const parts = told
    .filter(({ isCriterion }) => !isCriterion)
    .map(({ block }) => readDetails(lines, block.line, block.endLine))
    .filter((part) => readLabel(part.split('\n')[0] ?? '') === null)
  const place = { line: first.block.line, endLine: last.block.endLine }
  let text = ''
  for (const part of parts) {
    const longer = text === '' ? part : `${text}\n\n${part}`
    if (longer.length > longestIntro) return { text, ...place, isCut: true }
    text = longer
  }
  return text === '' ? null : { text, ...place, isCut: false }
}

const phaseTitle = /^[^\p{L}]*phase\s+(\d+(?:\.\d+)*)\b/iu

/** Gives a box "Phase 20: Sync" the text of the section "### Phase 20", if there is exactly one. */
function joinPhases(
  tasks: readonly FoundTask[],
  sections: readonly Section[],
  lines: readonly string[],
): readonly FoundTask[] {
  const byPhase = Map.groupBy(
    sections.filter(({ heading }) => phaseTitle.test(heading.title)),
    ({ heading }) => heading.phase,
  )
  if (byPhase.size === 0) return tasks
  return tasks.map((task) => {
    const [about, ...others] = (task.phase === null ? null : byPhase.get(task.phase)) ?? []
    if (about === undefined || others.length > 0 || task.sections.includes(about)) return task
    // A section with tasks of its own: each task has its own details.
    const told = about.tasks > 0 ? '' : readDetails(lines, about.line, about.endLine)
    const details = [task.details, told].filter((text) => text !== '').join('\n\n')
    return { ...task, about, details, fields: [...task.fields, ...about.fields] }
  })
}

/** A list item that is a task, before its text is parsed. */
interface Candidate {
  readonly item: ListItem
  readonly box: Box
  readonly path: readonly string[]
  readonly subtasks: readonly ListItem[]
  readonly leftOut: LeftOut | null
}

/** What the innermost of these headings that does so leaves out. */
const sectionsOut = (own: Heading | null, above: readonly Section[]): LeftOut | null =>
  own?.leftOut ?? above.findLast(({ heading }) => heading.leftOut)?.heading.leftOut ?? null

/** Adds the tasks of one heading, each with the text below it, and the text that belongs to none of them. */
function takeBelow(
  units: readonly SectionUnit[],
  found: readonly (readonly Candidate[])[],
  sections: readonly Section[],
  lines: readonly string[],
  all: { readonly tasks: FoundTask[]; readonly loose: LooseLines[] },
): void {
  const starts = found.flatMap((list, index) => (list.length > 0 ? [index] : []))
  const gaps = starts.map((start, n) => units.slice(start + 1, starts[n + 1] ?? units.length))
  const takesAll = isWrittenBelow(found, gaps, sections.at(-1)?.heading)
  const left = units.slice(0, starts[0] ?? 0).filter(({ isCriterion }) => isCriterion)
  for (const [n, start] of starts.entries()) {
    const [gap, list, item] = [gaps[n] ?? [], found[start] ?? [], units[start]?.item]
    const taken = item && list.at(-1)?.item === item ? unitsBelow(item, gap, takesAll) : []
    for (const candidate of list) all.tasks.push(readTask(candidate, taken, sections, lines))
    left.push(...gap.slice(taken.length))
  }
  all.loose.push(...looseLines(left))
}

function readTask(
  { item, box: written, path, subtasks, leftOut: above }: Candidate,
  below: readonly SectionUnit[],
  sections: readonly Section[],
  lines: readonly string[],
): FoundTask {
  const title = readTitle(item)
  const first = item.textLine + title.lines
  const endLine = below.at(-1)?.block.endLine ?? item.endLine
  const leftOut = isToDo(written) ? (leftOutItself(item, title) ?? above) : null
  const box = leftOut === null ? written : { ...written, status: leftOut.status }
  const ownDetails = readDetails(lines, first, item.endLine)
  const fields = [...readItemFields(item, title.lines), ...fieldsOf(below, lines)]
  return {
    box,
    column: item.column,
    status: box.status,
    sections,
    path,
    nested: subtasks.length === 0 ? none : subtasks.flatMap(readNested),
    title,
    phase: phaseTitle.exec(item.text[0] ?? '')?.[1] ?? null,
    details: endLine === item.endLine ? ownDetails : readDetails(lines, first, endLine),
    ownDetails,
    fields: fields.length === 0 ? none : fields,
    about: null,
    endLine,
    leftOut,
  }
}

const none: readonly never[] = []

function readNested(item: ListItem): readonly NestedBox[] {
  if (item.box === null) return []
  const title = readTitle(item)
  const leftOut = isToDo(item.box) ? leftOutItself(item, title) : null
  const box = leftOut === null ? item.box : { ...item.box, status: leftOut.status }
  return [{ box, title: title.title, claim: title.claim, column: item.column }]
}

/** What the words of the item itself take out of the plan. */
function leftOutItself({ text, textLine: line }: ListItem, { lines, title }: TaskTitle) {
  const status = readLeftOut(text.slice(0, lines).join(' '))
  return status && { status, line, words: title }
}

/**
 * Returns true when most boxes of a section have their text below them: then each task owns all text up to the next
 * box.
 */
function isWrittenBelow(
  found: readonly (readonly Candidate[])[],
  gaps: readonly (readonly SectionUnit[])[],
  heading: Heading | undefined,
): boolean {
  const count = found.reduce((sum, list) => sum + list.length, 0)
  const filled = gaps.filter((gap) => gap.some(({ isLabel, block }) => !isLabel && says(block)))
  if (count === 1) return heading !== undefined && heading.depth > 1 && filled.length > 0
  return filled.length * 2 > count
}

const says = ({ kind }: Block): boolean => !['html', 'thematicBreak', 'definition'].includes(kind)

/** Merges consecutive units. */
function looseLines(units: readonly SectionUnit[]): readonly LooseLines[] {
  const runs: LooseLines[] = []
  for (const { block, isCriterion } of units.filter((unit) => !unit.isLabel && says(unit.block))) {
    const { line, endLine } = block
    const above = runs.at(-1)
    const isNext = above !== undefined && line <= above.endLine + 2
    if (!isNext || above.isCriteria !== isCriterion) {
      runs.push({ line, endLine, isCriteria: isCriterion })
    } else runs[runs.length - 1] = { ...above, endLine }
  }
  return runs
}

function collect(
  item: ListItem,
  path: readonly string[],
  granularity: Granularity,
  above: LeftOut | null,
): readonly Candidate[] {
  const subtasks = boxesIn(item)
  if (item.box && (granularity === 'task' || subtasks.length === 0)) {
    return [{ item, box: item.box, path, subtasks, leftOut: above }]
  }
  if (subtasks.length === 0 || (!item.box && isCriteria(item.text[0] ?? ''))) return []
  const inner = [...path, readTitle(item).title].filter((title) => title !== '')
  const leftOut = leftOutBy(item.text.join(' '), item.textLine) ?? above
  return item.items.flatMap((child) => collect(child, inner, granularity, leftOut))
}

const boxesIn = (item: ListItem): ListItem[] =>
  item.items.flatMap((child) => [...(child.box ? [child] : []), ...boxesIn(child)])

/** The value of this field in the innermost heading above a task that has it; empty without one. */
export function fieldAbove({ sections }: FoundTask, name: FieldName): string {
  const fields = sections.toReversed().flatMap((section) => section.fields)
  return fields.find((field) => field.name === name)?.value ?? ''
}
