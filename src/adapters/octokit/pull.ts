import type { PullRequest } from '../../core/ports/forge.ts'
import type { GitHubRepository, RestAnswer } from './client.ts'
import { orNull } from './failure.ts'
import { pageSize, readAll } from './pages.ts'

type Facts = 'number' | 'html_url' | 'state' | 'draft' | 'title' | 'body' | 'user'
type Commits = 'merged_at' | 'merge_commit_sha' | 'head' | 'base'

/** What we read of GitHub's pull requests, in a list or alone. */
export interface GitHubPull extends Pick<RestAnswer<'pulls', 'list'>[number], Facts | Commits> {
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

/** Heads of branches that we push. */
export const ourHead = /^(agent|executor\/recovery)\/./

/** Read anew; `null` for a number that GitHub does not know. */
export async function readPullRequest(
  { octokit, target }: GitHubRepository,
  number: number,
): Promise<PullRequest | null> {
  const found = await orNull(octokit.pulls.get({ ...target, pull_number: number }), 404)
  return found && toPullRequest(found.data)
}

/**
 * Our pull requests, newest first: of the 500 newest of any state, and 300 open ones besides. Where the
 * repository has had more than 500, older ones are listed only while open: what was merged before is in
 * the base branch, and what was closed has its branch.
 */
export async function listPullRequests(
  repository: GitHubRepository,
): Promise<readonly PullRequest[]> {
  const read = (state: 'all' | 'open', most: number) =>
    readAll(most, (page) => listPage(repository, state, page))
  const all = await read('all', 5)
  const open = all.length < 5 * pageSize ? [] : await read('open', 3)
  const byNumber = new Map([...all, ...open].map((pull) => [pull.number, pull]))
  return [...byNumber.values()]
    .filter((pull) => isInside(pull, repository) && ourHead.test(pull.head.ref))
    .sort((a, b) => b.number - a.number)
    .map(toPullRequest)
}

async function listPage(
  { octokit, target }: GitHubRepository,
  state: 'all' | 'open',
  page: number,
): Promise<readonly GitHubPull[]> {
  const newest = { sort: 'created', direction: 'desc', per_page: pageSize } as const
  return (await octokit.pulls.list({ ...target, state, ...newest, page })).data
}

/** From a branch of this very repository. */
const isInside = ({ head }: GitHubPull, { target }: GitHubRepository): boolean =>
  sameName(head.repo?.full_name ?? '', `${target.owner}/${target.repo}`)

/**
 * Open pull requests with this head in this very repository. The list of all was read before: where it
 * is complete and unchanged, GitHub answers by its ETag.
 */
export async function listOpenWith(
  repository: GitHubRepository,
  ref: string,
): Promise<readonly GitHubPull[]> {
  const { octokit, target } = repository
  const head = `${target.owner}:${ref}`
  const asked = { ...target, state: 'open', head, per_page: pageSize } as const
  const all = await listPage(repository, 'all', 1)
  const found = all.length < pageSize ? all : (await octokit.pulls.list(asked)).data
  return found.filter(
    (pull) => pull.state === 'open' && pull.head.ref === ref && isInside(pull, repository),
  )
}
