import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest'
import type { FaultEffect } from '../../packages/github-simulator/github/faults.ts'
import type { RepositoryOptions } from '../../packages/github-simulator/github/store.ts'
import {
  type Bench,
  openBench,
  type Token,
  target,
} from '../../packages/github-simulator/test/github/bench.ts'
import { createLocalForge } from '../../src/adapters/local-forge.ts'
import { createOctokitForge } from '../../src/adapters/octokit-forge.ts'
import type { Forge, PullRequestDraft } from '../../src/core/ports/forge.ts'
import { draft, testForgeContract } from '../contracts/forge.ts'
import type { FakeClock } from '../fakes/fake-clock.ts'
import { apiRequests, connect, openForgeBench } from './forge-bench.ts'

interface ForgeOnServer {
  readonly forge: Forge
  readonly clock: FakeClock
  readonly notes: readonly string[]
}

function forgeOn(bench: Bench, token?: Token | 'unknown'): ForgeOnServer {
  const { repository, clock, notes } = connect(bench, token)
  return { forge: createOctokitForge(repository), clock, notes }
}

/** A server with one branch to open a pull request from. */
async function openWithBranch(options: Partial<RepositoryOptions> = {}): Promise<Bench> {
  const bench = await openBench(options)
  await bench.push(draft.head, { 'two.ts': 'export const two = 2\n' })
  return bench
}

const stateOf = ({ server }: Bench) => server.state('ada', 'engine')
const marker = '<!-- executor:report -->'

testForgeContract('the forge on @octokit', openForgeBench)

describe('a fault while writing leaves exactly one', () => {
  const cut = (when: 'before' | 'after'): FaultEffect => ({ kind: 'drop', when })
  const bad = (when: 'before' | 'after', status = 502): FaultEffect => ({
    kind: 'status',
    status,
    when,
  })
  const lag: FaultEffect = { kind: 'lag' }
  /** What happens to the write, and then to the looks after it. */
  const faults: readonly [string, readonly FaultEffect[], readonly FaultEffect[]][] = [
    ['502 before it was accepted', [bad('before')], []],
    ['502 after it was accepted', [bad('after')], []],
    ['504 twice, the second after it was accepted', [bad('before', 504), bad('after', 504)], []],
    ['a connection cut before', [cut('before')], []],
    ['a connection cut after', [cut('after')], []],
    ['502 after, and a list that lags', [bad('after')], [lag, lag, lag, lag]],
    [
      'a connection cut after, and reads that fail in passing',
      [cut('after')],
      [bad('before'), cut('before')],
    ],
    ['the secondary limit, without a header', [{ kind: 'secondary_limit' }], []],
    [
      'the secondary limit, with a date',
      [{ kind: 'secondary_limit', retryAfter: new Date(Date.now() + 5000).toUTCString() }],
      [],
    ],
  ]

  let bench: Bench
  let tip: string
  let rows = 0
  beforeAll(async () => {
    bench = await openWithBranch()
    tip = await bench.git('rev-parse', 'HEAD')
  })
  afterEach(() => bench.server.faults.clear())
  afterAll(() => bench[Symbol.asyncDispose]())

  /** A branch of its own for each row. */
  async function nextDraft(): Promise<PullRequestDraft> {
    const head = `agent/F-${++rows}`
    await bench
      .octokit('owner-token')
      .git.createRef({ ...target, ref: `refs/heads/${head}`, sha: tip })
    return { ...draft, head }
  }

  function strike(
    path: string,
    write: readonly FaultEffect[],
    looks: readonly FaultEffect[],
  ): void {
    const lookBefore: FaultEffect = { kind: 'delay', seconds: 0 }
    for (const effect of [lookBefore, ...looks])
      bench.server.faults.add({ method: 'GET', path, effect })
    for (const effect of write) bench.server.faults.add({ method: 'POST', path, effect })
  }

  test.for(faults)('pull request: %s', async ([, write, looks]) => {
    const wanted = await nextDraft()
    strike('/repos/{owner}/{repo}/pulls', write, looks)
    const result = await forgeOn(bench).forge.upsertPullRequest(wanted)
    const { pulls } = await stateOf(bench)
    const made = pulls.filter(({ head }) => head === wanted.head)
    expect(made).toMatchObject([{ labels: ['executor:task'] }])
    expect(result).toMatchObject({
      status: 'ok',
      value: { number: made[0]?.number, head: wanted.head },
    })
  })

  test.for(faults)('comment: %s', async ([, write, looks]) => {
    const { forge } = forgeOn(bench)
    const opened = await forge.upsertPullRequest(await nextDraft())
    const number = opened.status === 'ok' ? (opened.value?.number ?? 0) : 0
    strike('/repos/{owner}/{repo}/issues/{issue_number}/comments', write, looks)
    expect(await forge.upsertComment(number, marker, 'Done')).toEqual({ status: 'ok', value: null })
    const comments = (await stateOf(bench)).comments.filter(({ pull }) => pull === number)
    expect(comments).toMatchObject([{ body: `${marker}\nDone` }])
  })
})

describe('a pull request that is open already', () => {
  it('is left as it is by one who does not know more', async () => {
    await using bench = await openWithBranch()
    const { forge } = forgeOn(bench)
    await forge.upsertPullRequest(draft)
    const short = { ...draft, title: 'Found', body: 'A branch.', labels: [], keepsOpen: true }
    const result = await forge.upsertPullRequest(short)
    expect(result).toMatchObject({ status: 'ok', value: { number: 1, title: draft.title } })
    const { title, body } = draft
    expect((await stateOf(bench)).pulls).toMatchObject([{ title, body, labels: draft.labels }])
  })
})

describe('a write whose effect is hard to see', () => {
  const bad = (when: 'before' | 'after', status = 502): FaultEffect => ({
    kind: 'status',
    status,
    when,
  })

  it('is looked for until the list shows what GitHub says exists', async () => {
    await using bench = await openWithBranch()
    await forgeOn(bench).forge.upsertPullRequest(draft)
    const path = '/repos/{owner}/{repo}/pulls'
    bench.server.faults.add({ method: 'GET', path, times: 3, effect: { kind: 'lag' } })
    const { forge, clock } = forgeOn(bench)
    const result = await forge.upsertPullRequest({ ...draft, title: 'Second run' })
    expect(result).toMatchObject({ status: 'ok', value: { number: 1, title: 'Second run' } })
    expect(clock.sleeps).toEqual([1, 2, 4])
  })

  it('is not taken for ours when it turns out to be somebody else’s', async () => {
    await using bench = await openWithBranch()
    const { base, head, title } = draft
    await bench.octokit('owner-token').pulls.create({ ...target, base, head, title })
    const path = '/repos/{owner}/{repo}/pulls'
    bench.server.faults.add({ method: 'GET', path, times: 2, effect: { kind: 'lag' } })
    const { forge, clock } = forgeOn(bench)
    expect(await forge.upsertPullRequest(draft)).toMatchObject({
      status: 'refused',
      code: 'forge_denied',
      detail: expect.stringMatching(/^#1 from .* was opened by ada, not by/),
    })
    expect(clock.sleeps).toEqual([1, 2, 4, 8, 16])
    expect((await stateOf(bench)).pulls).toMatchObject([{ title, author: 'ada', labels: [] }])
  })

  it('is said to be unknown when it stays so', async () => {
    await using bench = await openWithBranch()
    const { forge } = forgeOn(bench)
    await forge.upsertPullRequest(draft)
    const path = '/repos/{owner}/{repo}/issues/{issue_number}/comments'
    bench.server.faults.add({ method: 'GET', path, times: 9, effect: bad('before', 503) })
    bench.server.faults.add({ method: 'POST', path, effect: bad('after') })
    await expect(forge.upsertComment(1, marker, 'Done')).rejects.toMatchObject({
      code: 'forge_unreachable',
      message: expect.stringContaining('unknown whether it took effect'),
      retryAt: expect.stringMatching(/Z$/),
    })
    expect((await stateOf(bench)).comments).toHaveLength(1)
  })

  it('is not repeated when it was a change that took effect', async () => {
    await using bench = await openWithBranch()
    const { forge } = forgeOn(bench)
    await forge.upsertPullRequest(draft)
    bench.server.faults.add({
      method: 'PATCH',
      path: '/repos/{owner}/{repo}/pulls/{pull_number}',
      effect: { kind: 'drop', when: 'after' },
    })
    const result = await forge.upsertPullRequest({ ...draft, body: 'New' })
    expect(result).toMatchObject({ status: 'ok', value: { body: 'New' } })
    expect(apiRequests(bench).filter(({ method }) => method === 'PATCH')).toHaveLength(1)
  })
})

describe('a refusal', () => {
  const cases: readonly [
    string,
    Token | 'unknown',
    Partial<RepositoryOptions>,
    Partial<PullRequestDraft>,
    object,
  ][] = [
    [
      'of the setting that new repositories have off',
      'actions-token',
      { actionsMayCreatePullRequests: false },
      {},
      { code: 'actions_may_not_create_pull_requests', detail: 'ada/engine' },
    ],
    [
      'of an unknown token',
      'unknown',
      {},
      {},
      { code: 'forge_denied', detail: expect.stringContaining('401 Bad credentials') },
    ],
    [
      'of a reader',
      'reader-token',
      {},
      {},
      { code: 'forge_denied', detail: expect.stringContaining('403') },
    ],
    [
      'of a head that is not there',
      'actions-token',
      {},
      { head: 'agent/T-9' },
      { code: 'forge_denied', detail: expect.stringContaining('422 Validation Failed') },
    ],
  ]
  test.for(cases)('%s', async ([, token, options, change, expected]) => {
    await using bench = await openWithBranch(options)
    const { forge, clock } = forgeOn(bench, token)
    const result = await forge.upsertPullRequest({ ...draft, ...change })
    expect(result).toMatchObject({ status: 'refused', ...expected })
    expect(clock.sleeps).toEqual([])
    expect((await stateOf(bench)).pulls).toEqual([])
  })

  it('is forge_unreachable when the server stays away, after bounded tries', async () => {
    await using bench = await openWithBranch()
    const { forge, clock } = forgeOn(bench)
    bench.server.faults.add({
      path: '/repos/{owner}/{repo}/pulls',
      times: 99,
      effect: { kind: 'drop', when: 'before' },
    })
    expect(await forge.upsertPullRequest(draft)).toMatchObject({ code: 'forge_unreachable' })
    expect(clock.sleeps).toEqual([1, 2, 4])
    await expect(forge.pullRequests()).rejects.toMatchObject({
      code: 'forge_unreachable',
      exitCode: 4,
    })
  })

  it('is not waited for: an answer that does not come is asked for again', async () => {
    await using bench = await openWithBranch()
    const { repository, clock } = connect(bench, 'actions-token', { timeoutSeconds: 0.4 })
    const path = '/repos/{owner}/{repo}/pulls'
    bench.server.faults.add({ path, effect: { kind: 'delay', seconds: 1 } })
    expect(await createOctokitForge(repository).pullRequests()).toEqual([])
    expect(clock.sleeps[0]).toBe(1)
  })

  it('is thrown at once, with the time to come back, when a limit lasts longer than a run should wait', async () => {
    await using bench = await openWithBranch()
    const { forge, clock } = forgeOn(bench)
    const path = '/repos/{owner}/{repo}/pulls'
    bench.server.faults.add({ path, effect: { kind: 'rate_limit', resetSeconds: 1800 } })
    const ask = () => forge.upsertPullRequest(draft)
    const told = {
      code: 'forge_unreachable',
      message: expect.stringContaining('rate limit'),
      retryAt: new Date(Date.parse(clock.now()) + 1801_000).toISOString(),
    }
    const near = (iso: string) => expect.stringMatching(new RegExp(`^${iso.slice(0, 15)}`))
    await expect(ask()).rejects.toMatchObject({ ...told, retryAt: near(told.retryAt) })
    // Whoever asks meanwhile is told the same, and GitHub is left in peace.
    const requests = apiRequests(bench).length
    await expect(ask()).rejects.toMatchObject({ code: told.code, message: told.message })
    expect(apiRequests(bench)).toHaveLength(requests)
    expect(clock.sleeps).toEqual([])
    clock.advance(1802)
    bench.server.faults.add({ path, effect: { kind: 'secondary_limit', retryAfter: '31' } })
    expect(await forge.upsertPullRequest(draft)).toMatchObject({ status: 'ok' })
    expect(clock.sleeps).toEqual([31])
  })
})

describe('a pull request', () => {
  it('says in its title and label what a draft would, where the plan has no drafts', async () => {
    await using bench = await openWithBranch({ draftPullRequests: false })
    const { forge } = forgeOn(bench)
    const failed = { ...draft, draft: true }
    await forge.upsertPullRequest(failed)
    const writes = apiRequests(bench).filter(({ method }) => method !== 'GET').length
    const again = await forge.upsertPullRequest(failed)
    expect(again).toMatchObject({
      value: {
        draft: false,
        title: `[do not merge] ${draft.title}`,
        labels: ['executor:task', 'executor:needs-human'],
      },
    })
    expect(apiRequests(bench).filter(({ method }) => method !== 'GET')).toHaveLength(writes)
  })

  it('is opened all the same when people cannot be asked, and only once are they', async () => {
    await using bench = await openWithBranch()
    const { forge, notes } = forgeOn(bench, 'writer-token')
    const asked = { ...draft, reviewers: ['grace', 'ada'], assignees: ['grace'] }
    expect(await forge.upsertPullRequest(asked)).toMatchObject({ status: 'ok' })
    expect((await stateOf(bench)).pulls).toMatchObject([
      { reviewers: ['ada'], assignees: ['grace'] },
    ])
    await bench.push('agent/T-2', { b: '2' })
    const people = { reviewers: ['nobody', 'org/team'], assignees: ['grace', 'stranger'] }
    const wrong = { ...asked, head: 'agent/T-2', ...people }
    expect(await forge.upsertPullRequest(wrong)).toMatchObject({ status: 'ok' })
    expect(notes).toEqual([
      expect.stringMatching(/^#2 has no reviewers: POST .*422 Reviews may only be/),
      '#2: GitHub assigns only people with access, not stranger',
    ])
    expect((await stateOf(bench)).pulls[1]?.assignees).toEqual(['grace'])
    const before = apiRequests(bench).length
    await forge.upsertPullRequest(wrong)
    expect(
      apiRequests(bench)
        .slice(before)
        .map(({ method }) => method),
    ).toEqual(['GET'])
  })

  it('costs four requests with its comment, of the twelve a task may', async () => {
    await using bench = await openWithBranch()
    const { forge } = forgeOn(bench)
    await forge.upsertPullRequest(draft)
    await forge.upsertComment(1, marker, 'Done')
    expect(
      apiRequests(bench).map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`),
    ).toEqual([
      'GET /repos/ada/engine/pulls',
      'POST /repos/ada/engine/pulls',
      'POST /repos/ada/engine/issues/1/labels',
      'POST /repos/ada/engine/issues/1/comments',
    ])
  })

  it('is known with what was published since, until anything else is done to one', async () => {
    await using bench = await openWithBranch()
    const { forge } = forgeOn(bench)
    await forge.pullRequests()
    await forge.upsertPullRequest(draft)
    const before = apiRequests(bench).length
    const known = await forge.pullRequests('known')
    expect(apiRequests(bench)).toHaveLength(before)
    expect(known).toEqual(await forge.pullRequests())
    await forge.close(1)
    expect(await forge.pullRequests('known')).toMatchObject([{ number: 1, state: 'closed' }])
  })

  it('is read for free while nothing changes', async () => {
    await using bench = await openWithBranch()
    const { forge } = forgeOn(bench)
    await forge.upsertPullRequest(draft)
    const first = await forge.pullRequests()
    expect(await forge.pullRequests()).toEqual(first)
    expect(apiRequests(bench).at(-1)?.status).toBe(304)
    await bench.push(draft.head, { 'three.ts': '3' }, draft.head)
    const [moved] = await forge.pullRequests()
    expect(moved?.headSha).toBe(await bench.git('rev-parse', 'HEAD'))
  })
})

describe('a repository without a forge', () => {
  it('has no pull requests and refuses nothing', async () => {
    const forge = createLocalForge()
    expect(forge.kind).toBe('local')
    expect(await forge.pullRequests()).toEqual([])
    expect(await forge.upsertPullRequest(draft)).toEqual({ status: 'ok', value: null })
    expect(await forge.upsertComment(1, marker, 'x')).toEqual({ status: 'ok', value: null })
  })
})
