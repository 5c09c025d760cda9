import type { Task } from '../../../packages/task/task.ts'
import { nameSome, neutraliseLine } from '../../../packages/text/text.ts'
import { taskIdOfBranch, taskIdOfRecoveryBranch } from '../../core/domain/branches.ts'
import { readTaskMarker } from '../../core/domain/identity.ts'
import type { PullRequest } from '../../core/ports/forge.ts'
import { takesBack } from '../../tasks/standing/judge-groups.ts'

/** A problem of an open pull request that only a person can decide about. */
export type Notice =
  | { readonly about: 'conflict'; readonly onto: string; readonly paths: readonly string[] }
  /** The pull request it is stacked on was closed without merging. */
  | { readonly about: 'closed_below'; readonly below: Pick<PullRequest, 'number' | 'head'> }
  | {
      readonly about: 'reworded' | 'ticked' | 'called_off'
      readonly id: string
      readonly onto: string
    }

/**
 * Compares an open pull request with its task in the roadmap on the default branch. A task that is not there may
 * belong to an unmerged recovery, so it gives no notice; neither does the proposal to revert a merged task.
 */
export function findNotices(
  pullRequest: Pick<PullRequest, 'head' | 'body' | 'state' | 'labels'>,
  tasks: ReadonlyMap<string, Task>,
  onto: string,
): readonly Notice[] {
  const { head, body } = pullRequest
  const id = taskIdOfBranch(head) ?? taskIdOfRecoveryBranch(head) ?? ''
  const task = tasks.get(id)
  if (task === undefined || takesBack(pullRequest)) return []
  if (task.status === 'done') return [{ about: 'ticked', id, onto }]
  if (task.status === 'cancelled') return [{ about: 'called_off', id, onto }]
  const marker = readTaskMarker(body)
  const isReworded = marker?.id === id && marker.fingerprint !== task.fingerprint
  return isReworded ? [{ about: 'reworded', id, onto }] : []
}

const mostPaths = 10

/** One comment on a pull request: the problems, and what a person can do. */
export function writeNotice(
  notices: readonly Notice[],
  { head }: Pick<PullRequest, 'head'>,
): string {
  if (notices.length === 0) return 'Resolved: nothing blocks this pull request any more.'
  return notices.map((notice) => say(notice, head)).join('\n\n')
}

function say(notice: Notice, head: string): string {
  switch (notice.about) {
    case 'conflict':
      return `**It conflicts with ${code(notice.onto)}**${inFiles(notice.paths)}.\n\`/retry\` redoes the task on the current ${code(notice.onto)}. Or merge ${code(notice.onto)} into ${code(head)} yourself: your commits stay.`
    case 'closed_below':
      return `**This builds on #${notice.below.number}, which was closed without merging.**\nMerging this would merge its commits, too. \`/retry\` redoes the task without them. Or close this as well.`
    case 'reworded':
      return `**The text of ${code(notice.id)} on ${code(notice.onto)} has changed** since this was written.\n\`/retry\` redoes the task from the new text. Merging accepts this version; closing rejects the task.`
    case 'ticked':
      return `**${code(notice.id)} is ticked on ${code(notice.onto)}**, although this is not merged. The task counts as done, and the bot does no more work on it.\nMerge this if you still want the change, or close it; the bot does not close it.`
    case 'called_off':
      return `**${code(notice.id)} was cancelled on ${code(notice.onto)}.**\nClose this, or merge it if you want the change anyway; the bot does not close it.`
  }
}

function inFiles(paths: readonly string[]): string {
  if (paths.length === 0) return ': the two have no common history'
  return ` in ${nameSome(paths.map(code), mostPaths)}`
}

const code = (text: string): string => `\`${neutraliseLine(text).replaceAll('`', "'")}\``
