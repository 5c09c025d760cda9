import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { chmod, mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises'
import { createServer, type ListenOptions, type Server } from 'node:net'
import { homedir, networkInterfaces, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Sandbox, SandboxKind, SandboxRequest } from '../../port.ts'
import { createProcessSandbox } from '../../process-sandbox.ts'
import type { Limits } from '../../watch.ts'

/** One kind of sandbox, and what of this machine an attack aims at. */
export interface Stage extends AsyncDisposable {
  readonly kind: SandboxKind
  readonly sandbox: Sandbox
  readonly path: readonly string[]
  /** What only the host knows: where it is seen, an attack got through. */
  readonly canary: string
  /** A folder that no sandbox is given; everybody may read it. */
  readonly outside: string
  /** The user's working copy, which no sandbox is given either. */
  readonly checkout: string
  readonly sockets: {
    readonly unix: readonly string[]
    readonly abstract: string
    readonly port: number
  }
  /** Files that hold the canary and have its name, where hosts keep what is nobody's business: those that we may make. */
  readonly planted: readonly string[]
  /** An address of this machine that is not its loopback; `null` where it has none. */
  readonly address: string | null
  /** A new folder that goes with the stage. */
  folder(): Promise<string>
  /** A process of ours that runs until it is ended, with the canary in its environment. */
  decoy(): ChildProcess
  request(folder: string, more: Partial<SandboxRequest>): SandboxRequest
}

/** Where hosts keep what is nobody's business, and most of it may be read by everybody. */
const privatePlaces = [
  ...[
    homedir(),
    '/srv',
    '/opt',
    '/mnt',
    '/media',
    '/home',
    '/run',
    '/var/log',
    '/var/spool',
    '/boot',
  ],
]

export async function openStage(kind: SandboxKind, limits: Partial<Limits> = {}): Promise<Stage> {
  const folders: string[] = []
  const decoys: ChildProcess[] = []
  const folder = async () => {
    const made = await realpath(await mkdtemp(join(tmpdir(), 'executor-attack-')))
    folders.push(made)
    return made
  }
  const canary = `canary${randomInt(10 ** 12, 10 ** 13)}`
  const [outside, checkout, cacheDirectory] = [await folder(), await folder(), await folder()]
  for (const open of [outside, checkout]) await chmod(open, 0o755)
  // Also where a lent folder has packages: a link above those leads to these.
  for (const place of ['.', 'packages', 'web/packages']) {
    await mkdir(join(outside, place), { recursive: true })
    await writeFile(join(outside, place, 'secret'), canary)
  }
  for (const [place, name] of [
    ['.git', 'config'],
    ['.executor', 'state.json'],
  ] as const) {
    await mkdir(join(checkout, place))
    await writeFile(join(checkout, place, name), canary)
  }
  const planted: string[] = []
  for (const place of privatePlaces) {
    const made = await mkdtemp(join(place, 'executor-attack-')).catch(() => null)
    if (made === null) continue
    folders.push(made)
    await chmod(made, 0o755)
    planted.push(join(made, canary))
    await writeFile(join(made, canary), canary)
  }
  const inRun = planted.filter((file) => file.startsWith('/run/'))
  const unix = [outside, ...inRun.map(dirname)].map((place) => join(place, 'socket'))
  const abstract = `executor-${canary}`
  const answer = (options: ListenOptions) =>
    new Promise<Server>((resolve, reject) => {
      const server = createServer((connection) => connection.end(canary))
      server.once('error', reject)
      server.listen(options, () => resolve(server))
    })
  const servers = await Promise.all([
    answer({ port: 0, host: '::' }),
    answer({ path: `\0${abstract}` }),
    ...unix.map((path) => answer({ path })),
  ])
  for (const each of unix) await chmod(each, 0o777)
  const bound = servers[0].address()
  const path = [dirname(process.execPath), ...(process.env.PATH ?? '').split(delimiter)]
  const sandbox = createProcessSandbox({
    mode: 'auto',
    only: kind,
    cacheDirectory,
    checkout,
    limits,
    environment: { ...process.env, PATH: path.join(delimiter), SECRET_TOKEN: canary },
  })
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return {
    ...{ kind, sandbox, path, canary, outside, checkout, planted, folder },
    sockets: { unix, abstract, port: bound !== null && typeof bound === 'object' ? bound.port : 0 },
    address: addresses.find((each) => !each.internal && each.family === 'IPv4')?.address ?? null,
    decoy() {
      const env = { SECRET: canary, PATH: path.join(delimiter) }
      const made = spawn('sleep', ['600'], { env, stdio: 'ignore', cwd: outside })
      decoys.push(made)
      return made
    },
    request: (given, more) => ({
      ...{ command: { argv: ['true'] }, folder: given, directory: '.', env: {}, network: false },
      ...{ mounts: [], timeoutSeconds: 60, collect: [], ...more },
    }),
    async [Symbol.asyncDispose]() {
      for (const decoy of decoys) decoy.kill('SIGKILL')
      for (const server of servers) server.close()
      // Not by ours, which may be what is tested.
      await promisify(execFile)('rm', ['-rf', '--', ...folders])
    },
  }
}
