import { describe, expect, it } from 'vitest'
import { findOwnWork } from '../../../src/tasks/standing/find-own-work.ts'
import { createMemoryWorkspace, type MemoryWorkspace } from '../../fakes/memory-workspace.ts'

const work = (facts: Readonly<Record<string, string>> = {}): string => {
  const all = { Run: 'r', Task: 'T-1', Attempt: '1', Outcome: 'done', Fingerprint: 'f', ...facts }
  return `work\n\n${Object.entries(all)
    .map(([name, value]) => `Executor-${name}: ${value}\n`)
    .join('')}`
}

const commit = (on: MemoryWorkspace, path: string, message: string, ...parents: string[]) =>
  on.commit({ parents, message, changes: [{ action: 'create', path, content: '' }] })

async function look(
  make: (on: MemoryWorkspace, base: string) => Promise<{ tip?: string; kept?: string }>,
) {
  const workspace = createMemoryWorkspace({ files: {} })
  const { base } = await workspace.refresh()
  const { tip, kept } = await make(workspace, base.sha)
  if (tip !== undefined) await workspace.publish('agent/T-1', tip, null)
  if (kept !== undefined) await workspace.keep('T-1', kept)
  const found = await findOwnWork(await workspace.refresh(), workspace)
  return { ...found, workspace }
}

describe('the branch of a task', () => {
  it.each<[string, string, string | undefined]>([
    ['finished', work(), 'done'],
    ['unverified', work({ Outcome: 'unverified' }), 'unverified'],
    ['failed', work({ Outcome: 'needs-human' }), undefined],
    ['reverted', work({ Outcome: 'rolled-back' }), undefined],
    ["another task's", work({ Task: 'T-2' }), undefined],
  ])(
    'with a commit by hand on top of %s work has its trailers: %#',
    async (_, message, outcome) => {
      const { branches } = await look(async (on, base) => ({
        tip: await commit(on, 'b', 'by hand', await commit(on, 'a', message, base)),
      }))
      expect(branches.map(({ trailers }) => trailers['Executor-Outcome'])).toEqual([outcome])
    },
  )

  it('with finished work below what we reverted stays as it is', async () => {
    const { branches } = await look(async (on, base) => {
      const done = await commit(on, 'a', work(), base)
      const back = await commit(on, 'b', work({ Outcome: 'rolled-back', Attempt: '2' }), done)
      return { tip: await commit(on, 'c', 'by hand', back) }
    })
    expect(branches[0]?.trailers).toEqual({})
  })
})

describe('a kept commit', () => {
  const kept = (on: MemoryWorkspace, base: string) => commit(on, 'a', work(), base)

  it.each<[string, Parameters<typeof look>[0], 'kept' | 'settled' | 'ignored']>([
    [
      'beside their commit waits',
      async (on, base) => ({
        tip: await commit(on, 'b', 'by hand', base),
        kept: await kept(on, base),
      }),
      'kept',
    ],
    ['beside a deleted branch waits', async (on, base) => ({ kept: await kept(on, base) }), 'kept'],
    [
      'that was merged is settled',
      async (on, base) => {
        const own = await kept(on, base)
        const theirs = await commit(on, 'b', 'by hand', base)
        return { tip: await commit(on, 'c', 'Merge', theirs, own), kept: own }
      },
      'settled',
    ],
    [
      'that was rebased is settled',
      async (on, base) => {
        const theirs = await commit(on, 'b', 'by hand', base)
        return { tip: await commit(on, 'a', work(), theirs), kept: await kept(on, base) }
      },
      'settled',
    ],
    [
      'that was rebased, with more on top, is settled',
      async (on, base) => {
        const rebased = await commit(on, 'a', work(), await commit(on, 'b', 'by hand', base))
        return { tip: await commit(on, 'c', 'by hand', rebased), kept: await kept(on, base) }
      },
      'settled',
    ],
    [
      'beside an earlier attempt waits',
      async (on, base) => {
        const earlier = await commit(on, 'b', work({ Run: 'earlier' }), base)
        return { tip: await commit(on, 'c', 'by hand', earlier), kept: await kept(on, base) }
      },
      'kept',
    ],
    [
      'that the base has is settled',
      async (on, base) => {
        const own = await kept(on, base)
        on.land('main', own)
        return { kept: own }
      },
      'settled',
    ],
    [
      'that a person made is ignored',
      async (on, base) => ({ kept: await commit(on, 'a', 'by hand', base) }),
      'ignored',
    ],
    [
      'of another task is ignored',
      async (on, base) => ({ kept: await commit(on, 'a', work({ Task: 'T-2' }), base) }),
      'ignored',
    ],
    [
      'of a failed attempt is ignored',
      async (on, base) => ({ kept: await commit(on, 'a', work({ Outcome: 'needs-human' }), base) }),
      'ignored',
    ],
  ])('%s', async (_, make, expected) => {
    const found = await look(make)
    const is = found.kept.has('T-1') ? 'kept' : found.settled.length > 0 ? 'settled' : 'ignored'
    expect(is).toBe(expected)
  })
})
