import type { ProposedTask, Task } from '../../task/task.ts'
import { findByName, isFormer, type RoadmapEdit, refuseEdit } from './edit-roadmap.ts'
import { lineEnding, lineStarts, splitSource, withLines } from './read-blocks.ts'
import { type LocatedTask, locateTasks, type ReadOptions } from './read-roadmap.ts'

/** New tasks in place of one, and what the audit comment says of it. */
export interface Replacement {
  readonly task: Pick<Task, 'id' | 'fingerprint' | 'title'>
  readonly strategy: string
  readonly reason: string
  /** ISO time. */
  readonly at: string
  readonly tasks: readonly ProposedTask[]
}

/** Characters of the old text that the audit comment keeps. */
const longestOriginal = 1_000

/**
 * Replaces one task item and everything nested in it by an audit comment and the new items, with the same indent and
 * bullet; every other byte stays (roadmap-format, Writing). Each new task waits for the one before it; the last must
 * pass the old task's acceptance commands. Refuses when the item is gone or its words have changed.
 */
export function replaceTask(
  text: string,
  amendment: Replacement,
  options: ReadOptions = {},
): RoadmapEdit {
  const { tasks } = locateTasks(text, options.granularity ?? 'task')
  const { id, fingerprint } = amendment.task
  const [found, ...others] = findByName(tasks, amendment.task)
  if (found === undefined) return refuseEdit(`The roadmap no longer has the task ${id}.`)
  const isOnce = found.nested.every(({ line }) => isWithin(found.task, line))
  if (others.length > 0 || !isOnce) return refuseEdit(`${id} occurs in more than one place.`)
  if (found.task.fingerprint !== fingerprint && !isFormer(found.task, amendment.task)) {
    return refuseEdit(`The text of ${id} has changed since the attempt.`)
  }
  const model = modelOnly(amendment)
  if (model !== null) return addModel(text, found, model, options)
  const { lines } = splitSource(text)
  const first = found.task.line
  const last = found.task.endLine
  const written = writeItems(found, lines.slice(first - 1, last), amendment)
  return { status: 'edited', text: withLines(text, first, last, written) }
}

/** The model of a proposal that changes nothing else. */
const modelOnly = ({ tasks }: Pick<Replacement, 'tasks'>): string | null => tasks[0]?.model ?? null

/** Adds one line to the task, which may get another id by it where it has none of its own. */
function addModel(
  text: string,
  { task, column }: LocatedTask,
  model: string,
  { granularity = 'task' }: ReadOptions,
): RoadmapEdit {
  const { lines } = splitSource(text)
  const head = lines[task.line - 1] ?? ''
  const bullet = /^(?:[-*+]|\d{1,9}[.)])[ \t]+/.exec(head.slice(column - 1))?.[0] ?? '- '
  const inner = `${head.slice(0, column - 1)}${' '.repeat(bullet.length)}- `
  const edited = withLines(text, task.endLine + 1, task.endLine, field(inner, 'Model', [model]))
  return taskOn(edited, task.line, granularity)?.model === model
    ? { status: 'edited', text: edited }
    : refuseEdit(`A line with a model cannot be added to ${task.id}.`)
}

const taskOn = (text: string, line: number, granularity: 'task' | 'leaf'): Task | undefined =>
  locateTasks(text, granularity).tasks.find(({ task }) => task.line === line)?.task

/** The id that a task has once its line with a model is added; `null` where that cannot be done. */
export function idWithModel(
  text: string,
  named: Pick<Task, 'id' | 'fingerprint'>,
  model: string,
  { granularity = 'task' }: ReadOptions = {},
): string | null {
  const [found] = findByName(locateTasks(text, granularity).tasks, named)
  if (found === undefined) return null
  const edited = addModel(text, found, model, { granularity })
  if (edited.status === 'refused') return null
  return taskOn(edited.text, found.task.line, granularity)?.id ?? null
}

const isWithin = (task: Task, line: number): boolean => line >= task.line && line <= task.endLine

function writeItems(
  { task, column }: LocatedTask,
  original: readonly string[],
  amendment: Replacement,
): readonly string[] {
  const head = original[0] ?? ''
  const indent = head.slice(0, column - 1)
  const bullet = /^(?:[-*+]|\d{1,9}[.)])[ \t]+/.exec(head.slice(indent.length))?.[0] ?? '- '
  const inner = `${indent}${' '.repeat(bullet.length)}- `
  // The parts of a part stay in its group.
  const isWhole = amendment.tasks.some(({ together }) => together)
  const group = task.together ?? (isWhole ? task.id : null)
  const items = amendment.tasks.flatMap(({ id, title, details, files }, index) => {
    const before = index === 0 ? task.dependsOn : [amendment.tasks[index - 1]?.id ?? '']
    const isLast = index === amendment.tasks.length - 1
    return [
      `${indent}${bullet}[ ] ${id}: ${title}`,
      ...details.map((detail) => `${inner}${detail}`),
      ...field(inner, 'Files', files.map(quoted)),
      ...field(inner, 'Depends on', before),
      ...field(inner, 'Accept', isLast ? task.accept.map(quoted) : []),
      ...field(inner, 'Verify', task.verify === null ? [] : [quoted(task.verify)]),
      ...field(inner, 'Model', task.model === null ? [] : [task.model]),
      ...field(inner, 'Together', group === null ? [] : [group]),
    ]
  })
  return [`${indent}${audit(original, amendment)}`, ...items]
}

const quoted = (text: string): string => `\`${text}\``

const field = (start: string, name: string, values: readonly string[]): readonly string[] =>
  values.length === 0 ? [] : [`${start}**${name}**: ${values.join(', ')}`]

/** A comment with the old text, the time and the reason, escaped so that the text cannot end it. */
function audit(original: readonly string[], { task, strategy, at, reason }: Replacement): string {
  const words = original.map((line) => line.trim()).join(' / ')
  const kept = words.length > longestOriginal ? `${words.slice(0, longestOriginal)} …` : words
  const inert = kept.replaceAll('--', '- -').replaceAll('>', '&gt;')
  return `<!-- executor: ${strategy.toLowerCase()} ${task.id} at ${at}, reason ${reason}; original: ${inert} -->`
}

/** The ids of the tasks that replace this one, in order: `T-3-a`, `T-3-b`. */
export const idsInPlaceOf = ({ id }: Pick<Task, 'id'>, count: number): readonly string[] =>
  ['a', 'b', 'c', 'd', 'e'].slice(0, count).map((letter) => `${id}-${letter}`)

/** How many times a task's ancestors were replaced; 0 for one that a person wrote. */
export const depthOf = ({ id }: Pick<Task, 'id'>): number =>
  (/(?:-[a-e])+$/.exec(id)?.[0].length ?? 0) / 2

/**
 * Adds a comment line under a task, at its indent, that is not read as a task or as part of one; every other byte
 * stays. The comment on a task without an item of its own (marked by a sign, or from an issue) goes to the end of the
 * document. Refuses when the task's words have changed, or when the document would be read differently.
 */
export function annotateTask(
  text: string,
  task: Pick<Task, 'id' | 'fingerprint'>,
  note: string,
  options: ReadOptions = {},
): RoadmapEdit {
  const granularity = options.granularity ?? 'task'
  const { tasks } = locateTasks(text, granularity)
  const { id, fingerprint } = task
  const [found, ...others] = findByName(tasks, task)
  if (others.length > 0) return refuseEdit(`${id} names more than one task.`)
  if (found && found.task.fingerprint !== fingerprint && !isFormer(found.task, task)) {
    return refuseEdit(`The text of ${id} has changed.`)
  }
  const comment = `<!-- executor: ${inert(note)} -->`
  const edited = found === undefined ? atTheEnd(text, comment) : under(found, text, comment)
  const same = wordsOf(edited, granularity) === wordsOf(text, granularity)
  return same
    ? { status: 'edited', text: edited }
    : refuseEdit(`A comment under ${id} would change how the roadmap is read.`)
}

function under({ task, column }: LocatedTask, text: string, comment: string): string {
  const start = lineStarts(text)[task.line - 1] ?? 0
  const indent = text.slice(start, start + column - 1)
  return withLines(text, task.endLine + 1, task.endLine, [indent + comment])
}

function atTheEnd(text: string, comment: string): string {
  const body = text.replace(/(?:\r?\n)*$/, '')
  const ending = lineEnding(text)
  return `${body}${ending}${ending}${comment}${ending}`
}

/** Escapes a text so that it can neither end the comment nor start another line. */
const inert = (note: string): string =>
  note.replaceAll(/\s+/g, ' ').replaceAll('--', '- -').replaceAll('>', '&gt;').trim()

function wordsOf(text: string, granularity: 'task' | 'leaf'): string {
  const { tasks } = locateTasks(text, granularity)
  return JSON.stringify(
    tasks.map(({ task: { line, endLine, subtasks, ...words } }) => [
      words,
      subtasks.map(({ title, status }) => [title, status]),
    ]),
  )
}
