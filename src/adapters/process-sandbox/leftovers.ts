import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/** A killed process needs this long at the very most to be gone. */
const patience = { rounds: 1000, milliseconds: 2 }

export function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // Nobody left, or not ours: its keeper (root, bubblewrap) ends it.
  }
}

/**
 * Kills what is left of a process group, and processes that left the group but still carry the mark;
 * comes back when none of them lives. Needs /proc: elsewhere the group alone is killed.
 */
export async function endLeftovers(group: number, mark: string): Promise<void> {
  for (let round = 0; round < patience.rounds; round += 1) {
    killGroup(group)
    const left = processes().filter((pid) => belongs(pid, group, mark))
    if (left.length === 0) return
    for (const pid of left) killOne(pid)
    await wait(patience.milliseconds)
  }
}

/**
 * Kills what goes by exactly this command line. Bubblewrap's first process in a sandbox asks to end with
 * its parent only when the sandbox is built: a parent that is killed before that leaves it behind.
 */
export function endOrphans(argv: readonly string[]): void {
  const line = `${argv.join('\0')}\0`
  for (const pid of processes().filter((each) => commandLine(each) === line)) killOne(pid)
}

/** Comes back when this process is dead, and with it the process namespace it was the first of. */
export async function waitUntilDead(pid: number): Promise<void> {
  for (let round = 0; round < patience.rounds && isAlive(pid); round += 1) {
    await wait(patience.milliseconds)
  }
}

function processes(): readonly number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

/** `pid (name) state parent group …`; the name may hold anything, so read from its end. */
function status(pid: number): { state: string; group: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const [state = '', , group] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { state, group: Number(group) }
  } catch {
    return null
  }
}

function commandLine(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return null
  }
}

const isLive = (found: { state: string } | null): boolean =>
  found !== null && found.state !== 'Z' && found.state !== 'X'

const isAlive = (pid: number): boolean => isLive(status(pid))

function belongs(pid: number, group: number, mark: string): boolean {
  const found = status(pid)
  if (pid === process.pid || found === null || !isLive(found)) return false
  return found.group === group || carriesMark(pid, mark)
}

/** A daemon that empties its environment still has its limits, which everybody may read. */
export const carriesMark = (pid: number, mark: string): boolean =>
  ['environ', 'limits'].some((name) => {
    try {
      return readFileSync(`/proc/${pid}/${name}`, 'latin1').includes(mark)
    } catch {
      return false
    }
  })

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It was quicker.
  }
}
