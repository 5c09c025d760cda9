import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { type FolderSize, measureFolder } from '../files/files.ts'

/** The limits of a command and all its children together. */
export interface Limits {
  /** In bytes, without shared pages. */
  readonly memory: number
  readonly processes: number
  /** Maximum growth of the folder in bytes. */
  readonly disk: number
  /** Maximum number of new files and directories: more could not be measured in time. */
  readonly files: number
  /** Maximum bytes of output, kept or not. */
  readonly output: number
}

export interface Watch {
  /** Counts output bytes. */
  heard(bytes: number): void
  stop(): void
}

const between = 200
/** The pause between measurements is a multiple of the time that one takes. */
const diskPause = { least: 2_000, times: 10 }

/**
 * Watches a running command, and calls `exceeded` once, with the reason, when it exceeds a limit.
 * Without /proc, it checks only output and the folder.
 * @param root the command's process id; its descendants and its group belong to it
 * @param before the size of the folder before the command
 * @param mark what other processes of its own carry (`carriesMark`); `null` if none can escape
 */
export function watch(
  root: number,
  mark: string | null,
  folder: string,
  before: FolderSize,
  limits: Limits,
  exceeded: (what: string) => void,
): Watch {
  let isOver = false
  let output = 0
  const known = new Set([root])
  const carries = markReader(root, mark)
  const say = (what: string) => {
    if (isOver) return
    isOver = true
    stop()
    exceeded(what)
  }
  const timer = setInterval(() => {
    const { memory, processes } = measureProcesses(root, known, carries)
    if (memory > limits.memory) say(`used more than ${megabytes(limits.memory)} of memory`)
    else if (processes > limits.processes)
      say(`started more than ${limits.processes.toLocaleString('en')} processes`)
  }, between)
  const most = before.entries + limits.files
  const disk = watchFolder(folder, most, ({ bytes, entries, isWhole }) => {
    if (entries > most) say(`created more than ${limits.files.toLocaleString('en')} files`)
    else if (!isWhole) say('created paths that are too long to measure')
    else if (bytes - before.bytes > limits.disk)
      say(`wrote more than ${megabytes(limits.disk)} to the disk`)
  })
  const stop = () => {
    clearInterval(timer)
    disk.stop()
  }
  return {
    heard(bytes) {
      output += bytes
      if (output > limits.output) say(`printed more than ${megabytes(limits.output)}`)
    },
    stop,
  }
}

const megabytes = (bytes: number): string =>
  `${Math.round(bytes / 1024 / 1024).toLocaleString('en')} MB`

/** Sums the descendants. `known` remembers them, since their parents may be gone next time. */
function measureProcesses(
  root: number,
  known: Set<number>,
  carries: (pid: number, began: number) => boolean,
): { readonly memory: number; readonly processes: number } {
  const all = readAll()
  for (const [pid, { group, began }] of all) {
    if (group === root || carries(pid, began)) known.add(pid)
  }
  for (const pid of known) if (!all.has(pid)) known.delete(pid)
  const children = Map.groupBy(all.keys(), (pid) => all.get(pid)?.parent)
  // A loop over a set includes entries that are added meanwhile.
  for (const pid of known) for (const child of children.get(pid) ?? []) known.add(child)
  let memory = 0
  for (const pid of known) memory += ownMemory(pid)
  return { memory, processes: known.size }
}

/** During exec or prlimit, a process briefly shows no mark. */
const mostLooks = 5

/** Checks each process younger than the root for the mark, a few times. */
function markReader(root: number, mark: string | null): (pid: number, began: number) => boolean {
  if (mark === null) return () => false
  const looks = new Map<number, number>()
  const start = statusOf(root)?.began ?? 0
  return (pid, began) => {
    const before = looks.get(pid) ?? 0
    if (began < start || before >= mostLooks) return false
    looks.set(pid, before + 1)
    return carriesMark(pid, mark)
  }
}

function readAll(): ReadonlyMap<number, ProcessStatus> {
  const found = processIds().map((pid) => [pid, statusOf(pid)] as const)
  return new Map(found.flatMap(([pid, status]) => (status === null ? [] : [[pid, status]])))
}

/** A process's own memory in bytes, as far as the kernel distinguishes it. */
function ownMemory(pid: number): number {
  const status = readOfProcess(pid, 'status')
  const found = /^RssAnon:\s+(\d+) kB/m.exec(status) ?? /^VmRSS:\s+(\d+) kB/m.exec(status)
  return Number(found?.[1] ?? 0) * 1024
}

/** Measures the folder from time to time, at most `most` entries of it. */
function watchFolder(
  folder: string,
  most: number,
  measured: (size: FolderSize) => void,
): { stop(): void } {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  const look = async () => {
    const started = performance.now()
    const size = await measureFolder(folder, most, () => isStopped).catch(() => null)
    if (isStopped) return
    if (size !== null) measured(size)
    const pause = Math.max(diskPause.least, (performance.now() - started) * diskPause.times)
    if (!isStopped) timer = setTimeout(look, pause)
  }
  timer = setTimeout(look, diskPause.least)
  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

interface ProcessStatus {
  readonly parent: number
  readonly group: number
  /** In kernel clock ticks. */
  readonly began: number
}

function processIds(): readonly number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

/** Reads a file of a process, one character per byte; empty if unreadable. */
export function readOfProcess(pid: number | 'self', name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    return ''
  }
}

/** Parses `pid (name) state parent group …`, with any name; `null` for a dead process. */
function statusOf(pid: number): ProcessStatus | null {
  const text = readOfProcess(pid, 'stat')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state = '', parent, group] = fields
  if (fields.length < 22 || state === 'Z' || state === 'X') return null
  return { parent: Number(parent), group: Number(group), began: Number(fields[19]) }
}

/** A daemon that empties its environment still has its limits, which are public. */
const carriesMark = (pid: number, mark: string): boolean =>
  ['environ', 'limits'].some((name) => readOfProcess(pid, name).includes(mark))

/** The longest time that a killed process may take to disappear. */
const patience = { rounds: 1000, milliseconds: 2 }

/** A process may start another and exit between two checks, so several in a row must be clean. */
const quietLooks = 5

export const killGroup = (group: number): void => kill(-group)

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Already dead; or not ours, and its keeper (root, bubblewrap) ends it.
  }
}

/**
 * Kills the rest of a process group, and processes that left it but carry the mark; returns when
 * all are dead. Without /proc, kills only the group.
 */
export async function endLeftovers(group: number, mark: string): Promise<void> {
  const strangers = new Set<string>()
  let quiet = 0
  for (let round = 0; round < patience.rounds && quiet < quietLooks; round += 1) {
    killGroup(group)
    quiet += 1
    for (const pid of processIds()) {
      const found = statusOf(pid)
      const name = `${pid} ${found?.began}`
      if (found === null || pid === process.pid || strangers.has(name)) continue
      if (found.group === group || carriesMark(pid, mark)) {
        kill(pid)
        quiet = 0
      } else strangers.add(name)
    }
    await wait(patience.milliseconds)
  }
}

/**
 * Kills processes with exactly this command line. Bubblewrap's first process dies with its parent
 * only once the sandbox is built, so a parent that is killed earlier leaves it behind.
 */
export function endOrphans(argv: readonly string[]): void {
  const line = Buffer.from(`${argv.join('\0')}\0`).toString('latin1')
  for (const pid of processIds()) if (readOfProcess(pid, 'cmdline') === line) kill(pid)
}

/** Returns when this process is dead, and with it the process namespace that it started. */
export async function waitUntilDead(pid: number): Promise<void> {
  for (let round = 0; round < patience.rounds && statusOf(pid) !== null; round += 1) {
    await wait(patience.milliseconds)
  }
}
