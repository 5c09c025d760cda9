import { describe, expect, it } from 'vitest'
import { createSystemClock, createSystemRandom } from '../../src/adapters/system.ts'

describe('the system clock', () => {
  const clock = createSystemClock()

  it('tells the time in UTC, and a count that never goes back', () => {
    expect(clock.now()).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const times = Array.from({ length: 100 }, () => clock.monotonic())
    expect(times).toEqual([...times].sort((a, b) => a - b))
  })

  it('wakes from a short sleep before a long one', async () => {
    const controller = new AbortController()
    const long = clock.sleep(3600, controller.signal).catch(() => 'cancelled')
    const short = clock.sleep(0.001).then(() => 'woken')
    expect(await Promise.race([long, short])).toBe('woken')
    controller.abort()
    expect(await long).toBe('cancelled')
    await clock.sleep(-1)
  })

  it.each([10, 10_000_000])('is woken from %d seconds with the reason given', async (seconds) => {
    const reason = new Error('cancelled')
    const controller = new AbortController()
    const asleep = clock.sleep(seconds, controller.signal)
    controller.abort(reason)
    await expect(asleep).rejects.toBe(reason)
    await expect(clock.sleep(seconds, controller.signal)).rejects.toBe(reason)
  })
})

describe('the system chance', () => {
  const random = createSystemRandom()

  it.each([0, 1, 7, 32])('gives %d hex digits, new ones each time', (length) => {
    const drawn = Array.from({ length: 50 }, () => random.hex(length))
    for (const each of drawn) expect(each).toMatch(new RegExp(`^[0-9a-f]{${length}}$`))
    expect(new Set(drawn).size).toBeGreaterThan(length > 1 ? 40 : 0)
  })

  it('gives fractions below one', () => {
    const drawn = Array.from({ length: 1000 }, () => random.fraction())
    expect(drawn.every((each) => each >= 0 && each < 1)).toBe(true)
    expect(new Set(drawn.map((each) => Math.floor(each * 4))).size).toBe(4)
  })
})
