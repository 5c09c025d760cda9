import { expect, test } from 'vitest'
import type { RepositoryOptions } from '../../../packages/github-simulator/github/store.ts'
import {
  openBench,
  type Token,
  target,
} from '../../../packages/github-simulator/test/github/bench.ts'
import { checkGitHub } from '../../../src/adapters/doctor/doctor-github.ts'
import { createFakeClock } from '../../fakes/fake-clock.ts'

const ready = { protectedBranches: ['main'], requiredReviews: 1 }
const fresh = { actionsMayCreatePullRequests: false }

/** Statuses of token, permissions, pull requests, protection; then kind, reviews, label. */
const cases: readonly [string, string, Partial<RepositoryOptions>, string, string][] = [
  ['the owner of one that is ready', 'owner-token', ready, 'engine', 'ok ok ok ok, ok ok ok'],
  ['the owner of a new one', 'owner-token', fresh, 'engine', 'ok ok warn warn, ok warn warn'],
  ['a workflow', 'actions-token', ready, 'engine', 'ok warn warn ok, warn ok ok'],
  ['an App', 'bot-token', ready, 'engine', 'ok warn warn ok, ok ok ok'],
  ['a reader', 'reader-token', ready, 'engine', 'ok fail warn ok, ok ok ok'],
  ['an unknown token', 'nobody', ready, 'engine', 'fail'],
  ['one out of sight', 'writer-token' satisfies Token, ready, 'other', 'fail'],
]

test.for(cases)('doctor on GitHub: %s', async ([, token, options, repo, expected]) => {
  await using bench = await openBench(options)
  if (options === ready) {
    const name = 'executor'
    await bench.octokit('owner-token').issues.createLabel({ ...target, name, color: 'ededed' })
  }
  const checks = await checkGitHub({
    ...target,
    repo,
    token: () => token,
    apiUrl: bench.server.apiUrl,
    clock: createFakeClock(),
    pace: false,
  })
  const statuses = checks.map(({ status }) => status)
  const lines = [statuses.slice(0, 4), statuses.slice(4)].filter((line) => line.length > 0)
  expect(lines.map((line) => line.join(' ')).join(', ')).toBe(expected)
  for (const { status, next } of checks) expect(next !== '').toBe(status !== 'ok')
  expect(bench.server.contractViolations).toEqual([])
})

test('doctor on GitHub: nobody answers', async () => {
  const bench = await openBench()
  await bench[Symbol.asyncDispose]()
  const { apiUrl } = bench.server
  const options = { ...target, token: () => 'x', apiUrl, clock: createFakeClock(), pace: false }
  expect(await checkGitHub(options)).toMatchObject([
    { status: 'fail', detail: expect.stringContaining('/graphql') },
  ])
})
