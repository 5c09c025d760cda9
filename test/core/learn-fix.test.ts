import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FixOutcome, KnownFix } from '../../src/core/domain/known-fix.ts'
import { keepFresh, learnFix, usableFixes } from '../../src/core/learn-fix.ts'

const now = '2026-06-01T00:00:00.000Z'
const about = {
  signature: 'unknown|npm tset',
  type: 'unknown',
  strategy: 'correct_command',
} as const
const tried = (worked: boolean, fix = 'npm test'): FixOutcome => ({ ...about, fix, worked })

const learnAll = (...outcomes: readonly FixOutcome[]): readonly KnownFix[] =>
  outcomes.reduce<readonly KnownFix[]>((known, each) => learnFix(known, each, now), [])

const known = (facts: Partial<KnownFix>): KnownFix => ({
  ...about,
  fix: 'npm test',
  worked: 1,
  failed: 0,
  failedInARow: 0,
  at: now,
  ...facts,
})

describe('what is learned of fixes', () => {
  it.each<[string, readonly FixOutcome[], readonly Partial<KnownFix>[]]>([
    ['one that worked', [tried(true)], [{ fix: 'npm test', worked: 1, failed: 0 }]],
    ['one that never worked', [tried(false)], []],
    ['one that failed once since', [tried(true), tried(false)], [{ worked: 1, failedInARow: 1 }]],
    ['one that failed twice in a row', [tried(true), tried(false), tried(false)], []],
    [
      'one that failed twice, not in a row',
      [tried(true), tried(false), tried(true), tried(false)],
      [{ worked: 2, failed: 2, failedInARow: 1 }],
    ],
    ['the better one', [tried(true), tried(true, 'yarn test')], [{ fix: 'yarn test', worked: 1 }]],
    ['not the worse one', [tried(true), tried(false, 'yarn test')], [{ fix: 'npm test' }]],
    ['none that is longer than a line', [tried(true, 'x'.repeat(401))], []],
  ])('%s', (_, outcomes, expected) => {
    const fixes = usableFixes(learnAll(...outcomes))
    expect(fixes).toHaveLength(expected.length)
    expect(fixes).toMatchObject(expected)
  })

  it('keeps the 200 that were tried last, and none for longer than 90 days', () => {
    const many = Array.from({ length: 250 }, (_, n) =>
      known({ signature: `s${n}`, at: `2026-05-01T00:00:00.${String(n).padStart(3, '0')}Z` }),
    )
    const old = known({ signature: 'old', at: '2026-03-02T23:59:59.000Z' })
    const justInTime = known({ signature: 'kept', at: '2026-03-03T00:00:01.000Z' })
    const fixes = keepFresh([old, ...many], now)
    expect(fixes.map(({ signature }) => signature)).toEqual(
      Array.from({ length: 200 }, (_, n) => `s${249 - n}`),
    )
    expect(keepFresh([old, justInTime], now)).toEqual([justInTime])
  })

  const may = '2026-05-01T00:00:00.000Z'
  it.each<[string, Partial<KnownFix>, Partial<KnownFix>]>([
    ['was tried last', { fix: 'make test', at: may }, {}],
    ['worked more often', { fix: 'make test' }, { worked: 2 }],
    ['failed less', { fix: 'make test', failed: 1 }, {}],
    ['was given up since', { at: may }, { failed: 2, failedInARow: 2 }],
    ['is of this time', { fix: 'make test', at: '2036-05-01T00:00:00.000Z' }, {}],
  ])('has one fix for an error, whatever was joined: the one that %s', (_, other, kept) => {
    expect(keepFresh([known(other), known(kept)], now)).toEqual([known(kept)])
    expect(keepFresh([known(kept), known(other)], now)).toEqual([known(kept)])
  })

  it('joins memories to the same, in whatever order and however often', () => {
    const fix = fc.record({
      signature: fc.constantFrom('a', 'b', 'c'),
      fix: fc.constantFrom('x', 'y'),
      worked: fc.nat(2),
      failed: fc.nat(2),
      failedInARow: fc.nat(2),
      at: fc.constantFrom(may, now),
    })
    const memory = fc.array(fix.map(known), { maxLength: 6 })
    fc.assert(
      fc.property(memory, memory, memory, (a, b, c) => {
        const join = (one: readonly KnownFix[], other: readonly KnownFix[]) =>
          keepFresh([...one, ...other], now)
        const all = join(join(a, b), c)
        expect(join(c, join(b, a))).toEqual(all)
        expect(join(all, b)).toEqual(all)
      }),
    )
  })
})
