import { checkPath } from '../../changes/gate/check-path.ts'
import type { ProposedTask } from '../../core/domain/proposed-task.ts'
import { withGrant } from '../../publish/report/write-pull-request.ts'
import { checkProposedTasks } from '../../recovery/task/check-proposed-tasks.ts'
import { readRoadmap } from '../../roadmap/document/read-roadmap.ts'
import { showText } from '../../text/hidden/show-text.ts'
import { foldName } from '../../text/words/fold-name.ts'
import { closed, type Handler, refused } from './ordered.ts'
import { answerOf, grantsOf, runTask } from './run-task.ts'
import { forgeSaid, quoted } from './words.ts'

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

/** `/allow`: one more path for this task, kept in its pull request's body, and another attempt. */
export const allowPath: Handler = async (order, context, services) => {
  const { command, remark, target } = order
  const { pull } = target
  const { forge, settings } = services.ports
  if (pull.state !== 'open') return closed
  const checked = checkPath(command.name === 'allow' ? command.path : '')
  if (checked.status === 'refused') return refused(`No task may change that: ${checked.reason}.`)
  const { path } = checked
  if (isOwn(path, settings.roadmap)) {
    return refused(
      `I keep \`${settings.roadmap}\` and \`.executor/\` myself: no task may change them.`,
    )
  }
  const grant = { path, by: remark.author.login }
  const known = grantsOf(target)
  const grants = known.some((each) => each.path === path) ? known : [...known, grant]
  if (grants !== known) {
    const { head, base, title, labels, draft, body } = pull
    const written = await forge.upsertPullRequest({
      ...{ head, base, title, labels, draft },
      body: withGrant(body, grant),
      reviewers: [],
      assignees: [],
    })
    if (written.status === 'refused') {
      return refused(`I could not note that in this pull request. ${forgeSaid(written.detail)}`)
    }
  }
  return runTask(order, context, services, { grants })
}

function isOwn(path: string, roadmap: string): boolean {
  const folded = foldName(path)
  return folded === foldName(roadmap) || folded.startsWith('.executor/')
}
