import type { Identity, Permission } from './records.ts'
import { type Repository, sameName } from './store.ts'

const ranks: readonly Permission[] = ['none', 'read', 'triage', 'write', 'maintain', 'admin']

export function permissionOf(repository: Repository, person: Identity): Permission {
  const given = repository.permissions.get(person.id) ?? person.permission
  if (given !== undefined) return given
  return sameName(person.login, repository.options.owner) ? 'admin' : 'write'
}

export const mayAt = (
  level: Permission,
  repository: Repository,
  person: Identity | null,
): boolean =>
  person !== null && ranks.indexOf(permissionOf(repository, person)) >= ranks.indexOf(level)

/** Everyone sees a public repository. */
export const maySee = (repository: Repository, person: Identity | null): boolean =>
  repository.options.private !== true || mayAt('read', repository, person)

/**
 * The base role for GitHub's older fields, and the current role name: `maintain` counts as `write`,
 * `triage` as `read`. People without a role may still read public repositories.
 */
export function roleOf(
  repository: Repository,
  person: Identity,
): { readonly permission: 'admin' | 'write' | 'read' | 'none'; readonly role: Permission } {
  const given = permissionOf(repository, person)
  const role = given === 'none' && repository.options.private !== true ? 'read' : given
  if (role === 'maintain') return { permission: 'write', role }
  return { permission: role === 'triage' ? 'read' : role, role }
}

/** The `permissions` of a repository or collaborator, which hold at once. */
export function permissionFlags(level: Permission): Readonly<Record<string, boolean>> {
  const has = (least: Permission): boolean => ranks.indexOf(level) >= ranks.indexOf(least)
  return {
    admin: has('admin'),
    maintain: has('maintain'),
    push: has('write'),
    triage: has('triage'),
    pull: has('read'),
  }
}
