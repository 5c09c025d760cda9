import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'

/** The user's home, or `null` for a user without one, such as `docker run --user 1234` without HOME, or with an empty HOME. */
export function homeDirectory(): string | null {
  try {
    const home = homedir()
    return isAbsolute(home) ? home : null
  } catch {
    return null
  }
}
