import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { CheckReport } from '../../packages/github-simulator/github/controls.ts'
import { type Bench, openBench, target } from '../../packages/github-simulator/test/github/bench.ts'
import { createOctokitDiscussion } from '../../src/adapters/octokit-discussion.ts'
import { connect, dispose } from './forge-bench.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => dispose(bench))

let at = 0
let [head, base] = ['', '']
beforeEach(async () => {
  head = await bench.push(`agent/T-${++at}`, { 'a.txt': `${at}\n` })
  base = await bench.push(`base-${at}`, { 'b.txt': `${at}\n` })
})

const check = (on: string, report: Omit<CheckReport, 'on'>) =>
  bench.server.setCheck(target.owner, target.repo, { on, ...report })
const read = () => createOctokitDiscussion(connect(bench).repository).redChecks(head, base)

const failed = { name: 'test', outcome: 'failure' } as const
const times = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n')

it.each<[string, string | undefined, string | RegExp]>([
  ['without a log', undefined, ''],
  [
    'of a step that failed',
    '##[group]Run x\n##[endgroup]\nno\n##[error]Process completed with exit code 1.\nPost',
    'no',
  ],
  [
    'of the last step that failed',
    times(2, (index) => `##[endgroup]\nno ${index}\n##[error]Process completed with exit code 1.`),
    'no 1',
  ],
  ['that does not say where it failed', 'one\ntwo', 'one\ntwo'],
  [
    'with times and colours',
    '\ufeff2026-01-02T03:04:05.123Z \u001b[31mno\u001b[0m\r\n2026-01-02T03:04:05Z ##[error]why',
    'no\nwhy',
  ],
  ['of a million lines', times(200_000, (index) => `line ${index}`), /^.{3900,4000}$/s],
])('shows the log %s', async (_, log, output) => {
  await check(head, log === undefined ? failed : { ...failed, log })
  const [red, ...more] = await read()
  expect(more).toEqual([])
  expect(red).toMatchObject({ name: 'test', annotations: [] })
  if (typeof output === 'string') expect(red?.output).toBe(output)
  else expect(red?.output).toMatch(output)
})

it('shows the summary where the log cannot be downloaded', async () => {
  await check(head, { ...failed, log: 'no' })
  const { repository, notes } = connect(bench)
  const download = async () => ({ headers: { location: 'http://127.0.0.1:9/gone' } })
  const actions = { ...repository.octokit.actions, downloadJobLogsForWorkflowRun: download }
  const octokit = { ...repository.octokit, actions: actions as never }
  const [red] = await createOctokitDiscussion({ ...repository, octokit }).redChecks(head, base)
  expect(red).toMatchObject({ name: 'test', output: '' })
  expect(notes).toEqual([expect.stringMatching(/^The log .* cannot be downloaded: /)])
})

it('shows the failures on lines, the first ten', async () => {
  const annotation = (line: number, level: 'failure' | 'warning') => ({
    ...{ path: 'a.txt', start_line: line, annotation_level: level, message: `on ${line}` },
  })
  const all = Array.from({ length: 30 }, (_, index) =>
    annotation(index + 1, index % 2 ? 'failure' : 'warning'),
  )
  await check(head, { ...failed, app: 'other-ci', annotations: all })
  const [red] = await read()
  expect(red?.annotations).toHaveLength(10)
  expect(red?.annotations[0]).toEqual({ path: 'a.txt', line: 2, text: 'on 2' })
})

it('waits while a check still runs', async () => {
  await check(head, failed)
  await check(head, { name: 'running', outcome: 'pending' })
  expect(await read()).toEqual([])
  await check(head, { name: 'running', outcome: 'success' })
  await check(head, { name: 'late', outcome: 'pending', kind: 'status' })
  expect(await read()).toEqual([])
  await check(head, { name: 'late', outcome: 'success', kind: 'status' })
  expect(await read()).toHaveLength(1)
})

it('leaves out what failed at the base, what is green, and what was cancelled', async () => {
  await check(head, failed)
  await check(base, failed)
  await check(head, { name: 'green', outcome: 'success' })
  await check(head, { name: 'cancelled', outcome: 'cancelled' })
  await check(head, { name: 'asks', outcome: 'action_required' })
  await check(head, { name: 'old status', outcome: 'failure', kind: 'status' })
  await check(base, { name: 'old status', outcome: 'error', kind: 'status' })
  await check(head, { name: 'status', outcome: 'error', kind: 'status' })
  await check(head, { name: 'timed out', outcome: 'timed_out' })
  expect((await read()).map(({ name }) => name)).toEqual(['timed out', 'status'])
})
