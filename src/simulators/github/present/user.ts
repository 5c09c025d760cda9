import { type Identity, permissionOf, type Repository, type Store, sameName } from '../store.ts'

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
  return permissionOf(repository, person) === 'read' ? 'NONE' : 'COLLABORATOR'
}
