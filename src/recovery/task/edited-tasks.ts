import { readLabel, readRoadmap } from '../../../packages/roadmap/roadmap.ts'
import type { ProposedTask } from '../../../packages/task/task.ts'
import { showText } from '../../../packages/text/text.ts'
import type { Attempt } from '../../core/domain/attempt.ts'
import type { EditedTasks } from '../../core/ports.ts'
import { checkProposedTasks } from './check-proposed-tasks.ts'

/** A field that is read apart from the words. */
const isOwnField = (line: string): boolean =>
  /^\s*(?:[-*+]\s+)?\*\*Files?\*\*/i.test(line) || readLabel(line)?.name === 'together'

/** Reads the tasks of a list as people type it: with or without boxes. */
export function readEditedTasks(list: string, id: string): EditedTasks {
  const { text } = showText('remark.md', list.slice(0, 20_000))
  const boxed = /^[ \t]*[-*+] \[[ xX]\]/m.test(text)
    ? text
    : text.replaceAll(/^([-*+]|\d{1,3}[.)])[ \t]+/gm, '$1 [ ] ')
  const { tasks } = readRoadmap(boxed)
  const raw = tasks.map(({ title, details, files, together }) => ({
    title,
    details: details.split('\n').filter((line) => !isOwnField(line)),
    files,
    ...(together === undefined ? {} : { together: true as const }),
  }))
  if (raw.length === 0) return { status: 'refused', reason: 'there is no task in it' }
  const strategy = raw.length === 1 ? 'REWRITE' : 'DECOMPOSE'
  return checkProposedTasks(raw, { id, title: '', details: '' }, strategy, [], 'person')
}

/**
 * The list that a person starts from: the proposed tasks, or the task itself where the proposal has no tasks. `readEditedTasks`
 * reads it.
 */
export function writeEditableTasks({ task, proposal }: Pick<Attempt, 'task' | 'proposal'>): string {
  const { title, files } = task
  const itself = { title, details: withoutFields(task.details), files }
  const tasks: readonly Omit<ProposedTask, 'id'>[] =
    proposal === null || proposal.tasks.every(({ model }) => model !== undefined)
      ? [itself]
      : proposal.tasks
  const list = tasks.map(({ title, details, files, together }) => {
    const named =
      files.length === 0 ? [] : [`**Files**: ${files.map((path) => `\`${path}\``).join(', ')}`]
    const group = together ? [`**Together**: ${task.id}`] : []
    const lines = [...details, ...named, ...group].map((line) => `  ${line}`)
    return [`- [ ] ${title}`, ...lines].join('\n')
  })
  return `${list.join('\n')}\n`
}

/** The sentences of a task; its files are listed apart. */
const withoutFields = (details: string): readonly string[] =>
  details
    .split('\n')
    .filter(
      (line) => line.trim() !== '' && !fileField.test(line) && readLabel(line)?.name !== 'together',
    )

const fileField = /^\s*(?:[-*+]\s+)?(?:\*\*)?Files?(?:\*\*)?:/i
