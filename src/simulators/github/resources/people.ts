import {
  created,
  failure,
  notFound,
  ok,
  type RepositoryCall,
  type Route,
  type TopRoute,
} from '../exchange.ts'
import { presentIssue } from '../present/issue.ts'
import { presentPull } from '../present/pull.ts'
import { presentUser } from '../present/user.ts'
import { type Identity, permissionOf, sameName } from '../store.ts'

const person = '/repos/{owner}/{repo}/collaborators/{username}'

export const hourlyLimit = 5000

export const viewerRoutes: readonly TopRoute[] = [
  {
    method: 'GET',
    path: '/user',
    handleTop({ store, viewer }) {
      if (viewer === null) return failure(401, 'Requires authentication')
      if (viewer.type === 'Bot') return failure(403, 'Resource not accessible by integration')
      const since = { created_at: '2020-01-01T00:00:00Z', updated_at: '2020-01-01T00:00:00Z' }
      const profile = { name: null, company: null, blog: null, location: null, email: null }
      const counts = { public_repos: 0, public_gists: 0, followers: 0, following: 0 }
      const more = { hireable: null, bio: null, user_view_type: 'public' }
      return ok({ ...presentUser(store, viewer), ...profile, ...counts, ...more, ...since })
    },
  },
  {
    method: 'GET',
    path: '/rate_limit',
    handleTop({ store }) {
      const reset = Math.floor(Date.now() / 1000) + 3600
      const core = {
        limit: hourlyLimit,
        used: store.used,
        remaining: hourlyLimit - store.used,
        reset,
      }
      return ok({
        resources: { core, search: { limit: 30, used: 0, remaining: 30, reset } },
        rate: core,
      })
    },
  },
]

export const peopleRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: `${person}/permission`,
    access: 'write',
    handle({ store, repository, parameters }) {
      const found = store.people.find(({ login }) => sameName(login, parameters.username ?? ''))
      if (found === undefined) return notFound
      const permission = permissionOf(repository, found)
      const user = { ...presentUser(store, found), role_name: permission }
      return ok({ permission, role_name: permission, user })
    },
  },
  {
    method: 'POST',
    path: '/repos/{owner}/{repo}/issues/{issue_number}/assignees',
    access: 'write',
    handle(call) {
      const pull = call.repository.pulls.get(Number(call.parameters.issue_number))
      if (pull === undefined) return notFound
      const { assignees = [] } = call.body as { assignees?: string[] }
      // GitHub passes over whom it cannot assign, without a word.
      const people = collaborators(call, assignees).filter((one) => one !== undefined)
      pull.assignees = [...new Set([...pull.assignees, ...people])]
      return created(presentIssue(call.store, call.repository, pull))
    },
  },
  {
    method: 'POST',
    path: '/repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers',
    access: 'write',
    async handle(call) {
      const { store, repository } = call
      const pull = repository.pulls.get(Number(call.parameters.pull_number))
      if (pull === undefined) return notFound
      const { reviewers = [] } = call.body as { reviewers?: string[] }
      const people = collaborators(call, reviewers)
      if (people.includes(pull.author)) {
        return failure(422, 'Review cannot be requested from pull request author.')
      }
      const known = people.filter((one) => one !== undefined)
      if (known.length < people.length) {
        const { owner, name } = repository.options
        return failure(
          422,
          `Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the ${owner}/${name} repository.`,
        )
      }
      pull.reviewers = [...new Set([...pull.reviewers, ...known])]
      return created(presentPull(store, repository, await call.git.defaultBranch(), pull))
    },
  },
]

function collaborators(
  { store, repository }: RepositoryCall,
  logins: readonly string[],
): (Identity | undefined)[] {
  return logins.map((login) =>
    store.people.find(
      (one) => sameName(one.login, login) && permissionOf(repository, one) !== 'read',
    ),
  )
}
