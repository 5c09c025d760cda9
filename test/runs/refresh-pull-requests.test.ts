import { describe, expect, it } from 'vitest'
import { proposalMarker, readProposalMarker } from '../../src/core/domain/hidden-lines.ts'
import { label, readTaskMarker } from '../../src/core/domain/identity.ts'
import type { Ports } from '../../src/core/ports.ts'
import { proposalHash } from '../../src/core/proposal-hash.ts'
import { killedAt, type MergeKind, makeStackWorld, type StackWorld } from './stack-world.ts'

/** Three pull requests, each on the one before, that write line by line into the same file. */
function stackOfThree(): StackWorld {
  const world = makeStackWorld()
  world.finish('T-1', 'main', { 'src/list.js': 'one\n', 'src/one.js': 'begun\n' })
  // A second commit, as a review brings one.
  world.commit(
    'agent/T-1',
    { 'src/list.js': 'one!\n', 'src/one.js': '1\n' },
    trailersOf(world, 'agent/T-1'),
  )
  world.finish('T-2', 'agent/T-1', { 'src/list.js': 'one!\ntwo\n', 'src/two.js': '2\n' })
  world.finish('T-3', 'agent/T-2', { 'src/list.js': 'one!\ntwo\nthree\n', 'src/three.js': '3\n' })
  world.repository.git('switch', '--quiet', '--detach', 'main')
  return world
}

const trailersOf = ({ repository }: StackWorld, branch: string): string =>
  repository.git('log', '-1', '--format=%B', branch)

function tips({ repository: { git } }: StackWorld): Readonly<Record<string, string>> {
  const listed = git('for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/heads/agent')
  return Object.fromEntries(
    listed
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(' ')),
  )
}

/** That every branch only went forwards. */
function expectForwards(
  { repository: { git } }: StackWorld,
  before: ReturnType<typeof tips>,
  after: ReturnType<typeof tips>,
): void {
  for (const [branch, sha] of Object.entries(before)) {
    const now = after[branch]
    if (now !== undefined) expect(git('merge-base', sha, now), branch).toBe(sha)
  }
}

const expectNothingToDo = async (world: StackWorld): Promise<void> => {
  const [before, { writes, reads }] = [tips(world), world.forge.repository.counters]
  expect(await world.refresh()).toMatchObject({ updated: [], retargeted: [], errors: [] })
  expect(tips(world)).toEqual(before)
  expect(world.forge.repository.counters).toEqual({ writes, reads: reads + 1 })
}

describe('a stack of three', () => {
  it.each([
    ['merge', true],
    ['squash', false],
    ['squash', true],
    ['rebase', false],
  ] as const)(
    'stays mergeable when the first is merged by %s (its branch deleted: %s)',
    async (kind, deleteBranch) => {
      using world = stackOfThree()
      world.commit('main', { 'other.js': 'of somebody else\n' })
      world.merge(1, kind, { deleteBranch })
      const before = tips(world)
      const refreshed = await world.refresh()
      expect(refreshed).toMatchObject({ noticed: [], errors: [] })
      expect(world.forge.pulls.map(({ base }) => base)).toEqual(['main', 'main', 'agent/T-2'])
      expectForwards(world, before, tips(world))
      expect([2, 3].map(world.mergeable)).toEqual([true, true])
      expect(world.ticks('agent/T-2')).toEqual(['T-1', 'T-2'])
      expect(world.ticks('agent/T-3')).toEqual(['T-1', 'T-2', 'T-3'])
      // What the pull request shows is its own work, and nothing of the one before.
      const shown = world.repository.git('diff', '--name-only', 'main...agent/T-2')
      expect(shown.split('\n')).toEqual(['ROADMAP.md', 'src/list.js', 'src/two.js'])
      await expectNothingToDo(world)
    },
  )

  it('is merged one after the other by every kind, and nothing is lost', async () => {
    // Each kind at each place, and the one that GitHub offers first all along.
    const orders: readonly (readonly MergeKind[])[] = [
      ['merge', 'squash', 'rebase'],
      ['squash', 'rebase', 'merge'],
      ['rebase', 'merge', 'squash'],
      ['squash', 'squash', 'squash'],
    ]
    const done: string[] = []
    for (const [at, order] of orders.entries()) {
      using world = stackOfThree()
      const used = []
      for (const [place, kind] of order.entries()) {
        const before = tips(world)
        used.push(world.merge(place + 1, kind, { deleteBranch: at % 2 === 1 }))
        const refreshed = await world.refresh()
        expect(refreshed, used.join()).toMatchObject({ noticed: [], errors: [] })
        expectForwards(world, before, tips(world))
        const open = [2, 3].filter((number) => number > place + 1)
        expect(open.map(world.mergeable)).toEqual(open.map(() => true))
      }
      expect(world.ticks('main')).toEqual(['T-1', 'T-2', 'T-3'])
      expect(world.text('main', 'src/list.js')).toBe('one!\ntwo\nthree\n')
      done.push(used.join(', '))
    }
    console.log(`stacks of three, merged in turn: ${done.length}\n${done.join('\n')}`)
    expect(done).toHaveLength(orders.length)
  }, 120_000)

  it('is followed where one was squashed into another, and that one squashed as well', async () => {
    using world = stackOfThree()
    world.merge(2, 'squash', { deleteBranch: true })
    world.merge(1, 'squash', { deleteBranch: true })
    expect(world.forge.repository.pull(3)?.base).toBe('main')
    expect(world.mergeable(3)).toBe(false)
    expect(await world.refresh()).toMatchObject({ updated: [3], noticed: [], errors: [] })
    expect(world.mergeable(3)).toBe(true)
    expect(world.ticks('agent/T-3')).toEqual(['T-1', 'T-2', 'T-3'])
    const shown = world.repository.git('diff', '--name-only', 'main...agent/T-3')
    expect(shown.split('\n')).toEqual(['ROADMAP.md', 'src/list.js', 'src/three.js'])
  })

  it('ends the same, wherever a pass was killed', async () => {
    const scene = (): StackWorld => {
      const world = stackOfThree()
      world.merge(1, 'squash')
      // What the third one makes is there by now, and is another thing.
      world.commit('main', { 'src/three.js': 'by hand\n' })
      return world
    }
    const outcome = (world: StackWorld) => ({
      pulls: world.forge.pulls.map(({ base, labels }) => ({ base, labels })),
      comments: world.forge.comments,
      commits: ['agent/T-2', 'agent/T-3'].map((b) =>
        world.repository.git('rev-list', '--count', b),
      ),
      files: ['agent/T-2', 'agent/T-3'].map((b) => world.repository.git('ls-tree', '-r', b)),
    })
    using whole = scene()
    const count = { effects: 0 }
    await whole.refresh(killedAt(-1, count))
    const expected = outcome(whole)
    expect(expected.comments).toHaveLength(1)
    expect(count.effects).toBe(4)
    // Killed before the first is a pass that never was; after the last, one that was whole.
    for (let step = 0; step < count.effects - 1; step += 1) {
      using world = scene()
      const before = tips(world)
      await expect(world.refresh(killedAt(step, { effects: 0 }))).rejects.toThrow('killed')
      await world.refresh()
      expect(outcome(world), `after step ${step}`).toEqual(expected)
      expectForwards(world, before, tips(world))
    }
  }, 120_000)

  it("keeps a person's commits, on the branch before and pushed meanwhile", async () => {
    using world = stackOfThree()
    const theirs = world.commit('agent/T-2', { 'notes.md': 'mine\n' })
    world.merge(1, 'squash')
    let meanwhile = ''
    const racing = (ports: Ports): Ports => ({
      ...ports,
      workspace: {
        ...ports.workspace,
        publish: async (...publication) => {
          meanwhile ||= world.commit('agent/T-2', { 'notes.md': 'mine, too\n' })
          return ports.workspace.publish(...publication)
        },
      },
    })
    expect(await world.refresh(racing)).toMatchObject({ updated: [], errors: [] })
    expect(tips(world)['agent/T-2']).toBe(meanwhile)
    expect(await world.refresh()).toMatchObject({ updated: [2], noticed: [] })
    const tip = tips(world)['agent/T-2'] ?? ''
    expect(world.repository.git('merge-base', theirs, tip)).toBe(theirs)
    expect(world.text('agent/T-2', 'notes.md')).toBe('mine, too\n')
    expect(world.mergeable(2)).toBe(true)
    // It is work of ours still: by its last commit.
    expect(trailersOf(world, 'agent/T-2')).toContain('Executor-Task: T-2')
    expect(trailersOf(world, 'agent/T-2')).toContain('Executor-Outcome: done')
  })
})

describe('pull requests side by side', () => {
  it('are touched only where they conflict: ticks on neighbouring lines do', async () => {
    using world = makeStackWorld()
    for (const id of ['T-1', 'T-2', 'T-3']) world.finish(id, 'main', { [`src/${id}.js`]: 'x\n' })
    world.merge(1, 'squash')
    const before = tips(world)
    expect([2, 3].map(world.mergeable)).toEqual([false, true])
    expect(await world.refresh()).toEqual({
      updated: [2],
      retargeted: [],
      noticed: [],
      errors: [],
    })
    expect(tips(world)['agent/T-3']).toBe(before['agent/T-3'])
    expect(world.mergeable(2)).toBe(true)
    expect(world.ticks('agent/T-2')).toEqual(['T-1', 'T-2'])
    await expectNothingToDo(world)
  })

  it('that really conflict are left alone, and one comment says so until it is settled', async () => {
    using world = makeStackWorld()
    world.finish('T-1', 'main', { 'src/list.js': 'ours\n' })
    world.commit('main', { 'src/list.js': 'theirs\n' })
    const before = tips(world)
    const notices = [{ about: 'conflict', onto: 'main', paths: ['src/list.js'] }]
    const { repository } = world.forge
    for (const _ of ['first', 'again']) {
      const found = { updated: [], noticed: [{ number: 1, notices }], errors: [] }
      expect(await world.refresh()).toMatchObject(found)
      expect(repository.counters.writes).toBe(2)
    }
    expect(tips(world)).toEqual(before)
    expect(world.forge.comments).toMatchObject([{ body: expect.stringContaining('`src/list.js`') }])
    expect(repository.pull(1)?.labels).toContain(label.attention)
    world.repository.git('switch', '--quiet', 'agent/T-1')
    world.repository.git('merge', '--quiet', '-X', 'ours', '-m', 'by hand', 'main')
    expect(await world.refresh()).toMatchObject({ updated: [], noticed: [] })
    expect(world.forge.comments).toMatchObject([{ body: expect.stringContaining('Resolved') }])
    expect(repository.pull(1)?.labels).not.toContain(label.attention)
    await expectNothingToDo(world)
  })
})

describe('the proposal of a pull request', () => {
  /** Two finished tasks on one base, of which the second proposes its head; then the first is merged. */
  function propose(): StackWorld {
    const world = makeStackWorld()
    for (const id of ['T-1', 'T-2']) world.finish(id, 'main', { [`src/${id}.js`]: '1\n' })
    const { repository } = world.forge
    const { headSha: sha, body } = repository.pull(2) ?? { headSha: '', body: '' }
    const mark = { task: 'T-2', sha, hash: '0'.repeat(64), at: '2026-01-01T00:00:00Z' }
    repository.changePull(2, { body: `${body}\n${proposalMarker(mark)}\n` })
    return world
  }
  const pullOf = ({ forge }: StackWorld) => {
    const pull = forge.repository.pull(2)
    if (pull === null) throw new Error('There is no #2.')
    return { ...pull, mark: readProposalMarker(pull.body) }
  }

  it('names the head that our merge of the base made, once', async () => {
    using world = propose()
    const before = pullOf(world)
    world.merge(1, 'merge')
    expect(await world.refresh()).toMatchObject({ updated: [2], errors: [] })
    const after = pullOf(world)
    expect(after.headSha).not.toBe(before.headSha)
    const fingerprint = readTaskMarker(after.body)?.fingerprint ?? ''
    const task = { id: 'T-2', fingerprint }
    expect(after.mark).toMatchObject({
      ...{ task: 'T-2', sha: after.headSha },
      hash: proposalHash({ kind: 'merge', task, sha: after.headSha }),
    })
    expect(after.mark?.at).not.toBe(before.mark?.at)
    expect(after.body.match(/executor:proposal/g)).toHaveLength(1)
    await expectNothingToDo(world)
  })

  it('is opened again by nobody: one that was closed meanwhile stays closed', async () => {
    using world = propose()
    world.merge(1, 'merge')
    const closing = (ports: Ports): Ports => {
      let reads = 0
      const pullRequest = async (number: number) => {
        const pull = await ports.forge.pullRequest(number)
        return pull && number === 2 && ++reads > 1 ? { ...pull, state: 'closed' as const } : pull
      }
      return { ...ports, forge: { ...ports.forge, pullRequest } }
    }
    const { mark } = pullOf(world)
    await world.refresh(closing)
    expect(pullOf(world).mark).toEqual(mark)
  })

  it("does not cover a person's commit below our merge", async () => {
    using world = propose()
    const { mark } = pullOf(world)
    world.commit('agent/T-2', { 'src/T-2.js': 'by hand\n' })
    world.merge(1, 'merge')
    expect(await world.refresh()).toMatchObject({ updated: [2] })
    await world.refresh()
    expect(pullOf(world).mark).toEqual(mark)
  })

  it("does not cover a person's merge of the base", async () => {
    using world = propose()
    const { mark } = pullOf(world)
    world.commit('main', { 'other.js': '1\n' })
    const { git } = world.repository
    git('switch', '--quiet', 'agent/T-2')
    git('merge', '--quiet', '--no-ff', '-m', 'by hand', 'main')
    git('switch', '--quiet', '--detach', 'main')
    await world.refresh()
    expect(pullOf(world).mark).toEqual(mark)
  })
})
