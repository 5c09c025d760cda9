import { join } from 'node:path'
import { makeTemporaryFolder, removeTemporaryFolder } from '../../../packages/files/files.ts'
import type { UsersRepository } from '../../adapters/user-checkout.ts'
import type { Session, SessionRequest } from '../compose/compose.ts'
import { composeGitHub } from '../compose/compose-github.ts'
import type { findGitHub } from './find-github.ts'
import type { Terminal } from './terminal.ts'

/**
 * Opens a repository on GitHub; closing the session removes its temporary folder.
 *
 * @param checkout that came from it; `null` where there is none
 */
export async function openGitHub(
  request: SessionRequest,
  checkout: UsersRepository | null,
  { token, ...place }: ReturnType<typeof findGitHub>,
  terminal: Terminal,
): Promise<Session> {
  const temporary = await makeTemporaryFolder('github')
  const session = await composeGitHub({
    ...request,
    place: {
      ...{ ...place, base: null, temporary },
      workspace: checkout?.root ?? join(temporary, 'work'),
      checkedOut: checkout !== null,
    },
    token: () => token,
    log: (line) => terminal.say(line),
  })
  return {
    ...session,
    async close() {
      await session.close()
      await removeTemporaryFolder(temporary)
    },
  }
}
