import { accessSync, constants } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** Returns the file that runs for this program name, or `null`. */
export function findProgram(program: string, path: readonly string[]): string | null {
  const candidates = program.includes('/') ? [] : path.map((directory) => join(directory, program))
  return candidates.find(isExecutable) ?? null
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The user's home, or `null` for a user without one, such as `docker run --user 1234` without HOME, or with an empty HOME. */
export function homeDirectory(): string | null {
  try {
    const home = homedir()
    return isAbsolute(home) ? home : null
  } catch {
    return null
  }
}
