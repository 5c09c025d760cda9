import { label } from '../domain/identity.ts'
import { taskIdOfBranch, taskIdOfRecoveryBranch } from '../domain/task-id.ts'
import type { PullRequest } from '../ports/forge.ts'
import { issueOf } from '../roadmap/issue-tasks.ts'
import { parkedNameOf } from './adopted-issues.ts'
import type { Services } from './services.ts'

const marker = '<!-- executor:dropped -->'

/**
 * Lets go of an issue: its label goes, its words are forgotten, its open pull requests are closed
 * with a word. Safe to repeat.
 *
 * @param pullRequests ours, in any state
 */
export async function dropIssue(
  number: number,
  pullRequests: readonly PullRequest[],
  { ports, discussion }: Services,
): Promise<void> {
  const { forge, workspace } = ports
  const self = await discussion.self()
  const open = pullRequests.filter(
    ({ state, author, head }) => state === 'open' && author === self && isOf(number, head),
  )
  for (const pull of open) {
    const why = `#${number} is let go (its label was taken off, or it was closed), so this is closed, too. The branch stays.`
    await forge.upsertComment(pull.number, marker, why)
    await forge.close(pull.number)
  }
  await forge.label(number, { remove: [label.issue] })
  if ((await workspace.parked()).has(parkedNameOf(number))) {
    await workspace.park(parkedNameOf(number), null)
  }
}

function isOf(number: number, head: string): boolean {
  const id = taskIdOfBranch(head) ?? taskIdOfRecoveryBranch(head)
  return id !== null && issueOf([{ number }], id) === number
}
