import nock from 'nock'
import { beforeEach, describe, expect, it, test } from 'vitest'
import { openClient } from '../../src/adapters/octokit/client.ts'
import { createOctokitForge } from '../../src/adapters/octokit-forge.ts'
import type { Forge } from '../../src/core/ports/forge.ts'
import { createFakeClock, type FakeClock } from '../fakes/fake-clock.ts'
import { forbidNetwork } from '../fakes/no-network.ts'

const api = 'https://api.github.test'
const pulls = '/repos/o/r/pulls'

/** A pull request as GitHub lists it, with what we read of it. */
function listed(number: number, change: object = {}): object {
  return {
    number,
    html_url: `https://github.test/o/r/pull/${number}`,
    state: 'open',
    draft: false,
    title: `PR ${number}`,
    body: null,
    merged_at: null,
    user: { login: 'executor[bot]' },
    head: { ref: `agent/T-${number}`, sha: 'a'.repeat(40), repo: { full_name: 'o/r' } },
    base: { ref: 'main' },
    labels: [],
    ...change,
  }
}

const forked = (number: number, repo: object | null): object =>
  listed(number, { head: { ref: `agent/T-${number}`, sha: 'b'.repeat(40), repo } })

let clock: FakeClock
let forge: Forge
let tokens: string[]

forbidNetwork()

beforeEach(() => {
  clock = createFakeClock()
  tokens = ['first', 'second', 'third', 'fourth', 'fifth']
  const repository = openClient({
    owner: 'o',
    repo: 'r',
    token: async () => tokens.shift() ?? '',
    apiUrl: api,
    clock,
    random: { fraction: () => 0.5, hex: () => '' },
    login: 'executor[bot]',
    pace: false,
  })
  forge = createOctokitForge(repository)
})

describe('listing pull requests', () => {
  it('leaves out forks, also those that are gone, whatever their branch is called', async () => {
    const fork = { full_name: 'stranger/r' }
    const body = [listed(4), forked(3, fork), forked(2, null), forked(1, { full_name: 'O/R' })]
    nock(api).get(pulls).query(true).reply(200, body)
    expect((await forge.pullRequests()).map(({ number }) => number)).toEqual([4, 1])
  })

  it('asks again by the ETag of the last answer, and an unchanged one is as it was', async () => {
    nock(api)
      .get(pulls)
      .query(true)
      .reply(200, [listed(1)], { etag: '"one"' })
    nock(api).get(pulls).query(true).matchHeader('if-none-match', '"one"').reply(304)
    const first = await forge.pullRequests()
    expect(await forge.pullRequests()).toEqual(first)
    expect(nock.isDone()).toBe(true)
  })

  it('reads at most eight pages, however many there are, and misses none that is open', async () => {
    const page = (from: number): object[] =>
      Array.from({ length: 100 }, (_, index) => listed(from - index, { state: 'closed' }))
    for (let number = 1; number <= 5; number++) {
      const query = {
        state: 'all',
        sort: 'created',
        direction: 'desc',
        per_page: 100,
        page: number,
      }
      nock(api)
        .get(pulls)
        .query(query)
        .reply(200, page(9100 - number * 100))
    }
    nock(api)
      .get(pulls)
      .query((query) => query.state === 'open')
      .reply(200, [listed(9000, { state: 'closed' }), listed(3)])
    const found = await forge.pullRequests()
    expect(found).toHaveLength(501)
    expect(found.at(0)?.number).toBe(9000)
    expect(found.at(-1)).toMatchObject({ number: 3, state: 'open', head: 'agent/T-3', body: '' })
  })

  it('asks for the token before every request', async () => {
    const authorization = ['token first', 'token second']
    for (const expected of authorization) {
      nock(api, { reqheaders: { authorization: expected } })
        .get(pulls)
        .query(true)
        .reply(200, [])
    }
    await forge.pullRequests()
    await forge.pullRequests()
  })

  it('tries again with jitter when GitHub has a bad moment, three times at most', async () => {
    nock(api).get(pulls).query(true).times(4).reply(502, '<html>Unicorn!</html>')
    await expect(forge.pullRequests()).rejects.toMatchObject({ code: 'forge_unreachable' })
    expect(clock.sleeps).toEqual([1.125, 2.25, 4.5])
  })

  const limits: readonly [string, number, Record<string, string>, string, number[]][] = [
    ['Retry-After in seconds', 429, { 'retry-after': '7' }, 'Too many requests', [7]],
    [
      'Retry-After as a date',
      403,
      { 'retry-after': 'Fri, 02 Jan 2026 03:04:25 GMT' },
      'secondary rate limit',
      [20],
    ],
    [
      'the reset of the hour',
      403,
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1767323055' },
      'API rate limit exceeded',
      [11],
    ],
    ['no header at all', 403, {}, 'You have exceeded a secondary rate limit.', [60]],
    [
      'a reset that has passed',
      403,
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1' },
      'API rate limit exceeded',
      [60],
    ],
  ]
  test.for(limits)('waits as a limit says: %s', async ([, status, headers, message, sleeps]) => {
    nock(api).get(pulls).query(true).reply(status, { message }, headers)
    nock(api)
      .get(pulls)
      .query(true)
      .reply(200, [listed(1)])
    expect(await forge.pullRequests()).toHaveLength(1)
    expect(clock.sleeps).toEqual(sleeps)
  })

  test.for([401, 403, 404])('is denied by %i without another try', async (status) => {
    nock(api).get(pulls).query(true).reply(status, { message: 'No' })
    await expect(forge.pullRequests()).rejects.toMatchObject({ code: 'forge_denied' })
    expect(clock.sleeps).toEqual([])
  })
})

describe('an upsert', () => {
  const listedFirst = { state: 'all', sort: 'created', direction: 'desc', per_page: 100, page: 1 }
  const draft = {
    head: 'agent/T-1',
    base: 'main',
    title: 'One',
    body: 'a\nb',
    labels: ['Executor:Task'],
    draft: false,
    reviewers: [],
    assignees: [],
  }

  it('sees no difference in line ends, a trimmed end, or the case of a label', async () => {
    const stored = listed(1, {
      title: 'One',
      body: 'a\r\nb\n',
      labels: [{ name: 'executor:task' }],
    })
    nock(api).get(pulls).query(listedFirst).reply(200, [stored])
    expect(await forge.upsertPullRequest(draft)).toMatchObject({
      status: 'ok',
      value: { number: 1 },
    })
  })

  it('is looked for by its head where one page does not hold all', async () => {
    const wanted = { title: 'One', body: 'a\nb', labels: [{ name: 'executor:task' }] }
    const newer = Array.from({ length: 100 }, (_, index) => listed(index + 2))
    nock(api).get(pulls).query(listedFirst).reply(200, newer)
    nock(api)
      .get(pulls)
      .query({ state: 'open', head: 'o:agent/T-1', per_page: 100 })
      .reply(200, [listed(1, wanted)])
    expect(await forge.upsertPullRequest(draft)).toMatchObject({ value: { number: 1 } })
  })

  it('takes the one with the same base when the head has several', async () => {
    const wanted = { title: 'One', body: 'a\nb', labels: [{ name: 'executor:task' }] }
    const other = listed(2, { ...wanted, base: { ref: 'agent/T-0' } })
    nock(api)
      .get(pulls)
      .query(true)
      .reply(200, [other, listed(1, wanted)])
    expect(await forge.upsertPullRequest(draft)).toMatchObject({ value: { number: 1 } })
  })

  it('lets a bug be a bug', async () => {
    nock(api)
      .get(pulls)
      .query(true)
      .reply(200, [{ number: 1, state: 'open' }])
    await expect(forge.upsertPullRequest(draft)).rejects.toThrow(TypeError)
  })

  it('finds its comment on a later page', async () => {
    const others = Array.from({ length: 100 }, (_, id) => ({
      id,
      body: 'hi',
      user: { login: 'x' },
    }))
    const ours = { id: 100, body: '<!-- m -->\nold', user: { login: 'Executor[bot]' } }
    const comments = '/repos/o/r/issues/1/comments'
    nock(api).get(comments).query({ per_page: 100, page: 1 }).reply(200, others)
    nock(api).get(comments).query({ per_page: 100, page: 2 }).reply(200, [ours])
    nock(api).patch('/repos/o/r/issues/comments/100', { body: '<!-- m -->\nnew' }).reply(200, ours)
    expect(await forge.upsertComment(1, '<!-- m -->', 'new')).toEqual({ status: 'ok', value: null })
  })
})
