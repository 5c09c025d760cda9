import type { ChangeTree } from '../../changes/reply/loss/check-replaced.ts'
import type { Attempt } from '../../core/domain/attempt.ts'
import type { Ports } from '../../core/ports.ts'
import { openTree } from '../../core/tree.ts'

/** The surroundings of a draft: the task, and the tree that the attempt starts from. */
export function aroundAttempt(
  { task, start }: Pick<Attempt, 'task' | 'start'>,
  { workspace }: Pick<Ports, 'workspace'>,
): Pick<ChangeTree, 'task' | 'paths' | 'read'> {
  return {
    task,
    paths: async () => (await openTree(start.sha, workspace)).paths,
    read: (paths) => workspace.readFiles(start.sha, paths),
  }
}
