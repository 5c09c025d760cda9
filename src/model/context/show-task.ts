import type { Task } from '../../../packages/task/task.ts'
import { type HiddenText, stripHidden } from '../../../packages/text/text.ts'
import { composeTask } from '../../core/domain/compose-task.ts'

/** Keeps the title in the paragraph that it has in the roadmap, whatever it starts with. */
const lead = 'Task: '

/**
 * Prepares a task as a reader of the roadmap sees it. Also removes a command or model that only
 * hidden text requests; hidden paths stay, since they only narrow what may be changed.
 */
export function showTask(task: Task): {
  readonly task: Task
  readonly removed: readonly HiddenText[]
} {
  if (task.members !== undefined) {
    const shown = task.members.map(showTask)
    return {
      task: composeTask(shown.map((each) => each.task)),
      removed: shown.flatMap((each) => each.removed),
    }
  }
  const before = `${lead}${task.title}\n${task.details}`
  const { text, removed } = stripHidden(before, 'markdown')
  const line = text.indexOf('\n')
  const [title, details] = [text.slice(lead.length, line).trim(), text.slice(line + 1).trim()]
  const isSeen = (value: string) => text.includes(value) || !before.includes(value)
  const about = task.about === undefined ? null : stripHidden(task.about, 'markdown')
  const shownHeadings = task.headings.map((heading) => stripHidden(heading, 'markdown'))
  const shown: Task = {
    ...task,
    title: title === '' ? task.id : title,
    details,
    ...(about && { about: about.text.trim() }),
    headings: shownHeadings.map((heading) => heading.text),
    accept: task.accept.filter(isSeen),
    verify: task.verify !== null && isSeen(task.verify) ? task.verify : null,
    model: task.model !== null && isSeen(task.model) ? task.model : null,
  }
  const places = removed.map((each) => ({ ...each, line: task.line + each.line - 1 }))
  const above = [...shownHeadings, ...(about ? [about] : [])].flatMap((each) => each.removed)
  return {
    task: shown,
    removed: [...places, ...above.map((each) => ({ ...each, line: task.line }))],
  }
}
