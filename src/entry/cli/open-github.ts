import { rm } from 'node:fs/promises'
import { makeTemporaryFolder } from '../../adapters/temporary-folder.ts'
import type { UsersRepository } from '../../adapters/user-checkout.ts'
import type { Session, SessionRequest } from '../compose/compose.ts'
import { composeGitHub } from '../compose/compose-github.ts'
import type { findGitHub } from './find-github.ts'
import type { Terminal } from './terminal.ts'

/** Opens the repository on GitHub that this checkout came from; closing the session removes its temporary folder. */
export async function openGitHub(
  request: SessionRequest,
  { root: workspace }: UsersRepository,
  { token, ...place }: ReturnType<typeof findGitHub>,
  terminal: Terminal,
): Promise<Session> {
  const temporary = await makeTemporaryFolder('github')
  const session = await composeGitHub({
    ...request,
    place: { ...place, base: null, workspace, checkedOut: true, temporary },
    token: () => token,
    log: (line) => terminal.say(line),
  })
  return {
    ...session,
    async close() {
      await session.close()
      await rm(temporary, { recursive: true, force: true })
    },
  }
}
