import { openTree } from '../../../packages/change/change.ts'
import type { Attempt } from '../../core/domain/attempt.ts'
import type { Ports } from '../../core/ports.ts'

/** The surroundings of a draft: the task, and the tree that the attempt starts from. */
export async function aroundAttempt(
  { task, start }: Pick<Attempt, 'task' | 'start'>,
  { workspace }: Pick<Ports, 'workspace'>,
) {
  const { paths, read } = await openTree(start.sha, workspace)
  return { task, paths, read }
}
