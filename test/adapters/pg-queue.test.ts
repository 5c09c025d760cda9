import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { QueueDatabase } from '../../src/adapters/pg-queue/open-database.ts'
import { openPgQueue } from '../../src/adapters/pg-queue.ts'
import { testJobQueueContract } from '../contracts/job-queue.ts'
import { type Engine, startEmbedded, startPostgres } from './pg-queue/engines.ts'

let embedded: Engine
let postgres: Engine
beforeAll(async () => {
  ;[embedded, postgres] = await Promise.all([startEmbedded(), startPostgres()])
})
afterAll(() => Promise.all([embedded.stop(), postgres.stop()]))

const open = (database: QueueDatabase) =>
  openPgQueue({ database, log: () => {}, retryDelaySeconds: 0 })

describe.each([
  ['the embedded database', () => embedded],
  ['PostgreSQL', () => postgres],
])('%s', (name, engine) => {
  testJobQueueContract(name, async (test) => {
    const database = await engine().create()
    const queue = await open(database)
    const opened = [queue]
    const reopen = async () => {
      const next = await open(database)
      opened.push(next)
      return next
    }
    try {
      await test({ queue, reopen })
    } finally {
      for (const one of opened) await one.close(0)
    }
  })
})

describe('the embedded database', () => {
  it('is for one process: a second one is refused, and after it a third may', async () => {
    const database = await embedded.create()
    const first = await open(database)
    await expect(open(database)).rejects.toMatchObject({ code: 'queue_locked', exitCode: 4 })
    await first.close(0)
    await (await open(database)).close(0)
  })
})

describe('a database that is not there', () => {
  it('is named without its password', async () => {
    const url = 'postgres://somebody:hunter2@127.0.0.1:1/queue'
    const opening = openPgQueue({ database: { kind: 'postgres', url }, log: () => {} })
    await expect(opening).rejects.toMatchObject({ code: 'queue_unreachable', exitCode: 4 })
    await expect(opening).rejects.not.toThrow(/hunter2/)
  })
})
