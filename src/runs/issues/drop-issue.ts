import { taskIdOfBranch, taskIdOfRecoveryBranch } from '../../core/domain/task-id.ts'
import type { Overview } from '../../core/ports/discussion.ts'
import type { PullRequest } from '../../core/ports/forge.ts'
import { issueOf } from '../../roadmap/document/issue-tasks.ts'
import type { Services } from '../services.ts'
import { parkedNameOf } from './adopted-issues.ts'

const marker = '<!-- executor:dropped -->'

/**
 * Lets go of an issue that lost its label or was closed, unless it is labelled and open again: an
 * event may come late, or twice. False when nothing had to be let go.
 */
export async function dropIssue(
  number: number,
  seen: {
    readonly overview: Pick<Overview, 'issues'>
    /** Ours, in any state. */
    readonly pullRequests: readonly PullRequest[]
  },
  services: Services,
): Promise<boolean> {
  if (seen.overview.issues.some((issue) => issue.number === number)) return false
  await forgetIssue(number, seen.pullRequests, services)
  return true
}

/** Forgets an issue's words, and closes its open pull requests with a word. Safe to repeat. */
export async function forgetIssue(
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
  if ((await workspace.parked()).has(parkedNameOf(number))) {
    await workspace.park(parkedNameOf(number), null)
  }
}

function isOf(number: number, head: string): boolean {
  const id = taskIdOfBranch(head) ?? taskIdOfRecoveryBranch(head)
  return id !== null && issueOf([{ number }], id) === number
}
