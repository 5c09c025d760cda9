import { existsSync, mkdirSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { dirname, join } from 'node:path'
import { cacheDirectory } from './cache-directory.ts'
import { runCli } from './cli/run-cli.ts'

keepCompiledCode(join(cacheDirectory(), 'compiled'))

// Not awaited: a chunk of the bundle that needs this one would wait for it forever.
void runCli(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})

/**
 * Compiling takes a sixth of a run's processor time; from the second start on it is done. The directory is this user's
 * alone, since what can write to it decides what this program runs. Where it cannot be made, nothing is kept.
 */
function keepCompiledCode(directory: string): void {
  try {
    // One by one: a recursive `mkdir` of Node never returns where a file system answers ENOENT to every new name.
    for (const path of [dirname(dirname(directory)), dirname(directory), directory])
      if (!existsSync(path)) mkdirSync(path, { mode: 0o700 })
    enableCompileCache(directory)
  } catch {
    // A home that is missing or read-only slows the start down and hinders nothing.
  }
}
