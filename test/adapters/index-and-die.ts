/** Started with a folder and a number: indexes that many files, and is killed while it reads the last. */
import { createSqliteIndex } from '../../src/adapters/sqlite-index.ts'
import { createFakeClock } from '../fakes/fake-clock.ts'

const [directory = '', count = ''] = process.argv.slice(2)
const files = Array.from({ length: Number(count) }, (_, index) => ({
  path: `src/file-${index}.ts`,
  blob: `${index}`,
  size: 23,
}))
const lookUp = createSqliteIndex({ directory, clock: createFakeClock(), note: () => {} })
await lookUp(
  files,
  {
    async readTexts(paths) {
      if (paths.includes(files.at(-1)?.path ?? '')) process.kill(process.pid, 'SIGKILL')
      return new Map(paths.map((path) => [path, 'export const total = 1\n']))
    },
    listCommits: async () => [],
    readCommits: async () => [],
  },
  () => null,
)
