/** Dependencies that nobody wrote as such: told in the words of a sentence. They refuse nothing. */
import type { RoadmapProblem } from '../../core/domain/task.ts'
import type { Section } from './find-tasks.ts'
import type { NamedTask } from './identify-tasks.ts'
import { readLabel } from './read-fields.ts'
import { type Phrase, readPhrases } from './read-phrases.ts'
import { type Reference, readReferences } from './read-references.ts'
import { leadsTo } from './sort-by-dependencies.ts'

type LookUp = (
  reference: Pick<Reference, 'kind' | 'name'>,
  phase: string | null,
) => readonly string[] | null

/** The ids that the sentences of each task mean; a box for a whole phase waits for the tasks of it. */
export function resolvePhrases(
  tasks: readonly NamedTask[],
  lookUp: LookUp,
): { readonly wanted: readonly (readonly string[])[]; readonly problems: RoadmapProblem[] } {
  const problems: RoadmapProblem[] = []
  const bySection = new Map<Section, string[]>()
  for (const { found } of tasks) if (found.about) bySection.set(found.about, [])
  for (const { id, found } of tasks)
    for (const section of found.sections) bySection.get(section)?.push(id)
  const wanted = tasks.map((task) => {
    const phrases = [
      ...readPhrases(task.title.title).map((phrase) => ({ phrase, isTitle: true })),
      ...[...task.found.sections.map(({ heading }) => heading.title), ...proseLines(task.details)]
        .flatMap(readPhrases)
        .map((phrase) => ({ phrase, isTitle: false })),
    ]
    const { about } = task.found
    const parts = about === null ? [] : (bySection.get(about) ?? [])
    const told = phrases.flatMap(({ phrase, isTitle }) => {
      const { ids, unknown } = resolvePhrase(phrase, isTitle, (name) => lookUp(name, task.phase))
      if (unknown !== null) problems.push(unread(task, unknown))
      return ids
    })
    return [...parts, ...told]
  })
  return { wanted, problems }
}

/** Lines of details that are neither code nor metadata. */
function proseLines(details: string): readonly string[] {
  let isCode = false
  return details.split('\n').filter((line) => {
    if (/^\s*(?:`{3,}|~{3,})/.test(line)) isCode = !isCode
    return !isCode && readLabel(line) === null
  })
}

function resolvePhrase(
  { value, isPlain, mayBeWords }: Phrase,
  isTitle: boolean,
  lookUp: (reference: Pick<Reference, 'kind' | 'name'>) => readonly string[] | null,
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

/**
 * Adds what was meant to what was written, in the order of the document, but for what would close a
 * circle.
 */
export function addLoose(
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

const placeOf = ({ found }: NamedTask) => ({ line: found.item.line, column: found.item.column })

const unread = (task: NamedTask, name: string): RoadmapProblem => ({
  rule: 'unread-dependency',
  severity: 'note',
  ...placeOf(task),
  message: `${task.id} may depend on ${JSON.stringify(name.slice(0, 80))}, which is no task, section or phase here.`,
  fix: 'Write - **Depends on**: and an id, a number or a title of this roadmap, if it does.',
})

const dropped = (task: NamedTask, id: string): RoadmapProblem => ({
  rule: 'unread-dependency',
  severity: 'note',
  ...placeOf(task),
  message: `${task.id} says that it comes after ${id}, which waits for it: that is left out.`,
  fix: 'Take one of the two dependencies out.',
})
