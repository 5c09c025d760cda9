import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseStart, type Start, type Tip } from '../../../src/tasks/start/find-start.ts'

const base = { branch: 'main', sha: 'main' }

/** Commits are named by what they hold: `1+2` holds the work of T-1 and T-2. */
const contains = async (sha: string, ancestor: string) =>
  ancestor.split('+').every((part) => sha.split('+').includes(part))

const tip = (sha: string, start: string | null = null): Tip => {
  const id = `T-${sha.split('+').at(-1)}`
  return { id, branch: `agent/${id}`, sha, start }
}

const choose = (
  mode: 'auto' | 'chain' | 'none',
  dependsOn: readonly string[],
  tips: readonly Tip[],
) => chooseStart({ mode, base, dependsOn, tips, contains })

const from = (sha: string): Start => ({
  status: 'start',
  branch: sha === 'main' ? 'main' : tip(sha).branch,
  sha,
})

describe('a task starts', () => {
  it.each<[string, 'auto' | 'chain' | 'none', readonly string[], readonly Tip[], string]>([
    ['from the base without dependencies', 'auto', [], [tip('1')], 'main'],
    ['from its unmerged dependency', 'auto', ['T-1'], [tip('1'), tip('2')], '1'],
    ['from the tip that holds both', 'auto', ['T-1', 'T-2'], [tip('1'), tip('1+2', '1')], '1+2'],
    [
      'from that tip, however its start is unknown',
      'auto',
      ['T-1', 'T-2'],
      [tip('1'), tip('1+2')],
      '1+2',
    ],
    ['from the base when its dependency is merged', 'auto', ['T-1'], [tip('2')], 'main'],
    [
      'from the end of the chain',
      'chain',
      [],
      [tip('1'), tip('1+2', '1'), tip('1+2+3', '1+2')],
      '1+2+3',
    ],
    ['from the base of an empty chain', 'chain', ['T-1'], [], 'main'],
    [
      'from the branch of a forked chain that holds what it needs',
      'chain',
      ['T-1'],
      [tip('1'), tip('2')],
      '1',
    ],
    [
      'from the newest end of a forked chain when it needs nothing',
      'chain',
      [],
      [tip('1'), tip('2')],
      '2',
    ],
    ['from the base without a stack', 'none', [], [tip('1')], 'main'],
  ])('%s (%s)', async (_, mode, dependsOn, tips, sha) => {
    expect(await choose(mode, dependsOn, tips)).toEqual(from(sha))
  })

  it.each<['auto' | 'chain' | 'none', readonly string[], readonly Tip[], string]>([
    [
      'auto',
      ['T-1', 'T-2'],
      [tip('1'), tip('2')],
      'waits for one of T-1, T-2 to be merged: they are on separate branches',
    ],
    [
      'chain',
      ['T-1', 'T-2'],
      [tip('1'), tip('2')],
      'waits for one of T-1, T-2 to be merged: they are on separate branches',
    ],
    ['none', ['T-1'], [tip('1')], 'waits for T-1 to be merged (stack: none)'],
  ])('not at all (%s) from work on separate branches', async (mode, dependsOn, tips, reason) => {
    expect(await choose(mode, dependsOn, tips)).toEqual({ status: 'waits', reason })
  })

  it('always with all its unmerged dependencies in the start', async () => {
    const aTip = fc
      .uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1 })
      .map((parts) => tip(parts.join('+')))
    const input = fc.record({
      mode: fc.constantFrom('auto' as const, 'chain' as const, 'none' as const),
      tips: fc.uniqueArray(aTip, { selector: ({ id }) => id }),
      dependsOn: fc.subarray(['T-1', 'T-2', 'T-3', 'T-4']),
    })
    await fc.assert(
      fc.asyncProperty(input, async ({ mode, tips, dependsOn }) => {
        const start = await choose(mode, dependsOn, tips)
        if (start.status === 'waits') return
        const needed = tips.filter(({ id }) => dependsOn.includes(id))
        for (const each of needed) expect(await contains(start.sha, each.sha)).toBe(true)
      }),
    )
  })

  it('at the end of a long chain without looking at every commit', async () => {
    const chain = Array.from({ length: 2_000 }, (_, n) => ({
      ...tip(`${n}`, n === 0 ? 'main' : `${n - 1}`),
    }))
    let asked = 0
    const start = await chooseStart({
      mode: 'chain',
      base,
      dependsOn: [],
      tips: chain,
      contains: async () => {
        asked += 1
        return true
      },
    })
    expect(start).toEqual(from('1999'))
    expect(asked).toBe(0)
  })
})
