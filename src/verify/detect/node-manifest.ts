import { posix } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../core/parse-json.ts'
import type { RepositoryFiles } from './suite.ts'

const packages = z.record(z.string(), z.unknown()).catch({})

const manifest = z.object({
  name: z.string().optional().catch(undefined),
  scripts: z.record(z.string(), z.string()).catch({}),
  dependencies: packages,
  devDependencies: packages,
  peerDependencies: packages,
  optionalDependencies: packages,
  jest: z.unknown().optional(),
  packageManager: z.string().optional().catch(undefined),
})

export type Manifest = z.infer<typeof manifest>

/** A package.json, as far as it can be read; `null` for none. */
export const readManifest = (repository: RepositoryFiles, path: string): Manifest | null =>
  manifest.safeParse(parseJson(repository.read(path) ?? '')).data ?? null

/** What a person of this project types. */
export const testLines = {
  npm: 'npm test',
  pnpm: 'pnpm test',
  yarn: 'yarn test',
  bun: 'bun run test',
}
type PackageManager = keyof typeof testLines

const locks: readonly (readonly [RegExp, PackageManager])[] = [
  [/^(?:package-lock|npm-shrinkwrap)\.json$/, 'npm'],
  [/^pnpm-(?:lock|workspace)\.yaml$/, 'pnpm'],
  [/^(?:yarn\.lock|\.yarnrc\.yml|\.pnp\.cjs)$/, 'yarn'],
  [/^bun\.lockb?$/, 'bun'],
]

/** The `packageManager` field, in the package or at the root, else the lock file. */
export function managerOf(
  repository: RepositoryFiles,
  found: Manifest,
  directory: string,
): PackageManager {
  const root = readManifest(repository, 'package.json')
  const declared = /^(npm|pnpm|yarn|bun)@/.exec(found.packageManager ?? root?.packageManager ?? '')
  if (declared !== null) return declared[1] as PackageManager
  const lock = [directory, '.'].flatMap((place) =>
    locks.filter(([name]) =>
      repository.files.some(
        (path) => posix.dirname(path) === place && name.test(posix.basename(path)),
      ),
    ),
  )
  return lock[0]?.[1] ?? 'npm'
}

/**
 * The commands a script comes down to when they run one after the other; `null` when it does
 * anything that only npm or a real shell should take apart.
 */
export function expandScript(
  scripts: Manifest['scripts'],
  name: string,
  depth: number,
): readonly string[] | null {
  const script = scripts[name]
  if (script === undefined || depth === 0 || scripts[`pre${name}`] || scripts[`post${name}`]) {
    return null
  }
  const lines: string[] = []
  for (const part of script.split('&&').map((each) => each.trim())) {
    const called = /^(?:(?:npm|pnpm|yarn)(?: run)?|bun run) ([\w:.-]+)$/.exec(part)?.[1]
    const inner =
      called !== undefined && called in scripts ? expandScript(scripts, called, depth - 1) : [part]
    if (inner === null || /[;|<>`\n]|&/.test(part)) return null
    lines.push(...inner)
  }
  return lines
}
