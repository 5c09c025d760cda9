import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { runCli } from './cli/run-cli.ts'
import { cacheDirectory, makeOwnDirectory } from './own-directory.ts'

// Compiling takes a sixth of a run's processor time. The compiled code stands beside the program, and goes with it; where
// somebody else owns the program, it stands in the cache directory once a run has made that. Never where somebody else
// could write what is run next, nor beside sources, which a checkout lists.
const places = [
  ...(import.meta.url.endsWith('.mjs') ? [import.meta.dirname] : []),
  cacheDirectory(),
]
const compiled = places.map((place) => join(place, 'compiled')).find(makeOwnDirectory)
if (compiled !== undefined) enableCompileCache(compiled)

// Not awaited: a chunk of the bundle that needs this one would wait for it forever.
void runCli(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})
