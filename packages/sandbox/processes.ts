/** Reads this machine's processes from /proc; empty on systems without it. */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

export interface ProcessStatus {
  readonly parent: number
  readonly group: number
  /** In kernel clock ticks. */
  readonly began: number
}

export function processIds(): readonly number[] {
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
export function statusOf(pid: number): ProcessStatus | null {
  const text = readOfProcess(pid, 'stat')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state = '', parent, group] = fields
  if (fields.length < 22 || state === 'Z' || state === 'X') return null
  return { parent: Number(parent), group: Number(group), began: Number(fields[19]) }
}

/** A daemon that empties its environment still has its limits, which are public. */
export const carriesMark = (pid: number, mark: string): boolean =>
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
