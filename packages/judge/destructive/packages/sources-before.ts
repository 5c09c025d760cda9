import type { ChangeSet, Tree } from '../../../change/change.ts'
import { namesSources, sourcesOf } from './find-in-packages.ts'
import { sourcesIn } from './sources.ts'

/** The sources that the start tree and the settings' registries name, when the change is about packages. */
export async function sourcesBefore(
  { paths, read }: Tree,
  changes: ChangeSet,
  registries: readonly string[],
): Promise<ReadonlySet<string>> {
  if (!changes.some(({ path }) => namesSources(path))) return new Set()
  const texts = await read(paths.filter(namesSources))
  const named = [...texts].flatMap(([path, text]) => [...sourcesOf(path, text)])
  return new Set([...named, ...sourcesIn(registries.join('\n'))])
}
