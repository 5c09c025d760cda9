import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { Socket } from 'node:net'
import { type Address, hostAndPort } from './addresses.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** The proxy that this machine's own programs use for an address; `null` for none. Of both spellings the lower case wins, as in curl. */
export function upstreamFor(
  outer: Variables,
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

/** What a request to this proxy carries, for its user and password stay outside of the sandbox. */
export function authorisation({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '') return {}
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'Proxy-Authorization': `Basic ${Buffer.from(plain).toString('base64')}` }
}

/** Where that proxy itself is. */
export const upstreamPlace = ({ protocol, hostname, port }: URL) => ({
  host: hostname.replace(/^\[(.*)\]$/, '$1'),
  port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
})

export const requestBy = ({ protocol }: URL): typeof plainRequest =>
  protocol === 'https:' ? secureRequest : plainRequest

/** A connection to the address through that proxy. */
export function tunnelThrough(upstream: URL, address: Address, seconds: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    requestBy(upstream)({
      ...upstreamPlace(upstream),
      method: 'CONNECT',
      path: hostAndPort(address),
      headers: { Host: hostAndPort(address), ...authorisation(upstream) },
      agent: false,
      timeout: seconds * 1000,
    })
      .on('connect', ({ statusCode }, socket, head) => {
        if (statusCode === 200) {
          socket.unshift(head)
          resolve(socket)
          return
        }
        socket.destroy()
        reject(new Error(`the proxy of this machine answers ${statusCode}`))
      })
      .on('response', (response) => {
        response.destroy()
        reject(new Error(`the proxy of this machine answers ${response.statusCode}`))
      })
      .on('timeout', function (this: { destroy(error: Error): void }) {
        this.destroy(new Error('the proxy of this machine does not answer'))
      })
      .on('error', reject)
      .end()
  })
}
