/** Processes of this machine, as /proc shows them; a system without it shows none. */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

export interface ProcessStatus {
  readonly parent: number
  readonly group: number
  /** In ticks of the kernel's clock. */
  readonly began: number
}

export function processIds(): readonly number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

/** A file of a process, one character for each byte; empty where it cannot be read. */
export function readOfProcess(pid: number | 'self', name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    return ''
  }
}

/** `pid (name) state parent group …`, the name may hold anything; `null` for what is dead or gone. */
export function statusOf(pid: number): ProcessStatus | null {
  const text = readOfProcess(pid, 'stat')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state = '', parent, group] = fields
  if (fields.length < 22 || state === 'Z' || state === 'X') return null
  return { parent: Number(parent), group: Number(group), began: Number(fields[19]) }
}

/** A daemon that empties its environment still has its limits, which everybody may read. */
export const carriesMark = (pid: number, mark: string): boolean =>
  ['environ', 'limits'].some((name) => readOfProcess(pid, name).includes(mark))

/** A killed process needs this long at the very most to be gone. */
const patience = { rounds: 1000, milliseconds: 2 }

/** A process may start another one and end while we look past both: so many looks in a row find none. */
const quietLooks = 5

export const killGroup = (group: number): void => kill(-group)

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It was quicker; or it is not ours, and its keeper (root, bubblewrap) ends it.
  }
}

/**
 * Kills what is left of a process group, and processes that left the group but still carry the mark;
 * comes back when none of them lives. Needs /proc: elsewhere the group alone is killed.
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
 * Kills what goes by exactly this command line. Bubblewrap's first process in a sandbox asks to end with
 * its parent only when the sandbox is built: a parent that is killed before that leaves it behind.
 */
export function endOrphans(argv: readonly string[]): void {
  const line = Buffer.from(`${argv.join('\0')}\0`).toString('latin1')
  for (const pid of processIds()) if (readOfProcess(pid, 'cmdline') === line) kill(pid)
}

/** Comes back when this process is dead, and with it the process namespace it was the first of. */
export async function waitUntilDead(pid: number): Promise<void> {
  for (let round = 0; round < patience.rounds && statusOf(pid) !== null; round += 1) {
    await wait(patience.milliseconds)
  }
}
