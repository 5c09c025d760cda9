import { randomBytes, randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { totalmem } from 'node:os'
import { isAbsolute, posix } from 'node:path'
import {
  findProgram,
  makeTemporaryFolder,
  placeIn,
  removeTemporaryFolder,
  takeOut,
} from '../files/files.ts'
import { type ChildResult, runChild } from './child.ts'
import { type Mount, placeMounts } from './folder.ts'
import { homeInOwnTree, type Isolation } from './isolation.ts'
import type { Entrance } from './network/entrance.ts'
import { reportName, type SandboxKind, type SandboxRequest, type SandboxRun } from './port.ts'
import { type Limits, readOfProcess } from './watch.ts'

/** Maximum bytes kept of each output. */
const outputLimit = 2 * 1024 * 1024

const nothingPlaced = { mounts: [], undo: () => Promise.resolve() }

/** Maximum bytes of a file that a command writes. */
const fileLimit = 2 * 1024 * 1024 * 1024

/**
 * The limits of a command and its children together.
 * @param megabytes of memory; `null` is three quarters of the machine's
 */
export const usualLimits = (megabytes: number | null): Limits => ({
  memory: megabytes === null ? Math.floor(totalmem() * 0.75) : megabytes * 1024 * 1024,
  processes: 2_000,
  disk: 4 * 1024 * 1024 * 1024,
  files: 300_000,
  output: 512 * 1024 * 1024,
})

/** Root's keeper acts first; ours is the fallback. */
const graceSeconds = 5

/** Where a command runs, what it sees, and the prefix (`first`) that starts it. */
interface Places {
  readonly directory: string
  readonly mounts: readonly Mount[]
  /** A fresh one on this machine, or `null` if the sandbox has its own. */
  readonly home: string | null
  readonly first: readonly string[]
}

/**
 * Runs a request in this isolation. `request.env` is the whole environment except HOME and TMPDIR;
 * an `entrance` is the only network, whatever the request says.
 */
export async function runIsolated(
  isolation: Isolation,
  given: SandboxRequest,
  redact: (text: string) => string,
  limits: Limits,
  entrance: Entrance | null = null,
): Promise<SandboxRun> {
  const { request, asked } = underOwnNames(given)
  const directory = await placeIn(request.folder, request.directory)
  if (directory === null || !existsSync(directory)) {
    return notRun(isolation, `There is no directory ${request.directory}.`)
  }
  if ('argv' in request.command && request.command.argv.length === 0) {
    return notRun(isolation, 'There is no command.')
  }
  const placed =
    request.mounts.length === 0
      ? nothingPlaced
      : await placeMounts(request.folder, request.mounts, !isolation.ownTree)
  if (typeof placed === 'string') return notRun(isolation, placed)
  const mounts = [
    ...placed.mounts,
    ...(isolation.ownTree ? certificates(request.env) : []),
    ...(entrance?.mounts ?? []),
  ]
  const home = isolation.ownTree ? null : await makeTemporaryFolder('home')
  try {
    const { ended, ...result } = await start(
      isolation,
      entrance === null ? request : { ...request, network: false },
      { directory, mounts, home, first: entrance?.start ?? [] },
      limits,
    )
    const collected = await takeOut(request.folder, request.collect)
    return {
      ...result,
      ...(ended === null ? {} : { ended }),
      stdout: redact(result.stdout),
      stderr: redact(result.stderr),
      collected: new Map(
        [...collected].map(([path, text]) => [asked.get(path) ?? path, redact(text)]),
      ),
      sandbox: isolation.kind,
    }
  } finally {
    await placed.undo()
    if (home !== null) await removeTemporaryFolder(home)
  }
}

/** A command that needs only a folder. */
export const bareRequest = (
  folder: string,
  command: SandboxRequest['command'],
  timeoutSeconds: number,
): SandboxRequest => ({
  ...{ command, folder, directory: '.', env: {}, network: false, mounts: [] },
  ...{ timeoutSeconds, collect: [] },
})

const notRun = ({ kind: sandbox }: Isolation, reason: string): SandboxRun => ({
  ...{ exitCode: null, signal: null, timedOut: false, seconds: 0, sandbox },
  ...{ stdout: '', stderr: reason, collected: new Map() },
})

/** Certificate files that the environment names, shown at the same paths. */
function certificates(env: Readonly<Record<string, string>>): readonly Mount[] {
  const named = Object.entries(env).filter(([name]) => /CERT|CA_BUNDLE/.test(name))
  return named
    .filter(([, path]) => isAbsolute(path) && existsSync(path))
    .map(([, path]) => ({ from: path, to: path }))
}

async function start(
  isolation: Isolation,
  request: SandboxRequest,
  { directory, mounts, home, first }: Places,
  limits: Limits,
): Promise<ChildResult> {
  const { command, folder, network, timeoutSeconds } = request
  const place = home ?? homeInOwnTree
  const env: Record<string, string> = { ...request.env, HOME: place, TMPDIR: home ?? '/tmp' }
  const mark = String(randomInt(10 ** 14, 2 ** 48 - 1))
  if (isolation.ending === 'marked') env.EXECUTOR_SANDBOX = mark
  const plain = 'shell' in command ? ['sh', '-c', command.shell] : command.argv
  const argv = [...first, ...limitsOfEach(env.PATH ?? '', isolation.kind, mark), ...plain]
  const isKept = isolation.ending === 'kept'
  const result = await runChild({
    argv: isolation.wrap({ argv, folder, directory, env, network, mounts, timeoutSeconds }),
    cwd: directory,
    env,
    timeoutSeconds: timeoutSeconds + (isKept ? graceSeconds : 0),
    outputLimit,
    folder,
    limits,
    signal: request.signal,
    heard: request.heard,
    over: isolation.ending === 'marked' ? { mark } : isolation.ending,
  })
  if (result.ended !== null) return { ...result, exitCode: null, signal: 'SIGKILL' }
  const killedByKeeper = isKept && result.exitCode === 137 && result.seconds >= timeoutSeconds
  return killedByKeeper ? { ...result, timedOut: true, exitCode: null, signal: 'SIGKILL' } : result
}

/**
 * Limits for each process; the totals and the time are watched from outside. Only a user without
 * other processes can have a limit on their number. Without `prlimit` the command runs through
 * `env`, which also returns 127 for a missing program.
 * @param mark the limit on file locks, which has no effect since Linux 2.4.25 (getrlimit(2)): every
 * descendant keeps it, and only root can raise it again
 */
function limitsOfEach(path: string, kind: SandboxKind, mark: string): readonly string[] {
  if (findProgram('prlimit', path.split(':')) === null) return ['env', '--']
  const memory = Math.floor(totalmem() * 0.75)
  const each = [
    ...['--core=0', `--data=${memory}`, `--fsize=${fileLimit}`],
    ...[`--nofile=${openFiles()}`, `--locks=${mark}`],
  ]
  return ['prlimit', ...each, ...(kind === 'other-user' ? [`--nproc=${threads}`] : []), '--']
}

const threads = 8_192

/** Enough for servers under test and bundlers, but never more than our own limit. */
function openFiles(): number {
  const enough = 16_384
  const most = /^Max open files +\S+ +(\d+)/m.exec(readOfProcess('self', 'limits'))?.[1]
  return Math.min(enough, Number(most ?? enough))
}

/**
 * Gives each report a random name that the author of the running code cannot have known: hidden
 * from the search for test files, with its original extension.
 * @returns `asked` by the path where each is now collected
 */
function underOwnNames(request: SandboxRequest): {
  readonly request: SandboxRequest
  readonly asked: ReadonlyMap<string, string>
} {
  const names = new Map<string, string>()
  const asked = new Map<string, string>()
  for (const path of request.collect) {
    const { dir, base, ext } = posix.parse(path)
    const own = reportName.test(base) ? `.${randomBytes(12).toString('hex')}${ext}` : base
    names.set(base, own)
    asked.set(posix.join(dir, own), path)
  }
  const rename = (text: string): string => {
    let named = text
    for (const [base, own] of names) named = named.replaceAll(base, () => own)
    return named
  }
  const { command } = request
  const renamed =
    'shell' in command ? { shell: rename(command.shell) } : { argv: command.argv.map(rename) }
  return { request: { ...request, command: renamed, collect: [...asked.keys()] }, asked }
}
