import { posix } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../text/text.ts'
import { runOnce } from './report-line.ts'
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

/** Reads a directory's package.json; `null` when it is absent or not valid. */
export const readManifest = ({ read }: RepositoryFiles, directory: string): Manifest | null =>
  manifestSchema.safeParse(parseJson(read(posix.join(directory, 'package.json')) ?? '')).data ??
  null

export interface Package {
  readonly directory: string
  /** Its test script; empty if there is none. */
  readonly script: string
  /** The commands that the script expands to; `null` when only npm or a shell can split it. */
  readonly lines: readonly string[] | null
  /** What a developer of this project types. */
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

/** Reads the `packageManager` field of the package or the root, else the kind of lock file. */
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
 * Expands a script into the commands that it runs one after the other; `null` when only npm or a
 * shell can split it.
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
      called !== undefined && called in scripts
        ? expandScript(scripts, called, depth - 1)
        : [runOnce(part)]
    if (inner === null || /[;|<>`\n]|&/.test(part)) return null
    lines.push(...inner)
  }
  return lines
}
