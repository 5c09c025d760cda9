import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPgQueue } from '../../../src/adapters/pg-queue.ts'
import type { Job, JobResult } from '../../../src/core/ports/job-queue.ts'
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

it('what an installation had put off takes turns with others when its time comes', async () => {
  const database = await postgres.create()
  const queue = await openPgQueue({ database, log: () => {} })
  const began: { readonly job: Job; readonly end: (result: JobResult) => void }[] = []
  let take = Promise.withResolvers<void>()
  await queue.work(
    (job) =>
      new Promise((end) => {
        began.push({ job, end })
        take.resolve()
      }),
    { concurrency: 1 },
  )
  const next = async () => {
    await take.promise
    take = Promise.withResolvers()
    const one = began.at(-1)
    if (one === undefined) throw new Error('Nothing began.')
    return one
  }
  const serve = async (count: number, result: JobResult) => {
    for (let index = 0; index < count; index += 1) (await next()).end(result)
  }
  const [putOff, others, fresh] = [8, 3, 6]
  for (let number = 0; number < putOff; number += 1) await queue.enqueue(jobOf(number, 1, number))
  const notBefore = '2100-01-01T00:00:00.000Z'
  await serve(putOff, { status: 'again', reason: 'the ceiling of the day', notBefore })
  for (let number = 0; number <= others; number += 1)
    await queue.enqueue(jobOf(100 + number, 2, number))
  await serve(others, { status: 'done' })
  const held = await next()
  for (let number = 0; number < fresh; number += 1)
    await queue.enqueue(jobOf(200 + number, 1, 200 + number))
  await queue.enqueue(jobOf(300, 3, 0))
  const due = `UPDATE executor_queue.job SET start_after = now() WHERE state = 'retry'`
  await postgres.query(database, due)
  began.length = 0
  held.end({ status: 'done' })
  await serve(putOff + fresh + 1, { status: 'done' })
  const order = began.map(({ job }) => job)
  // Its new jobs and those that were put off each have a turn, and so has the other installation.
  expect(order.findIndex(({ installation }) => installation === 3)).toBeLessThanOrEqual(2)
  const oldest = jobOf(0, 1, 0).id
  expect(order.findIndex(({ id }) => id === oldest)).toBeLessThanOrEqual(2)
  expect(order).toHaveLength(putOff + fresh + 1)
  await queue.close(5)
})
