import { BlockList, isIP } from 'node:net'

const near = new BlockList()
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const) {
  near.addSubnet(network, bits)
}
near.addAddress('::1', 'ipv6')
near.addSubnet('fc00::', 7, 'ipv6')
near.addSubnet('fe80::', 10, 'ipv6')

/** True for a server on this machine or in its private network, by the address alone: no name is looked up. */
export function isNearby(baseUrl: string): boolean {
  const host = (URL.parse(baseUrl)?.hostname ?? '').replace(/^\[|\]$/g, '')
  const family = isIP(host)
  if (family !== 0) return near.check(host, family === 4 ? 'ipv4' : 'ipv6')
  // A name without a dot is one of the local network, such as that of a container.
  return /^[^.]+$|\.(?:localhost|local|lan|internal|home\.arpa)$/i.test(host)
}
