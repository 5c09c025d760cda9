import { checkPath } from '../../changes/gate/check-path.ts'
import { withGrant } from '../../publish/report/write-grants.ts'
import { foldName } from '../../text/words/fold-name.ts'
import { closed, type Handler, refused } from './ordered.ts'
import { grantsOf, runTask } from './run-task.ts'
import { forgeSaid } from './words.ts'

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
