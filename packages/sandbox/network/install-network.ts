import { inTemporaryFolder } from '../../files/files.ts'
import { once } from '../../text/text.ts'
import type { SandboxRequest, SandboxRun } from '../port.ts'
import { bareRequest } from '../run.ts'
import { networkEnvironment } from '../toolchain.ts'
import { type Carried, type Entrance, throughGate } from './entrance.ts'
import { installerOf, installers, type Operator } from './installers.ts'
import {
  type Address,
  addressOf,
  hostAndPort,
  isLocalName,
  type NamedBy,
  type Ways,
} from './way.ts'

interface InstallNetworkOptions extends Operator {
  readonly has: (program: string) => boolean
  readonly resolve?: Ways['resolve']
  /** Runs a request with this network only. */
  readonly run: (request: SandboxRequest, entrance: Entrance) => Promise<SandboxRun>
}

/** The network settings of an installer. */
interface Known {
  readonly carried: Carried
  /** Registries in the operator's settings. */
  readonly named: readonly Address[]
  /** The `host:port` of all that it contacts for a small package; computed only when needed. */
  visited(): Promise<ReadonlySet<string>>
}

const visitSeconds = 60

export interface RegistryNetwork {
  /** Tries whether a command can reach a gate: that needs loopback in a namespace, and our Node. */
  works(): Promise<boolean>
  /** Runs an installation that can reach only registries. */
  run(request: SandboxRequest): Promise<SandboxRun>
}

/**
 * An installation may reach registries in the operator's settings, those that the start commit
 * names, and those that the installer contacts, with these settings, for one small package in an
 * empty folder. So its default registry counts, and so do the file hosts that a registry redirects
 * to.
 */
export function openRegistryNetwork(options: InstallNetworkOptions): RegistryNetwork {
  const { outer, has, resolve, run } = options
  const environment = networkEnvironment(outer)
  const known = new Map<string, Promise<Known>>()
  const through = (
    carried: Carried,
    byOperator: readonly Address[],
    namedBy: NamedBy,
    request: SandboxRequest,
  ) =>
    throughGate(
      { ...carried, env: { ...environment, ...carried.env } },
      byOperator.filter(({ host }) => isLocalName(host)),
      { namedBy, outer, resolve },
      (entrance) => run(request, entrance),
    )

  const visit = async (fetch: string, carried: Carried, byOperator: readonly Address[]) => {
    const visited = new Set<string>()
    const operators = namesOf(byOperator)
    const namedBy: NamedBy = async (address) => {
      if (operators.has(hostAndPort(address))) return 'operator'
      visited.add(hostAndPort(address))
      return 'registry'
    }
    await inTemporaryFolder('learn', (folder) =>
      through(carried, byOperator, namedBy, bareRequest(folder, { shell: fetch }, visitSeconds)),
    )
    return visited
  }

  const learn = async (name: string): Promise<Known> => {
    const { settings, fetch = 'true' } = installers[name] ?? {}
    const carried = (await settings?.(options)) ?? {}
    const { env = {}, files = {}, cargo = '' } = carried
    const named = addressesIn([...Object.values(env), ...Object.values(files), cargo])
    return { carried, named, visited: once(() => visit(fetch, carried, named)) }
  }
  const know = (name: string): Promise<Known> => {
    const found = known.get(name) ?? learn(name)
    known.set(name, found)
    return found
  }

  return {
    works: once(() => tryGate(options)),
    async run(request) {
      const { of = [], named = [] } = request.registries ?? {}
      const wanted = of === 'all' ? Object.keys(installers) : of.map(installerOf)
      const here = [...new Set(wanted)].filter((name) => name in installers && has(name))
      const found = await Promise.all(here.map(know))
      const inEnvironment = addressesIn(Object.values(environment))
      const byOperator = [...found.flatMap((each) => each.named), ...inEnvironment]
      const operators = namesOf(byOperator)
      const registries = namesOf(named.flatMap((url) => addressOf(url) ?? []))
      const namedBy: NamedBy = async (address) => {
        const name = hostAndPort(address)
        if (operators.has(name)) return 'operator'
        if (registries.has(name)) return 'registry'
        const visited = await Promise.all(found.map((each) => each.visited()))
        return visited.some((names) => names.has(name)) ? 'registry' : null
      }
      const carried = joined(found.map((each) => each.carried))
      const { refused, ...done } = await through(carried, byOperator, namedBy, request)
      const isSaid = done.exitCode !== 0 && refused.length > 0
      const said = isSaid ? `\nRefused connections to: ${refused.join(', ')}\n` : ''
      return { ...done, stderr: done.stderr + said, network: 'registries' }
    },
  }
}

const tryGate = ({ outer, run }: InstallNetworkOptions): Promise<boolean> =>
  inTemporaryFolder('learn', async (folder) => {
    const request = bareRequest(folder, { argv: ['true'] }, 10)
    const ways: Ways = { namedBy: async () => null, outer }
    const done = await throughGate({}, [], ways, (entrance) => run(request, entrance))
    return done.exitCode === 0
  }).catch(() => false)

const joined = (all: readonly Carried[]): Carried => ({
  env: Object.assign({}, ...all.map(({ env }) => env)),
  files: Object.assign({}, ...all.map(({ files }) => files)),
  cargo: all.find(({ cargo }) => cargo !== undefined)?.cargo,
})

const addressesIn = (texts: readonly string[]): readonly Address[] =>
  texts
    .flatMap((text) => text.match(/https?:\/\/[^\s"'<>,|]+/g) ?? [])
    .flatMap((url) => addressOf(url) ?? [])

const namesOf = (addresses: readonly Address[]): ReadonlySet<string> =>
  new Set(addresses.map(hostAndPort))
