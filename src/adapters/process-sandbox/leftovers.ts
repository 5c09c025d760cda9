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

/** A process may start another one and end while we look past both: so many looks in a row find none. */
const quietLooks = 5

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
    for (const pid of processes()) {
      const found = status(pid)
      const name = `${pid} ${found?.began}`
      if (found === null || !isLive(found) || pid === process.pid || strangers.has(name)) continue
      if (found.group === group || carriesMark(pid, mark)) {
        killOne(pid)
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
function status(pid: number): { state: string; group: number; began: string } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [state = '', , group] = fields
    return { state, group: Number(group), began: fields[19] ?? '' }
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
