import { isSettled, leadsTo, type RoadmapProblem } from '../../task/task.ts'
import type { Section } from './find-tasks.ts'
import { type NamedTask, numberAbove } from './identify-tasks.ts'
import { type Field, proseLines } from './read-fields.ts'
import {
  mayBePlace,
  type Phrase,
  type Reference,
  readPhrases,
  readReferences,
  takeElsewhere,
  tellsPhrases,
} from './read-references.ts'
import {
  type Directory,
  keysOf,
  nameDirectory,
  type PlacedDirectory,
  withPlaces,
} from './task-directory.ts'

/** A task's dependencies before they are resolved: labelled fields, and phrases within sentences. */
interface Wishes {
  readonly fields: readonly Field[]
  readonly phrases: readonly (Phrase & { readonly isTitle: boolean })[]
  /** `api:T-1`, a task of another repository. */
  readonly elsewhere: readonly string[]
}

/** Resolves the dependencies that tasks and headings name to ids. */
export function resolveDependencies(
  tasks: readonly NamedTask[],
  sections: readonly Section[],
): {
  readonly dependsOn: readonly (readonly string[])[]
  readonly elsewhere: readonly (readonly string[])[]
  readonly problems: RoadmapProblem[]
} {
  const titles = new Map(sections.map(({ heading }) => [heading, readPhrases(heading.title)]))
  const wishes = tasks.map((task): Wishes => {
    const above = task.found.sections.flatMap(({ heading }) => titles.get(heading) ?? [])
    return wishesOf(task, above)
  })
  const named = withParts(nameDirectory(tasks, sections, namesIn(wishes)), tasks)
  const lookUp = withPlaces(named, tasks)
  const written = resolveFields(tasks, wishes, lookUp)
  const phrased = resolvePhrases(tasks, wishes, lookUp)
  const joined = addLoose(tasks, written.dependsOn, phrased.wanted)
  return {
    dependsOn: joined.dependsOn,
    elsewhere: wishes.map(({ elsewhere }) => elsewhere),
    problems: [...written.problems, ...phrased.problems, ...joined.problems],
  }
}

const noWishes: Wishes = { fields: [], phrases: [], elsewhere: [] }

function wishesOf(task: NamedTask, above: readonly Phrase[]): Wishes {
  const { title, details, sections, fields: own } = task.found
  const fields = [...sections.flatMap((section) => section.fields), ...noted(task), ...own]
  const below = tellsPhrases(details) ? proseLines(details).flatMap(readPhrases) : []
  const phrases = [
    ...readPhrases(title.title).map((phrase) => ({ ...phrase, isTitle: true })),
    ...[...above, ...below].map((phrase) => ({ ...phrase, isTitle: false })),
  ]
  const wanted = fields.filter(isDependency)
  if (wanted.length + phrases.length === 0) return noWishes
  const elsewhere = new Set<string>()
  const withoutThem = <Wish extends { readonly value: string }>(wish: Wish): Wish[] => {
    const taken = takeElsewhere(wish.value)
    for (const name of taken.elsewhere) elsewhere.add(name)
    const isOnly = taken.elsewhere.length > 0 && !/\w/.test(taken.rest)
    return isOnly ? [] : [{ ...wish, value: taken.rest }]
  }
  return {
    fields: wanted.flatMap(withoutThem),
    phrases: phrases.flatMap(withoutThem),
    elsewhere: [...elsewhere],
  }
}

/** The keys of every name that will be looked up; the directory holds no others. */
function namesIn(wishes: readonly Wishes[]): ReadonlySet<string> {
  const values = new Set(
    wishes.flatMap(({ fields, phrases }) => [...fields, ...phrases].map(({ value }) => value)),
  )
  const parts = [...values].flatMap(readReferences)
  const words = [...values, ...parts.map(({ part }) => part)]
  return new Set(
    [...parts, ...words.map((name) => ({ kind: 'words', name }) as const)].flatMap(keysOf),
  )
}

function resolveFields(
  tasks: readonly NamedTask[],
  wishes: readonly Wishes[],
  lookUp: PlacedDirectory,
): { readonly dependsOn: readonly (readonly string[])[]; readonly problems: RoadmapProblem[] } {
  const known = new Map<string, Resolved>()
  const problems = new Map<string, RoadmapProblem>()
  const resolve = (task: NamedTask, index: number, field: Field): readonly string[] => {
    const phase = numberAbove(task.found, 'phase')
    const at = mayBePlace(field.value) ? index : null
    const key = JSON.stringify([phase, field.name, field.value, at])
    const isOwn = field.line >= task.found.box.line
    const find: LookUp = (name) => lookUp(name, phase, { index, isOwn })
    const resolved = known.get(key) ?? resolveField(field, find)
    known.set(key, resolved)
    for (const name of resolved.unknown) {
      const problem = unknownDependency(task, field, name)
      const place = `${problem.line}:${name}`
      if (problems.get(place)?.severity !== 'error') problems.set(place, problem)
    }
    return resolved.ids
  }
  const dependsOn = tasks.map((task, index) =>
    union(
      task.id,
      (wishes[index] ?? noWishes).fields.map((field) => resolve(task, index, field)),
    ),
  )
  return { dependsOn, problems: [...problems.values()] }
}

/** Resolves the old id of a split or rewritten task to the tasks that replaced it. */
function withParts(lookUp: Directory, tasks: readonly NamedTask[]): Directory {
  return (reference, phase) => {
    const found = lookUp(reference, phase)
    if (found !== null || reference.kind !== 'id') return found
    const parent = reference.name.toLowerCase()
    const parts = tasks.filter(({ id }) => {
      const own = id.toLowerCase()
      return own.startsWith(parent) && /^(?:-[a-e])+$/.test(own.slice(parent.length))
    })
    return parts.length > 0 ? parts.map(({ id }) => id) : null
  }
}

interface Resolved {
  readonly ids: readonly string[]
  readonly unknown: readonly string[]
}

type LookUp = (reference: Pick<Reference, 'kind' | 'name' | 'place'>) => readonly string[] | null

function resolveField(field: Field, lookUp: LookUp): Resolved {
  const whole = lookUp({ kind: 'words', name: field.value })
  if (whole) return { ids: whole, unknown: [] }
  const found = readReferences(field.value).map((reference) => ({
    reference,
    ids: lookUp(reference) ?? lookUp({ kind: 'words', name: reference.part }),
  }))
  const missing = found.filter(({ ids, reference }) => ids === null && counts(field, reference))
  return {
    ids: [...new Set(found.flatMap(({ ids }) => ids ?? []))],
    unknown: missing.map(({ reference }) => reference.name),
  }
}

// "Prerequisite: Python 3.11, an account" addresses people; "Depends on: the parser" must name a task.
function counts(field: Field, { kind, name, alone }: Reference): boolean {
  if (field.name === 'depends' || kind === 'phase') return true
  if (kind === 'id') return name.startsWith('T-')
  return (kind === 'number' || kind === 'place') && alone
}

const isDependency = ({ name }: Field): boolean => name === 'depends' || name === 'prerequisite'

const noted = ({ found: { title, box, column } }: NamedTask): readonly Field[] =>
  title.notes.map((note) => ({ ...note, line: box.line, column }))

// Keeps one list shared when all tasks of a phase have the same long one.
function union(own: string, lists: readonly (readonly string[])[]): readonly string[] {
  const filled = lists.filter((list) => list.length > 0)
  const [only = []] = filled
  if (filled.length <= 1 && !only.includes(own)) return only
  return [...new Set(filled.flat())].filter((id) => id !== own || isOnlyItself(lists, own))
}

// A task that depends on its own phase does not wait for itself; one that names itself is a cycle.
const isOnlyItself = (lists: readonly (readonly string[])[], own: string): boolean =>
  lists.some((list) => list.length === 1 && list[0] === own)

function unknownDependency(task: NamedTask, field: Field, name: string): RoadmapProblem {
  const shown = JSON.stringify(name.slice(0, 80))
  return {
    rule: 'unknown-dependency',
    severity: isSettled(task.found) ? 'warning' : 'error',
    line: field.line,
    column: field.column,
    message: `Line ${field.line}: ${task.id} depends on ${shown}, which is not a task, section or phase of this roadmap.`,
    fix: 'Name an id, a section number or a phase of this roadmap, or remove the dependency.',
  }
}

/**
 * Resolves dependencies that sentences describe without a label, which never refuse a run, to each task's ids. A box
 * for a whole phase also waits for the tasks of that phase.
 */
function resolvePhrases(
  tasks: readonly NamedTask[],
  wishes: readonly Wishes[],
  lookUp: PlacedDirectory,
): { readonly wanted: readonly (readonly string[])[]; readonly problems: RoadmapProblem[] } {
  const problems: RoadmapProblem[] = []
  const bySection = new Map<Section, string[]>()
  for (const { found } of tasks) if (found.about) bySection.set(found.about, [])
  if (bySection.size > 0)
    for (const { id, found } of tasks)
      for (const section of found.sections) bySection.get(section)?.push(id)
  const wanted = tasks.map((task, index) => {
    const { about } = task.found
    const parts = about === null ? [] : (bySection.get(about) ?? [])
    const phrased = (wishes[index] ?? noWishes).phrases.flatMap((phrase) => {
      const phase = numberAbove(task.found, 'phase')
      const find: LookUp = (name) => lookUp(name, phase, { index, isOwn: true })
      const { ids, unknown } = resolvePhrase(phrase, find)
      if (unknown !== null) problems.push(unknownPhrase(task, unknown))
      return ids
    })
    return [...parts, ...phrased]
  })
  return { wanted, problems }
}

function resolvePhrase(
  { value, isPlain, mayBeWords, isTitle }: Wishes['phrases'][number],
  lookUp: LookUp,
): { readonly ids: readonly string[]; readonly unknown: string | null } {
  const whole = mayBeWords ? lookUp({ kind: 'words', name: value }) : null
  if (whole !== null) return { ids: whole, unknown: null }
  const found = readReferences(value).filter(({ kind, alone }) =>
    kind === 'words' ? mayBeWords : alone,
  )
  const ids = found.flatMap((reference) => lookUp(reference) ?? [])
  const missing = found.find((reference) => {
    const isName = reference.kind !== 'words' || (isPlain && isTitle)
    return isName && lookUp(reference) === null
  })
  return { ids, unknown: missing?.name ?? null }
}

/** Adds these dependencies to the labelled ones in document order, except those that would close a cycle. */
function addLoose(
  tasks: readonly NamedTask[],
  dependsOn: readonly (readonly string[])[],
  wanted: readonly (readonly string[])[],
): { readonly dependsOn: readonly (readonly string[])[]; readonly problems: RoadmapProblem[] } {
  if (wanted.every((ids) => ids.length === 0)) return { dependsOn, problems: [] }
  const known = new Map(tasks.map(({ id }, index) => [id, dependsOn[index] ?? []]))
  const problems: RoadmapProblem[] = []
  for (const [index, task] of tasks.entries()) {
    for (const id of new Set(wanted[index])) {
      const own = known.get(task.id) ?? []
      if (id === task.id || own.includes(id)) continue
      if (leadsTo(id, task.id, known)) problems.push(dropped(task, id))
      else known.set(task.id, [...own, id])
    }
  }
  return { dependsOn: tasks.map(({ id }) => known.get(id) ?? []), problems }
}

const unread = ({ found }: NamedTask, message: string, fix: string): RoadmapProblem => ({
  rule: 'unread-dependency',
  severity: 'note',
  line: found.box.line,
  column: found.column,
  message,
  fix,
})

const unknownPhrase = (task: NamedTask, name: string): RoadmapProblem =>
  unread(
    task,
    `${task.id} may depend on ${JSON.stringify(name.slice(0, 80))}, which is not a task, section or phase of this roadmap.`,
    'If it does, write - **Depends on**: and an id, a number or a title of this roadmap.',
  )

const dropped = (task: NamedTask, id: string): RoadmapProblem =>
  unread(
    task,
    `${task.id} should come after ${id}, but ${id} depends on it; this dependency is ignored.`,
    'Remove one of the two dependencies.',
  )
