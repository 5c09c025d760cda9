import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPgQueue } from '../../../src/adapters/pg-queue.ts'
import { type Engine, startEmbedded, startPostgres } from './engines.ts'

let engines: Readonly<Record<'embedded' | 'postgres', Engine>>
beforeAll(async () => {
  const [embedded, postgres] = await Promise.all([startEmbedded(), startPostgres()])
  engines = { embedded, postgres }
})
afterAll(() => Promise.all(Object.values(engines).map((engine) => engine.stop())))

it.each(['embedded', 'postgres'] as const)(
  '%s: adds up what the repositories of an installation spent on a day, each counted once',
  async (kind) => {
    const database = await engines[kind].create()
    const queue = await openPgQueue({ database, log: () => {} })
    const { spending } = queue
    const [day, next] = ['2026-01-02', '2026-01-03']
    const note = (repository: string, tokens: number, change: object = {}) =>
      spending.note(
        { installation: 7, repository, day, ...change },
        { tokens, dollars: tokens / 8 },
      )
    expect(await spending.on(7, day)).toEqual({ tokens: 0, dollars: 0 })
    await note('octo/app', 100)
    await note('Octo/App', 300)
    // A worker on another machine knows less.
    await note('octo/app', 200)
    await note('octo/web', 4)
    await note('octo/app', 1000, { day: next })
    await note('ada/app', 5000, { installation: 8 })
    expect(await spending.on(7, day)).toEqual({ tokens: 304, dollars: 38 })
    expect(await spending.on(7, next)).toEqual({ tokens: 1000, dollars: 125 })
    await queue.close(0)
  },
)
