import { describe, expect, it, test } from 'vitest'
import {
  type Effect,
  isPerforming,
  type Judge,
  performEffect,
  UncertainEffect,
} from '../../src/core/perform-effect.ts'
import { createEffectLog } from '../fakes/effect-log.ts'
import { createFakeClock } from '../fakes/fake-clock.ts'

/** What the other side does with one act, or says to one look. */
type Turn = 'takes' | 'takes, says nothing' | 'loses' | 'denies' | 'limits' | 'breaks'

const judge: Judge = (error) => {
  const said = error instanceof TypeError ? null : String(error)
  if (said === null) return null
  if (said.includes('denied')) return 'refused'
  return said.includes('later') ? 'not_done' : 'in_doubt'
}

/** A place that holds one thing, and takes its turns; a look sees nothing `lag` times. */
function openPlace({ acts, looks = [], lag = 0, there = 0 }: Turns) {
  const clock = createFakeClock()
  const log = createEffectLog()
  const turns = { acts: [...acts], looks: [...looks] }
  let made = there
  let unseen = lag
  const take = (turn: Turn = 'takes'): void => {
    if (turn === 'denies') throw new Error('denied')
    if (turn === 'limits') throw new Error('come back later')
    if (turn === 'loses') throw new Error('no answer')
    if (turn === 'breaks') throw new TypeError('a bug')
  }
  const effect: Effect<number, string> = {
    kind: 'comment',
    key: '#1 <!-- m -->',
    detail: 'a comment',
    async read() {
      expect(isPerforming()).toBe(false)
      take(turns.looks.shift())
      if (made > 0 && unseen-- > 0) return 0
      return made
    },
    alreadyApplied: (seen) => (seen > 0 ? `found ${seen}` : null),
    async apply() {
      expect(isPerforming()).toBe(true)
      expect(log.lines).toEqual(['? comment #1 <!-- m -->'])
      const turn = turns.acts.shift()
      if (turn !== 'takes, says nothing') take(turn)
      made++
      if (turn === 'takes, says nothing') throw new Error('no answer')
      return `made ${made}`
    },
    readDelays: [1, 2, 4],
  }
  return { effect, means: { log, clock, judge }, log, clock, made: () => made }
}

interface Turns {
  readonly acts: readonly Turn[]
  readonly looks?: readonly Turn[]
  readonly lag?: number
  readonly there?: number
}

describe('an effect', () => {
  const silent = 'takes, says nothing'
  const nothing: readonly number[] = []
  const brought: readonly [string, Turns, string, string, readonly number[]][] = [
    ['is done', { acts: [] }, 'made 1', 'done', nothing],
    ['is left alone where it is there', { acts: [], there: 1 }, 'found 1', 'known', nothing],
    ['is found after an answer that got lost', { acts: [silent] }, 'found 1', 'done', [1]],
    ['is found though lists lag', { acts: [silent], lag: 2 }, 'found 1', 'done', [1, 2, 4]],
    ['is done again when no look finds it', { acts: ['loses'] }, 'made 1', 'done', [1, 2, 4]],
    [
      'is done a third time at most',
      { acts: ['loses', 'loses', silent] },
      'found 1',
      'done',
      [1, 2, 4, 1, 2, 4, 1],
    ],
    ['is asked for again after a limit', { acts: ['limits'] }, 'made 1', 'done', nothing],
  ]
  test.for(brought)('%s', async ([, turns, value, outcome, sleeps]) => {
    const { effect, means, log, clock, made } = openPlace(turns)
    expect(await performEffect(effect, means)).toBe(value)
    expect(made()).toBe(1)
    expect(log.lines).toEqual(['? comment #1 <!-- m -->', `${outcome} comment #1 <!-- m -->`])
    expect(clock.sleeps).toEqual(sleeps)
  })

  const failed: readonly [string, Turns, RegExp, string, number][] = [
    ['is refused', { acts: ['denies'] }, /^denied$/, 'refused', 0],
    ['is refused by the first look', { acts: [], looks: ['denies'] }, /^denied$/, 'refused', 0],
    [
      'is given up after three that came to nothing',
      { acts: ['loses', 'loses', 'loses'] },
      /^no answer$/,
      'refused',
      0,
    ],
    [
      'is given up where limits do not end',
      { acts: ['limits', 'limits', 'limits'] },
      /later/,
      'refused',
      0,
    ],
    [
      'is uncertain when the look after it fails',
      { acts: [silent], looks: ['takes', 'loses'] },
      /^#1 <!-- m -->: no answer\. It is unknown whether it took effect/,
      'uncertain',
      1,
    ],
    [
      'is uncertain when the look after it is denied',
      { acts: [silent], looks: ['takes', 'denies'] },
      /unknown whether it took effect/,
      'uncertain',
      1,
    ],
    ['shows a bug as one', { acts: ['breaks'] }, /^a bug$/, 'uncertain', 0],
    [
      'shows a bug in a look as one',
      { acts: [silent], looks: ['takes', 'breaks'] },
      /^a bug$/,
      'uncertain',
      1,
    ],
  ]
  test.for(failed)('%s', async ([, turns, message, outcome, made]) => {
    const place = openPlace(turns)
    await expect(performEffect(place.effect, place.means)).rejects.toThrow(message)
    expect(place.made()).toBe(made)
    expect(place.log.lines.at(-1)).toBe(`${outcome} comment #1 <!-- m -->`)
    expect(place.log.lines).toHaveLength(2)
  })

  it('says what was asked, and what stood in the way of seeing it', async () => {
    const { effect, means } = openPlace({ acts: [silent], looks: ['takes', 'denies'] })
    const error = await performEffect(effect, means).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UncertainEffect)
    expect(error).toMatchObject({ cause: { message: 'denied' } })
  })

  it('is not told of where what was seen a moment ago is all that is wanted', async () => {
    const { effect, means, log } = openPlace({ acts: [], looks: ['breaks'] })
    expect(await performEffect({ ...effect, snapshot: 3 }, means)).toBe('found 3')
    expect(log.lines).toEqual([])
    expect(await performEffect({ ...effect, snapshot: 0 }, means)).toBe('made 1')
  })
})
