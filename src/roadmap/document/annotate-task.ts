import type { Task } from '../../core/domain/task.ts'
import { type RoadmapEdit, refuseEdit } from './edit-roadmap.ts'
import { findByName, isFormer } from './find-named.ts'
import { type LocatedTask, locateTasks } from './locate-tasks.ts'
import type { ReadOptions } from './read-roadmap.ts'
import { lineEnding, splitSource, withLines } from './source-lines.ts'

/**
 * Adds one comment line under a task, at its own indent, that nothing reads as a task or as words of
 * one; every other byte stays. A task that has no item of its own (it was told by signs, or by an
 * issue) is noted at the end. Refuses where the task has other words now, or where the document
 * would read differently.
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
    return refuseEdit(`The words of ${id} have changed.`)
  }
  const comment = `<!-- executor: ${inert(note)} -->`
  const edited = found === undefined ? atTheEnd(text, comment) : under(found, text, comment)
  const same = wordsOf(edited, granularity) === wordsOf(text, granularity)
  return same ? { status: 'edited', text: edited } : refuseEdit(`${id} has no room for a note.`)
}

function under({ task, found }: LocatedTask, text: string, comment: string): string {
  const { line, column } = found.item
  const indent = (splitSource(text).lines[line - 1] ?? '').slice(0, column - 1)
  return withLines(text, task.endLine + 1, task.endLine, [indent + comment])
}

function atTheEnd(text: string, comment: string): string {
  const body = text.replace(/(?:\r?\n)*$/, '')
  const ending = lineEnding(text)
  return `${body}${ending}${ending}${comment}${ending}`
}

/** Nothing in it can end the comment, or begin another line. */
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
