import { describe, expect, it, test, vi } from 'vitest'
import {
  type CallPolicyOptions,
  ComeBackLater,
  createCallPolicy,
} from '../../../src/adapters/resilience/call-policy.ts'
import { createFakeClock } from '../../fakes/fake-clock.ts'

/** `bad`: a bad moment; a number or `limited`: a limit, with or without its seconds. */
type Turn = 'good' | 'bad' | 'refused' | 'limited' | number

class Failed extends Error {
  readonly turn: Turn

  constructor(turn: Turn) {
    super(String(turn))
    this.turn = turn
  }
}

function bench(turns: readonly Turn[] = [], changed: Partial<CallPolicyOptions> = {}) {
  const clock = createFakeClock()
  const left = [...turns]
  const started: number[] = []
  const policy = createCallPolicy({
    clock,
    random: { fraction: () => 0.5 },
    concurrency: 3,
    patience: 120,
    unnamedLimit: 60,
    judge(error) {
      if (!(error instanceof Failed) || error.turn === 'refused') return null
      if (error.turn === 'bad') return { kind: 'broken' }
      return { kind: 'limited', seconds: error.turn === 'limited' ? null : Number(error.turn) }
    },
    ...changed,
  })
  const call = async (): Promise<string> => {
    started.push(clock.monotonic())
    const turn = left.shift() ?? 'good'
    if (turn !== 'good') throw new Failed(turn)
    return 'answer'
  }
  const ask = () => policy.execute(call, { again: true })
  const write = () => policy.execute(call, { again: false })
  return { clock, policy, ask, write, started, left }
}

const outcome = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: unknown) => (error instanceof ComeBackLater ? error.retryAt : String(error)))

describe('one call', () => {
  const late = '2026-01-02T03:06:06.000Z'
  const calls: readonly [string, readonly Turn[], unknown, readonly number[]][] = [
    ['goes through', [], 'answer', []],
    ['is repeated after a bad moment, later each time', ['bad', 'bad'], 'answer', [1.125, 2.25]],
    ['is tried four times', ['bad', 'bad', 'bad', 'bad'], 'Error: bad', [1.125, 2.25, 4.5]],
    ['is not repeated when that cannot help', ['refused'], 'Error: refused', []],
    ['waits as long as a limit says', [7, 20], 'answer', [7, 20]],
    ['does not wait where it need not', [0, 0], 'answer', []],
    ['waits a minute where a limit does not say', ['limited'], 'answer', [60]],
    ['does not wait for long', [121], late, []],
    ['does not wait for long in all', [100, 21], '2026-01-02T03:06:06.000Z', [100]],
    [
      'waits longer for each unnamed limit in a row',
      ['limited', 'limited'],
      '2026-01-02T03:07:05.000Z',
      [60],
    ],
    ['waits both for limits and bad moments', [5, 'bad', 5], 'answer', [5, 2.25, 5]],
  ]
  test.for(calls)('%s', async ([, turns, expected, sleeps]) => {
    const { ask, clock } = bench(turns)
    expect(await outcome(ask())).toEqual(expected)
    expect(clock.sleeps).toEqual(sleeps)
  })

  it('that may not be repeated is made once, and the next one waits', async () => {
    const { write, clock, started } = bench(['bad', 30])
    expect(await outcome(write())).toBe('Error: bad')
    expect(await outcome(write())).toBe('Error: 30')
    expect(clock.sleeps).toEqual([])
    expect(await write()).toBe('answer')
    expect(started).toEqual([0, 0, 30])
  })

  it('ends when the run is cancelled', async () => {
    const cancel = new AbortController()
    const { ask, started } = bench(['bad'], { signal: cancel.signal })
    cancel.abort(new Error('cancelled'))
    await expect(ask()).rejects.toThrow('cancelled')
    expect(started).toEqual([])
  })

  it('tells what it waits for', async () => {
    const note = vi.fn()
    await bench([3], { note }).ask()
    expect(note.mock.calls).toEqual([[expect.objectContaining({ turn: 3 }), 3]])
  })
})

describe('several calls', () => {
  it('are made a few at a time, in their order', async () => {
    const { policy } = bench()
    let running = 0
    let most = 0
    const order: number[] = []
    const call = (number: number) =>
      policy.execute(
        async () => {
          most = Math.max(most, ++running)
          order.push(number)
          await Promise.resolve()
          running--
        },
        { again: true },
      )
    await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(call))
    expect(most).toBe(3)
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  })

  it('all keep the limit that one of them met', async () => {
    const { ask, write, started } = bench([40])
    await outcome(write())
    await Promise.all([ask(), ask()])
    expect(started).toEqual([0, 40, 40])
  })
})

describe('the breaker', () => {
  const five: readonly Turn[] = ['bad', 'bad', 'bad', 'bad', 'bad']

  async function opened(next: readonly Turn[] = []) {
    const opened = bench([...five, ...next])
    for (const _ of five) await outcome(opened.write())
    expect(opened.started).toEqual([0, 0, 0, 0, 0])
    return opened
  }

  it('lets nothing through for a minute after five failures in a row', async () => {
    const { write, clock, started } = await opened()
    expect(await write()).toBe('answer')
    expect(clock.sleeps).toEqual([60])
    expect(started.at(-1)).toBe(60)
  })

  it('stays closed where one in five goes well, or is answered with a no', async () => {
    const { write, clock } = bench(['bad', 'bad', 'bad', 'bad', 'refused', ...five.slice(1)])
    for (let count = 0; count < 9; count++) await outcome(write())
    await write()
    expect(clock.sleeps).toEqual([])
  })

  it('opens for another minute when the probe fails', async () => {
    const { write, clock } = await opened(['bad'])
    expect(await outcome(write())).toBe('Error: bad')
    await write()
    expect(clock.sleeps).toEqual([60, 60])
  })

  it('closes after two calls that went well, and not after one', async () => {
    const { write, clock, left } = await opened(['good', 'bad', 'good', 'good', 'bad'])
    expect(await write()).toBe('answer')
    // The second probe fails: open again.
    expect(await outcome(write())).toBe('Error: bad')
    expect(await write()).toBe('answer')
    expect(clock.sleeps).toEqual([60, 60])
    expect(await write()).toBe('answer')
    // Closed: one failure is one of five.
    expect(await outcome(write())).toBe('Error: bad')
    expect(await write()).toBe('answer')
    expect(clock.sleeps).toEqual([60, 60])
    expect(left).toEqual([])
  })

  it('sends exactly one probe at a time', async () => {
    const { policy, clock } = await opened()
    clock.advance(60)
    const turns = [0, 1, 2].map(() => Promise.withResolvers<void>())
    const started: number[] = []
    const calls = turns.map(({ promise }, number) =>
      policy.execute(
        () => {
          started.push(number)
          return promise
        },
        { again: false },
      ),
    )
    await vi.waitFor(() => expect(started).toEqual([0]))
    turns[0]?.resolve()
    await calls[0]
    await vi.waitFor(() => expect(started).toEqual([0, 1]))
    turns[1]?.resolve()
    await calls[1]
    await vi.waitFor(() => expect(started).toEqual([0, 1, 2]))
    turns[2]?.resolve()
    await Promise.all(calls)
  })

  it('never stays open for ever, whatever the wall clock does', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-01-02T00:00:00Z') })
    try {
      const { write, clock, started } = await opened(['bad', 'bad', 'bad'])
      for (const day of ['01', '03', '01', '02']) {
        vi.setSystemTime(Date.parse(`2026-01-${day}T00:00:00Z`))
        await outcome(write())
      }
      expect(clock.sleeps).toEqual([60, 60, 60, 60])
      expect(started).toHaveLength(9)
    } finally {
      vi.useRealTimers()
    }
  })

  it('tells a call when to come back, once its patience is spent on probes', async () => {
    const { ask, clock } = await opened(five)
    expect(await outcome(ask())).toBe('2026-01-02T03:07:05.000Z')
    expect(clock.sleeps).toEqual([60, 60])
  })
})
