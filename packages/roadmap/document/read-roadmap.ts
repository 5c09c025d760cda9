import {
  dependencyPlaces,
  type Roadmap,
  type RoadmapProblem,
  sortByDependencies,
  type Task,
} from '../../task/task.ts'
import { buildTask, findUnreadValues } from './build-task.ts'
import { findTasks, type Granularity } from './find-tasks.ts'
import { identifyTasks } from './identify-tasks.ts'
import type { Box } from './list-item.ts'
import { splitSource } from './read-blocks.ts'
import { resolveDependencies } from './resolve-dependencies.ts'
import { cutIntro, findNearBoxes, leftOutTasks, unreadText } from './unread-notes.ts'

export interface ReadOptions {
  /** `leaf` makes each innermost check box a task; the default is `task`. */
  readonly granularity?: Granularity
}

/**
 * Reads the tasks of a Markdown document in document order, and its problems: the rules `invalid-id`, `duplicate-id`,
 * `unknown-dependency`, `dependency-cycle`, `invalid-path`, `same-task`, `left-out-task` and `unread-…`. Never throws,
 * whatever the text.
 */
export function readRoadmap(text: string, options: ReadOptions = {}): Roadmap {
  const { tasks, problems } = locateTasks(text, options.granularity ?? 'task')
  return { tasks: tasks.map(({ task }) => task), problems }
}

/** A task with the positions that an edit needs; its list item begins on the line of its box. */
export interface LocatedTask {
  readonly task: Task
  /** Column of its list item, 1-based. */
  readonly column: number
  readonly box: Box
  /** The boxes nested under it. */
  readonly nested: readonly Box[]
}

/** A task's own box, then the boxes nested under it. */
export const boxesOf = ({ box, nested }: LocatedTask): readonly [Box, ...Box[]] => [box, ...nested]

type Located = ReturnType<typeof locate>

const none: readonly never[] = []

let last: {
  readonly text: string
  readonly granularity: Granularity
  readonly located: Located
} | null = null

/**
 * Reads a document step by step: lines, tasks, ids, dependencies, problems. Caches the last result, since a run edits
 * the document it has just read, and 10,000 tasks take a third of a second.
 */
export function locateTasks(text: string, granularity: Granularity): Located {
  if (last?.text === text && last.granularity === granularity) return last.located
  const located = locate(text, granularity)
  last = { text, granularity, located }
  return located
}

function locate(text: string, granularity: Granularity) {
  const source = splitSource(text)
  const outline = findTasks(source, granularity)
  // Where leaves are the tasks, the boxes around them are read, too.
  const whole = granularity === 'task' ? outline : findTasks(source, 'task')
  const boxes = whole.tasks.flatMap(({ box, nested }) => [box, ...nested.map((each) => each.box)])
  const read = new Set(boxes.map(({ line }) => line))
  const loose = outline.tasks.length > 0 ? outline.loose : []
  const criteria = loose.filter(({ isCriteria }) => isCriteria)
  const identified = identifyTasks(outline.tasks)
  const resolved = resolveDependencies(identified.tasks, outline.sections)
  const tasks = identified.tasks.map((named, index): LocatedTask => {
    const { column, box, nested } = named.found
    const task = buildTask(named, resolved.dependsOn[index] ?? [], resolved.elsewhere[index] ?? [])
    return {
      task,
      column,
      box,
      nested: nested.length === 0 ? none : nested.map((each) => each.box),
    }
  })
  const problems: readonly RoadmapProblem[] = [
    ...identified.problems,
    ...identified.tasks.flatMap(findUnreadValues),
    ...resolved.problems,
    ...loose.map(unreadText),
    ...outline.sections.flatMap(cutIntro),
    ...findNearBoxes(source, read, criteria),
    ...leftOutTasks(identified.tasks),
    ...findCycles(tasks.map(({ task }) => task)),
  ]
  return { tasks, problems: problems.toSorted((a, b) => a.line - b.line || a.column - b.column) }
}

/** The document that `executor parse FILE --json` prints: every key of a task except those left out here. */
export const describeRoadmap = ({ tasks, problems }: Roadmap) => ({
  tasks: tasks.map(({ verify, model, priority, former, about, ...described }) => described),
  problems,
})

type Node = Pick<Task, 'id' | 'dependsOn' | 'status' | 'line'>

/** Reports each ring of open tasks that wait for each other. */
function findCycles(tasks: readonly Node[]): RoadmapProblem[] {
  const open = tasks.filter(({ status }) => status !== 'done')
  const dependencies = dependencyPlaces(open)
  const { stuck } = sortByDependencies(dependencies, [...open.keys()])
  return findRings(dependencies, stuck).map((ring) =>
    toProblem(ring.flatMap((place) => open[place] ?? [])),
  )
}

// Each stuck task waits for another stuck task, so following them always leads into a ring.
function findRings(dependencies: readonly (readonly number[])[], stuck: readonly number[]) {
  const isStuck = new Set(stuck)
  const walkOf = new Map<number, number>()
  const rings: number[][] = []
  for (const start of stuck) {
    const walk: number[] = []
    let place: number | undefined = start
    while (place !== undefined && !walkOf.has(place)) {
      walkOf.set(place, start)
      walk.push(place)
      place = dependencies[place]?.find((dependency) => isStuck.has(dependency))
    }
    if (place !== undefined && walkOf.get(place) === start)
      rings.push(walk.slice(walk.indexOf(place)))
  }
  return rings
}

const shown = 12

function toProblem(ring: readonly Node[]): RoadmapProblem {
  const named = ring.slice(0, shown).map(({ id, line }) => `${id} (line ${line})`)
  const more = ring.length > shown ? [`${ring.length - shown} more`] : []
  const path = [...named, ...more, ring[0]?.id].join(' → ')
  return {
    rule: 'dependency-cycle',
    severity: 'error',
    line: ring[0]?.line ?? 1,
    column: 1,
    message: `These tasks wait for each other, so none can start: ${path}.`,
    fix: 'Remove one of these dependencies.',
  }
}
