import { readTaskMarker } from '../../core/domain/identity.ts'
import type { Task } from '../../core/domain/task.ts'
import { taskIdOfBranch, taskIdOfRecoveryBranch } from '../../core/domain/task-id.ts'
import type { PullRequest } from '../../core/ports/forge.ts'
import { neutraliseLine } from '../../text/markdown/neutralise.ts'
import { nameSome } from '../../text/words/words.ts'

/** What only a person can decide about an open pull request. */
export type Notice =
  | { readonly about: 'conflict'; readonly onto: string; readonly paths: readonly string[] }
  /** What it is stacked on was closed without merging. */
  | { readonly about: 'closed_below'; readonly below: Pick<PullRequest, 'number' | 'head'> }
  | {
      readonly about: 'reworded' | 'ticked' | 'called_off'
      readonly id: string
      readonly onto: string
    }

/**
 * What the roadmap on the default branch says of the task of an open pull request. A task that is not
 * there may be one of a recovery that is not merged yet: of it nothing is known.
 */
export function findNotices(
  { head, body }: Pick<PullRequest, 'head' | 'body'>,
  tasks: ReadonlyMap<string, Task>,
  onto: string,
): readonly Notice[] {
  const id = taskIdOfBranch(head) ?? taskIdOfRecoveryBranch(head) ?? ''
  const task = tasks.get(id)
  if (task === undefined) return []
  if (task.status === 'done') return [{ about: 'ticked', id, onto }]
  if (task.status === 'cancelled') return [{ about: 'called_off', id, onto }]
  const marker = readTaskMarker(body)
  const isReworded = marker?.id === id && marker.fingerprint !== task.fingerprint
  return isReworded ? [{ about: 'reworded', id, onto }] : []
}

const mostPaths = 10

/** One comment on a pull request: what stands in its way, and what a person can do. */
export function writeNotice(
  notices: readonly Notice[],
  { head }: Pick<PullRequest, 'head'>,
): string {
  if (notices.length === 0) return 'What stood here is settled: nothing is in the way any more.'
  return notices.map((notice) => say(notice, head)).join('\n\n')
}

function say(notice: Notice, head: string): string {
  switch (notice.about) {
    case 'conflict':
      return `**It conflicts with ${code(notice.onto)}**${inFiles(notice.paths)}.\nComment \`/retry\` and the task is done again on what is there now; or merge ${code(notice.onto)} into ${code(head)} by hand: your commits stay.`
    case 'closed_below':
      return `**#${notice.below.number}, which this was built on, was closed without merging.**\nMerging this would bring its commits along. Comment \`/retry\` and the task is done again without them; or close this as well.`
    case 'reworded':
      return `**The words of ${code(notice.id)} on ${code(notice.onto)} have changed** since this was written.\nComment \`/retry\` and it is done again by the new words; merging takes it as it is; closing leaves the task alone.`
    case 'ticked':
      return `**${code(notice.id)} is ticked on ${code(notice.onto)}**, though this was not merged: it counts as done, and nothing more is done for it here.\nMerge this if its change is still wanted, or close it. It is not closed for you.`
    case 'called_off':
      return `**${code(notice.id)} was called off on ${code(notice.onto)}.**\nClose this, or merge it if its change is wanted nevertheless. It is not closed for you.`
  }
}

function inFiles(paths: readonly string[]): string {
  if (paths.length === 0) return ': their histories have nothing in common'
  return ` in ${nameSome(paths.map(code), mostPaths)}`
}

const code = (text: string): string => `\`${neutraliseLine(text).replaceAll('`', "'")}\``
