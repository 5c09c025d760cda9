import type { ListedIssue } from '../../../packages/roadmap/roadmap.ts'
import type { GitHubRepository } from './client.ts'
import { pageSize, readAll } from './pages.ts'

const mostPages = 20

export interface IssueFilter {
  readonly label: string | undefined
  /** A milestone's title. */
  readonly milestone: string | undefined
}

/** The issues of a repository, oldest first, without pull requests. */
export async function listIssues(
  { octokit, target }: GitHubRepository,
  { label, milestone }: IssueFilter,
): Promise<readonly ListedIssue[]> {
  const asked = { ...target, state: 'all', direction: 'asc', per_page: pageSize } as const
  const all = await readAll(mostPages, async (page) => {
    const labels = label === undefined ? {} : { labels: label }
    return (await octokit.issues.listForRepo({ ...asked, ...labels, page })).data
  })
  return all
    .filter((one) => one.pull_request === undefined)
    .filter((one) => milestone === undefined || one.milestone?.title === milestone)
    .map((one): ListedIssue => {
      const isDropped = one.state_reason === 'not_planned' || one.state_reason === 'duplicate'
      return {
        number: one.number,
        title: one.title,
        body: one.body ?? '',
        status: one.state === 'open' ? 'pending' : isDropped ? 'cancelled' : 'done',
        assignees: (one.assignees ?? []).map(({ login }) => login),
        milestone: one.milestone?.title ?? null,
      }
    })
}
