import { checksOf, missingChecks, rollupOf } from './checks.ts'
import { mayAt } from './permissions.ts'
import { figuresOf } from './pull-figures.ts'
import type { Pull, Review } from './records.ts'
import type { Repository } from './store.ts'

export interface MergeState {
  readonly conflicts: boolean
  readonly status: 'CLEAN' | 'UNSTABLE' | 'BLOCKED' | 'DIRTY' | 'DRAFT'
  /** Branch protection's objections, in GitHub's words. */
  readonly blocks: readonly string[]
}

/** The state of an open pull request, as in GitHub's merge box. */
export async function mergeStateOf(repository: Repository, pull: Pull): Promise<MergeState> {
  const { mergeable } = await figuresOf(repository, pull)
  const blocks = blocksOf(repository, pull)
  const rollup = rollupOf(checksOf(repository, pull.headSha))
  const status = (): MergeState['status'] => {
    if (!mergeable) return 'DIRTY'
    if (pull.draft) return 'DRAFT'
    if (blocks.length > 0) return 'BLOCKED'
    return rollup === null || rollup === 'SUCCESS' ? 'CLEAN' : 'UNSTABLE'
  }
  return { conflicts: !mergeable, status: status(), blocks }
}

/** The state as people see it: `null` until GitHub has computed it. */
export async function shownMergeState(
  repository: Repository,
  pull: Pull,
): Promise<MergeState | null> {
  const { asked, options } = repository
  const key = `${pull.baseSha} ${pull.headSha}`
  const isNew = options.slowMergeability === true && !asked.has(key)
  asked.add(key)
  return isNew ? null : mergeStateOf(repository, pull)
}

/** Protection applies to the default branch. */
const isGuarded = ({ defaultBranch }: Repository, { base }: Pull): boolean => base === defaultBranch

function blocksOf(repository: Repository, pull: Pull): readonly string[] {
  if (!isGuarded(repository, pull)) return []
  const { requiredReviews = 0 } = repository.options
  const decision = reviewDecisionOf(repository, pull)
  const missing = missingChecks(repository, pull.headSha)
  if (decision === null || decision === 'APPROVED') return missing
  const reason =
    decision === 'CHANGES_REQUESTED'
      ? 'Changes have been requested.'
      : `At least ${requiredReviews} approving ${requiredReviews === 1 ? 'review is' : 'reviews are'} required by reviewers with write access.`
  return [reason, ...missing]
}

/** `null` where no reviews are required, however many there are. */
export function reviewDecisionOf(
  repository: Repository,
  pull: Pull,
): 'APPROVED' | 'CHANGES_REQUESTED' | 'REVIEW_REQUIRED' | null {
  const { requiredReviews = 0 } = repository.options
  if (requiredReviews === 0 || !isGuarded(repository, pull)) return null
  const verdicts = new Map<number, Review['state']>()
  for (const { pull: number, author, state } of repository.reviews.values()) {
    const isVerdict = state === 'APPROVED' || state === 'CHANGES_REQUESTED'
    const counts = isVerdict && mayAt('write', repository, author)
    if (number === pull.number && counts) verdicts.set(author.id, state)
  }
  const states = [...verdicts.values()]
  if (states.includes('CHANGES_REQUESTED')) return 'CHANGES_REQUESTED'
  const approvals = states.filter((state) => state === 'APPROVED').length
  return approvals >= requiredReviews ? 'APPROVED' : 'REVIEW_REQUIRED'
}
