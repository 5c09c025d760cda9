import {
  dependencyPlaces,
  inferDependencies,
  isToDo,
  sortByDependencies,
  type Task,
} from '../../task/task.ts'
import type { LintContext, RuleMatch } from './finding.ts'
import type { TaskPlaces } from './task-size.ts'

/**
 * Files that several open tasks claim in their `Files` although no dependency orders those tasks: parallel changes
 * would conflict. When the first of them creates the file, the next one starts from it anyway, so the finding is only
 * a note.
 */
export function findSharedFiles(
  all: readonly Task[],
  places: TaskPlaces,
  { files }: Pick<LintContext, 'files'>,
): readonly RuleMatch[] {
  const tasks = all.filter(isToDo)
  const claims = claimsOf(tasks)
  if (claims.length === 0) return []
  const declared = new Order(tasks)
  const loose = claims.filter(({ claimants }) => !declared.isChain(claimants))
  if (loose.length === 0) return []
  const inferred = files === null ? null : inferDependencies(tasks, (path) => files.has(path))
  const known =
    inferred && new Order(tasks.map(({ id }) => ({ id, dependsOn: inferred.get(id) ?? [] })))
  return loose.map((claim) =>
    toFinding(claim, tasks, known?.isChain(claim.claimants) ?? false, places),
  )
}

/** The files that several tasks claim; `claimants` are indices into the list of tasks. */
function claimsOf(tasks: readonly Task[]) {
  const named = tasks.flatMap(({ files }, index) => files.map((path) => ({ path, index })))
  const byPath = Map.groupBy(named, ({ path }) => path)
  return [...byPath]
    .filter(([, claimants]) => claimants.length > 1)
    .map(([path, claimants]) => ({ path, claimants: claimants.map(({ index }) => index) }))
}

const shown = 5

function toFinding(
  { path, claimants }: ReturnType<typeof claimsOf>[number],
  tasks: readonly Task[],
  isOrdered: boolean,
  places: TaskPlaces,
): RuleMatch {
  const own = claimants.flatMap((index) => tasks[index] ?? [])
  const named = own.slice(0, shown).map(({ id, line }) => `${id} (line ${line})`)
  const more = own.length > shown ? `, and ${own.length - shown} more` : ''
  const [first, second] = own
  const start = `${named.join(', ')}${more} claim ${path}, but no dependency orders them`
  return {
    ...(isOrdered && { severity: 'note' }),
    ...(second ? places.ofWords(second, path) : { line: 1, column: 1 }),
    message: isOrdered
      ? `${start}; ${first?.id} goes first, since it creates the file.`
      : `${start}.`,
    fix: `Add **Depends on**: ${first?.id} to ${second?.id}, or give each task its own files.`,
  }
}

/** Search steps for the whole roadmap; far more than any roadmap written for people needs. */
const mostSteps = 5_000_000

/** Answers which task comes before which, directly or through others. */
class Order {
  readonly #dependencies: readonly (readonly number[])[]
  readonly #rank: readonly number[]
  readonly #seen: Int32Array
  #search = 0
  #steps = 0

  constructor(tasks: readonly Pick<Task, 'id' | 'dependsOn'>[]) {
    this.#dependencies = dependencyPlaces(tasks)
    const { order, stuck } = sortByDependencies(this.#dependencies, [...tasks.keys()])
    const rank: number[] = []
    for (const [place, index] of [...order, ...stuck].entries()) rank[index] = place
    this.#rank = rank
    this.#seen = new Int32Array(tasks.length)
  }

  /**
   * Returns true when each member comes before the next. Any order that respects the dependencies sorts a chain
   * correctly, so one sort is enough.
   */
  isChain(members: readonly number[]): boolean {
    const sorted = [...members].sort((a, b) => this.#rankOf(a) - this.#rankOf(b))
    return sorted.every((member, at) => at === 0 || this.#comesBefore(sorted[at - 1] ?? 0, member))
  }

  /** Searches back from the later task, no further than the earlier one's rank. */
  #comesBefore(earlier: number, later: number): boolean {
    this.#search += 1
    const lists = new Set<readonly number[]>()
    const waiting = [later]
    for (let task = waiting.pop(); task !== undefined; task = waiting.pop()) {
      const list = this.#dependencies[task] ?? []
      if (lists.has(list)) continue
      lists.add(list)
      for (const dependency of list) {
        if (dependency === earlier) return true
        // Out of steps: report nothing that was not verified.
        if (++this.#steps > mostSteps) return true
        if (this.#rankOf(dependency) <= this.#rankOf(earlier)) continue
        if (this.#seen[dependency] === this.#search) continue
        this.#seen[dependency] = this.#search
        waiting.push(dependency)
      }
    }
    return false
  }

  #rankOf(index: number): number {
    return this.#rank[index] ?? 0
  }
}
