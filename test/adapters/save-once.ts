/** Started by a test: saves the state that is in a file, and says how that ended. */
import { readFile } from 'node:fs/promises'
import { createFileStore } from '../../src/adapters/file-store.ts'
import { ExecutorError } from '../../src/core/domain/errors.ts'

const [directory = '', path = ''] = process.argv.slice(2)
const store = createFileStore({ directory })
await store.load()
try {
  await store.save(JSON.parse(await readFile(path, 'utf8')))
  process.stdout.write('saved')
} catch (error) {
  process.stdout.write(error instanceof ExecutorError ? error.code : String(error))
}
