import type { JudgePorts } from '../judging.ts'
import type { SandboxRequest } from '../sandbox.ts'
import type { Tree } from '../tree.ts'
import type { Folder } from '../trees.ts'
import { registriesOf } from './named-registries.ts'
import { planDependencies, readRepository } from './plan-dependencies.ts'
import { prepareDependencies } from './prepare-dependencies.ts'

/**
 * The installed dependencies of a folder, for a program that works there and may run its tests. Not those of a setup
 * command, which would write into the folder.
 *
 * @param tree what the folder holds
 */
export async function lendDependencies(
  folder: Folder,
  { paths, read }: Pick<Tree, 'paths' | 'read'>,
  ports: Pick<JudgePorts, 'workspace' | 'sandbox' | 'settings' | 'clock'>,
): Promise<Pick<SandboxRequest, 'mounts' | 'env'>> {
  const { settings, sandbox } = ports
  const repository = await readRepository(paths, read)
  const plans = await planDependencies(repository, settings.verify, (name) => sandbox.has(name))
  const shown = plans.filter(({ source }) => source !== null)
  if (shown.length === 0) return { mounts: [], env: {} }
  const registries = await registriesOf(folder.sha, paths, ports)
  const { mounts, env } = await prepareDependencies(
    shown,
    { folder: folder.path, registries },
    ports,
  )
  return { mounts, env }
}
