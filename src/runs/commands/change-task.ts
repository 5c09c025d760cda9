import type { ProposedTask } from '../../core/domain/proposed-task.ts'
import { checkProposedTasks } from '../../recovery/task/check-proposed-tasks.ts'
import { readRoadmap } from '../../roadmap/document/read-roadmap.ts'
import { showText } from '../../text/hidden/show-text.ts'
import { closed, type Handler, refused } from './ordered.ts'
import { answerOf, runTask } from './run-task.ts'
import { quoted } from './words.ts'

/** `/retry`: the task anew, as it stands. */
export const retry: Handler = (order, context, services) =>
  runTask(order, context, services, { answer: answerOf(order, 'retry') })

/** `/decompose` and `/rewrite`: another proposal in place of this one. */
export const proposeAnew: Handler = async (order, context, services) => {
  if (order.target.pull.state === 'closed') return closed
  const { command } = order
  const text = command.name === 'rewrite' ? showText('remark.md', command.text).text : ''
  const choice = command.name === 'rewrite' ? 'rewrite' : 'decompose'
  return runTask(order, context, services, {
    answer: answerOf(order, choice, { text: text.slice(0, 4_000) }),
  })
}

/** `/edit`: the author's own tasks take the place of this one. */
export const edit: Handler = async (order, context, services) => {
  if (order.target.pull.state === 'closed') return closed
  const { command, target } = order
  const read = readEditedTasks(command.name === 'edit' ? command.list : '', target.id)
  if (read.status === 'refused') {
    return refused(
      `I cannot use this list: ${quoted(read.reason)}. Write one to five tasks below \`/edit\`, such as\n\n\`\`\`\n/edit\n- [ ] Read the file once\n  **Files**: \`src/read.ts\`\n- [ ] Count its lines\n  An empty file has none.\n\`\`\``,
    )
  }
  return runTask(order, context, services, {
    answer: answerOf(order, 'edit', { tasks: read.tasks }),
  })
}

/** The tasks of a list as a person types it: with boxes or without. */
function readEditedTasks(
  list: string,
  id: string,
):
  | { readonly status: 'ok'; readonly tasks: readonly ProposedTask[] }
  | { readonly status: 'refused'; readonly reason: string } {
  const { text } = showText('remark.md', list.slice(0, 20_000))
  const boxed = /^[ \t]*[-*+] \[[ xX]\]/m.test(text)
    ? text
    : text.replaceAll(/^([-*+]|\d{1,3}[.)])[ \t]+/gm, '$1 [ ] ')
  const { tasks } = readRoadmap(boxed)
  const raw = tasks.map(({ title, details, files }) => ({
    title,
    details: details.split('\n').filter((line) => !/^\s*(?:[-*+]\s+)?\*\*Files?\*\*/i.test(line)),
    files,
  }))
  if (raw.length === 0) return { status: 'refused', reason: 'there is no task in it' }
  const strategy = raw.length === 1 ? 'REWRITE' : 'DECOMPOSE'
  return checkProposedTasks(raw, { id, title: '', details: '' }, strategy, [])
}
