import { readTaskMarker } from '../core/domain/identity.ts'
import type { Task } from '../core/domain/task.ts'
import { taskIdOfBranch } from '../core/domain/task-id.ts'
import type { PullRequest } from '../core/ports/forge.ts'
import type { Notice } from './report/write-notice.ts'

/**
 * What the roadmap on the default branch says of the task of an open pull request. A task that is not
 * there may be one of a recovery that is not merged yet: of it nothing is known.
 */
export function findNotices(
  pullRequest: Pick<PullRequest, 'head' | 'body'>,
  tasks: ReadonlyMap<string, Task>,
  onto: string,
): readonly Notice[] {
  const { head, body } = pullRequest
  const id = taskIdOfBranch(head) ?? recoveredId(head)
  const task = id === null ? undefined : tasks.get(id)
  if (id === null || task === undefined) return []
  if (task.status === 'done') return [{ about: 'ticked', id, onto }]
  if (task.status === 'cancelled') return [{ about: 'called_off', id, onto }]
  const marker = readTaskMarker(body)
  const reworded = marker?.id === id && marker.fingerprint !== task.fingerprint
  return reworded ? [{ about: 'reworded', id, onto }] : []
}

const recoveredId = (head: string): string | null =>
  /^executor\/recovery\/(.+)$/.exec(head)?.[1] ?? null
