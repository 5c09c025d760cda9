import { makeTemporaryFolder, removeTemporaryFolder } from '../../../packages/files/files.ts'
import type { UsersRepository } from '../../adapters/user-checkout.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { cacheDirectory } from '../own-directory.ts'
import { machinePorts } from './compose.ts'
import { openWorkspace } from './compose-local.ts'

/** The ports of a check of this repository: no model, no forge, no state; its clone and folders are temporary. */
export async function openCheck(
  repository: UsersRepository,
  settings: Settings,
  redact: (text: string) => string,
) {
  const home = await makeTemporaryFolder('check')
  const checkout = repository.workTree
  const machine = machinePorts(settings, { checkout, cache: cacheDirectory(), redact })
  const close = async () => {
    await machine.syntax.close()
    await removeTemporaryFolder(home)
  }
  try {
    const { root } = repository
    const workspace = await openWorkspace(root, settings, machine.clock, { home, repository })
    return { ports: { ...machine, workspace }, home, close }
  } catch (error) {
    await close()
    throw error
  }
}
