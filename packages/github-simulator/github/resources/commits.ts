import { notFound, ok, type Route } from '../exchange.ts'
import { readChanges, readCommits } from '../history.ts'
import { linkHeader, pageOf } from '../paging.ts'
import { presentChange, presentCommit } from '../present/commit.ts'
import { repositoryPage, repositoryUrl } from '../present/repository.ts'

const root = '/repos/{owner}/{repo}'

export const commitRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: `${root}/commits`,
    access: 'read',
    async handle(call) {
      const { git, query, store, repository } = call
      const sha = await git.resolve(query.sha ?? repository.defaultBranch)
      if (sha === null) return notFound
      const path = query.path === undefined ? {} : { path: query.path }
      const { skip, size } = pageOf(call)
      const commits = await readCommits(git, sha, { skip, limit: size, ...path })
      return {
        status: 200,
        body: commits.map((commit) => presentCommit(store, repository, commit)),
        headers: linkHeader(call, await git.count(sha, query.path)),
      }
    },
  },
  {
    method: 'GET',
    path: `${root}/compare/{basehead}`,
    access: 'read',
    async handle({ git, parameters, store, repository }) {
      const [baseName = '', headName = ''] = (parameters.basehead ?? '').split('...')
      const [base, head] = [await git.resolve(baseName), await git.resolve(headName)]
      if (base === null || head === null) return notFound
      const mergeBase = await git.mergeBase(base, head)
      if (mergeBase === null) return notFound
      const commits = await readCommits(git, `${base}..${head}`)
      const [ahead, behind] = [commits.length, await git.count(`${head}..${base}`)]
      const [[baseCommit], [mergeBaseCommit]] = [
        await readCommits(git, base, { limit: 1 }),
        await readCommits(git, mergeBase, { limit: 1 }),
      ]
      if (baseCommit === undefined || mergeBaseCommit === undefined) return notFound
      const page = `${repositoryPage(store, repository)}/compare/${base}...${head}`
      return ok({
        url: `${repositoryUrl(store, repository)}/compare/${base}...${head}`,
        html_url: page,
        permalink_url: page,
        diff_url: `${page}.diff`,
        patch_url: `${page}.patch`,
        base_commit: presentCommit(store, repository, baseCommit),
        merge_base_commit: presentCommit(store, repository, mergeBaseCommit),
        status: relation(ahead, behind),
        ahead_by: ahead,
        behind_by: behind,
        total_commits: ahead,
        commits: commits.toReversed().map((commit) => presentCommit(store, repository, commit)),
        files: (await readChanges(git, mergeBase, head)).map((change) =>
          presentChange(store, repository, head, change),
        ),
      })
    },
  },
]

function relation(ahead: number, behind: number): string {
  if (ahead > 0) return behind > 0 ? 'diverged' : 'ahead'
  return behind > 0 ? 'behind' : 'identical'
}
