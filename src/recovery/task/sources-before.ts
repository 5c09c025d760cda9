import { namesSources, sourcesOf } from '../../changes/destructive/packages/find-in-packages.ts'
import { sourcesIn } from '../../changes/destructive/packages/sources.ts'
import type { ChangeSet } from '../../core/domain/change-set.ts'
import type { Ports } from '../../core/ports.ts'

/** The registries named by the start commit and the settings, when the change is about packages. */
export async function sourcesBefore(
  sha: string,
  changes: ChangeSet,
  { workspace, settings }: Pick<Ports, 'workspace' | 'settings'>,
): Promise<ReadonlySet<string>> {
  if (!changes.some(({ path }) => namesSources(path))) return new Set()
  const files = (await workspace.listFiles(sha)).map(({ path }) => path).filter(namesSources)
  const texts = await workspace.readFiles(sha, files)
  const named = [...texts].flatMap(([path, text]) => [...sourcesOf(path, text)])
  return new Set([...named, ...sourcesIn(settings.verify.registries.join('\n'))])
}
