import {
  created,
  failure,
  notFound,
  ok,
  type RepositoryCall,
  type Route,
  type TopRoute,
} from '../exchange.ts'
import { paged } from '../paging.ts'
import { mayAt, roleOf } from '../permissions.ts'
import { presentIssue } from '../present/issue.ts'
import { presentPull } from '../present/pull.ts'
import { presentCollaborator, presentProfile } from '../present/user.ts'
import type { Identity } from '../records.ts'
import { findIssue, findPerson } from '../store.ts'

const person = '/repos/{owner}/{repo}/collaborators/{username}'

export const hourlyLimit = 5000

export const viewerRoutes: readonly TopRoute[] = [
  {
    method: 'GET',
    path: '/user',
    handleTop({ store, viewer }) {
      if (viewer === null) return failure(401, 'Requires authentication')
      if (viewer.type === 'Bot') return failure(403, 'Resource not accessible by integration')
      return ok(presentProfile(store, viewer))
    },
  },
  {
    method: 'GET',
    path: '/users/{username}',
    handleTop({ store, parameters }) {
      const found = findPerson(store, parameters.username ?? '')
      return found === undefined ? notFound : ok(presentProfile(store, found))
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
    refusal: 'Must have push access to view collaborator permission.',
    handle({ store, repository, parameters }) {
      const { username = '' } = parameters
      const found = findPerson(store, username)
      // Apps have an account, but no role.
      if (found?.type !== 'User') return failure(404, `${username} is not a user`)
      const { permission, role } = roleOf(repository, found)
      const user = presentCollaborator(store, repository, found)
      return ok({ permission, role_name: role, user })
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/collaborators',
    access: 'write',
    refusal: 'Must have push access to view repository collaborators.',
    handle(call) {
      const { store, repository } = call
      const people = store.people.filter(
        (one) => one.type === 'User' && mayAt('read', repository, one),
      )
      return paged(call, people, (one) => presentCollaborator(store, repository, one))
    },
  },
  {
    method: 'POST',
    path: '/repos/{owner}/{repo}/issues/{issue_number}/assignees',
    access: 'triage',
    handle(call) {
      const issue = findIssue(call.repository, Number(call.parameters.issue_number))
      if (issue === undefined) return notFound
      const { assignees = [] } = call.body as { assignees?: string[] }
      // GitHub passes over whom it cannot assign, without a word.
      const people = collaborators(call, assignees).filter((one) => one !== undefined)
      issue.assignees = [...new Set([...issue.assignees, ...people])]
      return created(presentIssue(call.store, call.repository, issue))
    },
  },
  {
    method: 'POST',
    path: '/repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers',
    access: 'triage',
    handle(call) {
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
      return created(presentPull(store, repository, pull))
    },
  },
]

function collaborators(
  { store, repository }: RepositoryCall,
  logins: readonly string[],
): (Identity | undefined)[] {
  return logins.map((login) =>
    [findPerson(store, login)].find((one) => one !== undefined && mayAt('triage', repository, one)),
  )
}
