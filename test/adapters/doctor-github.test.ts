import { expect, test } from 'vitest'
import { checkGitHub } from '../../src/adapters/doctor-github.ts'
import type { RepositoryOptions } from '../../src/simulators/github/store.ts'
import { createFakeClock } from '../fakes/fake-clock.ts'
import { openBench, type Token, target } from '../simulators/github/bench.ts'

const ready = { protectedBranches: ['main'] }
const fresh = { actionsMayCreatePullRequests: false }

const cases: readonly [string, string, Partial<RepositoryOptions>, string, readonly string[]][] = [
  [
    'the owner of a repository that is ready',
    'owner-token',
    ready,
    'engine',
    ['ok', 'ok', 'ok', 'ok'],
  ],
  ['the owner of a new repository', 'owner-token', fresh, 'engine', ['ok', 'ok', 'warn', 'warn']],
  ['a workflow', 'actions-token', ready, 'engine', ['ok', 'warn', 'warn', 'ok']],
  ['a reader', 'reader-token', ready, 'engine', ['ok', 'fail', 'warn', 'ok']],
  ['an unknown token', 'nobody', ready, 'engine', ['fail']],
  ['a repository out of sight', 'writer-token' satisfies Token, ready, 'other', ['fail']],
]

test.for(cases)('doctor on GitHub: %s', async ([, token, options, repo, expected]) => {
  await using bench = await openBench(options)
  const checks = await checkGitHub({
    ...target,
    repo,
    token: () => token,
    apiUrl: bench.server.apiUrl,
    clock: createFakeClock(),
    pace: false,
  })
  expect(checks.map(({ status }) => status)).toEqual(expected)
  for (const { status, next } of checks) expect(next !== '').toBe(status !== 'ok')
  expect(bench.server.contractViolations).toEqual([])
})

test('doctor on GitHub: nobody answers', async () => {
  const bench = await openBench()
  await bench[Symbol.asyncDispose]()
  const { apiUrl } = bench.server
  const options = { ...target, token: () => 'x', apiUrl, clock: createFakeClock(), pace: false }
  expect(await checkGitHub(options)).toMatchObject([
    { status: 'fail', detail: expect.stringContaining('GET /') },
  ])
})
