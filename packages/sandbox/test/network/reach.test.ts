import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sandboxKinds } from '../../../../test/sandbox-kinds.ts'
import { temporaryFolder } from '../../../judge/test/temporary-project.ts'
import { createProcessSandbox, type ProcessSandboxOptions } from '../../process-sandbox.ts'
import { bareRequest } from '../../run.ts'

/** Says what it gets from each address: by the proxy of its environment, where it has one. */
const visitor = `
const { request } = require('node:http')
const get = (url) => new Promise((resolve) => {
  const way = /127[.]0[.]0[.]1/.test(url) ? url : process.env.http_proxy || url
  const { hostname, port } = new URL(way)
  request({ host: hostname, port, path: url, headers: { Host: new URL(url).host } }, (answer) => {
    let text = ''
    answer.on('data', (part) => { text += part }).on('end', () => resolve(answer.statusCode + ' ' + text.trim()))
  }).on('error', ({ code }) => resolve(code)).end()
})
const go = async () => { for (const url of process.argv.slice(2)) console.log(await get(url)) }
go()
`

/** The test decides itself what goes by the proxy. */
const plainNode = ['env', '-u', 'NODE_USE_ENV_PROXY', 'node']

async function serving(text: string): Promise<number> {
  const server = createServer((_, answer) => void answer.end(text)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

async function open(options: Partial<ProcessSandboxOptions> = {}) {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'visit.cjs'), visitor)
  const world = await serving('the world')
  const sandbox = createProcessSandbox({
    ...{ mode: 'auto', checkout: null, cacheDirectory: await temporaryFolder() },
    environment: {
      PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
      SECRET: 'c4n4ry',
      // Any host of the world is behind this proxy of the machine's.
      HTTP_PROXY: `http://127.0.0.1:${world}`,
    },
    ...options,
  })
  const visit = (port: number, hosts: readonly string[], ...urls: readonly string[]) =>
    sandbox.runReaching(bareRequest(folder, { argv: [...plainNode, 'visit.cjs', ...urls] }, 30), {
      port,
      hosts,
    })
  return { sandbox, folder, visit }
}

const { present } = await sandboxKinds()
const confined = present.filter((kind) => kind !== 'unsandboxed')

describe.each(confined)('runReaching in %s', (only) => {
  it('reaches one port of this machine and the named hosts, and nothing else', async () => {
    const { visit } = await open({ only })
    const [model, other] = [await serving('the model'), await serving('another program')]
    const done = await visit(
      model,
      ['good.example', 'own.example:8080', 'FOLDED.example'],
      `http://127.0.0.1:${model}/`,
      `http://127.0.0.1:${other}/`,
      'http://good.example/',
      'http://good.example:8080/',
      'http://own.example:8080/',
      'http://own.example/',
      'http://folded.example/',
      'http://bad.good.example/',
    )
    const no = (name: string) =>
      `403 ${name} is not among the addresses that this command may reach`
    expect(done.stdout.trim().split('\n'), done.stderr).toEqual([
      '200 the model',
      'ECONNREFUSED',
      '200 the world',
      no('good.example:8080'),
      '200 the world',
      no('own.example:80'),
      '200 the world',
      no('bad.good.example:80'),
    ])
    expect(done).toMatchObject({
      reached: 'allowed',
      refused: ['good.example:8080', 'own.example:80', 'bad.good.example:80'],
    })
  })

  it('reaches all of the internet, but not this machine', async () => {
    const { visit } = await open({ only })
    const [model, other] = [await serving('the model'), await serving('another program')]
    const done = await visit(
      model,
      ['*'],
      'http://any.example:81/',
      `http://127.0.0.1:${other}/`,
      `http://localhost:${other}/`,
    )
    const [any, direct, named] = done.stdout.trim().split('\n')
    expect([any, direct]).toEqual(['200 the world', 'ECONNREFUSED'])
    expect(named).toContain('loopback')
  })

  it('shows the program that the command names, with its packages, and no more', async () => {
    const { sandbox, folder } = await open({ only })
    const place = await temporaryFolder()
    const packages = join(place, 'node_modules/agent/bin')
    await mkdir(packages, { recursive: true })
    await mkdir(join(place, 'node_modules/.bin'))
    await writeFile(join(place, 'node_modules/agent/words.txt'), 'its own words\n')
    await writeFile(join(place, 'private.txt'), 'c4n4ry\n')
    const program = join(packages, 'agent.sh')
    await writeFile(
      program,
      `#!/bin/sh\ncat ${place}/node_modules/agent/words.txt\ncat ${place}/private.txt\nexit 0\n`,
    )
    await chmod(program, 0o755)
    const link = join(place, 'node_modules/.bin/agent')
    await symlink('../agent/bin/agent.sh', link)
    const single = join(place, 'single')
    await writeFile(single, '#!/bin/sh\necho single\n')
    await chmod(single, 0o755)
    const request = bareRequest(folder, { shell: `${link} now; "${single}"` }, 30)
    const done = await sandbox.runReaching(request, { port: 1, hosts: [] })
    expect(done.stdout, done.stderr).toBe('its own words\nsingle\n')
  })

  it('shows no key that the command names, and no process of this machine', async () => {
    const { sandbox, folder } = await open({ only })
    const place = await temporaryFolder()
    const [script, secret] = [join(place, 'agent.sh'), join(place, 'key.pem')]
    await writeFile(script, 'echo works\n')
    await writeFile(secret, 'c4n4ry\n', { mode: 0o600 })
    const names = `cat ${secret}; cat /proc/1/cmdline | tr '\\0' ' '`
    const request = bareRequest(folder, { shell: `sh ${script}; ${names}` }, 30)
    const done = await sandbox.runReaching(request, { port: 1, hosts: [] })
    expect(done.stdout, done.stderr).toContain('works')
    expect(done.stdout).not.toContain('c4n4ry')
    const first = readFileSync('/proc/1/cmdline', 'utf8').replaceAll('\0', ' ')
    expect(done.stdout).not.toContain(first)
  })
})

describe('runReaching without a network of its own', () => {
  it('is refused without a sandbox', async () => {
    const { visit } = await open({ only: 'unsandboxed' })
    await expect(visit(1, [])).rejects.toMatchObject({ lacks: 'network' })
  })

  it('has the whole network where sandbox: off asks for it, and says so', async () => {
    const { visit } = await open({ mode: 'off' })
    const other = await serving('another program')
    const done = await visit(1, [], `http://127.0.0.1:${other}/`)
    expect(done.stdout.trim(), done.stderr).toBe('200 another program')
    expect(done).toMatchObject({ reached: 'machine', sandbox: 'unsandboxed', refused: [] })
  })
})
