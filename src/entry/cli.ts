import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { cacheDirectory } from './cache-directory.ts'
import { runCli } from './cli/run-cli.ts'
import { makeOwnDirectory } from './own-directory.ts'

// Compiling takes a sixth of a run's processor time. The code is kept once a run has made the cache directory, so
// that `--help`, a dry run and wrong use leave no trace; and never where somebody else could write what is run next.
const compiled = join(cacheDirectory(), 'compiled')
if (makeOwnDirectory(compiled)) enableCompileCache(compiled)

// Not awaited: a chunk of the bundle that needs this one would wait for it forever.
void runCli(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})
