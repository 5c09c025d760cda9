import type { IssueDraft } from '../../ports/forge.ts'
import { changeLabels } from './change-labels.ts'
import type { GitHubRepository } from './client.ts'
import { hasStatus } from './failure.ts'
import { sameName, sameText } from './pull.ts'
import { withMarker } from './upsert-marked.ts'
import { untilListed, writeOnce } from './write-once.ts'

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
  const body = withMarker(draft.marker, draft.body)
  const known = await find(repository, draft)
  const issue = known ?? (await open(repository, draft, body))
  const { number, html_url: url } = issue
  if (!sameText(issue.body ?? '', body)) await replaceBody(repository, number, body)
  const names = issue.labels.map((one) => (typeof one === 'string' ? one : (one.name ?? '')))
  const add = draft.labels.filter((name) => !names.some((one) => sameName(one, name)))
  if (known !== null && add.length > 0) await changeLabels(repository, number, { add })
  return { number, url }
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

async function open(repository: GitHubRepository, draft: IssueDraft, body: string): Promise<Issue> {
  const { octokit, target, clock } = repository
  const labels = [...draft.labels]
  const write = async (): Promise<Issue> =>
    (await octokit.issues.create({ ...target, title: draft.title, body, labels })).data
  return writeOnce({ write, find: () => find(repository, draft), looks: untilListed }, clock)
}

async function replaceBody(
  { octokit, target, clock }: GitHubRepository,
  number: number,
  body: string,
): Promise<void> {
  const issue = { ...target, issue_number: number }
  const find = async () =>
    sameText((await octokit.issues.get(issue)).data.body ?? '', body) ? true : null
  const write = () => octokit.issues.update({ ...issue, body })
  await writeOnce<unknown>({ write, find, looks: [1] }, clock)
}
