import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readdirSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { type FolderSize, measureFolder } from '../files/files.ts'
import type { SandboxRequest, SandboxRun } from './port.ts'
import {
  endLeftovers,
  endOrphans,
  killGroup,
  type Limits,
  readOfProcess,
  type Watch,
  waitUntilDead,
  watch,
} from './watch.ts'

export interface ChildRequest {
  readonly argv: readonly string[]
  /** Must exist. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly timeoutSeconds: number
  /** Maximum bytes kept of each output. */
  readonly outputLimit: number
  /**
   * How all processes are found at the end: by a mark that every descendant carries, by the
   * `child-pid` that bubblewrap reports on file descriptor 3, or by root's keeper.
   */
  readonly over: { readonly mark: string } | 'reported' | 'kept'
  /** The folder that it writes to, and the limits for it and its children. */
  readonly folder: string
  readonly limits: Limits
  readonly signal?: AbortSignal | undefined
  readonly heard?: SandboxRequest['heard']
}

export interface ChildResult
  extends Pick<SandboxRun, 'exitCode' | 'signal' | 'timedOut' | 'stdout' | 'stderr' | 'seconds'> {
  /** Why it was ended early: "used more than 4,096 MB of memory". */
  readonly ended: string | null
}

const notNeeded = 'was no longer needed'
const notFound = 127
const running = new Set<number>()
let watching = false

/**
 * Runs a command in its own process group, which is dead when this returns. Never throws because of
 * the command; a program that cannot start has exit code 127, as in a shell.
 */
export async function runChild(request: ChildRequest): Promise<ChildResult> {
  const started = performance.now()
  const outputs = [request.outputLimit, request.outputLimit, 4096].map(createCapture)
  let timedOut = false
  let ended: string | null = null
  let exitCode: number | null = notFound
  let signal: string | null = null
  try {
    const before = await measureFolder(request.folder, Number.POSITIVE_INFINITY, () => false)
    const child = start(request, before, outputs, (what) => {
      ended = what
    })
    const timer = setTimeout(() => {
      timedOut = true
      if (child.pid !== undefined) killGroup(child.pid)
    }, request.timeoutSeconds * 1000)
    const [code, by] = await once(child, 'exit').finally(() => clearTimeout(timer))
    exitCode = code
    signal = by
    await finish(child, request, outputs[2])
  } catch (error) {
    outputs[1]?.push(Buffer.from(`${request.argv[0]}: ${String(error)}\n`))
  }
  const [stdout = '', stderr = ''] = outputs.map((output) => output.text())
  const seconds = (performance.now() - started) / 1000
  return { exitCode, signal, timedOut, ended, stdout, stderr, seconds }
}

const names = ['stdout', 'stderr'] as const

function start(
  request: ChildRequest,
  before: FolderSize,
  outputs: readonly Capture[],
  exceeded: (what: string) => void,
): ChildProcess {
  const [file = '', ...args] = request.argv
  const child = spawn(file, args, {
    cwd: request.cwd,
    env: request.env,
    detached: true,
    stdio: withoutInherited([
      request.over === 'kept' ? 'pipe' : 'ignore',
      'pipe',
      'pipe',
      request.over === 'reported' ? 'pipe' : 'ignore',
    ]),
  })
  const watched = watchChild(child, request, before, exceeded)
  outputs.forEach((output, index) => {
    const stream = child.stdio[index + 1]
    stream?.on('data', (chunk: Buffer) => {
      output.push(chunk)
      watched?.heard(chunk.length)
      // The third stream is bubblewrap's report.
      const from = names[index]
      if (from !== undefined) request.heard?.(chunk, from)
    })
    stream?.on('error', () => undefined)
  })
  if (child.pid !== undefined) endWithUs(child.pid)
  return child
}

/** Replaces files that a program must not inherit; reads and writes have no effect. */
let nowhere: number | undefined

/** Hides our inherited files from the child: Node closes only those with low numbers. */
function withoutInherited(stdio: readonly ('pipe' | 'ignore')[]): ('pipe' | 'ignore' | number)[] {
  const all: ('pipe' | 'ignore' | number)[] = [...stdio]
  for (const file of inheritedFiles()) {
    if (all[file] === 'pipe') continue
    nowhere ??= openSync('/dev/null', 'r+')
    while (all.length < file) all.push('ignore')
    all[file] = nowhere
  }
  return all
}

const closesOnStart = 0o2000000

function inheritedFiles(): readonly number[] {
  try {
    const open = readdirSync('/proc/self/fdinfo').map(Number)
    return open.filter((file) => file > 2 && !closesItself(file)).toSorted((a, b) => a - b)
  } catch {
    return []
  }
}

/** True also for a file that is already closed. */
function closesItself(file: number): boolean {
  const text = readOfProcess('self', `fdinfo/${file}`)
  const flags = /^flags:\s+(\d+)/m.exec(text)?.[1] ?? '0'
  return text === '' || (Number.parseInt(flags, 8) & closesOnStart) !== 0
}

/**
 * Ends the command when it exceeds a limit or is no longer needed. We may not kill root's keeper,
 * so it gets a line that asks for it.
 */
function watchChild(
  child: ChildProcess,
  { over, folder, limits, signal }: ChildRequest,
  before: FolderSize,
  exceeded: (what: string) => void,
): Watch | null {
  const { pid, stdin } = child
  if (pid === undefined) return null
  stdin?.on('error', () => undefined)
  const mark = typeof over === 'object' ? over.mark : null
  const endIt = (what: string) => {
    exceeded(what)
    if (over === 'kept') stdin?.end('end\n')
    else killGroup(pid)
  }
  const stop = () => endIt(notNeeded)
  const watched = watch(pid, mark, folder, before, limits, endIt)
  signal?.addEventListener('abort', stop)
  child.once('exit', () => {
    watched.stop()
    signal?.removeEventListener('abort', stop)
  })
  if (signal?.aborted) stop()
  return watched
}

/** Kills our children if we exit early. */
function endWithUs(group: number): void {
  running.add(group)
  if (watching) return
  watching = true
  process.once('exit', () => {
    for (const each of running) killGroup(each)
  })
}

/** Kills leftover processes, then reads the last output. */
async function finish(child: ChildProcess, request: ChildRequest, report: Capture | undefined) {
  const group = child.pid
  if (group === undefined) return
  if (typeof request.over === 'object') await endLeftovers(group, request.over.mark)
  else killGroup(group)
  running.delete(group)
  if (request.over === 'reported' && child.signalCode !== null) endOrphans(request.argv)
  await closed(child)
  const reported = /"child-pid": (\d+)/.exec(report?.text() ?? '')?.[1]
  if (request.over === 'reported' && reported !== undefined) await waitUntilDead(Number(reported))
}

/** Pipes close when their last writer dies; an escaped writer must not delay us. */
async function closed(child: ChildProcess): Promise<void> {
  const given = new AbortController()
  const pipes = Promise.all(
    child.stdio.map(
      (stream) =>
        new Promise<void>((resolve) => {
          if (!stream || stream.closed) resolve()
          else stream.once('close', () => resolve())
        }),
    ),
  )
  const patience = wait(1000, undefined, { signal: given.signal }).catch(() => undefined)
  await Promise.race([pipes, patience])
  given.abort()
  for (const stream of child.stdio) stream?.destroy()
}

/** Keeps the head and tail of any amount of output in constant memory. */
interface Capture {
  push(chunk: Buffer): void
  text(): string
}

/** `limit` is in bytes, split between head and tail; the text says how much is left out. */
function createCapture(limit: number): Capture {
  const half = Math.floor(limit / 2)
  const head = Buffer.allocUnsafe(half)
  const ring = Buffer.allocUnsafe(half)
  let headLength = 0
  let passed = 0
  return {
    push(chunk) {
      const taken = chunk.copy(head, headLength)
      headLength += taken
      let rest = chunk.subarray(taken)
      if (rest.length > half) {
        passed += rest.length - half
        rest = rest.subarray(rest.length - half)
      }
      const fitting = rest.copy(ring, passed % half)
      rest.copy(ring, 0, fitting)
      passed += rest.length
    },
    text() {
      const start = head.subarray(0, headLength)
      if (passed <= half) return Buffer.concat([start, ring.subarray(0, passed)]).toString('utf8')
      const cut = passed % half
      const end = Buffer.concat([ring.subarray(cut), ring.subarray(0, cut)])
      return `${start.toString('utf8')}\n… ${passed - half} bytes left out …\n${end.toString('utf8')}`
    },
  }
}
