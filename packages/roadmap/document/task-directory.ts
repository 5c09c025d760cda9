import { plainWords } from '../../text/text.ts'
import type { Section } from './find-tasks.ts'
import { type NamedTask, numberAbove } from './identify-tasks.ts'
import { placesOf, type Reference, readPhrases } from './read-references.ts'
import { claimedId, labelOf } from './read-title.ts'
import type { Heading } from './section-units.ts'

type Named = Pick<Reference, 'kind' | 'name'>

/** The tasks that share a name. A group's name means all of them; a label or title must be unique. */
interface Entry {
  readonly group: boolean
  readonly tasks: NamedTask[]
}

/**
 * Looks up the ids that a reference means in a task of this phase. Returns `null` when nothing, or more than one
 * thing, has that name, and an empty list for a phase or section without tasks.
 *
 * @param wanted the keys (`keysOf`) of everything that will be looked up
 */
export function nameDirectory(
  tasks: readonly NamedTask[],
  sections: readonly Section[],
  wanted: ReadonlySet<string>,
): (reference: Named, phase: string | null) => readonly string[] | null {
  const directory = fillDirectory(tasks, sections, wanted)
  return (reference, phase) => {
    const entries = keysOf(reference).map((key) => directory.get(key))
    const entry = entries.find((candidate) => candidate !== undefined)
    if (!entry) return null
    const near = entry.tasks.filter(({ found }) => numberAbove(found, 'phase') === phase)
    const meant = reference.kind !== 'phase' && near.length > 0 ? near : entry.tasks
    const ids = [...new Set(meant.map(({ id }) => id))]
    return entry.group || ids.length === 1 ? ids : null
  }
}

/** The keys that a reference may match, the likeliest first. */
export function keysOf({ kind, name }: Named): string[] {
  const word = wordKey(name)
  if (kind === 'place') return []
  if (kind === 'phase') return [`phase ${word}`]
  if (kind === 'words') {
    const tag = word.replace(/^user stor(?:y|ies) (?=\d)/, 'us')
    return [`label ${word}`, `title ${word}`, `heading ${word}`, `tag ${tag}`]
  }
  if (kind === 'id' && !word.startsWith('t-')) return [`id ${word}`, `label ${word}`]
  const number = word.replace(/^t-/, '')
  const labels = ['task ', 'step ', 'item ', '#', ''].map((prefix) => `label ${prefix}${number}`)
  const byNumber = [`number ${number}`, ...(kind === 'number' ? labels : [`label ${word}`])]
  return [`id t-${number}`, ...byNumber, `short ${withoutZeros(number)}`]
}

function fillDirectory(
  tasks: readonly NamedTask[],
  sections: readonly Section[],
  wanted: ReadonlySet<string>,
): ReadonlyMap<string, Entry> {
  const directory = new Map<string, Entry>()
  if (wanted.size === 0) return directory
  const enter = (keys: readonly string[], group: boolean): readonly Entry[] =>
    keys
      .filter((key) => wanted.has(key))
      .map((key) => {
        const entry = directory.get(key) ?? { group, tasks: [] }
        directory.set(key, entry)
        return entry
      })
  const groups = new Map(
    sections.map((section) => [section, enter(headingKeys(section.heading), true)]),
  )
  for (const task of tasks) {
    const { sections: own, about } = task.found
    const above = [...own, ...(about ? [about] : [])].flatMap((each) => groups.get(each) ?? [])
    const tagged = enter(tagsOf(task), true)
    for (const entry of new Set([...above, ...tagged])) entry.tasks.push(task)
    for (const entry of enter(taskKeys(task), false)) entry.tasks.push(task)
  }
  for (const task of tasks) {
    for (const { claim } of task.found.nested) {
      const id = claimedId(claim)
      const key = id && `id ${wordKey(id)}`
      if (key === null || directory.has(key)) continue
      for (const entry of enter([key], false)) entry.tasks.push(task)
    }
  }
  return directory
}

function taskKeys({ id, found: { title } }: NamedTask): string[] {
  const own = wordKey(id)
  const label = labelOf(title)
  return [
    `id ${own}`,
    ...(own.startsWith('t-') ? [`short ${withoutZeros(own.slice(2))}`] : []),
    ...new Set(
      [title.title, title.title.replace(signsAfter, '')].map((one) => `title ${wordKey(one)}`),
    ),
    ...issuesOf(title.whole).map((issue) => `label ${issue}`),
    ...(label === null ? [] : [`label ${label}`]),
  ]
}

/** `[US1]` in a title: the story that it is part of, by which others name all of its tasks. */
const tagsOf = ({ found: { title } }: NamedTask): readonly string[] =>
  [...title.whole.matchAll(/\[([A-Z]{1,4}\d{1,3})\]/g)].map(([, tag = '']) => `tag ${wordKey(tag)}`)

/** `📅 2026-05-01 ⏫` after a title: its date and priority. */
const signsAfter = /(?:\s+\p{Extended_Pictographic}\uFE0F?(?:\s*[\d-]+)?)+$/u

/** The issues that a title is about, without those it waits for. */
function issuesOf(title: string): readonly string[] {
  const waits = readPhrases(title).map(({ value }) => value)
  const issues = title.match(/(?<!\w)#\d{1,9}\b/g) ?? []
  return issues.filter((issue) => !waits.some((value) => value.includes(issue)))
}

function headingKeys({ phase, section, title }: Heading): string[] {
  const words = wordKey(title)
  return [
    ...(phase === null ? [] : [`phase ${phase}`]),
    ...(section === null ? [] : [`number ${section}`]),
    `heading ${words}`,
    ...[...words.matchAll(/\buser story (\d{1,3})\b/g)].map(([, story]) => `tag us${story}`),
    `heading ${words.replace(/^[^\p{L}\d]*(?:phase\s+)?[\d.]+\s*[:.–—-]?\s*/u, '')}`,
  ]
}

const wordKey = (text: string): string =>
  plainWords(text.replaceAll('`', '')).toLowerCase().replace(/[.]$/, '')

const withoutZeros = (number: string): string => number.replace(/^0+(?=\d)/, '')

export type Directory = ReturnType<typeof nameDirectory>

/** Where the wish is: the task's index, and whether it is in the task's own text rather than above it. */
interface Asked {
  readonly index: number
  readonly isOwn: boolean
}
export type PlacedDirectory = (
  reference: Parameters<Directory>[0] & Pick<Reference, 'place'>,
  phase: string | null,
  asked: Asked,
) => readonly string[] | null

/** Resolves names by place, such as "the previous task"; `null` where there is no such task. */
export function withPlaces(lookUp: Directory, tasks: readonly NamedTask[]): PlacedDirectory {
  const sections = tasks.map(({ found }) => found.sections.at(-1))
  const groups = {
    task: [...tasks.keys()],
    section: sections,
    phase: tasks.map(({ found }, index) => numberAbove(found, 'phase') ?? sections[index]),
  }
  return (reference, phase, { index, isOwn }) => {
    const { place } = reference
    if (place === undefined) return lookUp(reference, phase)
    const unit = place.unit === 'task' && !isOwn ? 'section' : place.unit
    const ids = placesOf(place, groups[unit], index).flatMap((at) => tasks[at]?.id ?? [])
    return ids.length > 0 ? ids : null
  }
}
