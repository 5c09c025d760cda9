import type { TaskStatus } from '../../task/task.ts'
import { oneLine } from '../../text/text.ts'
import { lineEnding } from '../document/read-blocks.ts'
import { readRoadmap } from '../document/read-roadmap.ts'
import { type PlanTask, toPlanTask, writePriority } from './plan-task.ts'

const signs: Readonly<Record<TaskStatus, string>> = {
  ...{ pending: ' ', in_progress: '~', done: 'x', cancelled: '-', blocked: '!' },
}

/**
 * Writes tasks under their headings after a document, of which every byte stays, and says in sentences which facts would
 * be read differently: what a roadmap cannot hold.
 */
export function writeTasks(
  tasks: readonly PlanTask[],
  before: string,
): { readonly text: string; readonly notes: readonly string[] } {
  const ending = lineEnding(before)
  const start = before === '' ? '# Roadmap\n' : before + (/[\n\r]$/.test(before) ? '' : ending)
  let path: readonly string[] | null = null
  const parts = tasks.map((task) => {
    const headings = headingsFor(task.headings, path)
    path = task.headings
    return [...headings, writeItem(task)].join('\n')
  })
  const text = `${start}\n${joinItems(parts)}\n`
  const written = start + text.slice(start.length).replaceAll('\n', ending)
  return { text: written, notes: tasks.flatMap((task) => differences(task, find(written, task))) }
}

/** Items follow one another; a heading has an empty line before it. */
const joinItems = (parts: readonly string[]): string =>
  parts.map((part, at) => (at > 0 && part.startsWith('#') ? `\n${part}` : part)).join('\n')

function headingsFor(wanted: readonly string[], path: readonly string[] | null): readonly string[] {
  if (path !== null && wanted.join('\n') === path.join('\n')) return []
  const names = wanted.length === 0 ? ['Tasks'] : wanted
  return names.map((name, depth) => `${'#'.repeat(Math.min(6, depth + 2))} ${oneLine(name)}\n`)
}

function writeItem(task: PlanTask): string {
  const { id, title, details, status, files, dependsOn, accept, verify, model, together } = task
  const { group, owner, priority, budget, subtasks } = task
  const field = (name: string, values: readonly string[]) =>
    values.length === 0 ? [] : [`  - **${name}**: ${values.join(', ')}`]
  const maybe = (value: string | null) => (value === null ? [] : [value])
  const below = [
    ...field('Files', files.map(asCode)),
    ...field('Depends on', dependsOn),
    ...field('Accept', accept.map(asCode)),
    ...field('Verify', maybe(verify).map(asCode)),
    ...field('Model', maybe(model).map(asCode)),
    ...field('Together', maybe(together)),
    ...field('Group', maybe(group)),
    ...field('Owner', maybe(owner)),
    ...field('Priority', maybe(writePriority(priority))),
    ...field('Budget', budget === null ? [] : writeBudget(budget)),
    ...subtasks.map((each) => `  - [${signs[each.status]}] ${oneLine(each.title)}`),
  ]
  const words = details === '' ? [] : ['', ...details.split(/\r\n?|\n/).map(indented), '']
  return [`- [${signs[status]}] ${id}: ${oneLine(title)}`, ...words, ...below].join('\n').trimEnd()
}

const writeBudget = ({ tokens, dollars }: NonNullable<PlanTask['budget']>): readonly string[] => [
  ...(tokens === null ? [] : [`${tokens} tokens`]),
  ...(dollars === null ? [] : [`$${dollars}`]),
]

const indented = (line: string): string => (line.trim() === '' ? '' : `  ${line}`)

/** Between as many backticks as the text needs. */
function asCode(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return longest === 0 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`
}

function find(text: string, { id }: PlanTask): PlanTask | undefined {
  const found = readRoadmap(text).tasks.find((task) => task.id === id)
  return found && toPlanTask(found)
}

const names: Readonly<Record<keyof PlanTask, string>> = {
  ...{ id: 'id', title: 'title', details: 'description', status: 'status', headings: 'section' },
  ...{ files: 'files', dependsOn: 'dependencies', accept: 'acceptance commands' },
  verify: 'test command',
  model: 'model',
  together: 'tasks wanted together',
  group: 'group',
  owner: 'owner',
  ...{ priority: 'priority', budget: 'budget', subtasks: 'subtasks' },
}

/** Which facts a reader of the roadmap finds otherwise. */
function differences(wanted: PlanTask, read: PlanTask | undefined): readonly string[] {
  if (read === undefined) return [`${wanted.id}: a roadmap cannot hold this task.`]
  const keys = (Object.keys(names) as (keyof PlanTask)[]).filter(
    (key) => key !== 'headings' && comparable(wanted[key]) !== comparable(read[key]),
  )
  if (keys.length === 0) return []
  return [
    `${wanted.id}: its ${keys.map((key) => names[key]).join(', ')} cannot be written so that it is read as it is.`,
  ]
}

const comparable = (value: unknown): string =>
  typeof value === 'string' ? oneLine(value) : JSON.stringify(value).replaceAll(/\s+/g, ' ')
