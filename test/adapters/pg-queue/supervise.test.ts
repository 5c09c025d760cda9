import { expect, it } from 'vitest'
import { createSupervision } from '../../../src/adapters/pg-queue/supervise.ts'

/** Looks at these seconds of a clock; returns those at which workers were judged, and the log. */
async function lookAt(times: readonly number[], isDown: (time: number) => boolean) {
  let time = 0
  const judged: number[] = []
  const lines: string[] = []
  const look = createSupervision({
    async sweep() {
      if (isDown(time)) throw new Error('connect ECONNREFUSED')
    },
    judge: async () => void judged.push(time),
    ...{ graceSeconds: 10, monotonic: () => time, log: (line) => lines.push(line) },
  })
  for (time of times) await look()
  return { judged, lines }
}

const everyFour = [0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40]

it.each([
  ['after the start, when those that live have shown it', -1, -1, [12, 16, 20, 24, 28, 32, 36, 40]],
  ['nor after an outage, before they have', 13, 21, [12, 32, 36, 40]],
  ['with outages that follow one another', 5, 30, [40]],
])('judges no worker at once: %s', async (_, from, to, expected) => {
  const { judged, lines } = await lookAt(everyFour, (time) => time > from && time < to)
  expect(judged).toEqual(expected)
  const down = everyFour.filter((time) => time > from && time < to).length
  expect(lines).toEqual(Array(down).fill('queue: Error: connect ECONNREFUSED'))
})

it('waits as well after a judgement that failed, and never looks twice at the same time', async () => {
  let time = 20
  const judging = Promise.withResolvers<void>()
  const begun: number[] = []
  const look = createSupervision({
    sweep: async () => {},
    async judge() {
      begun.push(time)
      await judging.promise
    },
    ...{ graceSeconds: 10, monotonic: () => time, log: () => {} },
  })
  time = 30
  const first = look()
  await look()
  judging.reject(new Error('Connection terminated unexpectedly'))
  await first
  for (time of [34, 38]) await look()
  expect(begun).toEqual([30])
  time = 42
  await look()
  expect(begun).toEqual([30, 42])
})
