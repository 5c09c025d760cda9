import { afterAll, beforeAll, expect, it } from 'vitest'
import { openJobTable } from '../../../src/adapters/pg-queue/job-table.ts'
import { openDatabase, schema } from '../../../src/adapters/pg-queue/open-database.ts'
import type { Job } from '../../../src/core/ports/job-queue.ts'
import { type Engine, startEmbedded } from './engines.ts'

let engine: Engine
beforeAll(async () => {
  engine = await startEmbedded()
})
afterAll(() => engine.stop())

const job: Job = {
  id: '72d3162e-cc78-11e3-81ab-000000000001',
  repository: 'octo/app',
  installation: 7,
  event: 'push',
  payload: {},
  receivedAt: '2026-01-02T03:04:05.000Z',
}

/** A table with one job, whose starts and state the test controls. */
async function openTable(given: { readonly alone: boolean }) {
  const { boss, close } = await openDatabase(await engine.create())
  const times = { heartbeatSeconds: 20, retryDelaySeconds: 1000 }
  const table = await openJobTable(boss, { ...given, ...times })
  await table.add(job)
  return {
    table,
    async start() {
      await table.query(`UPDATE ${schema}.job SET start_after = now()`, [])
      const [stored] = await boss.fetch(table.name, { includeMetadata: true })
      if (stored === undefined) throw new Error('Nothing starts.')
      return stored
    },
    /** Lets pg-boss look for silent workers after this one was silent for an hour. */
    async notice() {
      await table.query(`UPDATE ${schema}.job SET heartbeat_on = now() - interval '1 hour'`, [])
      await boss.supervise(table.name)
    },
    /** The job's state, and the seconds until it starts, rounded to five. */
    state: () =>
      table.query(
        `SELECT state::text, 5 * round(EXTRACT(EPOCH FROM start_after - now()) / 5)::int AS seconds
        FROM ${schema}.job WHERE name = $1`,
        [table.name],
      ),
    async close() {
      await boss.stop({ graceful: false })
      await close()
    },
  }
}

it('a failed start delays the next, the second for twice as long, and starts that do not count change nothing', async () => {
  const { table, start, state, close } = await openTable({ alone: true })
  for (const seconds of [1000, 2000]) {
    for (let time = 0; time < 3; time += 1) await table.putOff(await start(), job.receivedAt)
    await table.retry(await start(), 'not now')
    expect(await state()).toEqual([{ state: 'retry', seconds }])
  }
  const { retryCount, retryLimit } = await start()
  expect(retryCount).toBe(retryLimit)
  await close()
})

it.each([
  [false, 'a beat later, when a worker that lives knows that it lost the job', 5],
  [true, 'at once where there is no other process', 0],
])('alone: %s: the job of a silent worker starts again %s', async (alone, _, seconds) => {
  const { start, notice, state, close } = await openTable({ alone })
  await start()
  await notice()
  expect(await state()).toEqual([{ state: 'retry', seconds }])
  await close()
})
