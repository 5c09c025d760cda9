import { statSync } from 'node:fs'
import { join } from 'node:path'
import { runWithCompiledCode } from './compiled-code.ts'
import { cacheDirectory, makeOwnDirectory } from './own-directory.ts'

// Compiled code is saved beside the program and goes with it. If another user owns the program, it is saved in the cache
// directory, once a run has created that: a folder that root made beside it would keep npm from removing the program. It is
// never saved where another user can write, nor in a checkout's sources.
if (import.meta.url.endsWith('.ts')) void import('./cli/main.ts')
else {
  const isOwned = statSync(import.meta.dirname).uid === process.getuid?.()
  const places = [...(isOwned ? [import.meta.dirname] : []), cacheDirectory()].map((place) =>
    join(place, 'compiled'),
  )
  runWithCompiledCode(join(import.meta.dirname, 'main.cjs'), {
    directory: places.find(makeOwnDirectory) ?? null,
    command: /^[a-z]+$/.exec(process.argv[2] ?? '')?.[0] ?? 'none',
  })
}
