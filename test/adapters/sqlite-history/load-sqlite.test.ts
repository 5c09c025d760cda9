import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { loadSqlite } from '../../../src/adapters/sqlite-history/load-sqlite.ts'

/** In the words of Node 22. */
const experimental = 'SQLite is an experimental feature and might change at any time'

it('shows no warning that SQLite is experimental, and every other one', async () => {
  const heard: string[] = []
  const listen = ({ message }: Error) => void heard.push(message)
  process.on('warning', listen)
  try {
    const loading = loadSqlite()
    process.emitWarning(experimental, 'ExperimentalWarning')
    process.emitWarning('A test warns of itself.', 'ExperimentalWarning')
    expect(new (await loading)(':memory:').isOpen).toBe(true)
    process.emitWarning(`${experimental}, says a test`, 'ExperimentalWarning')
    await setImmediate()
    expect(heard).toEqual(['A test warns of itself.', `${experimental}, says a test`])
  } finally {
    process.off('warning', listen)
  }
})
