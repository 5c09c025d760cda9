import { ExecutorError } from '../domain/errors.ts'
import type { Forge, ForgeResult } from '../ports/forge.ts'
import { type GitHubOptions, openRepository } from './octokit/client.ts'
import { toRefusal } from './octokit/failure.ts'
import { listPullRequests } from './octokit/list-pull-requests.ts'
import { upsertComment } from './octokit/upsert-comment.ts'
import { upsertPullRequest } from './octokit/upsert-pull-request.ts'

/**
 * GitHub by its REST API. Reads are repeated where that may help; every write is an upsert, looked up
 * before it is tried again.
 */
export function createOctokitForge(options: GitHubOptions): Forge {
  const repository = openRepository(options)
  const name = `${options.owner}/${options.repo}`
  const asResult = async <T>(work: Promise<T>): Promise<ForgeResult<T>> => {
    try {
      return { status: 'ok', value: await work }
    } catch (error) {
      return toRefusal(error, name)
    }
  }
  return {
    kind: 'github',
    async pullRequests() {
      const listed = await asResult(listPullRequests(repository))
      if (listed.status === 'ok') return listed.value
      throw new ExecutorError(listed.code, listed.detail)
    },
    upsertPullRequest: (draft) => asResult(upsertPullRequest(repository, draft)),
    upsertComment: (pullRequest, marker, body) =>
      asResult(upsertComment(repository, pullRequest, marker, body).then(() => null)),
    pullRequest: unbuilt,
    upsertReviewComment: unbuilt,
    merge: unbuilt,
    mergeWhenGreen: unbuilt,
    checks: unbuilt,
    close: unbuilt,
    retarget: unbuilt,
    label: unbuilt,
    upsertIssue: unbuilt,
  }
}

const unbuilt = async (): Promise<never> => {
  throw new Error('This part is being built.')
}
