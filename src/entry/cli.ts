import { existsSync, mkdirSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { cacheDirectory } from './cache-directory.ts'
import { runCli } from './cli/run-cli.ts'

keepCompiledCode(cacheDirectory())

// Not awaited: a chunk of the bundle that needs this one would wait for it forever.
void runCli(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})

/**
 * Compiling takes a sixth of a run's processor time; once a run has worked on this machine, later starts are spared it.
 * Before that nothing is written: `--help` and wrong use leave no trace. The directory is this user's alone, since what
 * can write to it decides what this program runs.
 */
function keepCompiledCode(cache: string): void {
  const directory = join(cache, 'compiled')
  try {
    if (!existsSync(cache)) return
    if (!existsSync(directory)) mkdirSync(directory, { mode: 0o700 })
    enableCompileCache(directory)
  } catch {
    // A home that is read-only slows the start down and hinders nothing.
  }
}
