import { type MergeRequest, mergePull } from '../changes/merge.ts'
import { updateBranch } from '../changes/update-branch.ts'
import { failure, noContent, notFound, ok, type Route } from '../exchange.ts'
import { followGit } from '../follow-git.ts'
import { repositoryUrl } from '../present/repository.ts'

const one = '/repos/{owner}/{repo}/pulls/{pull_number}'

interface MergeBody {
  readonly sha?: string
  readonly merge_method?: MergeRequest['method']
  readonly commit_title?: string
  readonly commit_message?: string
}

export const mergeRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: `${one}/merge`,
    access: 'read',
    handle({ repository, parameters }) {
      const pull = repository.pulls.get(Number(parameters.pull_number))
      return pull === undefined || pull.merged === null ? notFound : noContent
    },
  },
  {
    method: 'PUT',
    path: `${one}/merge`,
    access: 'write',
    async handle(call) {
      const pull = call.repository.pulls.get(Number(call.parameters.pull_number))
      if (pull === undefined) return notFound
      const { sha, merge_method, commit_title, commit_message } = call.body as MergeBody
      const merged = await mergePull(call, pull, {
        ...{ method: merge_method ?? 'merge', sha },
        ...{ title: commit_title, message: commit_message },
      })
      if (typeof merged !== 'string') return failure(merged.status, merged.message)
      await followGit(call)
      return ok({ sha: merged, merged: true, message: 'Pull Request successfully merged' })
    },
  },
  {
    method: 'PUT',
    path: `${one}/update-branch`,
    access: 'write',
    async handle(call) {
      const { store, repository } = call
      const pull = repository.pulls.get(Number(call.parameters.pull_number))
      if (pull === undefined) return notFound
      const { expected_head_sha: expected } = call.body as { expected_head_sha?: string }
      const refused = await updateBranch(call, pull, expected)
      if (refused !== null) return failure(422, refused)
      await followGit(call)
      const url = `${repositoryUrl(store, repository)}/pulls/${pull.number}`
      return { status: 202, body: { message: 'Updating pull request branch.', url } }
    },
  },
]
