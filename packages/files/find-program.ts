import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'

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
