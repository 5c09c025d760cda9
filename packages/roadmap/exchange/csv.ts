import { parse } from 'csv-parse/sync'
import {
  aPlanTask,
  createIds,
  type PlanTask,
  type ReadPlan,
  readWords,
  UnreadablePlan,
} from './plan-task.ts'

/** The columns of Linear's and Jira's exports by what they hold, the best name first; a title is needed. */
const columns = {
  id: ['issue key', 'key', 'identifier', 'id'],
  title: ['title', 'summary', 'name'],
  details: ['description'],
  status: ['status', 'state'],
  priority: ['priority'],
  owner: ['assignee', 'owner'],
  section: ['project', 'project name', 'epic name', 'milestone'],
  blockedBy: ['blocked by', 'inward issue link (blocks)'],
  blocks: ['blocks', 'blocking', 'outward issue link (blocks)'],
  parent: ['parent issue', 'parent key'],
} as const

type Column = keyof typeof columns

/**
 * Reads issues as Linear and Jira export them. Jira repeats a column for each of its values. An issue that another one
 * blocks depends on it.
 *
 * @throws UnreadablePlan for a text that is no such table
 */
export function readCsv(text: string): ReadPlan {
  const [head = [], ...rows] = parseRows(text)
  const labels = head.map((label) => label.trim().toLowerCase())
  const valuesOf = (row: readonly string[], column: Column) =>
    columns[column].flatMap((name) =>
      row.flatMap((value, at) =>
        labels[at] === name && value.trim() !== '' ? [value.trim()] : [],
      ),
    )
  if (!columns.title.some((name) => labels.includes(name))) {
    throw new UnreadablePlan('This table has no column Title or Summary in its first line.')
  }
  const idOf = createIds()
  const notes: string[] = []
  const blocked = new Map<string, string[]>()
  const found = rows.map((row, at): PlanTask => {
    const first = (column: Column) => valuesOf(row, column)[0] ?? ''
    const id = idOf(first('id') || `${at + 1}`)
    const words = { status: first('status'), priority: first('priority') }
    if (first('parent') !== '')
      notes.push(`${id}: it is a part of ${first('parent')}, which a roadmap cannot hold.`)
    const names = (column: Column) =>
      valuesOf(row, column)
        .flatMap((value) => value.split(/[,;]\s*/))
        .map(idOf)
    for (const other of names('blocks')) blocked.set(other, [...(blocked.get(other) ?? []), id])
    const section = first('section')
    return aPlanTask({
      id,
      title: first('title') || id,
      details: first('details'),
      owner: first('owner') || null,
      ...{ ...readWords(id, words, notes), dependsOn: names('blockedBy') },
      headings: section === '' ? [] : [section],
    })
  })
  const tasks = found.map((task) => ({
    ...task,
    dependsOn: [...new Set([...task.dependsOn, ...(blocked.get(task.id) ?? [])])],
  }))
  const unused = [
    ...new Set(
      head.filter(
        (_, at) => !isRead(labels[at] ?? '') && rows.some((row) => (row[at] ?? '') !== ''),
      ),
    ),
  ]
  if (unused.length > 0) notes.push(`Not imported: the columns ${unused.join(', ')}.`)
  return { tasks, notes }
}

const read: ReadonlySet<string> = new Set(Object.values(columns).flat())
const isRead = (label: string): boolean => read.has(label)

function parseRows(text: string): readonly (readonly string[])[] {
  try {
    return parse(text, { bom: true, relax_column_count: true, skip_empty_lines: true })
  } catch (cause) {
    throw new UnreadablePlan(`This is not valid CSV: ${String(cause).slice(0, 200)}`, {
      cause,
    })
  }
}
