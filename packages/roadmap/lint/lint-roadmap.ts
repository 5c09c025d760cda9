import {
  isPattern,
  isToDo,
  type Roadmap,
  type RoadmapProblem,
  saysCreate,
  type Task,
} from '../../task/task.ts'
import { hiddenCharacters, paddedText, pathsIn, staysInside } from '../../text/text.ts'
import { splitSource } from '../document/read-blocks.ts'
import { readLabel } from '../document/read-fields.ts'
import type { LintContext, LintFinding, RuleMatch } from './finding.ts'
import { isRuleId, lintRules, type RuleId } from './rules.ts'
import { findSharedFiles } from './shared-files.ts'
import { findOversized, findSmallBudget, findVague, TaskPlaces } from './task-size.ts'

/**
 * Finds files that a task mentions as existing, but that do not exist and that no task creates: usually typos. A task
 * creates the files that a sentence says it creates ("Add `a.js`") and its `Files`, unless its title is about
 * existing code ("Fix the loop") or a file has nearly that name. Linear in tasks and files.
 */
function lintMissingFiles(
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

type Find = (
  tasks: readonly Task[],
  places: TaskPlaces,
  context: LintContext,
) => readonly RuleMatch[]

/** A rule that checks each open task by itself. */
const ofEach =
  (find: (task: Task, ...rest: [TaskPlaces, LintContext]) => RuleMatch | null): Find =>
  (tasks, ...rest) =>
    tasks.filter(isToDo).flatMap((task) => find(task, ...rest) ?? [])

/** The rules checked here; the parser reports the others while it reads the roadmap. */
const played: readonly (readonly [RuleId, Find])[] = [
  ['no-tasks', (tasks) => (tasks.length === 0 ? [noTasks] : [])],
  ['vague-task', ofEach(findVague)],
  ['oversized-task', ofEach(findOversized)],
  ['small-budget', ofEach(findSmallBudget)],
  ['shared-file', (tasks, ...rest) => (tasks.length < 2 ? [] : findSharedFiles(tasks, ...rest))],
  ['missing-file', lintMissingFiles],
  ['hidden-text', (_, __, { text }) => findHidden(text)],
]

/**
 * All problems of a roadmap in document order: those found while reading it (errors prevent a run), and those that
 * would make the work expensive or unreliable. Pure; the cost per task does not grow with the roadmap.
 */
export function lintRoadmap(roadmap: Roadmap, context: LintContext): readonly LintFinding[] {
  const places = new TaskPlaces(splitSource(context.text).lines)
  const findings = played.flatMap(([rule, find]) => {
    const severity = lintRules.find(({ id }) => id === rule)?.severity ?? 'warning'
    return find(roadmap.tasks, places, context).map((match) => ({ rule, severity, ...match }))
  })
  return [...roadmap.problems.map(fromProblem), ...findings].sort(
    (a, b) => a.line - b.line || a.column - b.column,
  )
}

function fromProblem({ rule, ...rest }: RoadmapProblem): LintFinding {
  if (!isRuleId(rule)) throw new Error(`no rule is called ${rule}`)
  return { rule, ...rest }
}

const noTasks = {
  line: 1,
  column: 1,
  message: 'This document has no tasks: a task is a check box in a list.',
  fix: 'Write one, such as - [ ] Add a login page, or let executor normalize find tasks in prose.',
}

/** The most lines reported for hidden text; more would add no information. */
const mostFindings = 20

/** Finds text that readers do not see, the first on each line. The executor cuts it from every prompt. */
function findHidden(text: string): readonly RuleMatch[] {
  const { starts } = splitSource(text)
  const cuts = [...hiddenCharacters(text), ...paddedText(text)].sort((a, b) => a.start - b.start)
  const findings: RuleMatch[] = []
  let index = 0
  let last = -1
  for (const { start, channel } of cuts) {
    if (findings.length === mostFindings) break
    while ((starts[index + 1] ?? Number.POSITIVE_INFINITY) <= start) index += 1
    if (index === last) continue
    last = index
    findings.push({
      line: index + 1,
      column: start - (starts[index] ?? 0) + 1,
      message: `Line ${index + 1} contains text that readers do not see: ${channel}. The model does not see it either.`,
      fix: 'Remove it, or make it visible.',
    })
  }
  return findings
}
