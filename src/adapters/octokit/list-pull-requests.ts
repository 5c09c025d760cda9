import type { PullRequest } from '../../core/ports/forge.ts'
import type { GitHubRepository } from './client.ts'
import { type GitHubPull, sameName, toPullRequest } from './pull.ts'

const pageSize = 100

/** The 500 newest of any state, and 300 open ones besides: at most 8 requests. */
const mostPages = { all: 5, open: 3 } as const

/**
 * Our pull requests, newest first. Where the repository has had more than 500, older ones are listed
 * only while open: what was merged before is in the base branch, and what was closed has its branch.
 */
export async function listPullRequests(
  repository: GitHubRepository,
): Promise<readonly PullRequest[]> {
  const all = await listPages(repository, 'all')
  const open = all.cut ? await listPages(repository, 'open') : { pulls: [], cut: false }
  const byNumber = new Map([...all.pulls, ...open.pulls].map((pull) => [pull.number, pull]))
  const { owner, repo } = repository.target
  return [...byNumber.values()]
    .filter(({ head }) => sameName(head.repo?.full_name ?? '', `${owner}/${repo}`))
    .filter(({ head }) => /^(agent|executor\/recovery)\/./.test(head.ref))
    .sort((a, b) => b.number - a.number)
    .map(toPullRequest)
}

async function listPages(
  repository: GitHubRepository,
  state: 'all' | 'open',
): Promise<{ readonly pulls: readonly GitHubPull[]; readonly cut: boolean }> {
  const pulls: GitHubPull[] = []
  for (let page = 1; page <= mostPages[state]; page++) {
    const listed = await listPage(repository, state, page)
    pulls.push(...listed)
    if (listed.length < pageSize) return { pulls, cut: false }
  }
  return { pulls, cut: true }
}

async function listPage(
  { octokit, target }: GitHubRepository,
  state: 'all' | 'open',
  page: number,
): Promise<readonly GitHubPull[]> {
  const newest = { sort: 'created', direction: 'desc', per_page: pageSize } as const
  return (await octokit.pulls.list({ ...target, state, ...newest, page })).data
}

/**
 * What is open with this head in this very repository. The list of all was read before: where it holds
 * them all and nothing is new, GitHub answers by its ETag.
 */
export async function listOpenWith(
  repository: GitHubRepository,
  head: string,
): Promise<readonly GitHubPull[]> {
  const { octokit, target } = repository
  const { owner, repo } = target
  const all = await listPage(repository, 'all', 1)
  const asked = { ...target, state: 'open', head: `${owner}:${head}`, per_page: pageSize } as const
  const listed = all.length < pageSize ? all : (await octokit.pulls.list(asked)).data
  return listed.filter(
    (pull) =>
      pull.state === 'open' &&
      pull.head.ref === head &&
      sameName(pull.head.repo?.full_name ?? '', `${owner}/${repo}`),
  )
}
