import { findPlace, isCommitOf, type PlaceRequest } from '../changes/place.ts'
import { addReview, type InlineComment } from '../changes/review.ts'
import { type ActorCall, failure, notFound, ok, type Reply, type Route } from '../exchange.ts'
import { paged } from '../paging.ts'
import { presentReview } from '../present/review.ts'
import { publishedReviews } from '../published.ts'
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
      const pull = repository.pulls.get(Number(call.parameters.pull_number))
      if (pull === undefined) return notFound
      const reviews = publishedReviews(repository, pull, call.viewer)
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
    handle({ store, repository, parameters, viewer }) {
      const pull = { number: Number(parameters.pull_number) }
      const id = Number(parameters.review_id)
      const review = publishedReviews(repository, pull, viewer).find((one) => one.id === id)
      return review === undefined ? notFound : ok(presentReview(store, repository, review))
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
  const refused = refusalOf(call, pull, event)
  if (refused !== null) return unprocessable(refused)
  const isEmpty = body === '' && comments.length === 0
  if (event !== undefined && event !== 'APPROVE' && isEmpty) {
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
  // Without an event, the review stays pending.
  const state = event === undefined ? 'PENDING' : states[event]
  const review = addReview(call, pull, { state, body, commit }, found)
  return ok(presentReview(store, repository, review))
}

/** Why this person's review does not count, in GitHub's words. */
function refusalOf(
  { viewer, repository }: ActorCall,
  pull: Pull,
  event: NewReview['event'],
): string | null {
  if (event === 'COMMENT') return null
  if (event === undefined) {
    const own = publishedReviews(repository, pull, viewer)
    return own.some(({ submittedAt }) => submittedAt === null)
      ? 'User can only have one pending review per pull request'
      : null
  }
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
