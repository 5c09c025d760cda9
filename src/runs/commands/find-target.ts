import { label } from '../../core/domain/identity.ts'
import { taskIdOfBranch, taskIdOfRecoveryBranch } from '../../core/domain/task-id.ts'
import type { PullRequest } from '../../core/ports/forge.ts'
import type { Ports } from '../../core/ports.ts'
import { readParkedAttempt } from '../../recovery/task/parked-attempt.ts'
import type { CommandContext, CommandTarget } from './ordered.ts'

/**
 * What the issue or pull request of this number is to us, read anew; `null` for a pull request that
 * is not ours: another's, or a fork's with a head that is called like one of ours.
 */
export async function findTarget(
  number: number,
  context: CommandContext,
  { forge, workspace }: Pick<Ports, 'forge' | 'workspace'>,
): Promise<CommandTarget | null> {
  const pull = await forge.pullRequest(number)
  if (pull === null) return findIssue(number, context)
  if (pull.author !== context.self) return null
  const task = taskIdOfBranch(pull.head)
  if (task !== null) {
    return { kind: isEscalated(pull) ? 'needs_human' : 'task', id: task, pull }
  }
  const id = taskIdOfRecoveryBranch(pull.head)
  if (id === null) return null
  const text = (await workspace.parked()).get(id)
  const attempt = text === undefined ? null : readParkedAttempt(id, text)
  // An attempt may have such operations and still be proposed to be split: then that is the question.
  const isSplit = (attempt?.proposal?.tasks.length ?? 0) > 0
  const isDestructive = !isSplit && (attempt?.destructive.length ?? 0) > 0
  return { kind: isDestructive ? 'destructive' : 'recovery', id, pull, attempt }
}

const isEscalated = ({ labels }: PullRequest): boolean => labels.includes(label.needsHuman)

function findIssue(number: number, { overview }: CommandContext): CommandTarget {
  if (overview.dashboard?.number === number) return { kind: 'dashboard', number }
  return { kind: 'issue', number, adopted: overview.issues.some((each) => each.number === number) }
}
