import type { PullRequest } from '../../core/ports/forge.ts'

/** What we read of GitHub's pull requests, in a list or alone. */
export interface GitHubPull {
  readonly number: number
  readonly html_url: string
  readonly state: string
  readonly draft?: boolean
  readonly title: string
  readonly body: string | null
  readonly merged_at: string | null
  readonly merge_commit_sha: string | null
  readonly user: { readonly login: string } | null
  readonly head: {
    readonly ref: string
    readonly sha: string
    /** `null` when the fork is gone. */
    readonly repo: { readonly full_name: string } | null
  }
  readonly base: { readonly ref: string }
  readonly labels: readonly { readonly name?: string }[]
}

export function toPullRequest(pull: GitHubPull): PullRequest {
  return {
    number: pull.number,
    url: pull.html_url,
    author: pull.user?.login ?? '',
    head: pull.head.ref,
    headSha: pull.head.sha,
    base: pull.base.ref,
    state: pull.merged_at !== null ? 'merged' : pull.state === 'open' ? 'open' : 'closed',
    mergeSha: pull.merged_at === null ? null : pull.merge_commit_sha,
    draft: pull.draft ?? false,
    title: pull.title,
    body: pull.body ?? '',
    labels: pull.labels.flatMap(({ name }) => name ?? []),
  }
}

/** Texts as GitHub gives them back: other line ends and a trimmed end are no difference. */
export const sameText = (a: string, b: string): boolean => asStored(a) === asStored(b)

const asStored = (text: string): string => text.replaceAll('\r\n', '\n').trimEnd()

/** Logins and labels differ by more than case. */
export const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
