import { excludeFromGit, originOf, type UsersRepository } from '../../adapters/user-checkout.ts'
import type { Session, SessionRequest } from '../compose/compose.ts'
import { composeLocal } from '../compose/compose-local.ts'
import { findGitHub } from './find-github.ts'
import { openGitHub } from './open-github.ts'
import type { Terminal } from './terminal.ts'

/** Opens the user's own branches or, with `--github`, the repository on GitHub. */
export async function openToWrite(
  request: SessionRequest,
  repository: UsersRepository,
  { dryRun = false, github = false }: { readonly dryRun?: boolean; readonly github?: boolean },
  terminal: Terminal,
): Promise<Session> {
  if (!dryRun) await excludeFromGit(repository, '.executor/')
  if (!github) return composeLocal({ ...request, repository, isTTY: terminal.isTTY, dryRun })
  const place = findGitHub(await originOf(repository), terminal.environment)
  return openGitHub(request, repository, place, terminal)
}
