/** What the kernel says of processes, in /proc; elsewhere there are none. */
import { readdirSync, readFileSync } from 'node:fs'

export interface ProcessStatus {
  readonly parent: number
  readonly group: number
  readonly residentPages: number
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
  return {
    ...{ parent: Number(parent), group: Number(group) },
    ...{ residentPages: Number(fields[21]), began: Number(fields[19]) },
  }
}

/** A daemon that empties its environment still has its limits, which everybody may read. */
export const carriesMark = (pid: number, mark: string): boolean =>
  ['environ', 'limits'].some((name) => readOfProcess(pid, name).includes(mark))
