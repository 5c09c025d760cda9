import {
  type ActorCall,
  failure,
  noContent,
  notFound,
  ok,
  type Reply,
  type Route,
} from '../exchange.ts'
import { followGit, markMerged } from '../follow-git.ts'
import { mergedTree } from '../pull-figures.ts'
import type { Identity, Pull } from '../records.ts'

const path = '/repos/{owner}/{repo}/pulls/{pull_number}/merge'

interface MergeRequest {
  readonly sha?: string
  readonly merge_method?: 'merge' | 'squash' | 'rebase'
  readonly commit_title?: string
  readonly commit_message?: string
}

export const mergeRoutes: readonly Route[] = [
  {
    method: 'GET',
    path,
    access: 'read',
    handle({ repository, parameters }) {
      const pull = repository.pulls.get(Number(parameters.pull_number))
      return pull === undefined || pull.merged === null ? notFound : noContent
    },
  },
  {
    method: 'PUT',
    path,
    access: 'write',
    async handle(call) {
      const pull = call.repository.pulls.get(Number(call.parameters.pull_number))
      if (pull === undefined) return notFound
      return merge(call, pull)
    },
  },
]

async function merge(call: ActorCall, pull: Pull): Promise<Reply> {
  const { git, body, viewer } = call
  const request = body as MergeRequest
  const method = request.merge_method ?? 'merge'
  if (pull.draft) return failure(405, 'Pull Request is still a draft')
  if (pull.state === 'closed') return failure(405, 'Pull Request is not mergeable')
  if (method === 'rebase') return failure(405, 'Rebase merges are not allowed on this repository.')
  if (request.sha !== undefined && request.sha !== pull.headSha) {
    return failure(409, 'Head branch was modified. Review and try the merge again.')
  }
  const tree = await mergedTree(git, pull.baseSha, pull.headSha)
  if (tree === null) return failure(405, 'Pull Request is not mergeable')
  const [title, text] = messageOf(pull, method, request)
  const parents = method === 'squash' ? [pull.baseSha] : [pull.baseSha, pull.headSha]
  const { stdout } = await git.run(
    ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])],
    { input: text === '' ? `${title}\n` : `${title}\n\n${text}\n`, env: identityOf(viewer) },
  )
  const sha = stdout.trim()
  if (!(await git.setRef(`refs/heads/${pull.base}`, sha, pull.baseSha))) {
    return failure(409, 'Base branch was modified. Review and try the merge again.')
  }
  await markMerged(call, pull, sha)
  await followGit(call)
  return ok({ sha, merged: true, message: 'Pull Request successfully merged' })
}

function messageOf(
  pull: Pull,
  method: 'merge' | 'squash',
  request: MergeRequest,
): readonly [string, string] {
  const title =
    method === 'merge'
      ? `Merge pull request #${pull.number} from ${pull.head}`
      : `${pull.title} (#${pull.number})`
  const text = method === 'merge' ? pull.title : (pull.body ?? '')
  return [request.commit_title ?? title, request.commit_message ?? text]
}

function identityOf({ login, id }: Identity): Record<string, string> {
  return {
    GIT_AUTHOR_NAME: login,
    GIT_AUTHOR_EMAIL: `${id}+${login}@users.noreply.github.com`,
    GIT_COMMITTER_NAME: 'GitHub',
    GIT_COMMITTER_EMAIL: 'noreply@github.com',
  }
}
