import { takeElsewhere } from '../document/read-references.ts'
import { readRoadmap } from '../document/read-roadmap.ts'
import { readCsv } from './csv.ts'
import { type ReadPlan, toPlanTasks } from './plan-task.ts'
import { readPlanYaml } from './plan-yaml.ts'
import { readTaskMaster } from './task-master.ts'
import { writeTasks } from './write-tasks.ts'

/** The files that can be imported; `roadmap` is any Markdown with check boxes, as spec-kit's `tasks.md`. */
export const planFormats = ['plan', 'spec-kit', 'task-master', 'csv'] as const
export type PlanFormat = (typeof planFormats)[number]

const readers: Readonly<Record<PlanFormat, (text: string) => ReadPlan>> = {
  plan: readPlanYaml,
  'spec-kit': (text) => ({ tasks: toPlanTasks(readRoadmap(text).tasks), notes: [] }),
  'task-master': readTaskMaster,
  csv: readCsv,
}

const endings: readonly (readonly [RegExp, PlanFormat])[] = [
  [/\.ya?ml$/i, 'plan'],
  [/\.json$/i, 'task-master'],
  [/\.(?:md|markdown)$/i, 'spec-kit'],
  [/\.csv$/i, 'csv'],
]

/** The format of a file by its name; `null` for a name that says nothing. */
export const formatOf = (file: string): PlanFormat | null =>
  endings.find(([ending]) => ending.test(file))?.[1] ?? null

/** @throws UnreadablePlan for a text of another format */
export const readPlanFile = (text: string, format: PlanFormat): ReadPlan => readers[format](text)

export interface Import {
  /** The roadmap with the new tasks at its end. */
  readonly text: string
  readonly added: readonly string[]
  /** Ids that the roadmap has already: these tasks are left as they are. */
  readonly known: readonly string[]
  /** The facts that are not taken over, in sentences. */
  readonly notes: readonly string[]
}

/** Adds the tasks that a roadmap does not have. Importing the same plan again changes nothing. */
export function importTasks({ tasks, notes }: ReadPlan, before: string): Import {
  const there = new Set(readRoadmap(before).tasks.map(({ id }) => id.toLowerCase()))
  const isKnown = (id: string) => there.has(id.toLowerCase())
  const fresh = tasks.filter(({ id }) => !isKnown(id))
  const known = tasks.filter(({ id }) => isKnown(id)).map(({ id }) => id)
  const names = new Set(fresh.map(({ id }) => id.toLowerCase()))
  const dropped: string[] = []
  const wanted = fresh.map((task) => {
    const isThere = (id: string) =>
      names.has(id.toLowerCase()) || isKnown(id) || takeElsewhere(id).elsewhere.length > 0
    const gone = task.dependsOn.filter((id) => !isThere(id) || id === task.id)
    if (gone.length > 0)
      dropped.push(`${task.id}: it depends on ${gone.join(', ')}, which is not there.`)
    return { ...task, dependsOn: task.dependsOn.filter((id) => !gone.includes(id)) }
  })
  if (wanted.length === 0) return { text: before, added: [], known, notes: [...notes, ...dropped] }
  const written = writeTasks(wanted, before)
  return {
    text: written.text,
    added: wanted.map(({ id }) => id),
    known,
    notes: [...notes, ...dropped, ...written.notes],
  }
}
