import { readdirSync, readFileSync } from 'node:fs'
import { type FolderSize, measureFolder } from '../lent-folder.ts'
import { carriesMark } from './leftovers.ts'

/** What a command and everything it started may use together. */
export interface Limits {
  /** Bytes of memory that is nobody else's: shared pages count for no one. */
  readonly memory: number
  readonly processes: number
  /** Bytes by which the folder may grow. */
  readonly disk: number
  /** Files and directories by which it may: how large more of them are, nobody could tell. */
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

interface Status {
  readonly parent: number
  readonly group: number
  readonly residentPages: number
  /** In ticks of the kernel's clock. */
  readonly began: number
}

/** Sums the descendants. `known` remembers those seen, whose parents may be gone by the next look. */
function measureProcesses(
  root: number,
  known: Set<number>,
  carries: (pid: number, began: number) => boolean,
): { readonly memory: number; readonly processes: number } {
  const all = readAll()
  const children = new Map<number, number[]>()
  for (const [pid, { parent, group, began }] of all) {
    if (group === root || carries(pid, began)) known.add(pid)
    const siblings = children.get(parent)
    if (siblings === undefined) children.set(parent, [pid])
    else siblings.push(pid)
  }
  for (const pid of known) if (!all.has(pid)) known.delete(pid)
  const waiting = [...known]
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    for (const child of children.get(pid) ?? []) {
      if (known.has(child)) continue
      known.add(child)
      waiting.push(child)
    }
  }
  let pages = 0
  for (const pid of known) pages += ownPages(pid, all.get(pid)?.residentPages ?? 0)
  return { memory: pages * pageSize(), processes: known.size }
}

/** A process that is about to run another program, or to be given limits, has none for a moment. */
const mostLooks = 5

/** Looks for the mark a few times at each process that is no older than the root. */
function markReader(root: number, mark: string | null): (pid: number, began: number) => boolean {
  if (mark === null) return () => false
  const looks = new Map<number, number>()
  const start = readAll().get(root)?.began ?? 0
  return (pid, began) => {
    const before = looks.get(pid) ?? 0
    if (began < start || before >= mostLooks) return false
    looks.set(pid, before + 1)
    return carriesMark(pid, mark)
  }
}

function readAll(): ReadonlyMap<number, Status> {
  const found = new Map<number, Status>()
  for (const pid of processIds()) {
    const text = readOrNothing(`/proc/${pid}/stat`)
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    if (fields.length < 22 || fields[0] === 'Z') continue
    found.set(pid, {
      parent: Number(fields[1]),
      group: Number(fields[2]),
      residentPages: Number(fields[21]),
      began: Number(fields[19]),
    })
  }
  return found
}

function processIds(): readonly number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

/** Small processes are not worth a second file. */
const fewPages = 500

function ownPages(pid: number, resident: number): number {
  if (resident < fewPages) return resident
  const [, all = resident, shared = 0] = readOrNothing(`/proc/${pid}/statm`).split(' ').map(Number)
  return Math.max(0, all - shared)
}

let knownPageSize = 0

/** A power of two that makes our own pages our own bytes. */
function pageSize(): number {
  if (knownPageSize > 0) return knownPageSize
  const pages = Number(readOrNothing('/proc/self/statm').split(' ')[1] ?? 0)
  const exact = pages > 0 ? process.memoryUsage.rss() / pages : 4096
  knownPageSize = 2 ** Math.round(Math.log2(exact))
  return knownPageSize
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
