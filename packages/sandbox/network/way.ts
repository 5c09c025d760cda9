/** The destination of a connection from a sandbox, who may open it, and through which proxy. */
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { type ClientRequest, request as plainRequest, type RequestOptions } from 'node:http'
import { request as secureRequest } from 'node:https'
import { BlockList, connect, isIP, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'

/** A normalized destination: lower-case host, no brackets, no final dot, `127.1` as `127.0.0.1`. */
export interface Address {
  readonly host: string
  readonly port: number
}

/** The address of a registry URL, also cargo's `sparse+https://…`; `null` for anything else. */
export function addressOf(url: string): Address | null {
  const plain = url.trim().replace(/^(?:[a-z]+\+)?(?=https?:)/, '')
  if (!/^https?:\/\//i.test(plain) || !URL.canParse(plain)) return null
  const address = placeOf(new URL(plain))
  return address.host === '' ? null : address
}

const placeOf = ({ protocol, hostname, port }: URL): Address => ({
  host: hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, ''),
  port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
})

/** The `host:port` of a CONNECT request; `null` for anything else. */
export const authorityOf = (text: string): Address | null =>
  /^[^/@?#\\\s]+:\d+$/.test(text) ? addressOf(`http://${text}`) : null

export const hostAndPort = ({ host, port }: Address): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`

/**
 * Loopback, link-local (where clouds serve credentials) and unspecified addresses, also as IPv6
 * forms of IPv4: mapped (which `BlockList` covers), compatible, and translated (RFC 6052).
 */
const local = new BlockList()
local.addSubnet('0.0.0.0', 8)
local.addSubnet('127.0.0.0', 8)
local.addSubnet('169.254.0.0', 16)
local.addSubnet('::', 96, 'ipv6')
local.addSubnet('fe80::', 10, 'ipv6')
local.addSubnet('64:ff9b::7f00:0', 104, 'ipv6')
local.addSubnet('64:ff9b::a9fe:0', 112, 'ipv6')
// Amazon's metadata service at a private address.
local.addAddress('fd00:ec2::254', 'ipv6')

/** @param address an IP address, with or without a zone */
export function isLocalAddress(address: string): boolean {
  const plain = address.replace(/%.*$/, '')
  return local.check(plain, isIP(plain) === 4 ? 'ipv4' : 'ipv6')
}

/** An address of this machine's on any network: what listens there may trust its own machine. */
function isOwnAddress(address: string): boolean {
  const own = new BlockList()
  for (const each of Object.values(networkInterfaces()).flat()) {
    if (each !== undefined) own.addAddress(each.address, each.family === 'IPv4' ? 'ipv4' : 'ipv6')
  }
  const plain = address.replace(/%.*$/, '')
  return own.check(plain, isIP(plain) === 4 ? 'ipv4' : 'ipv6')
}

/** A name or address of this machine or its link. */
export const isLocalName = (host: string): boolean =>
  isIP(host) === 0 ? /^(?:.+\.)?localhost$/.test(host) : isLocalAddress(host)

/** Why a connection is refused, as the client sees it. */
export class Refused extends Error {}

/** Who names an address, if anyone: only the operator may mean this machine. */
export type NamedBy = (address: Address) => Promise<'operator' | 'registry' | null>

export interface Ways {
  readonly namedBy: NamedBy
  /** The environment of this machine's programs, with its proxies. */
  readonly outer: Readonly<Record<string, string | undefined>>
  /** Resolves a host name; by default with the system. */
  readonly resolve?: ((host: string) => Promise<readonly string[]>) | undefined
}

/** A permitted connection: through this machine's proxy, or to addresses that were checked. */
export interface Way {
  readonly address: Address
  readonly upstream: URL | null
  readonly addresses: readonly string[]
}

const patienceSeconds = 30

/** Maven blocks addresses with a fake mirror, which would otherwise lead to this machine. */
const isNowhere = (host: string): boolean => /^(?:0\..*|::)$/.test(host)

const bySystem = async (host: string): Promise<readonly string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address)

/**
 * Checks an address before anything is sent there. It resolves a name once, and the connection uses
 * the checked addresses, whatever the name resolves to a moment later.
 * @throws Refused
 */
export async function findWay(
  address: Address,
  isSecure: boolean,
  { namedBy, outer, resolve = bySystem }: Ways,
): Promise<Way> {
  const { host } = address
  const by = await namedBy(address)
  if (by === null)
    throw new Refused(
      `${hostAndPort(address)} is not among the addresses that this command may reach`,
    )
  const isMeant = by === 'operator' && isLocalName(host) && !isNowhere(host)
  const upstream = isMeant ? null : upstreamFor(outer, address, isSecure)
  const addresses =
    isIP(host) === 0
      ? await resolve(host).catch((error: unknown) => {
          // Behind a proxy, a machine often cannot resolve public names.
          if (upstream !== null) return []
          throw error
        })
      : [host]
  if (!isMeant && (isLocalName(host) || addresses.some(isLocalAddress))) {
    throw new Refused(`${hostAndPort(address)} is a loopback or link-local address`)
  }
  if (by !== 'operator' && addresses.some(isOwnAddress)) {
    throw new Refused(`${hostAndPort(address)} is an address of this machine`)
  }
  return { address, upstream, addresses }
}

/** Connects to a checked destination. */
export async function takeWay({ address, upstream, addresses }: Way): Promise<Socket> {
  if (upstream !== null) return tunnelThrough(upstream, address)
  const known = addresses.map((each) => ({ address: each, family: isIP(each) }))
  const socket = connect({
    ...address,
    autoSelectFamily: true,
    lookup: (_host, { all }, done) => {
      if (all) done(null, known)
      else done(null, known[0]?.address ?? '', known[0]?.family)
    },
  })
  socket.setTimeout(patienceSeconds * 1000, () => socket.destroy(new Error('no answer')))
  await once(socket, 'connect')
  return socket.setTimeout(0)
}

/** The machine's proxy for an address, or `null`. Lower-case variables win, as in curl. */
export function upstreamFor(
  outer: Ways['outer'],
  { host, port }: Address,
  isSecure: boolean,
): URL | null {
  const read = (name: string) => outer[name.toLowerCase()] || outer[name] || ''
  const named = read(isSecure ? 'HTTPS_PROXY' : 'HTTP_PROXY') || read('ALL_PROXY')
  const url = named === '' || named.includes('://') ? named : `http://${named}`
  if (!/^https?:/.test(url) || !URL.canParse(url)) return null
  const isExcepted = read('NO_PROXY')
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      const [, name = '', only] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
      if (only !== undefined && Number(only) !== port) return false
      return name === '' ? entry === '*' : host === name || host.endsWith(`.${name}`)
    })
  return isExcepted ? null : new URL(url)
}

/** Sends a request to the machine's proxy, whose user and password stay outside the sandbox. */
export function requestBy(upstream: URL, options: RequestOptions): ClientRequest {
  const { protocol, username, password } = upstream
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const basic = `Basic ${Buffer.from(plain).toString('base64')}`
  const authorisation = username === '' ? {} : { 'Proxy-Authorization': basic }
  const request = protocol === 'https:' ? secureRequest : plainRequest
  const headers = { ...options.headers, ...authorisation }
  return request({ ...options, ...placeOf(upstream), agent: false, headers })
}

/** Opens a CONNECT tunnel; Node treats every answer to CONNECT as a connection. */
async function tunnelThrough(upstream: URL, address: Address): Promise<Socket> {
  const path = hostAndPort(address)
  const timeout = patienceSeconds * 1000
  const request = requestBy(upstream, { method: 'CONNECT', path, headers: { Host: path }, timeout })
  const silent = new Error('the proxy of this machine does not answer')
  request.once('timeout', () => request.destroy(silent)).end()
  const [response, socket, head] = await once(request, 'connect')
  if (response.statusCode !== 200) {
    socket.destroy()
    throw new Error(`the proxy of this machine answers ${response.statusCode}`)
  }
  socket.unshift(head)
  return socket
}
