import { isBefore } from '../../core/domain/instant.ts'
import type { ProposalMark } from '../../core/domain/proposal-marker.ts'
import type { Remark } from '../../core/ports/discussion.ts'

export type Bound =
  | { readonly status: 'bound'; readonly sha: string }
  /** Half a sentence: why this approval is none of what is there now. */
  | { readonly status: 'refused'; readonly reason: string }

/**
 * Whether an approval was given for what would be carried out now: this very commit, and this very
 * proposal. A sha that is written out counts first, then the commit a review was made on, then, in a
 * conversation, what our latest proposal named before the approval was said.
 */
export function bindApproval(input: {
  /** Of the command, as it was written; `null`: none was. Fewer than all of its digits can be searched for. */
  readonly sha: string | null
  readonly remark: Pick<Remark, 'kind' | 'commit' | 'createdAt'>
  /** Of the pull request, now. */
  readonly head: string
  /** Our latest proposal about the task; `null`: there is none. */
  readonly mark: ProposalMark | null
  /** `proposalHash` of what would be carried out; `null`: the head's commit is all of it. */
  readonly hash: string | null
  /** Whether the head's sha says all there is, so that naming it is enough. */
  readonly isWhole: boolean
}): Bound {
  const { sha, remark, head, mark, hash, isWhole } = input
  const isNamed = sha !== null || remark.kind !== 'comment'
  const named = sha ?? (remark.kind === 'comment' ? mark?.sha : remark.commit) ?? ''
  if (sha !== null && sha.length < 40) return refuse('a commit is named by all its 40 digits')
  if (named !== head) return moved(named, isNamed)
  if (isNamed && isWhole) return { status: 'bound', sha: head }
  if (mark === null || mark.sha !== head) return refuse('what was proposed for it is not known')
  if (hash !== null && mark.hash !== hash) return refuse('what was proposed has changed')
  if (!isNamed && !isBefore(mark.at, remark.createdAt)) {
    return refuse('the proposal is younger than the approval')
  }
  return { status: 'bound', sha: head }
}

const refuse = (reason: string): Bound => ({ status: 'refused', reason })

const moved = (named: string, isNamed: boolean): Bound =>
  refuse(
    isNamed && named !== ''
      ? `the approval was for \`${named.slice(0, 12)}\``
      : 'the latest proposal is about another commit',
  )
