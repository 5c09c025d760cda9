import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPgQueue } from '../../../src/adapters/pg-queue.ts'
import type { Job, JobResult } from '../../../src/core/ports/job-queue.ts'
import { type PostgresEngine, startPostgres } from './engines.ts'

let postgres: PostgresEngine
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

const job: Job = {
  id: '72d3162e-cc78-11e3-81ab-000000000001',
  repository: 'octo/app',
  installation: 7,
  event: 'push',
  payload: {},
  receivedAt: '2026-01-02T03:04:05.000Z',
}

it.each<readonly [JobResult, object]>([
  [{ status: 'done' }, { done: 1, failed: 0 }],
  [
    { status: 'failed', reason: 'no such workflow' },
    { done: 0, failed: 1 },
  ],
])(
  'a job that ends with $status while the database is down does not start again',
  async (result, counts) => {
    const database = await postgres.create()
    const queue = await openPgQueue({ database, log: () => {}, heartbeatSeconds: 10 })
    const started = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<JobResult>()
    let starts = 0
    await queue.work(
      () => {
        starts += 1
        started.resolve()
        return ended.promise
      },
      { concurrency: 1 },
    )
    await queue.enqueue(job)
    await started.promise
    await postgres.crash()
    ended.resolve(result)
    await postgres.startAgain()
    await expect
      .poll(() => queue.counts(), { timeout: 40_000 })
      .toMatchObject({ active: 0, ...counts })
    expect(starts).toBe(1)
    await queue.close(5)
  },
  60_000,
)
