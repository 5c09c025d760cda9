import { posix } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../core/parse-json.ts'
import type { RepositoryFiles } from './suite.ts'

const packages = z.record(z.string(), z.unknown()).catch({})

const manifestSchema = z.object({
  name: z.string().optional().catch(undefined),
  scripts: z.record(z.string(), z.string()).catch({}),
  dependencies: packages,
  devDependencies: packages,
  peerDependencies: packages,
  optionalDependencies: packages,
  jest: z.unknown().optional(),
  packageManager: z.string().optional().catch(undefined),
})

type Manifest = z.infer<typeof manifestSchema>

/** A directory's package.json, as far as it can be read; `null` for none. */
export const readManifest = ({ read }: RepositoryFiles, directory: string): Manifest | null =>
  manifestSchema.safeParse(parseJson(read(posix.join(directory, 'package.json')) ?? '')).data ??
  null

export interface Package {
  readonly directory: string
  /** Its test script, empty without one. */
  readonly script: string
  /** The commands that this comes down to; `null` where only npm or a real shell can take it apart. */
  readonly lines: readonly string[] | null
  /** What a person of this project types. */
  readonly typed: string
}

export function readPackage(repository: RepositoryFiles, directory: string): Package {
  const manifest = readManifest(repository, directory)
  const { scripts = {}, packageManager } = manifest ?? {}
  const script = scripts.test?.trim() ?? ''
  const lines = expandScript(scripts, 'test', 3)
  const typed = typedTest[managerOf(repository, packageManager, directory)]
  return { directory, script, lines, typed }
}

const typedTest = { npm: 'npm test', pnpm: 'pnpm test', yarn: 'yarn test', bun: 'bun run test' }

const locks: readonly (readonly [RegExp, keyof typeof typedTest])[] = [
  [/^(?:package-lock|npm-shrinkwrap)\.json$/, 'npm'],
  [/^pnpm-(?:lock|workspace)\.yaml$/, 'pnpm'],
  [/^(?:yarn\.lock|\.yarnrc\.yml|\.pnp\.cjs)$/, 'yarn'],
  [/^bun\.lockb?$/, 'bun'],
]

/** The `packageManager` field, in the package or at the root, else the lock file. */
function managerOf(
  repository: RepositoryFiles,
  packageManager: string | undefined,
  directory: string,
): keyof typeof typedTest {
  const field = packageManager ?? readManifest(repository, '.')?.packageManager ?? ''
  const declared = /^(npm|pnpm|yarn|bun)@/.exec(field)
  if (declared !== null) return declared[1] as keyof typeof typedTest
  const lock = [directory, '.'].flatMap((place) => {
    const names = repository.files.filter((path) => posix.dirname(path) === place)
    return locks.filter(([lock]) => names.some((path) => lock.test(posix.basename(path))))
  })
  return lock[0]?.[1] ?? 'npm'
}

/**
 * The commands a script comes down to when they run one after the other; `null` when it does
 * anything that only npm or a real shell should take apart.
 */
function expandScript(
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
