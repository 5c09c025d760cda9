import { describe, expect, it } from 'vitest'
import type { FleetEvent } from '../../../bench/fleet/team.ts'
import {
  allToShare,
  type Cause,
  explainWaits,
  secondsUntilStart,
  turnToShare,
} from '../../../bench/fleet/waits.ts'
import type { Job } from '../../../src/core/ports/job-queue.ts'

const jobOf = (id: string, installation: number): Job => ({
  ...{ id, repository: id.slice(0, -1), installation, event: 'schedule' },
  ...{ payload: {}, receivedAt: '2026-01-02T03:04:05.000Z' },
})
/** Two tasks of one repository, and one task of each of two others. */
const jobs = [jobOf('a1', 1), jobOf('a2', 1), jobOf('b1', 2), jobOf('c1', 2)]

/** `1.5 doubt a1 for 2`, in seconds. */
const read = (line: string): FleetEvent => {
  const [at, kind, id = '', , seconds] = line.split(' ')
  const event = { at: Number(at) * 1000, kind: kind as FleetEvent['kind'], id }
  return seconds === undefined ? event : { ...event, seconds: Number(seconds) }
}

describe('what a2 waits for while b1 starts', () => {
  it.each<readonly [Cause, string]>([
    ['turn', '2 start b1, 3 start a1, 4 end a1'],
    ['turn', '0 start a1, 1 end a1, 2 start b1'],
    ['run', '0 start a1, 2 start b1, 3 end a1'],
    ['limit', '0 start a1, 1 limit a1 for 5, 2 start b1, 7 end a1'],
    ['run', '0 start a1, 1 limit a1 for 0.5, 2 start b1, 7 end a1'],
    ['doubt', '0 start a1, 1 doubt a1 for 16, 2 start b1, 18 end a1'],
    ['later', '0 start a1, 1 later a1, 2 start b1, 3 start a1, 4 end a1'],
    ['claim', '0 start a1, 1 killed a1, 2 start b1, 3 start a1, 4 end a1'],
    ['run', '0 start a1, 1 killed a1, 1.5 start a1, 2 start b1, 4 end a1'],
    ['claim', '0 start a1, 1 end a1, 2 start b1, 3 start a1, 4 end a1'],
  ])('%s: %s', (cause, story) => {
    const lines = story.split(', ')
    const events = [...lines, '20 start a2', '21 start c1'].map(read)
    const waits = explainWaits(events, jobs, 0)
    expect(waits.map(({ id }) => id).toSorted()).toEqual(['a1', 'a2', 'b1', 'c1'])
    const wait = waits.find(({ id }) => id === 'a2')
    const others = { turn: 1, run: 0, limit: 0, doubt: 0, later: 0, claim: 0 }
    // The start of a1 is one before its turn, too.
    expect(wait).toMatchObject({ seconds: 20, starts: { ...others, [cause]: others[cause] + 1 } })
  })
})

it('compares the starts with those of installations that take turns one by one', () => {
  const lines = [
    '0 start a1',
    '1 killed a1',
    '2 start b1',
    '3 start c1',
    '26 start a1',
    '27 end a1',
  ]
  const waits = explainWaits([...lines, '28 start a2'].map(read), jobs, 0)
  expect(waits.map(({ id, share }) => [id, share])).toEqual([
    ...[
      ['a1', 2],
      ['b1', 2],
      ['c1', 4],
      ['a2', 4],
    ],
  ])
  expect(waits.map(turnToShare)).toEqual([1 / 2, 1, 3 / 4, 2 / 4])
  expect(waits.map(allToShare)).toEqual([1 / 2, 1, 3 / 4, 1])
})

it('counts a killed job from each kill to the next start', () => {
  const lines = [
    '0 start a1',
    '1 killed a1',
    '5 start a1',
    '6 killed a1',
    '8 start b1',
    '9 start a1',
  ]
  expect(secondsUntilStart(lines.map(read))).toEqual([4, 3])
  expect(secondsUntilStart([...lines, '10 killed b1'].map(read)).at(-1)).toBeNaN()
})
