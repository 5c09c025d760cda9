import { setTimeout as wait } from 'node:timers/promises'
import { carriesMark, processIds, readOfProcess, statusOf } from './proc.ts'

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
