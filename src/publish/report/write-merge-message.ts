import { label, readTaskMarker, trailer } from '../../core/domain/identity.ts'
import { taskIdOfBranch } from '../../core/domain/task-id.ts'
import type { PullRequest } from '../../core/ports/forge.ts'
import type { BranchTip } from '../../core/ports/workspace.ts'

/**
 * The message of a merge that brings work of ours up to date. Its trailers are those of the work, so
 * that the branch is known for ours by its last commit, whoever wrote the one before.
 */
export function writeMergeMessage(
  what: string,
  { head, body, labels }: Pick<PullRequest, 'head' | 'body' | 'labels'>,
  tip: Pick<BranchTip, 'trailers'>,
): string {
  const known = Object.values(trailer).flatMap((name) => {
    const value = tip.trailers[name]
    return value === undefined ? [] : [`${name}: ${value}`]
  })
  const own = tip.trailers[trailer.task] === undefined ? readTrailers(head, body, labels) : known
  const outcome = own.find((line) => line.startsWith(trailer.outcome)) ?? ''
  // A failed attempt must not start the repository's CI.
  const skip = outcome.endsWith('needs-human') ? '[skip ci]\n\n' : ''
  const trailers = own.length === 0 ? '' : `\n${own.join('\n')}\n`
  return `${what} into ${head}\n\n${skip}So that it can be merged. Nothing of it was changed.\n${trailers}`
}

/** What the pull request itself says of the work, where a person's commit is the last one. */
function readTrailers(head: string, body: string, labels: readonly string[]): readonly string[] {
  const task = readTaskMarker(body)
  if (task === null || task.id !== taskIdOfBranch(head)) return []
  const outcome = labels.includes(label.needsHuman)
    ? 'needs-human'
    : labels.includes(label.unverified)
      ? 'unverified'
      : 'done'
  return [
    `${trailer.task}: ${task.id}`,
    `${trailer.fingerprint}: ${task.fingerprint}`,
    `${trailer.outcome}: ${outcome}`,
  ]
}
