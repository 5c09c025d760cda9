import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import type { FaultEffect } from '../../github/faults.ts'
import { knownFaults } from '../../github/known-faults.ts'
import { type Bench, openBench, refusal, target } from './bench.ts'

const pulls = '/repos/{owner}/{repo}/pulls'

describe('a fault', () => {
  const outcomes: readonly [string, FaultEffect, RegExp, number][] = [
    ['502 before', { kind: 'status', status: 502, when: 'before' }, /^502/, 0],
    ['502 after', { kind: 'status', status: 502, when: 'after' }, /^502/, 1],
    [
      '401',
      { kind: 'status', status: 401, when: 'before', message: 'Bad credentials' },
      /^401 Bad/,
      0,
    ],
    ['cut before', { kind: 'drop', when: 'before' }, /^500 other side closed/, 0],
    ['cut after', { kind: 'drop', when: 'after' }, /^500 other side closed/, 1],
    ['hourly limit', { kind: 'rate_limit', resetSeconds: 60 }, /^403 API rate limit exceeded/, 0],
    [
      'secondary limit',
      { kind: 'secondary_limit', retryAfter: '7' },
      /^403 .*secondary rate limit/,
      0,
    ],
    ['delay', { kind: 'delay', seconds: 0.01 }, /^accepted/, 1],
  ]
  let bench: Bench
  let tip: string
  beforeAll(async () => {
    bench = await openBench()
    tip = await bench.push('work', { a: '1' })
  })
  afterAll(() => bench[Symbol.asyncDispose]())

  test.for(outcomes)('%s', async ([name, effect, answer, made]) => {
    const { git, pulls: pullRequests } = bench.octokit('owner-token')
    const head = `agent/${name.replaceAll(' ', '-')}`
    await git.createRef({ ...target, ref: `refs/heads/${head}`, sha: tip })
    bench.server.faults.add({ method: 'POST', path: pulls, effect })
    const create = pullRequests.create({ ...target, head, base: 'main', title: 'One' })
    expect(await refusal(create)).toMatch(answer)
    const { pulls: all } = await bench.server.state('ada', 'engine')
    expect(all.filter((pull) => pull.head === head)).toHaveLength(made)
  })

  it('meets as many requests as it says, and only those of its path and method', async () => {
    await using bench = await openBench()
    const octokit = bench.octokit()
    const effect = { kind: 'status', status: 503, when: 'before' } as const
    bench.server.faults.add({ method: 'GET', path: pulls, times: 2, effect })
    expect(await refusal(octokit.repos.get(target))).toBe('accepted')
    expect(await refusal(octokit.pulls.list(target))).toMatch(/^503/)
    expect(await refusal(octokit.pulls.list(target))).toMatch(/^503/)
    expect(await refusal(octokit.pulls.list(target))).toBe('accepted')
  })

  it('lets a list lag behind', async () => {
    await using bench = await openBench()
    const octokit = bench.octokit('owner-token')
    await bench.push('agent/T-1', { a: '1' })
    await octokit.pulls.create({ ...target, head: 'agent/T-1', base: 'main', title: 'One' })
    bench.server.faults.add({ method: 'GET', path: pulls, effect: { kind: 'lag' } })
    expect((await octokit.pulls.list(target)).data).toHaveLength(0)
    expect((await octokit.pulls.list(target)).data).toHaveLength(1)
  })

  test.for([
    ['before', false],
    ['after', true],
  ] as const)('cuts a push off %s it took effect', async ([when, kept]) => {
    await using bench = await openBench()
    await bench.push('agent/T-1', { a: '1' })
    const path = '/{owner}/{repo}.git/git-receive-pack'
    // git sends a request again, once, when a connection it used before is closed.
    bench.server.faults.add({ path, times: 2, effect: { kind: 'drop', when } })
    expect((await bench.tryGit('push', 'origin', 'HEAD:cut')).exitCode).not.toBe(0)
    const { refs } = await bench.server.state('ada', 'engine')
    expect('refs/heads/cut' in refs).toBe(kept)
  })
})

describe('the contract', () => {
  it('holds nothing against a client that ends while it sends', async () => {
    await using bench = await openBench()
    const headers = { authorization: 'token owner-token', 'content-length': 100 }
    const url = `${bench.server.apiUrl}/repos/ada/engine/pulls`
    const half = request(url, { method: 'POST', headers }).on('error', () => {})
    half.write('{"title":')
    await expect.poll(() => bench.server.requests.length).toBe(1)
    half.destroy()
    await new Promise((resolve) => half.on('close', resolve))
    await bench.octokit('owner-token').repos.get(target)
    expect(bench.server.contractViolations).toEqual([])
  })

  it('refuses a request that GitHub does not describe, and remembers it', async () => {
    await using bench = await openBench()
    const octokit = bench.octokit('owner-token')
    const wrong = octokit.request('POST /repos/ada/engine/pulls', { title: 'x', head: 'y' })
    expect(await refusal(wrong)).toMatch(/^422 Invalid request.*'base'/s)
    expect(await refusal(octokit.request('GET /repos/ada/engine/pulls?state=opened'))).toMatch(
      /^422/,
    )
    expect(bench.server.contractViolations).toEqual([
      expect.stringContaining(
        "POST /repos/ada/engine/pulls: request: it must have required property 'base'",
      ),
      expect.stringContaining('query parameter state'),
    ])
  })
})

describe('what GitHub is known to do', () => {
  const one = { ...target, issue_number: 1, pull_number: 1 }
  const list =
    '{ repository(owner: "ada", name: "engine") { pullRequests(first: 5) { nodes { reviews(first: 5) { totalCount } } } } }'

  /** How many of each there are to be seen, or how it was refused. */
  async function look(bench: Bench): Promise<Record<string, unknown>> {
    const { issues, pulls, reactions, graphql } = bench.octokit('owner-token')
    const count = async (asked: Promise<{ data: readonly unknown[] }>) => (await asked).data.length
    const overview = async () => {
      const { repository } = await graphql<{
        repository: { pullRequests: { nodes: { reviews: { totalCount: number } }[] } }
      }>(list)
      return repository.pullRequests.nodes.map(({ reviews }) => reviews.totalCount)
    }
    return {
      react: await refusal(reactions.createForIssue({ ...one, content: 'eyes' })),
      comments: await count(issues.listComments(one)),
      reviews: await count(pulls.listReviews(one)),
      pulls: await count(pulls.list(target)),
      overview: await overview().catch((error: Error) => error.message),
    }
  }

  it('is had by name, and passes by itself where it does on GitHub', async () => {
    await using bench = await openBench()
    const { issues, pulls } = bench.octokit('owner-token')
    await bench.push('work', { a: '1' })
    await bench
      .octokit('writer-token')
      .pulls.create({ ...target, head: 'work', base: 'main', title: 'One' })
    await issues.createComment({ ...one, body: 'one' })
    await pulls.createReview({ ...one, event: 'APPROVE' })
    const usual = { react: 'accepted', comments: 1, reviews: 1, pulls: 1, overview: [1] }
    expect(await look(bench)).toEqual(usual)
    const differences: Record<string, object> = {
      reactionsDenied: { react: expect.stringMatching(/^403 Resource not accessible/) },
      commentsLag: { comments: 0 },
      reviewsLag: { reviews: 0, overview: [0] },
      pullRequestsLag: { pulls: 0, overview: [] },
      graphqlTimeout: { overview: expect.stringContaining('Something went wrong') },
      graphqlLimit: { overview: expect.stringContaining('API rate limit exceeded') },
    }
    expect(Object.keys(differences)).toEqual(Object.keys(knownFaults))
    for (const [name, faults] of Object.entries(knownFaults)) {
      for (const fault of faults) bench.server.faults.add(fault)
      expect(await look(bench), name).toEqual({ ...usual, ...differences[name] })
      if (name === 'reactionsDenied') bench.server.faults.clear()
      expect(await look(bench), `after ${name}`).toEqual(usual)
      bench.server.faults.clear()
    }
    expect(bench.server.contractViolations).toEqual([])
  })

  it('does not know at first whether something can be merged', async () => {
    await using bench = await openBench({ slowMergeability: true })
    const { pulls, graphql } = bench.octokit('owner-token')
    await bench.push('work', { a: '1' })
    const { data } = await pulls.create({ ...target, head: 'work', base: 'main', title: 'One' })
    expect([data.mergeable, data.mergeable_state]).toEqual([null, 'unknown'])
    expect((await pulls.get(one)).data.mergeable).toBe(true)
    await bench.push('work', { a: '2' }, 'work')
    const query = `{ repository(owner: "ada", name: "engine") {
      pullRequest(number: 1) { mergeable mergeStateStatus }
    } }`
    const pullRequest = async () =>
      (await graphql<{ repository: { pullRequest: object } }>(query)).repository.pullRequest
    expect(await pullRequest()).toEqual({ mergeable: 'UNKNOWN', mergeStateStatus: 'UNKNOWN' })
    expect(await pullRequest()).toEqual({ mergeable: 'MERGEABLE', mergeStateStatus: 'CLEAN' })
  })
})
