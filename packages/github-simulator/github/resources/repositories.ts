import { failure, notFound, ok, type Route } from '../exchange.ts'
import { readCommits } from '../history.ts'
import { paged } from '../paging.ts'
import { mayAt } from '../permissions.ts'
import { presentCommit } from '../present/commit.ts'
import { presentFullRepository, repositoryPage, repositoryUrl } from '../present/repository.ts'
import type { Repository, Store } from '../store.ts'

const root = '/repos/{owner}/{repo}'

export const repositoryRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: root,
    access: 'read',
    handle: ({ store, repository, viewer }) => ok(presentFullRepository(store, repository, viewer)),
  },
  {
    method: 'GET',
    path: `${root}/actions/permissions/workflow`,
    access: 'anyone',
    handle({ repository, viewer }) {
      if (viewer?.type === 'Bot') return failure(403, 'Resource not accessible by integration')
      if (!mayAt('admin', repository, viewer)) {
        return failure(403, 'Must have admin rights to Repository.')
      }
      return ok({
        default_workflow_permissions: 'read',
        can_approve_pull_request_reviews: repository.options.actionsMayCreatePullRequests ?? true,
      })
    },
  },
  {
    method: 'GET',
    path: `${root}/branches`,
    access: 'read',
    async handle(call) {
      const { store, repository, git, query } = call
      const branches = [...(await git.refs())]
        .filter(([ref]) => ref.startsWith('refs/heads/'))
        .map(([ref, sha]) => ({ name: ref.slice('refs/heads/'.length), sha }))
        .filter(
          ({ name }) =>
            query.protected === undefined || `${isProtected(repository, name)}` === query.protected,
        )
      return paged(call, branches, ({ name, sha }) => ({
        name,
        commit: { sha, url: `${repositoryUrl(store, repository)}/commits/${sha}` },
        protected: isProtected(repository, name),
      }))
    },
  },
  {
    method: 'GET',
    path: `${root}/rules/branches/{branch}`,
    access: 'read',
    handle: ({ repository, parameters }) => ok(presentRules(repository, parameters.branch ?? '')),
  },
  {
    method: 'GET',
    path: `${root}/branches/{branch}`,
    access: 'read',
    async handle({ store, repository, git, parameters }) {
      const name = parameters.branch ?? ''
      const sha = (await git.refs()).get(`refs/heads/${name}`)
      if (sha === undefined) return failure(404, 'Branch not found')
      const [commit] = await readCommits(git, sha, { limit: 1 })
      if (commit === undefined) return notFound
      return ok({
        ...presentBranch(store, repository, name),
        commit: presentCommit(store, repository, commit),
      })
    },
  },
]

/** The rules of a branch, as rulesets would say them. */
function presentRules({ options, defaultBranch }: Repository, branch: string): object[] {
  if (branch !== defaultBranch) return []
  const { requiredReviews = 0, requiredChecks = [] } = options
  const reviews = {
    dismiss_stale_reviews_on_push: false,
    require_code_owner_review: false,
    require_last_push_approval: false,
    required_approving_review_count: requiredReviews,
    required_review_thread_resolution: false,
  }
  const checks = {
    required_status_checks: requiredChecks.map((context) => ({ context })),
    strict_required_status_checks_policy: false,
  }
  return [
    ...(requiredReviews > 0 ? [{ type: 'pull_request', parameters: reviews }] : []),
    ...(requiredChecks.length > 0 ? [{ type: 'required_status_checks', parameters: checks }] : []),
  ]
}

export const isProtected = ({ options }: Repository, branch: string): boolean =>
  options.protectedBranches?.includes(branch) ?? false

function presentBranch(
  store: Store,
  repository: Repository,
  name: string,
): Record<string, unknown> {
  const self = `${repositoryUrl(store, repository)}/branches/${encodeURIComponent(name)}`
  return {
    name,
    protected: isProtected(repository, name),
    protection: { enabled: isProtected(repository, name) },
    protection_url: `${self}/protection`,
    _links: { self, html: `${repositoryPage(store, repository)}/tree/${encodeURI(name)}` },
  }
}
