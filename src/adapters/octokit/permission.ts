import type { Author, Permission } from '../../core/ports/discussion.ts'
import type { GitHubRepository } from './client.ts'
import { isRequestFailure, reasonOf } from './failure.ts'

/** Logins as GitHub gives them, those of bots and of managed accounts included. */
const login = /^[\w-]{1,100}(\[bot\])?$/

const known: readonly string[] = ['admin', 'maintain', 'write', 'triage', 'read', 'none']
const isKnown = (name: string | undefined): name is Permission =>
  name !== undefined && known.includes(name)

/**
 * What somebody may do here, as GitHub says now; a role of an organisation's own making counts as
 * the permission it is built on. Whatever is odd about the answer, and any error, is `unknown`.
 */
export async function readPermission(
  { octokit, target, log }: GitHubRepository,
  person: Author,
): Promise<Permission> {
  if (!login.test(person.login)) return 'unknown'
  try {
    const asked = { ...target, username: person.login }
    const { data } = await octokit.repos.getCollaboratorPermissionLevel(asked)
    if (data.user?.id !== person.id) return 'unknown'
    if (isKnown(data.role_name)) return data.role_name
    return isKnown(data.permission) ? data.permission : 'unknown'
  } catch (error) {
    log(
      `What ${person.login} may do is unknown: ${isRequestFailure(error) ? reasonOf(error) : error}`,
    )
    return 'unknown'
  }
}
