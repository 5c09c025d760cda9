import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { QueueDatabase } from '../../src/adapters/pg-queue/open-database.ts'
import { openPgQueue } from '../../src/adapters/pg-queue.ts'
import type { Job } from '../../src/core/ports/job-queue.ts'
import { testJobQueueContract } from '../contracts/job-queue.ts'
import {
  type Engine,
  type PostgresEngine,
  startEmbedded,
  startPostgres,
} from './pg-queue/engines.ts'

let embedded: Engine
let postgres: PostgresEngine
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

describe('a job whose third worker died', () => {
  it('is put aside, so that its repository goes on, and runs when it is delivered again', async () => {
    const database = await postgres.create()
    const job = (number: number): Job => ({
      id: `72d3162e-cc78-11e3-81ab-00000000000${number}`,
      repository: 'octo/app',
      installation: 7,
      event: 'push',
      payload: {},
      receivedAt: '2026-01-02T03:04:05.000Z',
    })
    const first = await open(database)
    await first.enqueue(job(1))
    await first.enqueue(job(2))
    await first.close(0)
    // As pg-boss leaves it.
    const died = `state = 'failed', started_on = now(), completed_on = now(), retry_count = 2`
    const { id } = job(1)
    await postgres.query(database, `UPDATE executor_queue.job SET ${died} WHERE id = '${id}'`)

    const queue = await open(database)
    const seen: string[] = []
    const saw = (count: number) =>
      new Promise<void>((resolve) => {
        waiting.push({ count, resolve })
      })
    const waiting: { readonly count: number; readonly resolve: () => void }[] = []
    const second = saw(1)
    await queue.work(
      async (one) => {
        seen.push(one.id)
        for (const { count, resolve } of waiting) if (seen.length >= count) resolve()
        return { status: 'done' }
      },
      { concurrency: 1 },
    )
    await second
    expect(seen).toEqual([job(2).id])
    expect(await queue.counts()).toMatchObject({ waiting: 0, failed: 1 })
    const again = saw(2)
    expect(await queue.enqueue(job(1))).toBe('queued')
    await again
    expect(seen).toEqual([job(2).id, job(1).id])
    await queue.close(5)
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
