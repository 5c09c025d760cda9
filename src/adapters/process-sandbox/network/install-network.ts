import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SandboxRequest, SandboxRun } from '../../../core/ports/sandbox.ts'
import { removeFolder } from '../../lent-folder.ts'
import { networkEnvironment } from '../environment.ts'
import { type Address, addressOf, hostAndPort, isLocalName } from './addresses.ts'
import { type Carried, type Entrance, throughGate } from './entrance.ts'
import { installerOf, installers } from './installers.ts'
import { type Operator, urlsIn, urlsOf } from './settings.ts'
import type { NamedBy, Ways } from './way.ts'

export interface InstallNetworkOptions extends Operator {
  readonly has: (program: string) => boolean
  readonly resolve?: Ways['resolve']
  /** Runs a request without any network but this one. */
  readonly run: (request: SandboxRequest, entrance: Entrance) => Promise<SandboxRun>
}

/** Of one installer. */
interface Known {
  readonly carried: Carried
  /** Named by the operator's settings. */
  readonly named: readonly Address[]
  /** `host:port` of all that it goes to for a small package; asked for only when something else is knocked at. */
  visited(): Promise<ReadonlySet<string>>
}

const visitSeconds = 60
const nothing: Carried = { env: {}, files: {} }

/**
 * The registries of an installation are those that the operator's settings name, those that the start commit names,
 * and those that the installer goes to, with these settings, for one small package: alone in an empty folder, with
 * nothing of the project. So its own default counts, and wherever the registry sends it for the files.
 */
export class RegistryNetwork {
  readonly #options: InstallNetworkOptions
  readonly #known = new Map<string, Promise<Known>>()
  #working: Promise<boolean> | undefined

  constructor(options: InstallNetworkOptions) {
    this.#options = options
  }

  /** Whether a command gets to a gate here: that needs loopback in a namespace, and the Node that runs us. */
  works(): Promise<boolean> {
    const { outer, run } = this.#options
    this.#working ??= inFolder(async (folder) => {
      const request = bareRequest(folder, { argv: ['true'] }, 10)
      const ways: Ways = { namedBy: async () => null, outer }
      const done = await throughGate(nothing, [], ways, (entrance) => run(request, entrance))
      return done.exitCode === 0
    }).catch(() => false)
    return this.#working
  }

  /** Runs an installation that reaches registries alone. */
  async run(request: SandboxRequest): Promise<SandboxRun> {
    const { outer, has, resolve, run } = this.#options
    const { of = [], named = [] } = request.registries ?? {}
    const wanted = of === 'all' ? Object.keys(installers) : of.map(installerOf)
    const here = [...new Set(wanted)].filter((name) => name in installers && has(name))
    const found = await Promise.all(here.map((name) => this.#know(name)))
    const inEnvironment = Object.values(networkEnvironment(outer)).flatMap(urlsIn)
    const byOperator = [...found.flatMap((each) => each.named), ...placesOf(inEnvironment)]
    const operators = namesOf(byOperator)
    const registries = namesOf(placesOf(named))
    const namedBy: NamedBy = async (address) => {
      const name = hostAndPort(address)
      if (operators.has(name)) return 'operator'
      if (registries.has(name)) return 'registry'
      const visited = await Promise.all(found.map((each) => each.visited()))
      return visited.some((names) => names.has(name)) ? 'registry' : null
    }
    const carried = this.#withEnvironment(joined(found.map((each) => each.carried)))
    const { refused, ...done } = await throughGate(
      carried,
      localOf(byOperator),
      { namedBy, outer, resolve },
      (entrance) => run(request, entrance),
    )
    const isTold = done.exitCode !== 0 && refused.length > 0
    const told = isTold ? `\nNot let through to: ${refused.join(', ')}\n` : ''
    return { ...done, stderr: done.stderr + told, network: 'registries' }
  }

  #know(name: string): Promise<Known> {
    const found = this.#known.get(name) ?? this.#learn(name)
    this.#known.set(name, found)
    return found
  }

  async #learn(name: string): Promise<Known> {
    const carried = (await installers[name]?.settings(this.#options)) ?? nothing
    const named = placesOf(urlsOf(carried))
    let visiting: Promise<ReadonlySet<string>> | undefined
    return {
      carried,
      named,
      visited: () => {
        visiting ??= this.#visit(name, carried, named)
        return visiting
      },
    }
  }

  async #visit(
    name: string,
    carried: Carried,
    named: readonly Address[],
  ): Promise<ReadonlySet<string>> {
    const { outer, resolve, run } = this.#options
    const visited = new Set<string>()
    const byOperator = namesOf(named)
    const namedBy: NamedBy = async (address) => {
      if (byOperator.has(hostAndPort(address))) return 'operator'
      visited.add(hostAndPort(address))
      return 'registry'
    }
    const command = { shell: installers[name]?.fetch ?? 'true' }
    const ways = { namedBy, outer, resolve }
    await inFolder((folder) =>
      throughGate(this.#withEnvironment(carried), localOf(named), ways, (entrance) =>
        run(bareRequest(folder, command, visitSeconds), entrance),
      ),
    )
    return visited
  }

  #withEnvironment({ env, ...carried }: Carried): Carried {
    return { ...carried, env: { ...networkEnvironment(this.#options.outer), ...env } }
  }
}

const placesOf = (urls: readonly string[]): readonly Address[] =>
  urls.flatMap((url) => addressOf(url) ?? [])

const namesOf = (addresses: readonly Address[]): ReadonlySet<string> =>
  new Set(addresses.map(hostAndPort))

const localOf = (addresses: readonly Address[]): readonly Address[] =>
  addresses.filter(({ host }) => isLocalName(host))

const joined = (all: readonly Carried[]): Carried => ({
  env: Object.assign({}, ...all.map(({ env }) => env)),
  files: Object.assign({}, ...all.map(({ files }) => files)),
  cargo: all.find(({ cargo }) => cargo !== undefined)?.cargo,
})

const bareRequest = (
  folder: string,
  command: SandboxRequest['command'],
  timeoutSeconds: number,
): SandboxRequest => ({
  ...{ command, folder, directory: '.', env: {}, network: true, mounts: [] },
  ...{ timeoutSeconds, collect: [] },
})

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'executor-learn-'))
  try {
    return await work(folder)
  } finally {
    await removeFolder(folder)
  }
}
