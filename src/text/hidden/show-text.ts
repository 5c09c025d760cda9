import type { HiddenText } from '../../core/domain/hidden-text.ts'
import type { Task } from '../../core/domain/task.ts'
import { maskKeys } from '../secrets/find-keys.ts'
import type { Stripped } from './channels/cuts.ts'
import { kindOf, stripHidden } from './strip-hidden.ts'

/**
 * A repository file as a model is shown it: nothing hidden, no key, no byte order mark, every line
 * with its number.
 */
export function showText(path: string, text: string): Stripped {
  const { text: visible, removed } = stripHidden(text.replace(/^\uFEFF/, ''), kindOf(path))
  return { text: maskKeys(visible), removed }
}

/** The same for several files; what was removed comes with its path. */
export function showTexts(texts: ReadonlyMap<string, string>): {
  readonly texts: ReadonlyMap<string, string>
  readonly removed: readonly (HiddenText & { readonly path: string })[]
} {
  const shown = [...texts].map(([path, text]) => ({ path, ...showText(path, text) }))
  return {
    texts: new Map(shown.map(({ path, text }) => [path, text])),
    removed: shown.flatMap(({ path, removed }) => removed.map((each) => ({ ...each, path }))),
  }
}

/** Keeps the title in the paragraph that it is in the roadmap, whatever it begins with. */
const lead = 'Task: '

/**
 * A task as a reader of the roadmap sees it. A command or a model that only hidden text asked for
 * is gone as well; hidden paths stay, since they only narrow what may be changed.
 */
export function showTask(task: Task): {
  readonly task: Task
  readonly removed: readonly HiddenText[]
} {
  const before = `${lead}${task.title}\n${task.details}`
  const { text, removed } = stripHidden(before, 'markdown')
  const line = text.indexOf('\n')
  const [title, details] = [text.slice(lead.length, line).trim(), text.slice(line + 1).trim()]
  const isSeen = (value: string) => text.includes(value) || !before.includes(value)
  const shownHeadings = task.headings.map((heading) => stripHidden(heading, 'markdown'))
  const shown: Task = {
    ...task,
    title: title === '' ? task.id : title,
    details,
    headings: shownHeadings.map((heading) => heading.text),
    accept: task.accept.filter(isSeen),
    verify: task.verify !== null && isSeen(task.verify) ? task.verify : null,
    model: task.model !== null && isSeen(task.model) ? task.model : null,
  }
  const places = removed.map((each) => ({ ...each, line: task.line + each.line - 1 }))
  const above = shownHeadings.flatMap((heading) => heading.removed)
  return {
    task: shown,
    removed: [...places, ...above.map((each) => ({ ...each, line: task.line }))],
  }
}
