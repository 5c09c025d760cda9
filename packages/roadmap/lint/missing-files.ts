import { isPattern, isToDo, saysCreate, type Task } from '../../task/task.ts'
import { pathsIn, staysInside } from '../../text/text.ts'
import { readLabel } from '../document/read-fields.ts'
import type { LintContext, RuleMatch } from './finding.ts'
import type { TaskPlaces } from './task-size.ts'

/**
 * Finds files that a task mentions as existing, but that do not exist and that no task creates: usually typos. A task
 * creates the files that a sentence says it creates ("Add `a.js`") and its `Files`, unless its title is about
 * existing code ("Fix the loop") or a file has nearly that name. Linear in tasks and files.
 */
export function lintMissingFiles(
  tasks: readonly Task[],
  places: TaskPlaces,
  { files }: Pick<LintContext, 'files'>,
): readonly RuleMatch[] {
  if (files === null) return []
  const existing = new PathIndex(files.keys())
  const known = new PathIndex(files.keys())
  const named = tasks.map((task) => ({ task, lines: linesOf(task) }))
  for (const { task, lines } of named) {
    for (const path of madeBy(task, lines, existing)) known.add(path)
  }
  return named
    .filter(({ task }) => isToDo(task))
    .flatMap(({ task, lines }) => {
      const paths = new Set([...task.files, ...lines.flatMap((line) => line.paths)])
      return [...paths]
        .filter((path) => isFile(path) && !known.has(path))
        .map((path) => toFinding(task, path, existing.closest(path), places))
    })
}

/**
 * The title and each line of the details, except `Files`, with the paths in it. Skips lines without a dot, since a
 * file name has one.
 */
const linesOf = ({ title, details }: Task) =>
  [title, ...details.split('\n')]
    .filter((text, at) => text.includes('.') && (at === 0 || readLabel(text)?.name !== 'files'))
    .map((text) => ({ text, paths: pathsIn(text) }))

const changes =
  /\b(?:adjust|change|correct|debug|delete|deprecate|document|extend|fix|improve|migrate|modify|move|optimi[sz]e|patch|refactor|remove|rename|repair|replace|simplify|speed up|update|upgrade)\b/i

function madeBy(
  { title, files }: Task,
  lines: ReturnType<typeof linesOf>,
  existing: PathIndex,
): readonly string[] {
  const created = lines.filter(({ text }) => saysCreate(text)).flatMap(({ paths }) => paths)
  if (saysCreate(title)) return [...files, ...created]
  const isChange = changes.test(title)
  return [...created, ...files.filter((path) => !isChange && !existing.hasNearlySame(path))]
}

/** Names that every project has several of. */
const ordinary = /^(?:index|main|mod|app|lib|utils?|types?|test|config|setup|__init__|README)\./i

// Folders, globs, paths outside the repository and bare words do not name one file.
const isFile = (path: string): boolean =>
  !isPattern(path) && staysInside(path) && /[^/.][^/]*\.\w+$|^[^/]*\/.*\.\w+$/.test(path)

function toFinding(
  task: Task,
  path: string,
  closest: string | null,
  places: TaskPlaces,
): RuleMatch {
  return {
    ...places.ofWords(task, path),
    message: `${task.id} names ${path}, which does not exist, and no task says that it creates it.`,
    fix:
      closest === null
        ? 'Correct the name, or say which task creates it: Add `file`.'
        : `Did you mean ${closest}? Otherwise say which task creates it: Add \`file\`.`,
  }
}

/** Finds paths by their full text, by their end, and by a nearly equal name. */
class PathIndex {
  readonly #byName = new Map<string, string[]>()
  readonly #byShortName = new Map<string, string>()

  constructor(paths: Iterable<string>) {
    for (const path of paths) this.add(path)
  }

  add(path: string): void {
    const name = nameOf(path)
    const known = this.#byName.get(name)
    if (known) known.push(path)
    else this.#byName.set(name, [path])
  }

  has(path: string): boolean {
    const same = this.#byName.get(nameOf(path)) ?? []
    return same.some((known) => known === path || known.endsWith(`/${path}`))
  }

  /** True when one letter or the extension differs: more likely the same file than a new one. */
  hasNearlySame(path: string): boolean {
    const name = nameOf(path)
    if (ordinary.test(name) || this.#byName.has(name)) return false
    const found = this.closest(path)
    return found !== null && Math.abs(nameOf(found).length - name.length) <= 2
  }

  /** The path with the same name elsewhere, another extension, or one different letter; `null` without one. */
  closest(path: string): string | null {
    const name = nameOf(path)
    const elsewhere = this.#byName.get(name)?.[0]
    if (elsewhere !== undefined) return elsewhere
    this.#indexShortNames()
    const forms = [stemOf(name), ...shortened(name)]
    const found = forms
      .map((form) => this.#byShortName.get(form))
      .find((each) => each !== undefined)
    return found ?? null
  }

  // Names that differ by one added, missing, wrong or swapped letter share a form without one letter.
  #indexShortNames(): void {
    if (this.#byShortName.size > 0) return
    for (const [name, [path]] of this.#byName) {
      if (path === undefined) continue
      for (const form of [stemOf(name), ...shortened(name)]) {
        if (!this.#byShortName.has(form)) this.#byShortName.set(form, path)
      }
    }
  }
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** `user.ts` → `user.`, which the same file in another language shares. */
const stemOf = (name: string): string => name.replace(/[^.]+$/, '')

/**
 * The name, and the name without each of its letters. Only the name itself when it is short, since short names are
 * all alike, or very long.
 */
function shortened(name: string): readonly string[] {
  if (name.length < 5 || name.length > 60) return [name]
  return [name, ...Array.from(name, (_, at) => name.slice(0, at) + name.slice(at + 1))]
}
