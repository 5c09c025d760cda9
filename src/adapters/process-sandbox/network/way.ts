import { lookup } from 'node:dns/promises'
import { connect, isIP, type Socket } from 'node:net'
import { type Address, hostAndPort, isLocalAddress, isLocalName } from './addresses.ts'
import { tunnelThrough, upstreamFor } from './upstream.ts'

/** Why a connection is not made; said to who asked for it. */
export class Refused extends Error {}

/** Who names an address: only the operator may mean this very machine. `null`: nobody. */
export type NamedBy = (address: Address) => Promise<'operator' | 'registry' | null>

export interface Ways {
  readonly namedBy: NamedBy
  /** The environment of this machine's own programs: its proxies. */
  readonly outer: Readonly<Record<string, string | undefined>>
  /** The addresses of a name; the system's by default. */
  readonly resolve?: ((host: string) => Promise<readonly string[]>) | undefined
}

/** One connection that may be made: through a proxy of this machine's, or to addresses that were looked at. */
export interface Way {
  readonly address: Address
  readonly upstream: URL | null
  readonly addresses: readonly string[]
}

const patienceSeconds = 30

/** Maven blocks addresses by a mirror that is none: connected to, it would be this machine. */
const isNowhere = (host: string): boolean => /^(?:0\..*|::)$/.test(host)

const bySystem = async (host: string): Promise<readonly string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address)

/**
 * Looks at an address before anything is sent there. A name is resolved here, once: what was looked at is what is
 * connected to, whatever the name says a moment later.
 * @throws Refused
 */
export async function findWay(
  address: Address,
  isSecure: boolean,
  { namedBy, outer, resolve = bySystem }: Ways,
): Promise<Way> {
  const { host } = address
  const by = await namedBy(address)
  if (by === null) throw new Refused(`${hostAndPort(address)} is no registry of this installation`)
  const isMeant = by === 'operator' && isLocalName(host) && !isNowhere(host)
  const upstream = isMeant ? null : upstreamFor(outer, address, isSecure)
  const addresses =
    isIP(host) === 0
      ? await resolve(host).catch((error: unknown) => {
          // Behind a proxy a machine often resolves no names of the world.
          if (upstream !== null) return []
          throw error
        })
      : [host]
  if (!isMeant && (isLocalName(host) || addresses.some(isLocalAddress))) {
    throw new Refused(`${hostAndPort(address)} is an address of this machine or beside it`)
  }
  return { address, upstream, addresses }
}

/** A connection to what was looked at. */
export function takeWay({ address, upstream, addresses }: Way): Promise<Socket> {
  if (upstream !== null) return tunnelThrough(upstream, address, patienceSeconds)
  const known = addresses.map((each) => ({ address: each, family: isIP(each) }))
  return new Promise((resolve, reject) => {
    const socket = connect({
      ...address,
      autoSelectFamily: true,
      lookup: (_host, { all }, done) => {
        if (all) done(null, known)
        else done(null, known[0]?.address ?? '', known[0]?.family)
      },
    })
    socket.setTimeout(patienceSeconds * 1000, () => socket.destroy(new Error('no answer')))
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.setTimeout(0)
      socket.off('error', reject)
      resolve(socket)
    })
  })
}
