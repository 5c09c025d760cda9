import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer as createRelay, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import {
  type Address,
  addressOf,
  authorityOf,
  findWay,
  hostAndPort,
  Refused,
  requestBy,
  takeWay,
  type Ways,
} from './way.ts'

/** The exit of an isolated network: an HTTP proxy on a Unix socket. */
export interface Gate {
  /** The first addresses that it refused, `host:port`. */
  readonly refused: ReadonlySet<string>
  close(): Promise<void>
}

const mostConnections = 256
const mostNamed = 20

/** Hop-by-hop headers (RFC 9110, 7.6.1). */
const ofOneHop = /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i

/**
 * Opens a proxy at `socket` that forwards what `ways` allows, as CONNECT or in absolute form. Each
 * of `relays`, by socket path, forwards bytes to a single address.
 */
export async function openGate(
  socket: string,
  relays: ReadonlyMap<string, Address>,
  ways: Ways,
): Promise<Gate> {
  const refused = new Set<string>()
  const open = new Set<Duplex>()
  const keep = <Stream extends Duplex>(stream: Stream): Stream => {
    open.add(stream.once('close', () => open.delete(stream)))
    return stream.on('error', () => stream.destroy())
  }
  const explain = (address: Address | null, error: unknown) => {
    const isRefused = error instanceof Refused
    if (isRefused && address !== null && refused.size < mostNamed) refused.add(hostAndPort(address))
    const status = isRefused ? 403 : 502
    return { status, reason: error instanceof Error ? error.message : String(error) }
  }
  const join = (one: Duplex, other: Duplex) => {
    one.once('close', () => other.destroy())
    other.once('close', () => one.destroy())
    one.pipe(other).pipe(one)
  }
  const tunnel = async (client: Duplex, address: Address | null, head: Buffer, isSaid: boolean) => {
    keep(client)
    try {
      if (address === null) throw new Refused('this is not a host and port')
      const far = keep(await takeWay(await findWay(address, true, ways)))
      if (client.destroyed) far.destroy()
      if (isSaid) client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      if (head.length > 0) far.write(head)
      join(client, far)
    } catch (error) {
      const { status, reason } = explain(address, error)
      const text = `${reason}\n`
      const lines = [
        `HTTP/1.1 ${status} ${inLine(reason)}`,
        ...['Content-Type: text/plain', 'Connection: close'],
        `Content-Length: ${Buffer.byteLength(text)}`,
      ]
      client.end(isSaid ? `${lines.join('\r\n')}\r\n\r\n${text}` : undefined)
    }
  }
  const plain = async (asked: IncomingMessage, answer: ServerResponse) => {
    const url = asked.url ?? ''
    const address = /^http:/i.test(url) ? addressOf(url) : null
    try {
      if (address === null) throw new Refused('this is not an absolute address')
      await passOn(new URL(url), address, asked, answer, ways, keep)
    } catch (error) {
      const { status, reason } = explain(address, error)
      if (answer.headersSent) answer.destroy()
      else answer.writeHead(status, { 'Content-Type': 'text/plain' }).end(`${reason}\n`)
    }
  }
  const proxy = createServer(
    { headersTimeout: 10_000, requestTimeout: 0, connectionsCheckingInterval: 2_000 },
    (asked, answer) => void plain(asked, answer),
  )
  proxy.on(
    'connect',
    ({ url }, client, head) => void tunnel(client, authorityOf(url ?? ''), head, true),
  )
  proxy.on('connection', keep)
  const servers: Server[] = [proxy]
  await listen(proxy, socket)
  for (const [path, address] of relays) {
    const relay = createRelay((client) => void tunnel(client, address, Buffer.alloc(0), false))
    servers.push(relay)
    await listen(relay, path)
  }
  return {
    refused,
    async close() {
      const closed = servers.map((each) => new Promise((resolve) => each.close(resolve)))
      for (const stream of open) stream.destroy()
      await Promise.all(closed)
    },
  }
}

const inLine = (text: string): string => text.replace(/[^ -~]/g, '?').slice(0, 200)

function listen(server: Server, path: string): Promise<void> {
  server.maxConnections = mostConnections
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen({ path, writableAll: true }, () => {
      server.off('error', reject).on('error', () => undefined)
      resolve()
    })
  })
}

const endToEnd = ({ headers }: IncomingMessage) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofOneHop.test(name)))

/** Forwards a plain HTTP request and its response. The URL decides the host, not the header. */
async function passOn(
  url: URL,
  address: Address,
  asked: IncomingMessage,
  answer: ServerResponse,
  ways: Ways,
  keep: (socket: Socket) => Socket,
): Promise<void> {
  const way = await findWay(address, false, ways)
  const { method, headers: given } = asked
  const body = given['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' }
  const headers = { ...endToEnd(asked), host: url.host, connection: 'close' }
  const wanted = { method, headers: { ...headers, ...body } }
  const direct = async () => {
    const socket = keep(await takeWay(way))
    const path = `${url.pathname}${url.search}`
    return request({ ...wanted, path, createConnection: () => socket })
  }
  const far =
    way.upstream === null ? await direct() : requestBy(way.upstream, { ...wanted, path: url.href })
  far.on('error', () => undefined)
  answer.once('close', () => far.destroy())
  asked.pipe(far)
  const [response]: IncomingMessage[] = await once(far, 'response')
  if (response === undefined) return
  answer.writeHead(response.statusCode ?? 502, endToEnd(response))
  response.once('error', () => answer.destroy()).pipe(answer)
}
