import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createPlainServer, type Server } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sandboxKinds } from '../../../../test/sandbox-kinds.ts'
import { temporaryFolder, writeProject } from '../../../judge/test/temporary-project.ts'
import type { SandboxKind, SandboxRequest } from '../../port.ts'
import { createProcessSandbox, type ProcessSandboxOptions } from '../../process-sandbox.ts'

const canary = 'canary-51c0ffee'

/** Gets URLs by the proxy of its environment, or (`direct`) without it, and says what came. */
const getScript = `
const { request } = require('node:http')
const net = require('node:net')
const get = (url, direct) => new Promise((resolve) => {
  const { hostname, port } = new URL(direct ? url : process.env.http_proxy)
  request({ host: hostname, port, path: url, headers: { Host: new URL(url).host } }, (answer) => {
    let text = ''
    answer.on('data', (part) => { text += part }).on('end', () => resolve(answer.statusCode + ' ' + text.trim()))
  }).on('error', ({ code }) => resolve(code)).end()
})
const dial = (path) => new Promise((resolve) => {
  net.connect(path).on('connect', () => resolve('connected')).on('error', ({ code }) => resolve(code))
})
const go = async () => {
  for (const word of process.argv.slice(2)) {
    const [how, what] = word.split('=')
    console.log(how, how === 'abstract' ? await dial('\\0' + what) : await get(what, how === 'direct'))
  }
}
go().then(() => process.exit(0))
`

const listening = async (server: Server, where: { host: string } | { path: string }) => {
  server.listen({ port: 0, ...where })
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

const serving = (text: string, heard: string[] = []) =>
  listening(
    createServer(({ url }, answer) => {
      heard.push(url ?? '')
      answer.end(text)
    }),
    { host: '127.0.0.1' },
  )

/** A proxy that answers for every host of the world itself. */
const world = async () => {
  const server = createServer(({ url }, answer) => void answer.end(`the world's ${url}`))
  return `http://127.0.0.1:${await listening(server, { host: '127.0.0.1' })}`
}

interface Setting {
  readonly only: SandboxKind
  readonly outer?: Readonly<Record<string, string>>
  /** In the operator's home. */
  readonly files?: Readonly<Record<string, string>>
  /** Stand-ins for installers, as lines of shell. */
  readonly programs?: Readonly<Record<string, string>>
  readonly options?: Partial<ProcessSandboxOptions>
}

async function open({ only, outer = {}, files = {}, programs = {}, options = {} }: Setting) {
  const home = await writeProject(files)
  const bin = await writeProject({ 'get.cjs': getScript })
  for (const [name, line] of Object.entries(programs)) {
    await writeFile(join(bin, name), `#!/bin/sh\n${line.replaceAll('BIN', bin)}\n`)
    await chmod(join(bin, name), 0o755)
  }
  // Another user reads it, too.
  await chmod(bin, 0o755)
  const path = [bin, dirname(process.execPath), '/usr/sbin', '/usr/bin', '/bin'].join(delimiter)
  const environment = { PATH: path, HOME: home, SECRET_TOKEN: canary, ...outer }
  const cacheDirectory = await temporaryFolder()
  const sandbox = createProcessSandbox({
    ...{ mode: 'auto', cacheDirectory, checkout: null, environment, only },
    ...options,
  })
  return {
    sandbox,
    get: (...words: readonly string[]) =>
      `env -u NODE_USE_ENV_PROXY node ${bin}/get.cjs ${words.join(' ')}`,
  }
}

const request = async (
  shell: string,
  registries: SandboxRequest['registries'],
  more: Partial<SandboxRequest> = {},
): Promise<SandboxRequest> => ({
  ...{ command: { shell }, folder: await temporaryFolder(), directory: '.', env: {} },
  ...{ network: true, mounts: [], timeoutSeconds: 30, collect: [], ...more },
  ...(registries === undefined ? {} : { registries }),
})

async function isAlive(text: string): Promise<boolean> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (line.includes(text)) return true
  }
  return false
}

const { present } = await sandboxKinds()

describe.each(present.filter((kind) => kind !== 'unsandboxed'))('an installation in %s', (only) => {
  it('reaches a registry that the operator names on this machine, and nothing else there', async () => {
    const [registry, secret] = await Promise.all([serving('registry'), serving(canary)])
    const name = `executor-${process.pid}-${only}`
    await listening(createPlainServer(), { path: `\0${name}` })
    const outer = { npm_config_registry: `http://127.0.0.1:${registry}` }
    const { sandbox, get } = await open({ only, outer })
    expect(await sandbox.installNetwork()).toBe('registries')
    const own = `http://127.0.0.1:${registry}/a`
    const theirs = [`http://127.0.0.1:${secret}`, `http://localhost:${secret}`]
    const words = [`proxy=${own}`, `direct=${own}`, ...theirs.map((url) => `proxy=${url}`)]
    const direct = [`direct=${theirs[0]}`, `direct=http://192.0.2.1/`, `abstract=${name}`]
    const run = await sandbox.prepare(await request(get(...words, ...direct), undefined))
    expect(run.stdout.trim().split('\n')).toEqual([
      'proxy 200 registry',
      'direct 200 registry',
      `proxy 403 127.0.0.1:${secret} is not among the addresses that this command may reach`,
      `proxy 403 localhost:${secret} is not among the addresses that this command may reach`,
      'direct ECONNREFUSED',
      expect.stringMatching(/^direct (?:ENETUNREACH|EACCES)$/),
      'abstract ECONNREFUSED',
    ])
    expect(run).toMatchObject({ exitCode: 0, network: 'registries', sandbox: only })
  })

  it('reaches what the start commit names, and where its installer goes for a small package', async () => {
    const { sandbox, get } = await open({
      only,
      outer: { HTTP_PROXY: await world() },
      options: { resolve: async () => ['192.0.2.1'] },
      programs: {
        npm: 'test "$1" = pack && env -u NODE_USE_ENV_PROXY node BIN/get.cjs proxy=http://usual.example/isarray proxy=http://files.example/isarray.tgz',
        cargo: 'env -u NODE_USE_ENV_PROXY node BIN/get.cjs proxy=http://crates.example',
        ...{ go: 'exit 1', mvn: 'exit 1', python3: 'exit 1' },
      },
    })
    const hosts = ['usual', 'files', 'named', 'crates', 'evil']
    const line = get(...hosts.map((host) => `proxy=http://${host}.example/x`))
    const found = async (of: readonly string[] | 'all') => {
      const named = ['http://named.example']
      const run = await sandbox.prepare(await request(`${line}; exit 1`, { of, named }))
      expect(run.stderr).toMatch(/Refused connections to: .*evil\.example:80\n$/)
      return hosts.filter((host) => run.stdout.includes(`200 the world's http://${host}.`))
    }
    expect(await found(['pnpm'])).toEqual(['usual', 'files', 'named'])
    expect(await found(['go'])).toEqual(['named'])
    expect(await found('all')).toEqual(['usual', 'files', 'named', 'crates'])
  })

  it('does not reach this machine where the start commit or an installer names it', async () => {
    const heard: string[] = []
    const secret = await serving(canary, heard)
    const url = `http://127.0.0.1:${secret}`
    const { sandbox, get } = await open({
      only,
      programs: {
        npm: `env -u NODE_USE_ENV_PROXY node BIN/get.cjs proxy=${url} proxy=http://rebound.example:${secret}`,
      },
      options: { resolve: async () => ['127.0.0.1'] },
    })
    const line = get(`proxy=${url}`, `proxy=http://rebound.example:${secret}`, `direct=${url}`)
    const run = await sandbox.prepare(await request(line, { of: ['npm'], named: [url] }))
    expect(run.stdout).toMatch(/^proxy 403 .*\nproxy 403 .*\ndirect ECONNREFUSED\n$/)
    expect(heard).toEqual([])
  })

  it("has the operator's registries, and none of their credentials", async () => {
    const { sandbox } = await open({
      only,
      outer: {
        PIP_INDEX_URL: `https://me:${canary}@index.example/simple`,
        UV_INDEX_URL: 'https://uv.example/simple',
        HTTPS_PROXY: `http://me:${canary}@127.0.0.1:9`,
      },
      files: {
        '.cargo/config.toml': [
          '[source.crates-io]\nreplace-with = "ours"\n[source.ours]\nregistry = "sparse+https://crates.example/"',
          `[registries.ours]\nindex = "sparse+https://crates.example/"\ntoken = "${canary}"`,
          `[registries.other]\nindex = "https://me:${canary}@other.example/"`,
        ].join('\n'),
        '.m2/settings.xml': [
          `<settings><servers><server><id>a</id><password>${canary}</password></server></servers>`,
          '<!-- <mirrors><mirror><url>https://comment.example</url></mirror></mirrors> -->',
          '<mirrors><mirror><id>a</id><url>https://maven.example/</url><mirrorOf>*</mirrorOf></mirror>',
          `<mirror><id>b</id><url>https://me:${canary}@b.example/</url></mirror></mirrors></settings>`,
        ].join('\n'),
      },
      programs: {
        npm: `test "$2" = list && echo '{"registry":"https://npm.example/","@a:registry":"https://a.example/","@b:registry":"https://me:${canary}@b.example","//npm.example/:_authToken":"${canary}"}'`,
        python3: `echo "global.extra-index-url='https://pip.example/simple https://me:${canary}@q.example'"; echo "install.proxy='http://me:${canary}@p'"`,
        go: `test "$1" = env && echo '{"GOPROXY":"https://go.example","GOSUMDB":"off","GOPRIVATE":""}'`,
        cargo: 'exit 0',
        mvn: 'exit 0',
      },
    })
    const shell =
      'cd && for file in $(find . -type f) /.cargo/config.toml; do echo "== $file"; cat $file; done; env'
    const run = await sandbox.prepare(await request(shell, { of: 'all', named: [] }))
    expect(run.stdout).not.toContain(canary)
    for (const kept of [
      'registry=https://npm.example/\n@a:registry=https://a.example/\n',
      'npmRegistryServer: "https://npm.example"',
      '[global]\nextra-index-url = https://pip.example/simple\n',
      'GOPROXY=https://go.example\nGOSUMDB=off',
      'UV_INDEX_URL=https://uv.example/simple',
      'replace-with = "ours"',
      '<mirrors><mirror><id>a</id><url>https://maven.example/</url>',
      'HTTPS_PROXY=http://127.0.0.1:3128\n',
    ]) {
      expect(run.stdout).toContain(kept)
    }
    expect(run.stdout).not.toMatch(/comment\.example|b\.example|q\.example/)
  })

  it('has no network where it asks for none, and leaves nothing behind', async () => {
    const registry = await serving('registry')
    const outer = { npm_config_registry: `http://127.0.0.1:${registry}` }
    const { sandbox, get } = await open({ only, outer })
    const line = get(`direct=http://127.0.0.1:${registry}/`)
    const closed = await sandbox.prepare(await request(line, undefined, { network: false }))
    expect(closed.stdout).toBe('direct ECONNREFUSED\n')
    const hanging = `setsid sleep 1000 & ${line}; exec sleep 1000`
    const run = await sandbox.prepare(await request(hanging, undefined, { timeoutSeconds: 2 }))
    expect([run.stdout, run.timedOut]).toEqual(['direct 200 registry\n', true])
    expect(await isAlive(`/run/executor/${registry}`)).toBe(false)
  })
})

describe('an installation without a sandbox', () => {
  it('is one, too, where the sandbox can have no gate: nothing breaks, and it says so', async () => {
    const { TMPDIR } = process.env
    onTestFinished(() => {
      if (TMPDIR === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = TMPDIR
    })
    // No socket has so long a name.
    const far = join(await temporaryFolder(), 'x'.repeat(120))
    await mkdir(far)
    const { sandbox } = await open({ only: present[0] ?? 'unsandboxed' })
    process.env.TMPDIR = far
    expect(await sandbox.installNetwork()).toBe('machine')
    const run = await sandbox.prepare(await request('echo done', { of: [], named: [] }))
    expect(run).toMatchObject({ stdout: 'done\n', network: 'machine' })
  })

  it('has the network of this machine, and says so', async () => {
    const registry = await serving('registry')
    const { sandbox, get } = await open({ only: 'unsandboxed' })
    expect(await sandbox.installNetwork()).toBe('machine')
    const line = get(`direct=http://127.0.0.1:${registry}/`)
    const run = await sandbox.prepare(await request(line, { of: [], named: [] }))
    expect(run).toMatchObject({ stdout: 'direct 200 registry\n', network: 'machine' })
  })
})
