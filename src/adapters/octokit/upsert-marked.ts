/** Comments and issues that begin with a marker of ours: one per marker and author, found again by them. */
import { untilListed } from '../../core/perform-effect.ts'
import type { RemarkRef } from '../../core/ports/discussion.ts'
import type { IssueDraft, ReviewCommentDraft } from '../../core/ports/forge.ts'
import type { Octokit } from './client/octokit.ts'
import type { GitHubRepository } from './client.ts'
import { hasStatus } from './failure.ts'
import { changeLabels, namesOf } from './labels.ts'
import { findIn, listed, pageSize } from './pages.ts'
import { sameName, sameText } from './pull.ts'

interface Marked {
  readonly body?: string | null
  readonly user: { readonly login: string } | null
}

interface MarkedComment extends Marked {
  readonly id: number
}

/** Where comments of one kind are listed and written. */
interface CommentPlace {
  readonly kind: 'comment' | 'review_comment'
  /** The issue or pull request. */
  readonly on: number
  /** From page 1. */
  list(page: number): Promise<readonly MarkedComment[]>
  create(octokit: Octokit, body: string): Promise<unknown>
  update(octokit: Octokit, id: number, body: string): Promise<unknown>
}

const mostPages = 10

/** The marker is put first where it is not. */
const withMarker = (marker: string, body: string): string =>
  body.startsWith(marker) ? body : `${marker}\n${body}`

/** Ours with this marker. The marker alone is no proof: anyone can post it, so the author must be us. */
async function findMarked<T extends Marked>(
  { login }: GitHubRepository,
  marker: string,
  list: (page: number) => Promise<readonly T[]>,
): Promise<T | null> {
  const ours = await login()
  return findIn(
    listed(mostPages, list),
    ({ body, user }) => body?.startsWith(marker) === true && sameName(user?.login ?? '', ours),
  )
}

/** Writes the comment that begins with the marker, or changes ours that does; nothing if it is the same. */
async function upsertMarked(
  repository: GitHubRepository,
  place: CommentPlace,
  marker: string,
  body: string,
): Promise<void> {
  const text = withMarker(marker, body)
  const isFirst = place.kind === 'comment' && repository.uncommented.delete(place.on)
  await repository.perform<MarkedComment | null, true>({
    kind: place.kind,
    key: `#${place.on} ${marker}`,
    detail: `${text.length} characters`,
    read: () => findMarked(repository, marker, place.list),
    alreadyApplied: (comment) =>
      comment !== null && sameText(comment.body ?? '', text) ? true : null,
    async apply(octokit, comment) {
      if (comment === null) await place.create(octokit, text)
      else await place.update(octokit, comment.id, text)
      return true
    },
    readDelays: untilListed,
    ...(isFirst ? { snapshot: null } : {}),
  })
}

/** Our comment with this marker in the conversation of an issue or a pull request. */
export function upsertComment(
  repository: GitHubRepository,
  on: number,
  marker: string,
  body: string,
): Promise<void> {
  const { octokit, target } = repository
  const issue = { ...target, issue_number: on }
  const place: CommentPlace = {
    kind: 'comment',
    on,
    list: async (page) =>
      (await octokit.issues.listComments({ ...issue, per_page: pageSize, page })).data,
    create: ({ issues }, text) => issues.createComment({ ...issue, body: text }),
    update: ({ issues }, id, text) =>
      issues.updateComment({ ...target, comment_id: id, body: text }),
  }
  return upsertMarked(repository, place, marker, body)
}

/** The comments on lines of a pull request; who makes one says where. */
const onLines = (
  { octokit, target }: GitHubRepository,
  on: number,
  create: CommentPlace['create'],
): CommentPlace => ({
  kind: 'review_comment',
  on,
  create,
  list: async (page) => {
    const pages = { pull_number: on, per_page: pageSize, page }
    return (await octokit.pulls.listReviewComments({ ...target, ...pages })).data
  },
  update: ({ pulls }, id, text) =>
    pulls.updateReviewComment({ ...target, comment_id: id, body: text }),
})

/** Our comment with this marker on a line of the diff; GitHub refuses a line outside it with 422. */
export function upsertReviewComment(
  repository: GitHubRepository,
  on: number,
  { marker, sha, path, line, body }: ReviewCommentDraft,
): Promise<void> {
  const at = { ...repository.target, pull_number: on, commit_id: sha, path, line }
  const place = onLines(repository, on, ({ pulls }, text) =>
    pulls.createReviewComment({ ...at, side: 'RIGHT', body: text }),
  )
  return upsertMarked(repository, place, marker, body)
}

/** Our answer with this marker: in the thread of a review comment, else in the conversation. */
export async function answer(
  repository: GitHubRepository,
  { kind, id, on }: RemarkRef,
  marker: string,
  body: string,
): Promise<void> {
  const { octokit, target } = repository
  const place = onLines(repository, on, async ({ pulls }, text) => {
    // GitHub takes answers to the first of a thread only.
    const { data } = await octokit.pulls.getReviewComment({ ...target, comment_id: id })
    const thread = { ...target, pull_number: on, comment_id: data.in_reply_to_id ?? id }
    await pulls.createReplyForReviewComment({ ...thread, body: text })
  })
  try {
    if (kind === 'review_comment') return await upsertMarked(repository, place, marker, body)
  } catch (error) {
    if (!hasStatus(error, 404)) throw error
  }
  return upsertComment(repository, on, marker, body)
}

interface Issue extends Marked {
  readonly number: number
  readonly html_url: string
  readonly pull_request?: unknown
  readonly labels: readonly (string | { readonly name?: string })[]
}

/** The issue of this marker, in any state; see `Forge.upsertIssue`. */
export async function upsertIssue(
  repository: GitHubRepository,
  draft: IssueDraft,
): Promise<{ readonly number: number; readonly url: string }> {
  const { target, perform } = repository
  const snapshot = await snapshotOf(repository, draft)
  const body = withMarker(draft.marker, draft.body)
  const labels = [...draft.labels]
  const issue = await perform<Issue | null, Issue>({
    kind: 'issue',
    key: draft.marker,
    detail: draft.title,
    read: async () => {
      const [label] = labels
      const labelled =
        label === undefined ? null : await search(repository, draft, { labels: label })
      // Where a person took the label off: among all that we opened.
      return labelled ?? search(repository, draft, { creator: await repository.login() })
    },
    alreadyApplied: (now) => (sameText(now?.body ?? '', body) ? now : null),
    async apply({ issues }, now) {
      const { data } =
        now === null
          ? await issues.create({ ...target, title: draft.title, body, labels })
          : await issues.update({ ...target, issue_number: now.number, body })
      return data
    },
    readDelays: untilListed,
    ...(snapshot === undefined ? {} : { snapshot }),
  })
  const { number, html_url: url } = issue
  await changeLabels(repository, number, { add: labels }, namesOf(issue.labels))
  return { number, url }
}

/** What the draft brings, without a second search by the label; `undefined` where it brings nothing. */
async function snapshotOf(
  repository: GitHubRepository,
  draft: IssueDraft,
): Promise<Issue | null | undefined> {
  const { seen } = draft
  if (seen === null) return search(repository, draft, { creator: await repository.login() })
  return seen && { ...seen, html_url: seen.url, user: null }
}

function search(
  repository: GitHubRepository,
  { marker }: IssueDraft,
  narrowed: { readonly labels?: string; readonly creator?: string },
): Promise<Issue | null> {
  const { octokit, target } = repository
  return findMarked<Issue>(repository, marker, async (page) => {
    const asked = { ...target, ...narrowed, state: 'all', per_page: pageSize, page } as const
    try {
      const { data } = await octokit.issues.listForRepo(asked)
      // A page counts as full with the pull requests that GitHub lists among the issues.
      return data.map((one) => (one.pull_request === undefined ? one : { ...one, body: null }))
    } catch (error) {
      // A creator that GitHub does not know: nothing is theirs.
      if (narrowed.creator !== undefined && hasStatus(error, 422)) return []
      throw error
    }
  })
}
