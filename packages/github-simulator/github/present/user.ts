import { mayAt, permissionFlags, roleOf } from '../permissions.ts'
import type { Identity } from '../records.ts'
import { type Repository, type Store, sameName } from '../store.ts'

export const nodeId = (kind: string, id: number): string =>
  Buffer.from(`${kind}:${id}`).toString('base64url')

/** GitHub's "simple user". */
export function presentUser(store: Store, person: Identity): Record<string, unknown> {
  const url = `${store.apiUrl}/users/${encodeURIComponent(person.login)}`
  return {
    login: person.login,
    id: person.id,
    node_id: nodeId('User', person.id),
    avatar_url: `${store.url}/avatars/${person.id}`,
    gravatar_id: '',
    url,
    html_url: `${store.url}/${encodeURIComponent(person.login)}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: person.type,
    site_admin: false,
  }
}

export function authorAssociation(repository: Repository, person: Identity): string {
  if (sameName(person.login, repository.options.owner)) return 'OWNER'
  return mayAt('triage', repository, person) ? 'COLLABORATOR' : 'NONE'
}

/** What `/user` and `/users/{username}` add. */
export function presentProfile(store: Store, person: Identity): Record<string, unknown> {
  const since = { created_at: '2020-01-01T00:00:00Z', updated_at: '2020-01-01T00:00:00Z' }
  const profile = { name: null, company: null, blog: null, location: null, email: null }
  const counts = { public_repos: 0, public_gists: 0, followers: 0, following: 0 }
  const more = { hireable: null, bio: null, user_view_type: 'public' }
  return { ...presentUser(store, person), ...profile, ...counts, ...more, ...since }
}

export function presentCollaborator(
  store: Store,
  repository: Repository,
  person: Identity,
): Record<string, unknown> {
  const { role } = roleOf(repository, person)
  return { ...presentUser(store, person), role_name: role, permissions: permissionFlags(role) }
}
