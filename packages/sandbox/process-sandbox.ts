import { findProgram, homeDirectory, removeLeftFolders } from '../files/files.ts'
import { once } from '../text/text.ts'
import { createChooser } from './choice.ts'
import { dependencyDoors } from './dependencies.ts'
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
