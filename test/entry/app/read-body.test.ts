import type { IncomingMessage } from 'node:http'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createBodyReader } from '../../../src/entry/app/receive-webhook.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const part = Buffer.alloc(100_000)

/** A body of so many parts, which come as they are read; the last one only once it is let go. */
function body(parts: number) {
  const { promise: end, resolve: letGo } = Promise.withResolvers<void>()
  let asked = 0
  const request = (async function* () {
    for (; asked < parts; asked += 1) {
      if (asked === parts - 1) await end
      yield part
    }
  })() as unknown as IncomingMessage
  return { request, letGo, read: () => asked }
}

it('reads two large bodies at a time, a small one beside them, and the next when one is done', async () => {
  const read = createBodyReader()
  const heard = () => undefined
  const [first, second, third] = [body(9), body(9), body(9)]
  const results = [first, second, third].map(({ request }) => read(request, heard))
  const small = body(1)
  small.letGo()
  expect(await read(small.request, heard)).toMatchObject({ status: 'read' })
  await vi.advanceTimersByTimeAsync(1_000)
  // Two parts are more than what each may bring without asking.
  expect([first, second, third].map((each) => each.read())).toEqual([8, 8, 1])
  first.letGo()
  expect(await results[0]).toMatchObject({ status: 'read', parts: { length: 9 } })
  await vi.advanceTimersByTimeAsync(1)
  expect(third.read()).toBe(8)
  for (const { letGo } of [second, third]) letGo()
  for (const result of results) expect(await result).toMatchObject({ status: 'read' })
})

it('is too busy for one that waits for five seconds, and takes the next', async () => {
  const read = createBodyReader()
  const heard = () => undefined
  const held = [body(9), body(9)]
  const reading = held.map(({ request }) => read(request, heard))
  const late = read(body(9).request, heard)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await late).toEqual({ status: 'busy' })
  for (const { letGo } of held) letGo()
  await Promise.all(reading)
  const next = body(9)
  next.letGo()
  expect(await read(next.request, heard)).toMatchObject({ status: 'read' })
})
