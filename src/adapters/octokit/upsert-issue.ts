import { untilListed } from '../../core/perform-effect.ts'
import type { IssueDraft } from '../../core/ports/forge.ts'
import { changeLabels, namesOf } from './change-labels.ts'
import type { GitHubRepository } from './client.ts'
import { hasStatus } from './failure.ts'
import { sameName, sameText } from './pull.ts'
import { withMarker } from './upsert-marked.ts'

interface Issue {
  readonly number: number
  readonly html_url: string
  readonly body?: string | null
  readonly user: { readonly login: string } | null
  readonly pull_request?: unknown
  readonly labels: readonly (string | { readonly name?: string })[]
}

const pageSize = 100
const mostPages = 10

export async function upsertIssue(
  repository: GitHubRepository,
  draft: IssueDraft,
): Promise<{ readonly number: number; readonly url: string }> {
  const { target, perform } = repository
  const seen = await seenOf(repository, draft)
  const body = withMarker(draft.marker, draft.body)
  const add = [...draft.labels]
  const issue = await perform<Issue | null, Issue>({
    kind: 'issue',
    key: draft.marker,
    detail: draft.title,
    read: () => find(repository, draft),
    alreadyApplied: (now) => (sameText(now?.body ?? '', body) ? now : null),
    async apply({ issues }, now) {
      const { data } =
        now === null
          ? await issues.create({ ...target, title: draft.title, body, labels: add })
          : await issues.update({ ...target, issue_number: now.number, body })
      return data
    },
    readDelays: untilListed,
    ...(seen === undefined ? {} : { snapshot: seen }),
  })
  const { number, html_url: url } = issue
  await changeLabels(repository, number, { add }, namesOf(issue.labels))
  return { number, url }
}

/** Without a second search by the label; `undefined`: nobody has searched. */
async function seenOf(
  repository: GitHubRepository,
  draft: IssueDraft,
): Promise<Issue | null | undefined> {
  const { seen } = draft
  if (seen === undefined) return undefined
  if (seen === null) return search(repository, draft, { creator: await repository.login() })
  const { number, url, body, labels } = seen
  return { number, html_url: url, body, labels, user: null }
}

/** By its label, which is one request; where a person took that off, among all that we opened. */
async function find(repository: GitHubRepository, draft: IssueDraft): Promise<Issue | null> {
  const [label] = draft.labels
  const labelled = label === undefined ? null : await search(repository, draft, { labels: label })
  return labelled ?? search(repository, draft, { creator: await repository.login() })
}

async function search(
  { octokit, target, login }: GitHubRepository,
  { marker }: IssueDraft,
  narrowed: { readonly labels?: string; readonly creator?: string },
): Promise<Issue | null> {
  const ours = await login()
  for (let page = 1; page <= mostPages; page++) {
    const asked = { ...target, ...narrowed, state: 'all', per_page: pageSize, page } as const
    const listed: readonly Issue[] = await octokit.issues.listForRepo(asked).then(
      ({ data }) => data,
      (error: unknown) => {
        // A creator that GitHub does not know: nothing is theirs.
        if (narrowed.creator !== undefined && hasStatus(error, 422)) return []
        throw error
      },
    )
    const found = listed.find(
      ({ body, user, pull_request }) =>
        pull_request === undefined && body?.startsWith(marker) && sameName(user?.login ?? '', ours),
    )
    if (found !== undefined) return found
    if (listed.length < pageSize) return null
  }
  return null
}
