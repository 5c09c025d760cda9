import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Bench, openBench, target } from '../../packages/github-simulator/test/github/bench.ts'
import { openClient } from '../../src/adapters/octokit/client.ts'
import { createOctokitCheckRuns } from '../../src/adapters/octokit-check-runs.ts'
import type { CheckRunDraft } from '../../src/core/ports/check-runs.ts'
import { createFakeClock } from '../fakes/fake-clock.ts'

let bench: Bench
let sha: string
beforeEach(async () => {
  bench = await openBench()
  sha = await bench.push('change', { 'src/app.ts': 'export const one = 2\n' })
})
afterEach(async () => {
  expect(bench.server.contractViolations).toEqual([])
  await bench[Symbol.asyncDispose]()
})

const checkRuns = (token = 'actions-token') =>
  createOctokitCheckRuns(
    openClient({
      ...{ ...target, token: () => token, apiUrl: bench.server.apiUrl, pace: false },
      clock: createFakeClock(),
    }),
  )

const draft = (annotations: number, more: Partial<CheckRunDraft> = {}): CheckRunDraft => ({
  ...{ name: 'executor check', externalId: 'pull-1', sha },
  ...{ conclusion: 'failure', title: 'Not passed', summary: '## Not passed' },
  annotations: Array.from({ length: annotations }, (_, at) => ({
    ...{ path: 'src/app.ts', line: at + 1, level: 'failure', title: 'syntax' },
    message: `number ${at + 1}`,
  })),
  ...more,
})

/** Conclusion and annotations of each check run on the commit, the oldest first. */
async function written() {
  const { checks } = await bench.server.state('ada', 'engine')
  return checks.map(({ outcome, annotations }) => ({
    outcome,
    lines: annotations.map(({ start_line }) => start_line),
  }))
}

const writes = () => bench.server.requests.filter((one) => one.writes && one.kind === 'rest').length
const lines = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

it.each([
  [0, 1],
  [1, 1],
  [50, 1],
  [51, 2],
  [120, 3],
])('writes %i annotations in %i requests, once', async (count, requests) => {
  const { upsert } = checkRuns()
  expect(await upsert(draft(count))).toEqual({ status: 'ok', value: null })
  expect(writes()).toBe(requests)
  await upsert(draft(count))
  await checkRuns().upsert(draft(count))
  expect(writes()).toBe(requests)
  expect(await written()).toEqual([{ outcome: 'failure', lines: lines(count) }])
})

it.each([
  ['POST', '/repos/{owner}/{repo}/check-runs', 'before'],
  ['POST', '/repos/{owner}/{repo}/check-runs', 'after'],
  ['PATCH', '/repos/{owner}/{repo}/check-runs/{check_run_id}', 'before'],
  ['PATCH', '/repos/{owner}/{repo}/check-runs/{check_run_id}', 'after'],
] as const)('looks again after a %s of %s that breaks off %s it works', async (...fault) => {
  const [method, path, when] = fault
  bench.server.faults.add({ method, path, effect: { kind: 'status', status: 502, when } })
  expect((await checkRuns().upsert(draft(120))).status).toBe('ok')
  expect(await written()).toEqual([{ outcome: 'failure', lines: lines(120) }])
})

it('continues the check run of a job that was killed', async () => {
  const path = '/repos/{owner}/{repo}/check-runs/{check_run_id}'
  const effect = { kind: 'status', status: 403, when: 'before' } as const
  bench.server.faults.add({ method: 'PATCH', path, effect })
  expect((await checkRuns().upsert(draft(120))).status).toBe('refused')
  expect(await written()).toEqual([{ outcome: 'pending', lines: lines(50) }])
  await checkRuns().upsert(draft(120))
  expect(await written()).toEqual([{ outcome: 'failure', lines: lines(120) }])
})

it('writes another verdict beside the first, whose annotations stay', async () => {
  await checkRuns().upsert(draft(1))
  const passed = draft(0, { conclusion: 'success', title: 'Passed' })
  await checkRuns().upsert(passed)
  await checkRuns().upsert(passed)
  const both = [
    { outcome: 'failure', lines: [1] },
    { outcome: 'success', lines: [] },
  ]
  expect(await written()).toEqual(both)
  await checkRuns().upsert({ ...passed, externalId: 'pull-2' })
  expect(await written()).toEqual([...both, { outcome: 'success', lines: [] }])
})

it('is refused without the permission', async () => {
  expect(await checkRuns('owner-token').upsert(draft(1))).toMatchObject({
    ...{ status: 'refused', code: 'forge_denied' },
    detail: expect.stringContaining('POST /api/v3/repos/ada/engine/check-runs: 403'),
  })
})
