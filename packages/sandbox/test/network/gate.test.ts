import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import { connect, createServer as createPlainServer, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../../judge/test/temporary-project.ts'
import { type Gate, openGate } from '../../network/gate.ts'
import { takeWay, type Ways } from '../../network/way.ts'

const listening = async (server: Server, host = '127.0.0.1'): Promise<number> => {
  server.listen(0, host)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

/** Says what it was asked. */
const registry = async (host?: string) => {
  const heard: { url: string; headers: IncomingHttpHeaders }[] = []
  const server = createServer((asked, answer) => {
    heard.push({ url: asked.url ?? '', headers: asked.headers })
    if (asked.url === '/away') answer.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end()
    else answer.end(`registry ${asked.url}`)
  })
  return { port: await listening(server, host), heard }
}

type Named = Readonly<Record<string, 'operator' | 'registry'>>

/** A gate that lets through to these, by `host:port`; names have these addresses. */
async function open(
  named: Named,
  more: Partial<Ways> = {},
): Promise<{ gate: Gate; socketPath: string }> {
  const socketPath = join(await temporaryFolder(), 'proxy')
  const gate = await openGate(socketPath, new Map(), {
    namedBy: async ({ host, port }) => named[`${host}:${port}`] ?? null,
    outer: {},
    ...more,
  })
  onTestFinished(() => gate.close())
  return { gate, socketPath }
}

/** Asks for a tunnel, and through it for a path. */
async function tunnel(socketPath: string, authority: string): Promise<string> {
  const asked = request({ socketPath, method: 'CONNECT', path: authority }).end()
  const [answer, socket] = await once(asked, 'connect')
  if (answer.statusCode !== 200) {
    socket.destroy()
    return `${answer.statusCode} ${answer.statusMessage}`
  }
  const through = request({ createConnection: () => socket, path: '/through' }).end()
  const [response] = await once(through, 'response')
  return text(response)
}

/** Asks in absolute form. */
async function plain(
  socketPath: string,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const asked = request({ socketPath, path: url, headers, agent: false }).end()
  const [response] = await once(asked, 'response')
  return `${response.statusCode} ${await text(response)}`
}

describe('what is let through', () => {
  it('is no address of this machine, but for the operator', async () => {
    const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
    const own = addresses.find(({ internal, family }) => !internal && family === 'IPv4')
    const address = own?.address ?? '127.0.0.1'
    const { port } = await registry('0.0.0.0')
    const named = {
      [`${address}:${port}`]: 'registry',
      [`name.example:${port}`]: 'registry',
    } as const
    const { socketPath } = await open(named, { resolve: async () => [`::ffff:${address}`] })
    const no = /^403 .* is (?:an address of this machine|a loopback)/
    expect(await tunnel(socketPath, `${address}:${port}`)).toMatch(no)
    expect(await tunnel(socketPath, `name.example:${port}`)).toMatch(no)
    const { socketPath: operators } = await open({ [`${address}:${port}`]: 'operator' })
    expect(await tunnel(operators, `${address}:${port}`)).toBe('registry /through')
  })

  it('is what somebody named, as a tunnel and as plain HTTP', async () => {
    const { port, heard } = await registry()
    const { gate, socketPath } = await open({ [`127.0.0.1:${port}`]: 'operator' })
    expect(await tunnel(socketPath, `127.0.0.1:${port}`)).toBe('registry /through')
    const url = `http://127.0.0.1:${port}/simple/?a=b`
    expect(
      await plain(socketPath, url, { Host: 'other.example', 'Proxy-Authorization': 'x' }),
    ).toBe('200 registry /simple/?a=b')
    expect(heard[1]?.headers).toEqual({ host: `127.0.0.1:${port}`, connection: 'close' })
    expect([...gate.refused]).toEqual([])
  })

  it('is reached at the addresses that were looked at: the name is not asked again', async () => {
    const { port } = await registry()
    const address = { host: 'registry.invalid', port }
    const socket = await takeWay({ address, upstream: null, addresses: ['127.0.0.1'] })
    const [response] = await once(request({ createConnection: () => socket }).end(), 'response')
    expect(await text(response)).toBe('registry /')
  })

  it('does not follow a registry elsewhere: the next address is looked at like the first', async () => {
    const { port } = await registry()
    const { socketPath } = await open({ [`127.0.0.1:${port}`]: 'operator' })
    expect(await plain(socketPath, `http://127.0.0.1:${port}/away`)).toBe('302 ')
    expect(await plain(socketPath, 'http://127.0.0.1:1/')).toMatch(/^403/)
  })
})

describe('what is not let through', () => {
  const spelt = (port: number): readonly string[] => [
    ...[`127.0.0.1:${port}`, `127.1:${port}`, `0x7f.1:${port}`, `0177.0.0.1:${port}`],
    ...[`2130706433:${port}`, `localhost:${port}`, `localhost.:${port}`, `LOCALHOST:${port}`],
    ...[`[::1]:${port}`, `[::ffff:127.0.0.1]:${port}`, `[::ffff:7f00:1]:${port}`],
    ...[`0.0.0.0:${port}`, `0:${port}`, `[::]:${port}`, `[::127.0.0.1]:${port}`],
    ...[`a.localhost:${port}`, `rebound.example:${port}`, `both.example:${port}`],
    ...[`metadata.example:${port}`, `mapped.example:${port}`, `169.254.169.254:${port}`],
  ]
  const names: Readonly<Record<string, readonly string[]>> = {
    'rebound.example': ['127.0.0.1'],
    'both.example': ['192.0.2.1', '127.0.0.1'],
    'metadata.example': ['169.254.169.254'],
    'mapped.example': ['::ffff:127.0.0.1'],
    localhost: ['127.0.0.1'],
    'a.localhost': ['127.0.0.1'],
  }
  const resolve = async (host: string) => names[host] ?? []

  it.each(['registry', null] as const)('this machine in any spelling, named by %s', async (by) => {
    const { port, heard } = await registry()
    const { socketPath } = await open({}, { namedBy: async () => by, resolve })
    for (const each of spelt(port)) {
      expect([each, await tunnel(socketPath, each)]).toEqual([each, expect.stringMatching(/^403/)])
      const answer = await plain(socketPath, `http://${each}/`)
      expect([each, answer]).toEqual([each, expect.stringMatching(/^403/)])
    }
    expect(heard).toEqual([])
  })

  it('this machine under a name, though the operator names it: only an address that says so is meant', async () => {
    const { port, heard } = await registry()
    const { socketPath } = await open({}, { namedBy: async () => 'operator', resolve })
    for (const host of ['rebound.example', 'both.example', '0.0.0.0', '[::]']) {
      expect(await tunnel(socketPath, `${host}:${port}`)).toMatch(/^403/)
    }
    expect(heard).toEqual([])
    expect(await tunnel(socketPath, `localhost:${port}`)).toBe('registry /through')
  })

  it('another port of a registry, and another host at its port', async () => {
    const one = await registry()
    const other = await registry()
    const { gate, socketPath } = await open({ [`127.0.0.1:${one.port}`]: 'operator' })
    expect(await tunnel(socketPath, `127.0.0.1:${other.port}`)).toBe(
      `403 127.0.0.1:${other.port} is not among the addresses that this command may reach`,
    )
    expect(await tunnel(socketPath, `127.0.0.2:${one.port}`)).toMatch(/^403/)
    expect(other.heard).toEqual([])
    expect([...gate.refused]).toEqual([`127.0.0.1:${other.port}`, `127.0.0.2:${one.port}`])
  })

  it.each([
    ['a relative path', 'GET /etc/passwd HTTP/1.1\r\nHost: registry.example\r\n\r\n', '403'],
    ['another scheme', 'GET ftp://registry.example/ HTTP/1.1\r\nHost: a\r\n\r\n', '403'],
    ['HTTPS in absolute form', 'GET https://registry.example/ HTTP/1.1\r\nHost: a\r\n\r\n', '403'],
    ['a tunnel without a port', 'CONNECT registry.example HTTP/1.1\r\nHost: a\r\n\r\n', '403'],
    [
      'two addresses',
      'CONNECT a.example:1@registry.example:443 HTTP/1.1\r\nHost: a\r\n\r\n',
      '403',
    ],
    [
      'a huge header',
      `CONNECT registry.example:443 HTTP/1.1\r\nA: ${'a'.repeat(90_000)}\r\n\r\n`,
      '431',
    ],
    ['a huge address', `CONNECT ${'a'.repeat(90_000)}:443 HTTP/1.1\r\n\r\n`, '431'],
    [
      'two lengths',
      'GET http://registry.example/ HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      '400',
    ],
    ['no HTTP', '\x16\x03\x01\x02\x00\x01', '400'],
  ])('%s', async (_name, bytes, status) => {
    const { socketPath } = await open(
      {},
      { namedBy: async () => 'registry', resolve: async () => [] },
    )
    const client = connect(socketPath)
    client.on('error', () => undefined)
    client.write(bytes)
    const [answer] = await once(client, 'data')
    client.destroy()
    expect(String(answer)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })

  it('nobody by who sends nothing: others are served meanwhile, and all ends with the gate', async () => {
    const { port } = await registry()
    const { gate, socketPath } = await open({ [`127.0.0.1:${port}`]: 'operator' })
    const slow = Array.from({ length: 50 }, () => connect(socketPath))
    await Promise.all(slow.map((client) => once(client, 'connect')))
    for (const client of slow) client.on('error', () => undefined).write('CONNECT registry')
    expect(await tunnel(socketPath, `127.0.0.1:${port}`)).toBe('registry /through')
    const closed = slow.map((client) => once(client, 'close'))
    await gate.close()
    await Promise.all(closed)
  })
})

describe('a proxy of this machine', () => {
  /** A proxy that knows the way to one server, whatever it is asked for. */
  const upstream = async (port: number) => {
    const heard: string[] = []
    const server = createServer((asked, answer) => {
      heard.push(`${asked.method} ${asked.url} ${asked.headers['proxy-authorization']}`)
      answer.end('by the proxy')
    })
    server.on('connect', (asked, client) => {
      heard.push(`CONNECT ${asked.url} ${asked.headers['proxy-authorization']}`)
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      client.pipe(connect(port, '127.0.0.1')).pipe(client)
    })
    return { url: `http://me:word@127.0.0.1:${await listening(server)}`, heard }
  }
  const basic = `Basic ${Buffer.from('me:word').toString('base64')}`
  const named: Named = { 'registry.example:443': 'registry', 'registry.example:80': 'registry' }

  it.each([
    ['where names are known', async () => ['192.0.2.1']],
    ['where no name is', async () => Promise.reject(new Error('ENOTFOUND'))],
  ])('is used, with its password: %s', async (_name, resolve) => {
    const far = await registry()
    const { url, heard } = await upstream(far.port)
    const outer = { HTTPS_PROXY: url, HTTP_PROXY: url, NO_PROXY: 'localhost' }
    const { socketPath } = await open(named, { outer, resolve })
    expect(await tunnel(socketPath, 'registry.example:443')).toBe('registry /through')
    expect(await plain(socketPath, 'http://registry.example/a')).toBe('200 by the proxy')
    expect(heard).toEqual([
      `CONNECT registry.example:443 ${basic}`,
      `GET http://registry.example/a ${basic}`,
    ])
  })

  it('is asked for nothing else: not for what nobody named, and not for what is this machine', async () => {
    const { url, heard } = await upstream(1)
    const { socketPath } = await open(named, {
      outer: { HTTPS_PROXY: url },
      resolve: async () => ['127.0.0.1'],
    })
    expect(await tunnel(socketPath, 'secret.example:443')).toMatch(/^403/)
    expect(await tunnel(socketPath, 'registry.example:443')).toMatch(/^403/)
    expect(heard).toEqual([])
  })

  it('may refuse, or be none', async () => {
    const refusing = createServer()
    refusing.on('connect', (_asked, client) => client.end('HTTP/1.1 407 No\r\n\r\n'))
    const none = createPlainServer((client) => client.end('hello\r\n\r\n'))
    for (const server of [refusing, none]) {
      const outer = { HTTPS_PROXY: `http://127.0.0.1:${await listening(server)}` }
      const { socketPath } = await open(named, { outer, resolve: async () => ['192.0.2.1'] })
      expect(await tunnel(socketPath, 'registry.example:443')).toMatch(/^502/)
    }
  })
})
