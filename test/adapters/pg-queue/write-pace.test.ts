import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { QueueDatabase } from '../../../src/adapters/pg-queue/open-database.ts'
import { openPgQueue } from '../../../src/adapters/pg-queue.ts'
import { limits, testPaceContract } from '../../contracts/pace.ts'
import { type Engine, startEmbedded, startPostgres } from './engines.ts'

let embedded: Engine
let postgres: Engine
beforeAll(async () => {
  ;[embedded, postgres] = await Promise.all([startEmbedded(), startPostgres()])
})
afterAll(() => Promise.all([embedded.stop(), postgres.stop()]))

const open = (database: QueueDatabase, writeLimits = limits) =>
  openPgQueue({ database, log: () => {}, writeLimits })

testPaceContract('in the embedded database', async (test) => {
  const database = await embedded.create()
  const queue = await open(database)
  try {
    await test(queue.writes, queue.writes)
  } finally {
    await queue.close(0)
  }
})

testPaceContract('in PostgreSQL', async (test) => {
  const database = await postgres.create()
  const queues = await Promise.all([open(database), open(database)])
  const [one, other] = queues
  try {
    await test(one.writes, other.writes)
  } finally {
    for (const queue of queues) await queue.close(0)
  }
})

describe('five workers that book at the same time', () => {
  it('never book more than the limits allow, and keep to them when others follow', async () => {
    const database = await postgres.create()
    const writeLimits = [
      { most: 4, seconds: 1000 },
      { most: 12, seconds: 100_000 },
    ]
    const waits: number[] = []
    const play = async (count: number) => {
      const queues = await Promise.all(Array.from({ length: 5 }, () => open(database, writeLimits)))
      const began = performance.now()
      const all = queues.flatMap((queue) =>
        Array.from({ length: count }, () => queue.writes(7)(1e9)),
      )
      waits.push(...(await Promise.all(all)))
      for (const queue of queues) await queue.close(0)
      return (performance.now() - began) / 1000
    }
    const slack = (await play(4)) + (await play(2)) + 30
    const times = waits.toSorted((a, b) => a - b)
    expect(times).toHaveLength(30)
    for (const { most, seconds } of writeLimits) {
      const windows = times.slice(most).map((time, index) => time - (times[index] ?? 0))
      expect(Math.min(...windows)).toBeGreaterThan(seconds - slack)
    }
  })
})
