import type { Mount } from '../folder.ts'
import type { NetworkReach, ReachedRun, SandboxRequest, SandboxRun } from '../port.ts'
import { type Entrance, throughGate } from './entrance.ts'
import { type Address, addressOf, hostAndPort, type NamedBy, type Ways } from './way.ts'

interface Around extends Pick<Ways, 'outer' | 'resolve'> {
  /** Runs a request with this network only. */
  readonly run: (
    request: SandboxRequest,
    extra: Readonly<Record<string, string>>,
    entrance: Entrance,
  ) => Promise<SandboxRun>
}

/**
 * Runs a command that reaches one port of this machine and the named hosts, and nothing else.
 * @param shown paths of this machine that it sees besides
 */
export async function runThroughGate(
  request: SandboxRequest,
  { port, hosts, shown }: NetworkReach & { readonly shown: readonly Mount[] },
  { outer, resolve, run }: Around,
): Promise<ReachedRun> {
  const relay: Address = { host: '127.0.0.1', port }
  const namedBy: NamedBy = async (address) => {
    if (hostAndPort(address) === hostAndPort(relay)) return 'operator'
    return hosts.some((host) => isNamed(host, address)) ? 'registry' : null
  }
  const done = await throughGate({}, [relay], { namedBy, outer, resolve }, (entrance) =>
    run(request, {}, { ...entrance, mounts: [...entrance.mounts, ...shown] }),
  )
  return { ...done, reached: 'allowed' }
}

/** A host without a port means the ports of HTTP. */
function isNamed(host: string, address: Address): boolean {
  if (host === '*') return true
  if (host.includes(':'))
    return addressOf(`http://${host}`)?.host === address.host && host.endsWith(`:${address.port}`)
  return host.toLowerCase() === address.host && (address.port === 443 || address.port === 80)
}
