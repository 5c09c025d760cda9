/** Started by a test: takes the lock, goes on from the saved state, and says a dot for every save. */
import { writeSync } from 'node:fs'
import { createFileStore } from '../../src/adapters/file-store.ts'
import { numbered } from './numbered-state.ts'

const [directory = '', from = ''] = process.argv.slice(2)
const store = createFileStore({ directory })
await store.acquireLock()
await store.load()
for (let count = Number(from); ; count++) {
  await store.save(numbered(count))
  writeSync(1, '.')
}
