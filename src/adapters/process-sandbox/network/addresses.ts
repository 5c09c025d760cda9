import { BlockList, isIP } from 'node:net'

/** Where a connection goes. The host is in one spelling: lower case, no brackets, no final dot, `127.1` as `127.0.0.1`. */
export interface Address {
  readonly host: string
  readonly port: number
}

const schemes = /^(?:[a-z]+\+)?(?=https?:)/

/** Where a URL of a registry leads, cargo's `sparse+https://…` among them; `null` for what is no address on a network. */
export function addressOf(url: string): Address | null {
  const plain = url.trim().replace(schemes, '')
  if (!/^https?:\/\//i.test(plain) || !URL.canParse(plain)) return null
  const { protocol, hostname, port } = new URL(plain)
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  const usual = protocol === 'https:' ? 443 : 80
  return host === '' ? null : { host, port: port === '' ? usual : Number(port) }
}

/** The `host:port` of a CONNECT request; `null` for anything else in its place. */
export function authorityOf(text: string): Address | null {
  return /^[^/@?#\\\s]+:\d+$/.test(text) ? addressOf(`http://${text}`) : null
}

export const hostAndPort = ({ host, port }: Address): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`

/**
 * Loopback, link-local (where clouds answer with credentials) and unspecified addresses, also as IPv6 spells those of
 * IPv4: mapped (which `BlockList` knows), compatible, and translated (RFC 6052).
 */
const local = new BlockList()
local.addSubnet('0.0.0.0', 8)
local.addSubnet('127.0.0.0', 8)
local.addSubnet('169.254.0.0', 16)
local.addSubnet('::', 96, 'ipv6')
local.addSubnet('fe80::', 10, 'ipv6')
local.addSubnet('64:ff9b::7f00:0', 104, 'ipv6')
local.addSubnet('64:ff9b::a9fe:0', 112, 'ipv6')
// Amazon's, at an address of a private network.
local.addAddress('fd00:ec2::254', 'ipv6')

/** @param address an IP address, with or without a zone */
export function isLocalAddress(address: string): boolean {
  const plain = address.replace(/%.*$/, '')
  return local.check(plain, isIP(plain) === 4 ? 'ipv4' : 'ipv6')
}

/** A host that says of itself that it is this machine, or beside it. */
export const isLocalName = (host: string): boolean =>
  isIP(host) === 0 ? /^(?:.+\.)?localhost$/.test(host) : isLocalAddress(host)
