/** Comments and issues that begin with our marker: one per marker and author. */
import type { Octokit } from '@octokit/rest'
import { readReply } from '../../core/domain/reply-marker.ts'
import { untilListed } from '../../core/perform-effect.ts'
import type { RemarkRef } from '../../core/ports/discussion.ts'
import type { IssueDraft, ReviewCommentDraft } from '../../core/ports/forge.ts'
import type { PostedText } from '../../core/ports/own-texts.ts'
import type { GitHubRepository } from './client.ts'
import { hasStatus } from './failure.ts'
import { listed, pageSize } from './pages.ts'
import { changeLabels, namesOf, sameName, sameText } from './pull.ts'

interface Marked {
  readonly body?: string | null
  readonly user: { readonly login: string } | null
  readonly created_at: string
}

interface MarkedComment extends Marked {
  readonly id: number
  readonly updated_at: string
}

const mostPages = 10

/** Adds the marker at the start if it is missing. */
const withMarker = (marker: string, body: string): string =>
  body.startsWith(marker) ? body : `${marker}\n${body}`

/** Finds our text with this marker. Anyone can post a marker, so the text must be ours. */
async function findMarked<T extends Marked>(
  { login, texts }: GitHubRepository,
  marker: string,
  list: (page: number) => Promise<readonly T[]>,
  identify: (found: T) => Pick<PostedText, 'kind' | 'id'> & Partial<Pick<PostedText, 'updatedAt'>>,
): Promise<T | null> {
  const us = await login()
  for await (const found of listed(mostPages, list)) {
    const { body, user, created_at: createdAt } = found
    if (!body?.startsWith(marker) || !sameName(user?.login ?? '', us)) continue
    const [ours] = await texts.ours([{ updatedAt: createdAt, ...identify(found), body, createdAt }])
    if (ours !== undefined) return found
  }
  return null
}

/** The conversation of an issue or pull request, or a line of its diff. */
interface Place {
  readonly kind: 'comment' | 'review_comment'
  readonly on: number
  readonly marker: string
}

/** Creates the comment with this marker, or updates ours; writes nothing if it is the same. */
async function upsertMarked(
  repository: GitHubRepository,
  { kind, on, marker }: Place,
  body: string,
  create: (octokit: Octokit, text: string) => Promise<{ readonly data: { readonly id: number } }>,
): Promise<void> {
  const { octokit, target, texts } = repository
  const text = withMarker(marker, body)
  const isFirst = kind === 'comment' && repository.uncommented.delete(on)
  const list = async (page: number): Promise<readonly MarkedComment[]> => {
    const asked = { ...target, per_page: pageSize, page }
    return kind === 'comment'
      ? (await octokit.issues.listComments({ ...asked, issue_number: on })).data
      : (await octokit.pulls.listReviewComments({ ...asked, pull_number: on })).data
  }
  await repository.perform<MarkedComment | null, true>({
    ...{ kind, key: `#${on} ${marker}`, detail: `${text.length} characters` },
    read: () =>
      findMarked(repository, marker, list, ({ id, updated_at: updatedAt }) => ({
        ...{ kind, id, updatedAt },
      })),
    alreadyApplied: (now) => (now !== null && sameText(now.body ?? '', text) ? true : null),
    async apply(writing, now) {
      const change = { ...target, comment_id: now?.id ?? 0, body: text }
      if (now === null) {
        await texts.intend(text)
        const { data } = await create(writing, text)
        texts.posted({ kind, id: data.id, body: text })
      } else {
        // Known by its words so far, perhaps.
        texts.posted({ kind, id: now.id, body: text })
        if (readReply(text)?.approved != null) await texts.intend(text, { kind, id: now.id })
        if (kind === 'comment') await writing.issues.updateComment(change)
        else await writing.pulls.updateReviewComment(change)
      }
      return true
    },
    readDelays: untilListed,
    ...(isFirst ? { snapshot: null } : {}),
  })
}

/** Upserts our comment with this marker in the conversation of an issue or a pull request. */
export const upsertComment = (
  repository: GitHubRepository,
  on: number,
  marker: string,
  body: string,
): Promise<void> =>
  upsertMarked(repository, { kind: 'comment', on, marker }, body, ({ issues }, text) =>
    issues.createComment({ ...repository.target, issue_number: on, body: text }),
  )

/** Upserts our comment on a line of the diff; GitHub answers 422 for a line outside it. */
export function upsertReviewComment(
  repository: GitHubRepository,
  on: number,
  { marker, sha, path, line, body }: ReviewCommentDraft,
): Promise<void> {
  const at = { ...repository.target, pull_number: on, commit_id: sha, path, line }
  const place = { kind: 'review_comment', on, marker } as const
  return upsertMarked(repository, place, body, ({ pulls }, text) =>
    pulls.createReviewComment({ ...at, side: 'RIGHT', body: text }),
  )
}

/** Upserts our reply: in the thread of a review comment, otherwise in the conversation. */
export async function answer(
  repository: GitHubRepository,
  { kind, id, on }: RemarkRef,
  marker: string,
  body: string,
): Promise<void> {
  const { octokit, target } = repository
  try {
    if (kind === 'review_comment') {
      return await upsertMarked(repository, { kind, on, marker }, body, async ({ pulls }, text) => {
        // GitHub accepts replies only to the first comment of a thread.
        const { data } = await octokit.pulls.getReviewComment({ ...target, comment_id: id })
        const thread = { ...target, pull_number: on, comment_id: data.in_reply_to_id ?? id }
        return pulls.createReplyForReviewComment({ ...thread, body: text })
      })
    }
  } catch (error) {
    if (!hasStatus(error, 404)) throw error
  }
  return upsertComment(repository, on, marker, body)
}

interface Issue extends Pick<Marked, 'body'> {
  readonly number: number
  readonly html_url: string
  readonly labels: readonly (string | { readonly name?: string })[]
}

/** The issue with this marker, in any state; see `Forge.upsertIssue`. */
export async function upsertIssue(
  repository: GitHubRepository,
  draft: IssueDraft,
): Promise<{ readonly number: number; readonly url: string }> {
  const { target, perform, login, texts } = repository
  const { marker, title, seen } = draft
  const body = withMarker(marker, draft.body)
  const labels = [...draft.labels]
  const ours = async () => search(repository, marker, { creator: await login() })
  const snapshot = seen === null ? await ours() : seen && { ...seen, html_url: seen.url }
  const issue = await perform<Issue | null, Issue>({
    ...{ kind: 'issue', key: marker, detail: title },
    read: async () => {
      const [first] = labels
      const labelled = first === undefined ? null : search(repository, marker, { labels: first })
      // If a person removed the label, search everything that we opened.
      return (await labelled) ?? ours()
    },
    alreadyApplied: (now) => (sameText(now?.body ?? '', body) ? now : null),
    async apply({ issues }, now) {
      if (now !== null) {
        texts.posted({ kind: 'issue', id: now.number, body })
        return (await issues.update({ ...target, issue_number: now.number, body })).data
      }
      await texts.intend(body)
      const { data } = await issues.create({ ...target, title, body, labels })
      texts.posted({ kind: 'issue', id: data.number, body })
      return data
    },
    readDelays: untilListed,
    ...(snapshot === undefined ? {} : { snapshot }),
  })
  const { number, html_url: url } = issue
  await changeLabels(repository, number, { add: labels }, namesOf(issue.labels))
  return { number, url }
}

function search(
  repository: GitHubRepository,
  marker: string,
  narrowed: { readonly labels?: string; readonly creator?: string },
): Promise<(Issue & Marked) | null> {
  const { octokit, target } = repository
  const list = async (page: number): Promise<readonly (Issue & Marked)[]> => {
    const asked = { ...target, ...narrowed, state: 'all', per_page: pageSize, page } as const
    try {
      const { data } = await octokit.issues.listForRepo(asked)
      // GitHub lists pull requests among the issues; they must still count towards a full page.
      return data.map((one) => (one.pull_request === undefined ? one : { ...one, body: null }))
    } catch (error) {
      // An account that GitHub does not know has no issues.
      if (narrowed.creator !== undefined && hasStatus(error, 422)) return []
      throw error
    }
  }
  return findMarked(repository, marker, list, ({ number }) => ({ kind: 'issue', id: number }))
}
