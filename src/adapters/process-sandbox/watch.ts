import { type FolderSize, measureFolder } from '../lent-folder.ts'
import {
  carriesMark,
  type ProcessStatus,
  processIds,
  readOfProcess,
  statusOf,
} from './processes.ts'

/** What a command and everything it started may use together. */
export interface Limits {
  /** Bytes of memory of their own: shared pages do not count. */
  readonly memory: number
  readonly processes: number
  /** Bytes by which the folder may grow. */
  readonly disk: number
  /** Files and directories by which it may: more of them could not be measured in time. */
  readonly files: number
  /** Bytes of its outputs, kept or not. */
  readonly output: number
}

export interface Watch {
  /** Counts what came out of the command. */
  heard(bytes: number): void
  stop(): void
}

const between = 200
/** The folder is measured so much less often than it takes to measure it. */
const diskPause = { least: 2_000, times: 10 }

/**
 * Looks at a command while it runs, and calls `exceeded` once, with what it did, when it is over a
 * limit. Needs /proc; elsewhere only outputs and the folder are looked at.
 *
 * @param root process id of the command; all that descends from it, or is in its group, is its own
 * @param before the size of the folder before the command began
 * @param mark what else of its own carries (`carriesMark`); `null` where nothing can get away
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
    if (entries > most) say(`made more than ${limits.files.toLocaleString('en')} files`)
    else if (!isWhole) say('made paths that are too long to be measured')
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

/** Sums the descendants. `known` remembers those seen, whose parents may be gone by the next look. */
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
  // A set goes on with what is added to it meanwhile.
  for (const pid of known) for (const child of children.get(pid) ?? []) known.add(child)
  let memory = 0
  for (const pid of known) memory += ownMemory(pid)
  return { memory, processes: known.size }
}

/** A process that is about to run another program, or to be given limits, has none for a moment. */
const mostLooks = 5

/** Looks for the mark a few times at each process that is no older than the root. */
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

/** Bytes of a process that no other shares, as far as the kernel tells them apart. */
function ownMemory(pid: number): number {
  const status = readOfProcess(pid, 'status')
  const found = /^RssAnon:\s+(\d+) kB/m.exec(status) ?? /^VmRSS:\s+(\d+) kB/m.exec(status)
  return Number(found?.[1] ?? 0) * 1024
}

/** Measures the folder now and then, of which at most so many entries. */
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
