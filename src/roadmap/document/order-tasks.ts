import type { Task } from '../../core/domain/task.ts'
import { pathsIn } from '../../text/paths/path-tokens.ts'
import { namesFile } from './same-file.ts'
import { sortByDependencies } from './sort-by-dependencies.ts'

/**
 * Orders tasks by dependencies, then priority, then place in the document. A dependency that is not
 * among them counts as met; tasks on a cycle have no place and are left out. The groups are waves of
 * ids: a wave's tasks depend only on waves before it, so they may run side by side.
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

function dependencyPlaces(tasks: readonly Task[]): number[][] {
  const places = new Map(tasks.map(({ id }, index) => [id, index]))
  return tasks.map(({ dependsOn }) =>
    dependsOn.map((id) => places.get(id)).filter((place) => place !== undefined),
  )
}

/**
 * What each task depends on: what it says, and the earlier open task that creates a file it names,
 * where that file does not `exist` at the base. Earlier is by explicit dependencies, then place in
 * the document, so that nothing inferred ever closes a cycle.
 */
export function inferDependencies(
  tasks: readonly Task[],
  exists: (path: string) => boolean,
): ReadonlyMap<string, readonly string[]> {
  const { order } = sortByDependencies(dependencyPlaces(tasks), [...tasks.keys()])
  const all = new Map(tasks.map(({ id, dependsOn }) => [id, dependsOn]))
  const creators = new CreatorIndex()
  for (const task of order.flatMap((index) => tasks[index] ?? []).filter(isOpen)) {
    const missing = pathsOf(task).filter((path) => !isPattern(path) && !exists(path))
    const needed = missing.flatMap((path) => creators.find(path, task.files.includes(path)) ?? [])
    all.set(task.id, [...new Set([...task.dependsOn, ...needed])])
    const created = createdBy(task)
    for (const path of missing) if (created.has(path)) creators.add(path, task.id)
  }
  return all
}

/** The first task that creates each file, found by its path or by a part of it. */
class CreatorIndex {
  readonly #byPath = new Map<string, string>()
  readonly #pathsByName = new Map<string, string[]>()

  add(path: string, id: string): void {
    if (this.#byPath.has(path)) return
    this.#byPath.set(path, id)
    const name = fileStem(path)
    this.#pathsByName.set(name, [...(this.#pathsByName.get(name) ?? []), path])
  }

  /** `exact` is for a path that was declared, and so names one file only. */
  find(path: string, exact: boolean): string | undefined {
    if (exact || this.#byPath.has(path)) return this.#byPath.get(path)
    const match = this.#pathsByName.get(fileStem(path))?.find((known) => namesFile(path, known))
    return match === undefined ? undefined : this.#byPath.get(match)
  }
}

/** The open tasks, in the given order, that name this file or module: `./user` → those with `src/user.js`. */
export function suppliersOf(path: string, tasks: readonly Task[]): string[] {
  return tasks
    .filter(isOpen)
    .filter((task) => pathsOf(task).some((named) => namesFile(path, named)))
    .map(({ id }) => id)
}

const creates =
  /\b(?:add|build|creat|defin|develop|extract|generat|implement|introduc|mak|new|scaffold|set|split|writ)(?:e|es|ed|s|ing)?\b/i

/** True for a sentence that makes something new: "Add `a.js`", not "Fix `a.js`". */
export const saysCreate = (sentence: string): boolean => creates.test(sentence)

function createdBy({ title, details, files }: Task): ReadonlySet<string> {
  const sentences = [title, ...details.split('\n')].filter(saysCreate)
  return new Set([...files, ...sentences.flatMap(pathsIn)])
}

/** Every path that a task names, its `Files` among them. */
export function pathsOf({ title, details, files }: Task): string[] {
  return [...new Set([...files, ...pathsIn(`${title}\n${details}`)])]
}

function isOpen({ status }: Task): boolean {
  return status !== 'done' && status !== 'cancelled'
}

/** True for a glob. */
export function isPattern(path: string): boolean {
  return /[*{?]/.test(path)
}

function fileStem(path: string): string {
  return (path.split('/').at(-1) ?? path).replace(/\.[^.]+$/, '')
}
