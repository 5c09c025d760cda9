/** Remembers which isolation worked on this machine, so that a run need not try it first. */
import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { release } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { findProgram } from '../files/files.ts'
import type { Toolchain } from './toolchain.ts'

const schema = z.object({
  machine: z.string(),
  /** Its index among the candidates, strongest first. */
  place: z.int().nonnegative(),
  /** Why the stronger ones were not chosen. */
  reasons: z.array(z.string()),
})

export type Remembered = z.infer<typeof schema>

const fileIn = (directory: string): string => join(directory, 'isolation.json')

/** Returns `null` without a memory, or if anything that decides about isolation has changed. */
export function recall(directory: string, toolchain: Toolchain): Remembered | null {
  try {
    const found = schema.parse(JSON.parse(readFileSync(fileIn(directory), 'utf8')))
    return found.machine === describeMachine(toolchain) ? found : null
  } catch {
    return null
  }
}

/** If the file cannot be saved, the next run tries again. */
export function remember(
  directory: string,
  toolchain: Toolchain,
  found: Omit<Remembered, 'machine'>,
): void {
  const temporary = join(directory, `isolation.${randomUUID()}`)
  try {
    const text = JSON.stringify({ machine: describeMachine(toolchain), ...found })
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' })
    renameSync(temporary, fileIn(directory))
  } catch {
    rmSync(temporary, { force: true })
  }
}

export const forget = (directory: string): void => rmSync(fileIn(directory), { force: true })

/** The programs that isolations start. */
const programs = ['bwrap', 'sudo', 'unshare', 'setpriv', 'prlimit']

/** The boot, the kernel, our user and namespaces, and the programs with their sizes and times. */
function describeMachine(toolchain: Toolchain): string {
  const spaces = ['mnt', 'pid', 'user'].map((space) => readlinkSync(`/proc/self/ns/${space}`))
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  const files = programs.map((name) => {
    const path = findProgram(name, toolchain.path)
    if (path === null) return `${name} -`
    const { size, mtimeMs } = statSync(path)
    return `${path} ${size} ${mtimeMs}`
  })
  return [boot, release(), process.getuid?.(), ...spaces, ...files].join('\n')
}
