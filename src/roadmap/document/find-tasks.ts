import type { TaskStatus } from '../../core/domain/task.ts'
import { type Box, holdsBox, type ListItem } from './list-item.ts'
import type { Block } from './parse-shape.ts'
import { readBlocks } from './read-blocks.ts'
import type { Field, FieldName } from './read-fields.ts'
import { type Heading, readHeading } from './read-heading.ts'
import { readTitle } from './read-title.ts'
import { fieldsOf, isCriteria, readUnits, type SectionUnit, unitsBelow } from './section-units.ts'

export type Granularity = 'task' | 'leaf'

/** A heading and what is said right under it, before its first task. */
export interface Section {
  readonly heading: Heading
  readonly fields: Field[]
  /** How many tasks stand right under it. */
  readonly tasks: number
  /** The lines between it and the next heading; 1-based, the last is below the first where there are none. */
  readonly line: number
  readonly endLine: number
}

/** A task where it stands. */
export interface FoundTask {
  readonly item: ListItem
  readonly box: Box
  /** Its box's; open where it stands in several places and one of them is. */
  readonly status: TaskStatus
  /** Headings above it, outermost first. */
  readonly sections: readonly Section[]
  /** Titles of the headings, and of the list items it is nested under. */
  readonly path: readonly string[]
  readonly subtasks: readonly ListItem[]
  /** The section elsewhere that tells of it: "### Phase 20" of the box "Phase 20: Sync". */
  readonly about: Section | null
  /** Metadata that stands below its item. */
  readonly below: readonly Field[]
  /** Of the last line that belongs to it; 1-based. */
  readonly endLine: number
}

/** Lines that say something and belong to no task; 1-based, inclusive. */
export interface LooseLines {
  readonly line: number
  readonly endLine: number
  /** Their boxes tell how success is seen. */
  readonly isCriteria: boolean
}

export interface RoadmapOutline {
  readonly tasks: readonly FoundTask[]
  /** All headings, also those without tasks. */
  readonly sections: readonly Section[]
  readonly loose: readonly LooseLines[]
}

/** Every task of a document, and the headings they stand under. */
export function findTasks(lines: readonly string[], granularity: Granularity): RoadmapOutline {
  const tasks: FoundTask[] = []
  const all: Section[] = []
  const loose: LooseLines[] = []
  const beside: { section: Section; lines: readonly LooseLines[] }[] = []
  let sections: Section[] = []
  for (const { title, units } of readRuns(lines)) {
    const path = [...sections.filter((s) => title && s.heading.depth < title.depth)]
    const own = [...path.map((s) => s.heading.title), ...(title ? [title.title] : [])]
    const found = units.map(({ item, isCriterion }) =>
      item === null || isCriterion ? [] : collect(item, [], own, granularity),
    )
    const first = found.findIndex((list) => list.length > 0)
    const intro = units.slice(0, first === -1 ? units.length : first)
    const count = found.reduce((sum, list) => sum + list.length, 0)
    const section = title && {
      heading: title,
      fields: [...fieldsOf(intro, lines)],
      tasks: count,
      line: units[0]?.block.line ?? title.line,
      endLine: units.at(-1)?.block.endLine ?? 0,
    }
    sections = section ? [...path, section] : []
    if (section) all.push(section)
    const placed = found.map((list) => list.map((task) => ({ ...task, sections })))
    const run = takeBelow(units, placed, lines)
    tasks.push(...run.tasks)
    loose.push(...run.loose)
    const isPreface = title === null || title.depth === 1
    if (count === 0 && section && !isPreface) beside.push({ section, lines: looseLines(units) })
  }
  // What stands between a heading and those below it introduces them.
  const joined = joinPhases(tasks, all)
  const told = new Set(joined.flatMap(({ sections: above, about }) => [...above, about]))
  const prose = beside.flatMap((each) => (told.has(each.section) ? [] : each.lines))
  return { tasks: joined, sections: all, loose: [...loose, ...prose] }
}

const phaseTitle = /^[^\p{L}]*phase\s+(\d+(?:\.\d+)*)\b/iu

/** A box "Phase 20: Sync" and the one section "### Phase 20" are about the same work. */
function joinPhases(tasks: readonly FoundTask[], sections: readonly Section[]): FoundTask[] {
  const byPhase = Map.groupBy(
    sections.filter(({ heading }) => phaseTitle.test(heading.title)),
    ({ heading }) => heading.phase,
  )
  return tasks.map((task) => {
    const phase = phaseTitle.exec(task.item.text[0] ?? '')?.[1]
    const [about, ...others] = (phase === undefined ? null : byPhase.get(phase)) ?? []
    if (about === undefined || others.length > 0 || task.sections.includes(about)) return task
    return { ...task, about, below: [...task.below, ...about.fields] }
  })
}

/** A heading, and what stands between it and the next one. */
interface Run {
  readonly title: Heading | null
  readonly units: readonly SectionUnit[]
}

function readRuns(lines: readonly string[]): readonly Run[] {
  const parts: { heading: Block | null; blocks: Block[] }[] = [{ heading: null, blocks: [] }]
  for (const block of readBlocks(lines)) {
    if (block.kind === 'heading') parts.push({ heading: block, blocks: [] })
    else parts.at(-1)?.blocks.push(block)
  }
  const runs = parts.map(({ heading, blocks }): Run => {
    const title = heading === null ? null : readHeading(heading, lines)
    return { title, units: readUnits(blocks, title?.title ?? '', lines) }
  })
  return runs.map((run, index) => {
    const isOnly = run.units.some((unit) => unit.isCriterion) && !holdsTasks(runs, index)
    const units = run.units.map((unit) => ({ ...unit, isCriterion: false }))
    return isOnly ? { ...run, units } : run
  })
}

/**
 * Whether the part that criteria belong to has tasks beside them: the section itself, or what a
 * heading "Success criteria" stands in. Where it has none, as in a user story, they are its tasks.
 */
function holdsTasks(runs: readonly Run[], index: number): boolean {
  const depthOf = (run: Run | undefined): number => run?.title?.depth ?? 0
  const own = runs[index]
  const has = (run: Run | undefined): boolean =>
    run?.units.some(({ item, isCriterion }) => item !== null && !isCriterion && holdsBox(item)) ??
    false
  if (has(own) || own === undefined || !isCriteria(own.title?.title ?? '')) return has(own)
  const parent = runs.findLastIndex((run, at) => at < index && depthOf(run) < depthOf(own))
  const next = runs.findIndex((run, at) => at > parent && depthOf(run) <= depthOf(runs[parent]))
  return runs.slice(parent, next === -1 ? runs.length : next).some(has)
}

/** The tasks of one heading with what stands below each of them, and what belongs to none. */
function takeBelow(
  units: readonly SectionUnit[],
  found: readonly (readonly FoundTask[])[],
  lines: readonly string[],
): { readonly tasks: readonly FoundTask[]; readonly loose: readonly LooseLines[] } {
  const starts = found.flatMap((list, index) => (list.length > 0 ? [index] : []))
  const gaps = starts.map((start, n) => units.slice(start + 1, starts[n + 1] ?? units.length))
  const takesAll = isWrittenBelow(found, gaps)
  const left = units.slice(0, starts[0] ?? 0).filter(({ isCriterion }) => isCriterion)
  const tasks = starts.flatMap((start, n) => {
    const list = found[start] ?? []
    const gap = gaps[n] ?? []
    const item = units[start]?.item
    const last = list.at(-1)
    const taken = last && item && last.item === item ? unitsBelow(item, gap, takesAll) : []
    left.push(...gap.slice(taken.length))
    if (last === undefined || taken.length === 0) return list
    const endLine = taken.at(-1)?.block.endLine ?? last.endLine
    return [...list.slice(0, -1), { ...last, endLine, below: fieldsOf(taken, lines) }]
  })
  return { tasks, loose: looseLines(left) }
}

/** True where most boxes of a section have their text below them: then all of it is a task's. */
function isWrittenBelow(
  found: readonly (readonly FoundTask[])[],
  gaps: readonly (readonly SectionUnit[])[],
): boolean {
  const tasks = found.flat()
  const filled = gaps.filter((gap) => gap.some(({ isLabel, block }) => !isLabel && says(block)))
  const heading = tasks[0]?.sections.at(-1)?.heading
  if (tasks.length === 1) return heading !== undefined && heading.depth > 1 && filled.length > 0
  return filled.length * 2 > tasks.length
}

const says = ({ kind }: Block): boolean => !['html', 'thematicBreak', 'definition'].includes(kind)

/** Units that follow each other, as one. */
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
  sections: readonly Section[],
  path: readonly string[],
  granularity: Granularity,
): FoundTask[] {
  const subtasks = boxesIn(item)
  if (item.box && (granularity === 'task' || subtasks.length === 0)) {
    const { box, endLine } = item
    return [
      { item, box, status: box.status, sections, path, subtasks, about: null, below: [], endLine },
    ]
  }
  if (subtasks.length === 0 || (!item.box && isCriteria(item.text[0] ?? ''))) return []
  const inner = [...path, readTitle(item).title].filter((title) => title !== '')
  return item.items.flatMap((child) => collect(child, sections, inner, granularity))
}

function boxesIn(item: ListItem): ListItem[] {
  return item.items.flatMap((child) => [...(child.box ? [child] : []), ...boxesIn(child)])
}

/** What the headings above a task say under this name, the innermost first; empty where they do not. */
export function fieldAbove({ sections }: FoundTask, name: FieldName): string {
  const fields = sections.toReversed().flatMap((section) => section.fields)
  return fields.find((field) => field.name === name)?.value ?? ''
}
