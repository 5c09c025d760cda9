import { isPathWord, modulesIn, normalisePath, pathsIn, trimMarks } from '../text/text.ts'
import { isSettled, type Task } from './task-schema.ts'

/**
 * Orders tasks by dependencies, then priority, then position. A dependency on a task that is not in the list counts
 * as met; tasks on a cycle are left out. `groups` are waves of ids: the tasks of a wave depend only on earlier waves,
 * so they may run in parallel.
 */
export function orderTasks(tasks: readonly Task[]): {
  readonly order: Task[]
  readonly groups: string[][]
} {
  const byPriority = [...tasks.keys()].sort(
    (a, b) => (tasks[a]?.priority ?? 0) - (tasks[b]?.priority ?? 0) || a - b,
  )
  const rank: number[] = []
  for (const [place, index] of byPriority.entries()) rank[index] = place
  const dependencies = dependencyPlaces(tasks)
  const { order } = sortByDependencies(dependencies, rank)

  const waves: number[] = []
  const groups: string[][] = []
  for (const index of order) {
    let wave = 0
    for (const place of dependencies[index] ?? []) wave = Math.max(wave, (waves[place] ?? 0) + 1)
    waves[index] = wave
    const group = groups[wave] ?? []
    group.push(tasks[index]?.id ?? '')
    groups[wave] = group
  }
  return { order: order.flatMap((index) => tasks[index] ?? []), groups }
}

/** The ids that attempts at tasks turned out to need, by task id. */
export type NeededIds = ReadonlyMap<string, readonly string[]>

export interface Relations {
  readonly dependsOn: ReadonlyMap<string, readonly string[]>
  /**
   * Open tasks that modify a file after its creator and before a task that names it; that task starts from them once
   * they are finished.
   */
  readonly buildsOn: ReadonlyMap<string, readonly string[]>
}

/** Each task's dependencies; see `relateTasks`. */
export const inferDependencies = (
  ...given: Parameters<typeof relateTasks>
): Relations['dependsOn'] => relateTasks(...given).dependsOn

/**
 * Collects each task's dependencies: those it declares, those that an attempt at it `lacked`, and the earlier open
 * task that creates a file it names and that does not exist at the base. "Earlier" follows declared dependencies,
 * then evidence, then position, so an inferred dependency never closes a cycle.
 */
export function relateTasks(
  tasks: readonly Task[],
  exists: (path: string) => boolean,
  lacked: NeededIds = new Map(),
): Relations {
  const needs = withEvidence(tasks, lacked)
  const { order } = sortByDependencies(dependencyPlaces(tasks, needs), [...tasks.keys()])
  const dependsOn = new Map(tasks.map(({ id }, index) => [id, needs[index] ?? []]))
  const buildsOn = new Map<string, readonly string[]>()
  const writers = new WriterIndex()
  for (const index of order) {
    const task = tasks[index]
    if (task === undefined || isSettled(task)) continue
    const missing = taskPaths(task).filter((path) => !isPattern(path) && !exists(path))
    const named = [
      ...missing.map((path) => writers.find(path, task.files.includes(path))),
      ...modulesIn(wordsOf(task)).map((name) => writers.find(name, false)),
    ]
    const known = needs[index] ?? []
    const first = named.flatMap((ids) => ids.slice(0, 1)).filter((id) => !known.includes(id))
    dependsOn.set(task.id, first.length > 0 ? [...known, ...new Set(first)] : known)
    const others = new Set(named.flatMap((ids) => ids.slice(1)))
    if (others.size > 0) buildsOn.set(task.id, [...others])
    else buildsOn.delete(task.id)
    const created = missing.length > 0 ? createdPaths(task) : new Set()
    for (const path of missing) if (created.has(path)) writers.add(path, task.id)
  }
  return { dependsOn, buildsOn }
}

/**
 * Adds to each task's dependencies those that an attempt at it lacked, except those that close a cycle: such tasks
 * run in document order.
 */
function withEvidence(tasks: readonly Task[], lacked: NeededIds): readonly (readonly string[])[] {
  const written = tasks.map(({ dependsOn }) => dependsOn)
  if (lacked.size === 0) return written
  const ids = new Set(tasks.map(({ id }) => id))
  const joined = tasks.map(({ id, dependsOn }) => {
    const needed = (lacked.get(id) ?? []).filter((other) => ids.has(other))
    return needed.length === 0 ? dependsOn : [...new Set([...dependsOn, ...needed])]
  })
  const { stuck } = sortByDependencies(dependencyPlaces(tasks, joined), [...tasks.keys()])
  const needs = new Map(tasks.map(({ id }, index) => [id, joined[index] ?? []]))
  for (const index of stuck) {
    const [id = '', own] = [tasks[index]?.id, written[index]]
    joined[index] = (joined[index] ?? []).filter(
      (other) => own?.includes(other) || !leadsTo(other, id, needs),
    )
  }
  return joined
}

/** The tasks that write each file, its creator first; looked up by the file's path or a part of it. */
class WriterIndex {
  readonly #byPath = new Map<string, string[]>()
  readonly #pathsByName = new Map<string, string[]>()

  add(path: string, id: string): void {
    const known = this.#byPath.get(path)
    if (known !== undefined) {
      known.push(id)
      return
    }
    this.#byPath.set(path, [id])
    const name = fileStem(path)
    const alike = this.#pathsByName.get(name)
    if (alike === undefined) this.#pathsByName.set(name, [path])
    else alike.push(path)
  }

  /** `exact` is for a declared path, which names exactly one file. */
  find(path: string, exact: boolean): readonly string[] {
    const known = this.#byPath.get(path)
    if (exact || known !== undefined) return known ?? []
    const match = this.#pathsByName.get(fileStem(path))?.find((other) => namesFile(path, other))
    return this.#byPath.get(match ?? '') ?? []
  }
}

/**
 * The open tasks that supply this file or module, such as `./user` for `src/user.js`: the first in the given order
 * that creates it, else all that name it.
 */
export function suppliersOf(path: string, tasks: readonly Task[]): string[] {
  const naming = tasks
    .filter((task) => !isSettled(task))
    .filter((task) => taskPaths(task).some((named) => namesFile(path, named)))
  const creator = naming.find((task) =>
    [...createdPaths(task)].some((named) => namesFile(path, named)),
  )
  return (creator === undefined ? naming : [creator]).map(({ id }) => id)
}

/** Every path that a task names, including its `Files`. */
export function taskPaths(task: Task): string[] {
  return [...new Set([...task.files, ...pathsIn(wordsOf(task))])]
}

const wordsOf = ({ title, details }: Task): string => `${title}\n${details}`

export const isPattern = (path: string): boolean => /[*{?]/.test(path)

const fileStem = (path: string): string => (path.split('/').at(-1) ?? path).replace(/\.[^.]+$/, '')

/**
 * Sorts the numbers 0…n−1 so that each follows everything it depends on; among those that may come next, the smallest
 * rank is first. `stuck` are those on a cycle, or that depend on one.
 */
export function sortByDependencies(
  dependencies: readonly (readonly number[])[],
  rank: readonly number[],
): { readonly order: number[]; readonly stuck: number[] } {
  const waitingFor = Int32Array.from(dependencies, (list) => list.length)
  const dependents = reversed(dependencies)
  const rankOf = (index: number) => rank[index] ?? 0
  // A stack: its last element is next.
  const ready = [...waitingFor.keys()]
    .filter((index) => waitingFor[index] === 0)
    .sort((a, b) => rankOf(b) - rankOf(a))
  const order: number[] = []
  for (let index = ready.pop(); index !== undefined; index = ready.pop()) {
    order.push(index)
    for (const dependent of dependents(index)) {
      const left = (waitingFor[dependent] ?? 0) - 1
      waitingFor[dependent] = left
      if (left === 0) insert(ready, dependent, rankOf)
    }
  }
  return { order, stuck: [...waitingFor.keys()].filter((index) => (waitingFor[index] ?? 0) > 0) }
}

/** Looks up the dependents of each number in slices of one array, instead of 10,000 small arrays. */
function reversed(lists: readonly (readonly number[])[]): (index: number) => Int32Array {
  const ends = new Int32Array(lists.length + 1)
  for (const list of lists) for (const index of list) ends[index + 1] = (ends[index + 1] ?? 0) + 1
  for (let at = 1; at < ends.length; at += 1) ends[at] = (ends[at] ?? 0) + (ends[at - 1] ?? 0)
  const filled = ends.slice()
  const all = new Int32Array(ends.at(-1) ?? 0)
  for (const [from, list] of lists.entries()) {
    for (const index of list) {
      const at = filled[index] ?? 0
      all[at] = from
      filled[index] = at + 1
    }
  }
  return (index) => all.subarray(ends[index], ends[index + 1])
}

/** Inserts an item into a list sorted by descending rank. */
function insert(list: number[], item: number, rankOf: (item: number) => number): void {
  let [from, to] = [0, list.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (rankOf(list[middle] ?? 0) > rankOf(item)) from = middle + 1
    else to = middle
  }
  list.splice(from, 0, item)
}

/** An item and the ids of those it needs. */
interface Dependent {
  readonly id: string
  readonly dependsOn: readonly string[]
}

/** The indices of each item's dependencies; an id that is not in the list counts as met. */
export function dependencyPlaces(
  items: readonly Dependent[],
  needs: readonly (readonly string[])[] = items.map(({ dependsOn }) => dependsOn),
): readonly (readonly number[])[] {
  const places = new Map(items.map(({ id }, index) => [id, index]))
  // The tasks of a phase of a roadmap share one list of ids; resolve it once and share the result.
  const known = new Map<readonly string[], readonly number[]>()
  return needs.map((dependsOn) => {
    const list = known.get(dependsOn) ?? dependsOn.flatMap((id) => places.get(id) ?? [])
    known.set(dependsOn, list)
    return list
  })
}

/** Returns true when one task depends on the other, directly or through others. */
export function leadsTo(
  from: string,
  to: string,
  needs: ReadonlyMap<string, readonly string[]>,
): boolean {
  const seen = new Set([from])
  for (const id of seen) for (const next of needs.get(id) ?? []) seen.add(next)
  return seen.has(to)
}

const creates =
  /\b(?:add|build|creat|defin|develop|extract|generat|implement|introduc|mak|new|scaffold|set|split|writ)(?:e|es|ed|s|ing)?\b/i

/** Returns true for a sentence that creates something: "Add `a.js`", not "Fix `a.js`". */
export const saysCreate = (sentence: string): boolean => creates.test(sentence)

/** The paths that a task creates: its `Files`, and those that its text says it creates. */
function createdPaths({ title, details, files }: Task): ReadonlySet<string> {
  const lines = [title, ...details.split('\n')].filter(saysCreate)
  return new Set([...files, ...lines.flatMap(createdIn)])
}

const useVerb =
  /^(?:us(?:es|ing)|imports|importing|calls|calling|reads|reading|loads|loading|depends|needs|requires|relies|extends|inherits|wraps|wrapping|reuses|reusing)$/i
const plainUseVerb = /^(?:use|import|call|read|load|need|require|extend|wrap|reuse)$/i
const leadsToVerb = /^(?:to|that|which|and|must|should|will|can)$/i
const preposition = /^(?:from|of|for|with|like|against|on|via)$/i
/** Words that may come between a preposition and its path, or between two paths of a list. */
const link = /^(?:the|a|an|file|files|module|modules|and|or|its|both|code|existing)?$/i

/**
 * "Create `a.py` that uses `User` from `b.py`" creates only `a.py`. Paths after a verb of use, up to the next
 * sentence or verb of creation, exist already, and so do those directly after a word such as "from".
 */
function createdIn(line: string): readonly string[] {
  const found: string[] = []
  let isUsed = false
  let isAfterPreposition = false
  let before = ''
  for (const marked of line.split(/[\s,()]+/)) {
    const word = trimMarks(marked.replaceAll('`', ''))
    if (isPathWord(word)) {
      if (!isUsed && !isAfterPreposition) found.push(normalisePath(word))
    } else if (useVerb.test(word) || (plainUseVerb.test(word) && leadsToVerb.test(before))) {
      isUsed = true
    } else if (saysCreate(word) && !/ed$/i.test(word)) {
      isUsed = false
      isAfterPreposition = false
    } else if (preposition.test(word)) isAfterPreposition = true
    else if (!link.test(word)) isAfterPreposition = false
    if (/[.;]`?$/.test(marked)) {
      isUsed = false
      isAfterPreposition = false
    }
    before = word
  }
  return found
}

const packageFiles = /\/(?:index|__init__|mod)$/
const scriptExtension = /\.(?:[cm]?[jt]s|[jt]sx)$/
const pathAlias = /^(?:(?:\.{1,2}|@|~)\/+)+/

/**
 * Returns true when `reference`, in code or text, may mean the file: `./user`, `src/user.js` and `src.user` for
 * `src/user.js`, `crate::user` for `src/user.rs`, `app/user` for `app/user/index.ts`.
 */
function namesFile(reference: string, path: string): boolean {
  const written = reference.replace(pathAlias, '')
  const names = [written, moduleName(written)].filter((name) => name !== '')
  const stem = path.replace(/\.[^./]+$/, '')
  const forms = [path, stem, stem.replace(packageFiles, '')]
  if (scriptExtension.test(path) && scriptExtension.test(written))
    names.push(written.replace(scriptExtension, ''))
  return (
    names.some((name) => forms.some((form) => form === name || form.endsWith(`/${name}`))) ||
    isGoPackage(written, path)
  )
}

// Module names with dots or colons, as in Python, Java and Rust.
function moduleName(written: string): string {
  if (written.includes('/')) return ''
  return written
    .replace(/^(?:crate|self|super)::/, '')
    .replaceAll('::', '/')
    .replace(/^\.+/, '')
    .replaceAll('.', '/')
}

function isGoPackage(written: string, path: string): boolean {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
  return path.endsWith('.go') && folder !== '' && `/${written}`.endsWith(`/${folder}`)
}
