import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import {
  findProgram,
  homeDirectory,
  removeAbandoned,
  removeFolder,
  removeLeftFolders,
  resolveIn,
} from '../files/files.ts'
import { once } from '../text/text.ts'
import { createChooser } from './choice.ts'
import type { Entrance } from './network/entrance.ts'
import type { Ways } from './network/way.ts'
import type {
  NetworkReach,
  ReachedRun,
  Sandbox,
  SandboxKind,
  SandboxRequest,
  SandboxRun,
} from './port.ts'
import { programMounts } from './program-mounts.ts'
import { runIsolated, usualLimits } from './run.ts'
import { SandboxError } from './sandbox-error.ts'
import { baseEnvironment, networkEnvironment, readToolchain } from './toolchain.ts'
import type { Limits } from './watch.ts'

export interface ProcessSandboxOptions {
  readonly mode: 'auto' | 'off' | 'strict'
  /** An absolute, private path; holds installed dependencies. */
  readonly cacheDirectory: string
  /** The user's working copy, whose installed packages may be reused; `null` for none. */
  readonly checkout: string | null
  /** Maximum memory of a command and its children; three quarters of the machine's by default. */
  readonly memoryMegabytes?: number | null
  /** Overrides of the usual limits. */
  readonly limits?: Partial<Limits>
  readonly redact?: (text: string) => string
  /** Tries every sandbox, whatever worked before. */
  readonly ignoresMemory?: boolean
  /** Uses this kind or fails; for tests of one kind. */
  readonly only?: SandboxKind
  /** The environment to select from; by default our own. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Resolves a host name; by default with the system. */
  readonly resolve?: Ways['resolve']
}

/**
 * Runs commands as isolated from this machine as possible. In order of strength: bubblewrap,
 * another user, `unshare` (network and processes only), nothing. Every run reports its kind.
 * @throws SandboxError from its methods, `isolation` if mode `strict` finds nothing strong
 */
export function createProcessSandbox(options: ProcessSandboxOptions): Sandbox {
  const { mode, cacheDirectory, checkout, only, redact = (text: string) => text } = options
  const isRemembering = mode === 'auto' && only === undefined && options.ignoresMemory !== true
  const limits = { ...usualLimits(options.memoryMegabytes ?? null), ...options.limits }
  const outer = options.environment ?? process.env
  const home = homeDirectory() ?? '/nonexistent'
  const hidden = [checkout, outer.RUNNER_TEMP, outer.GITHUB_WORKSPACE].filter(
    (path) => typeof path === 'string',
  )
  const toolchain = once(() => readToolchain(outer, home, [...hidden, cacheDirectory]))
  const chooser = createChooser({ mode, only, isRemembering, cacheDirectory, limits }, toolchain)
  const run = async (
    request: SandboxRequest,
    extra: Readonly<Record<string, string>> = {},
    entrance: Entrance | null = null,
  ): Promise<SandboxRun> => {
    await removeLeftFolders()
    const { isolation } = await chooser.chosen()
    const { path, env } = toolchain()
    const base = baseEnvironment(outer, path.join(':'))
    const all = { ...base, ...env, ...extra, ...entrance?.env, ...request.env }
    const done = await runIsolated(isolation, { ...request, env: all }, redact, limits, entrance)
    const failedToStart = await chooser.mustRunAgain(isolation, done.exitCode)
    return failedToStart ? run(request, extra, entrance) : done
  }
  const has = (program: string) => findProgram(program, toolchain().path) !== null
  // Loads its servers and clients only for an installation.
  const registries = once(async () => {
    const { openRegistryNetwork } = await import('./network/install-network.ts')
    return openRegistryNetwork({
      ...{ outer, home: outer.HOME ?? home, has, resolve: options.resolve },
      run: (request, entrance) => run(request, {}, entrance),
    })
  })
  const reachesRegistriesAlone = async () =>
    (await chooser.chosen()).isolation.ownTree && (await registries()).works()
  const prepare = async (request: SandboxRequest): Promise<SandboxRun> => {
    if (!request.network) return run(request)
    if (await reachesRegistriesAlone()) return (await registries()).run(request)
    const done = await run(request, networkEnvironment(outer, { withProxies: true }))
    return { ...done, network: 'machine' }
  }
  const runReaching = async (request: SandboxRequest, reach: NetworkReach): Promise<ReachedRun> => {
    if (mode === 'off' && only === undefined) {
      return { ...(await run({ ...request, network: true })), refused: [], reached: 'machine' }
    }
    const { isolation, ability } = await chooser.chosen()
    if (!isolation.ownTree || !(await (await registries()).works())) {
      throw new SandboxError('network', ability.reason || isolation.kind)
    }
    const { runThroughGate } = await import('./network/reach.ts')
    const shown = programMounts(request.command, toolchain(), [...hidden, cacheDirectory])
    return runThroughGate(request, { ...reach, shown }, { outer, resolve: options.resolve, run })
  }
  return {
    ability: async () => (await chooser.chosen()).ability,
    installNetwork: async () => ((await reachesRegistriesAlone()) ? 'registries' : 'machine'),
    run: (request) => run(request),
    runReaching,
    prepare,
    has: async (program) => has(program),
    ...dependencyDoors(cacheDirectory, checkout),
  }
}

type DependencyDoors = Pick<Sandbox, 'dependencyCache' | 'completeCache' | 'installed'>

/** Files that an installer leaves in `node_modules` when it finishes, by lock file. */
const finishedMarks: Readonly<Record<string, readonly string[]>> = {
  'package-lock.json': ['.package-lock.json'],
  'npm-shrinkwrap.json': ['.package-lock.json'],
  'package.json': ['.package-lock.json'],
  'pnpm-lock.yaml': ['.modules.yaml'],
  'yarn.lock': ['.yarn-integrity', '.yarn-state.yml'],
  'bun.lock': ['.'],
  'bun.lockb': ['.'],
}

/**
 * A cache entry is filled in a process's own directory and then renamed, so that an installation
 * that was killed or is still running never counts as complete. Names contain the platform and Node
 * version, on which compiled packages depend.
 */
export function dependencyDoors(cacheDirectory: string, checkout: string | null): DependencyDoors {
  const root = join(cacheDirectory, 'dependencies')
  const major = process.versions.node.split('.')[0]
  const finished = (key: string) =>
    join(root, `${key}-${process.platform}-${process.arch}-node${major}`)
  const unfinished = (key: string) => `${finished(key)}.${process.pid}.partial`
  return {
    async dependencyCache(key) {
      if (existsSync(finished(key))) return { path: finished(key), ready: true }
      await removeAbandoned(root, fillerOf)
      await removeFolder(unfinished(key))
      await mkdir(unfinished(key), { recursive: true })
      return { path: unfinished(key), ready: false }
    },
    async completeCache(key, shown) {
      for (const path of shown) {
        const made = join(unfinished(key), path)
        if (!existsSync(made) || (await resolveIn(unfinished(key), path)) !== null) continue
        await removeFolder(unfinished(key))
        return false
      }
      try {
        await rename(unfinished(key), finished(key))
      } catch (error) {
        if (!existsSync(finished(key))) throw error
        await removeFolder(unfinished(key))
      }
      return true
    },
    installed: async (lockPath, lockText) =>
      checkout === null ? null : await installedIn(checkout, lockPath, lockText),
  }
}

/** The process of a partial entry. */
function fillerOf(name: string): number | null {
  const pid = /\.(\d+)\.partial$/.exec(name)?.[1]
  return pid === undefined ? null : Number(pid)
}

/** Finds the `node_modules` next to this lock if it was installed from exactly this lock. */
async function installedIn(
  checkout: string,
  lockPath: string,
  lockText: string,
): Promise<string | null> {
  const lock = join(checkout, lockPath)
  const modules = join(dirname(lock), 'node_modules')
  const marks = finishedMarks[lockPath.slice(lockPath.lastIndexOf('/') + 1)] ?? []
  const mark = marks.map((name) => join(modules, name)).find(existsSync)
  if (mark === undefined) return null
  try {
    if ((await readFile(lock, 'utf8')) !== lockText) return null
    if (mark.endsWith('.package-lock.json') && !lockPath.endsWith('package.json')) {
      return sameVersions(lockText, await readFile(mark, 'utf8')) ? modules : null
    }
    const [read, made] = await Promise.all([stat(lock), stat(mark)])
    return made.mtimeMs >= read.mtimeMs ? modules : null
  } catch {
    return null
  }
}

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), optional: z.boolean().optional() }),
  ),
})

/** npm records what it installed in the lock's format: every package must match the lock. */
function sameVersions(lockText: string, installedText: string): boolean {
  const wanted = lockFile.parse(JSON.parse(lockText)).packages
  const present = lockFile.parse(JSON.parse(installedText)).packages
  return Object.entries(wanted).every(([place, { version, optional }]) => {
    if (!place.includes('node_modules/')) return true
    const found = present[place]
    return found === undefined ? optional === true : found.version === version
  })
}
