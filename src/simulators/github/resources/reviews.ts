import { findPlace, isCommitOf, type PlaceRequest } from '../changes/place.ts'
import { type InlineComment, submitReview } from '../changes/review.ts'
import { type ActorCall, failure, notFound, ok, type Reply, type Route } from '../exchange.ts'
import { paged } from '../paging.ts'
import { presentReview } from '../present/review.ts'
import type { Pull, Review } from '../records.ts'

const list = '/repos/{owner}/{repo}/pulls/{pull_number}/reviews'

interface NewReview {
  readonly commit_id?: string
  readonly body?: string
  readonly event?: 'APPROVE' | 'REQUEST_CHANGES' | 'COMMENT'
  readonly comments?: readonly (PlaceRequest & { readonly body: string })[]
}

const states: Readonly<Record<NonNullable<NewReview['event']>, Review['state']>> = {
  APPROVE: 'APPROVED',
  REQUEST_CHANGES: 'CHANGES_REQUESTED',
  COMMENT: 'COMMENTED',
}

export const reviewRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: list,
    access: 'read',
    handle(call) {
      const { store, repository } = call
      const number = Number(call.parameters.pull_number)
      if (!repository.pulls.has(number)) return notFound
      const reviews = [...repository.reviews.values()].filter(({ pull }) => pull === number)
      return paged(call, reviews, (review) => presentReview(store, repository, review))
    },
  },
  {
    method: 'POST',
    path: list,
    access: 'anyone',
    handle(call) {
      const pull = call.repository.pulls.get(Number(call.parameters.pull_number))
      return pull === undefined ? notFound : create(call, pull)
    },
  },
  {
    method: 'GET',
    path: `${list}/{review_id}`,
    access: 'read',
    handle({ store, repository, parameters }) {
      const review = repository.reviews.get(Number(parameters.review_id))
      if (review === undefined || review.pull !== Number(parameters.pull_number)) return notFound
      return ok(presentReview(store, repository, review))
    },
  },
]

async function create(call: ActorCall, pull: Pull): Promise<Reply> {
  const { store, repository } = call
  const {
    event,
    body = '',
    comments = [],
    commit_id: commit = pull.headSha,
  } = call.body as NewReview
  // Without an event GitHub keeps the review as its author's draft; there are none here.
  if (event === undefined) return unprocessable('Event is missing')
  const refused = refusalOf(call, pull, event)
  if (refused !== null) return unprocessable(refused)
  if (event !== 'APPROVE' && body === '' && comments.length === 0) {
    return unprocessable("Body can't be blank")
  }
  if (!(await isCommitOf(repository, pull, commit))) {
    return unprocessable('Commit is not part of the pull request')
  }
  const found: InlineComment[] = []
  for (const { body: text, ...asked } of comments) {
    const place = await findPlace(repository, pull, { ...asked, commit_id: commit })
    if (place === 'line') return unprocessable('Line could not be resolved')
    if (typeof place === 'string') return unprocessable('Path could not be resolved')
    found.push({ place, body: text })
  }
  const review = submitReview(call, pull, { state: states[event], body, commit }, found)
  return ok(presentReview(store, repository, review))
}

/** Why this person's word does not count, in GitHub's. */
function refusalOf(
  { viewer, repository }: ActorCall,
  pull: Pull,
  event: NonNullable<NewReview['event']>,
): string | null {
  if (event === 'COMMENT') return null
  if (viewer.id === pull.author.id) {
    const what = event === 'APPROVE' ? 'approve' : 'request changes on'
    return `Can not ${what} your own pull request`
  }
  const { actionsMayCreatePullRequests } = repository.options
  const isWorkflow = viewer.login === 'github-actions[bot]'
  return isWorkflow && event === 'APPROVE' && actionsMayCreatePullRequests === false
    ? 'GitHub Actions is not permitted to approve pull requests.'
    : null
}

/** GitHub's other 422, whose errors are sentences. */
const unprocessable = (problem: string): Reply => failure(422, 'Unprocessable Entity', [problem])
