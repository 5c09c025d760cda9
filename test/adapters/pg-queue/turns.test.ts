import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPgQueue } from '../../../src/adapters/pg-queue.ts'
import type { Job } from '../../../src/core/ports/job-queue.ts'
import { type PostgresEngine, startPostgres } from './engines.ts'

let postgres: PostgresEngine
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

const jobOf = (number: number, installation: number, repository: number): Job => ({
  id: `72d3162e-cc78-11e3-81ab-${String(number).padStart(12, '0')}`,
  repository: `owner-${installation}/app-${repository}`,
  installation,
  event: 'push',
  payload: {},
  receivedAt: '2026-01-02T03:04:05.000Z',
})

const [large, small, jobsOfSmall] = [200, 10, 3]

it('five workers of two processes serve ten small installations before the rest of a large one', async () => {
  const database = await postgres.create()
  const open = () => openPgQueue({ database, log: () => {}, retryDelaySeconds: 0 })
  const queues = [await open(), await open()]
  let made = 0
  for (let index = 0; index < large; index += 1)
    await queues[0]?.enqueue(jobOf(++made, 1, index % 40))
  for (let installation = 2; installation < 2 + small; installation += 1)
    for (let index = 0; index < jobsOfSmall; index += 1)
      await queues[1]?.enqueue(jobOf(++made, installation, index))
  let left = made
  const done = Promise.withResolvers<void>()
  const handler = async () => {
    left -= 1
    if (left === 0) done.resolve()
    return { status: 'done' } as const
  }
  await Promise.all(
    queues.map((queue, index) => queue.work(handler, { concurrency: index === 0 ? 3 : 2 })),
  )
  await done.promise
  // The order in which the database gave them out: a busy machine may delay any handler.
  const jobs = (await queues[0]?.list(null, made)) ?? []
  const started = jobs
    .toSorted((a, b) => (a.startedAt ?? '').localeCompare(b.startedAt ?? ''))
    .map(({ installation }) => installation)
  expect(started).toHaveLength(made)
  // Three rounds of eleven installations; each of five workers may be a job ahead.
  const lastOfSmall = started.findLastIndex((installation) => installation !== 1)
  expect(lastOfSmall).toBeLessThan((small + 1) * jobsOfSmall + 5)
  expect(new Set(started.slice(0, small + 1 + 5)).size).toBe(small + 1)
  for (const queue of queues) await queue.close(5)
})
