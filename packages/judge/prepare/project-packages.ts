import type { Folder, Tree } from '../../change/change.ts'
import type { SandboxRequest } from '../../sandbox/sandbox.ts'
import { readDeclaredPackages } from '../detect/declared-packages.ts'
import type { JudgePorts } from '../judging.ts'
import { registriesOf } from './named-registries.ts'
import { planDependencies, readRepository } from './plan-dependencies.ts'
import { prepareDependencies } from './prepare-dependencies.ts'
import { renewChanged } from './renew-locks.ts'

type Needs = Pick<JudgePorts, 'workspace' | 'sandbox' | 'settings' | 'clock'>

/** The packages of a tree. A folder passed to a method holds this tree. */
export const packagesOf = (tree: Tree) => ({
  /** Names in its manifests, each once. */
  declared: () => readDeclaredPackages(tree),
  lend: (folder: Folder, ports: Needs) => lendDependencies(tree, folder, ports),
  renewLocks: (folder: Folder, ports: Needs) => renewChanged(tree, folder, ports),
})

/**
 * The installed dependencies of a folder, for a program that works there and may run its tests. Not those of a setup
 * command, which would write into the folder.
 */
async function lendDependencies(
  { paths, read }: Tree,
  folder: Folder,
  ports: Needs,
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
