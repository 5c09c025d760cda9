import { afterAll, beforeAll, expect, it } from 'vitest'
import { readTaskMarker } from '../../../src/core/domain/identity.ts'
import {
  type ActionBench,
  notificationsOf,
  openActionBench,
  type WorkflowRun,
} from './action-bench.ts'
import { edit, once, tool, withRoadmap } from './toolbox.ts'

const half = tool('halve', '(n) => n / 2', 'assert.equal(halve(4), 2)')
const usage = { promptTokens: 1000, completionTokens: 100 }

/** T-1 passes after a repair, T-2 never does, T-3 waits for T-2, T-4 passes at once. */
const files = {
  ...withRoadmap(
    'T-1: Halve a number, in `src/halve.js`',
    'T-2: Find the square root, in `src/root.js`',
    'T-3: Find the fourth root\n  - **Depends on**: T-2',
    'T-4: Greet, in `src/greet.js`',
  ),
  '.github/executor.yml':
    'prices:\n  scripted-model: { prompt: 2, completion: 10 }\nlimits:\n  test-repairs: 1\n',
}

let bench: ActionBench
let run: WorkflowRun
beforeAll(async () => {
  bench = await openActionBench(files, [
    once('T-1', { text: half.replace('n / 2', '(n / 2'), usage }),
    {
      when: { purpose: 'repair_code', task: 'T-1' },
      answers: [
        {
          text: edit(
            'src/halve.js',
            'export const halve = (n) => (n / 2',
            'export const halve = (n) => n / 2',
          ),
          usage,
        },
      ],
    },
    once('T-2', { text: tool('root', '(n) => n', 'assert.equal(root(9), 3)'), usage }),
    {
      when: { purpose: 'repair_test', task: 'T-2' },
      answers: [
        {
          text: edit(
            'src/root.js',
            'export const root = (n) => n',
            'export const root = (n) => n - 1',
          ),
          usage,
        },
      ],
    },
    once('T-4', { text: tool('greet', "() => 'hello'", "assert.equal(greet(), 'hello')"), usage }),
  ])
  run = await bench.run()
})
afterAll(() => bench[Symbol.asyncDispose]())

it('gives the outputs', () => {
  expect(run.exitCode).toBe(1)
  expect(run.outputs).toMatchObject({
    completed: '2',
    failed: '1',
    deferred: '0',
    waiting: '1',
    cost: '0.0150',
    tokens: '5500',
  })
  expect(run.outputs.report).toMatch(/report\.md$/)
  expect(JSON.parse(run.outputs['pull-requests'] ?? '')).toEqual(
    [
      ['T-1', 1],
      ['T-2', 2],
      ['T-4', 3],
    ].map(([task, number]) => ({
      task,
      number,
      url: `${bench.server.url}/ada/engine/pull/${number}`,
    })),
  )
  expect(JSON.parse(run.outputs['ready-tasks'] ?? '')).toEqual([])
})

it('writes the report in all forms, with the figures of the servers', () => {
  const report = JSON.parse(run.left['report.json'] ?? '')
  expect(bench.model.requests).toHaveLength(5)
  expect(report).toMatchObject({
    usage: { requests: 5, promptTokens: 5000, completionTokens: 500, dollars: 0.015 },
    successRate: 0.6667,
    totals: { done: 2, unverified: 0, failed: 1, deferred: 0, waiting: 1, skipped: 0, replaced: 0 },
    recovered: { tried: 0, succeeded: 0 },
    tasks: [
      { id: 'T-1', outcome: 'in_review', pr: { number: 1 }, attempts: 1, repairs: 1, tokens: 2200 },
      { id: 'T-2', outcome: 'failed', pr: { number: 2 }, attempts: 1, repairs: 1, tokens: 2200 },
      { id: 'T-4', outcome: 'in_review', pr: { number: 3 }, attempts: 1, repairs: 0, tokens: 1100 },
      { id: 'T-3', outcome: 'waiting', pr: null, attempts: 0, tokens: 0 },
    ],
    recoveries: [{ taskId: 'T-2', proposal: { strategy: 'ESCALATE' } }],
    errors: [],
    limits: [],
  })
  const { nodes } = report
  const sum = (key: string) =>
    nodes.reduce((total: number, node: Record<string, number>) => total + (node[key] ?? 0), 0)
  expect(sum('share')).toBeCloseTo(100, 6)
  expect(sum('tokens')).toBe(5500)
  expect(Math.abs(sum('seconds') - report.durationSeconds)).toBeLessThan(0.1)
  const alone = { group: null, files: [], dependsOn: [] }
  expect(JSON.parse(run.left['todos.json'] ?? '').todos).toEqual([
    { id: 'T-1', title: 'Halve a number, in `src/halve.js`', status: 'completed', ...alone },
    { id: 'T-2', title: 'Find the square root, in `src/root.js`', status: 'failed', ...alone },
    { id: 'T-3', title: 'Find the fourth root', status: 'waiting', ...alone, dependsOn: ['T-2'] },
    { id: 'T-4', title: 'Greet, in `src/greet.js`', status: 'completed', ...alone },
  ])
  expect(run.left['report.html']).toContain(report.runId)
})

it('shows the same report as the job summary', () => {
  expect(run.summary.startsWith(run.left['report.md'] ?? 'there is none')).toBe(true)
  expect(run.summary).toContain(
    '**2 pull requests to review (2 proven), 1 failed, 1 waiting** · success rate: 67 %',
  )
  const each = (run.apiCalls.length / 2).toFixed(1)
  const calls = `GitHub: ${run.apiCalls.length} API calls, ${each} for each finished task.`
  expect(run.summary).toContain(calls)
  expect(run.stdout).toContain(calls)
  expect(run.summary).toContain('$0.0150')
})

it('labels the pull requests and says in them what was done', async () => {
  const pulls = await bench.pulls()
  expect(pulls.map(({ number, labels, draft }) => [number, labels, draft])).toEqual([
    [1, ['executor:task'], false],
    [2, ['executor:needs-human'], true],
    [3, ['executor:task'], false],
  ])
  expect(pulls[0]).toMatchObject({
    title: '[Agent] Complete T-1: Halve a number, in `src/halve.js`',
    author: 'github-actions[bot]',
    base: 'main',
  })
  expect(pulls[0]?.body).toContain('`+8 −0` in 2 files: `src/halve.js` (new)')
  expect(pulls[0]?.body).toContain('2 passed, 0 failed (before: 1 passed, 0 failed)')
  expect(pulls[0]?.body).toContain(' · 2 requests · 1 repair · ')
  expect(readTaskMarker(pulls[0]?.body ?? '')?.id).toBe('T-1')
  expect(pulls[1]?.body).toContain('**This attempt at T-2 failed. Do not merge it as it is.**')
})

it('ticks the task in the roadmap by one byte, and changes nothing else', async () => {
  const before = `${await bench.file('main', 'ROADMAP.md')}\n`
  const changed = await bench.git('diff', '--name-status', 'origin/main', 'origin/agent/T-1')
  expect(changed.split('\n')).toEqual(['M\tROADMAP.md', 'A\tsrc/halve.js', 'A\ttest/halve.test.js'])
  const after = `${await bench.file('agent/T-1', 'ROADMAP.md')}\n`
  expect(after).toBe(before.replace('- [ ] T-1', '- [x] T-1'))
  // The failed attempt ticks nothing.
  expect(`${await bench.file('agent/T-2', 'ROADMAP.md')}\n`).toBe(before)
})

it('binds each commit to its task by trailers', async () => {
  const { runId } = JSON.parse(run.left['report.json'] ?? '')
  const trailers = async (branch: string) => {
    await bench.message(branch)
    return bench.git('log', '-1', '--format=%(trailers:only,unfold)', `origin/${branch}`)
  }
  expect(await trailers('agent/T-1')).toMatch(
    new RegExp(
      `^Executor-Run: ${runId}\nExecutor-Task: T-1\nExecutor-Attempt: 1\nExecutor-Fingerprint: [0-9a-f]{64}\nExecutor-Outcome: done\nExecutor-Receipt: passed.*\n*$`,
    ),
  )
  expect(await trailers('agent/T-2')).toContain('Executor-Outcome: needs-human')
  expect(await bench.message('agent/T-2')).toContain('[skip ci]')
  expect(await bench.message('agent/T-1')).not.toContain('[skip ci]')
})

it('notifies maintainers when a pull request is opened, and once with the report of the run on it', () => {
  const opened: string[] = Array(3).fill('POST /pulls')
  const reported = [1, 2, 3].map((number) => `POST /issues/${number}/comments`)
  expect(notificationsOf(run)).toEqual([...opened, ...reported])
})

it('masks token and key', () => {
  expect(run.masks).toEqual(
    expect.arrayContaining(['actions-token', 'key-of-the-model-endpoint-4711']),
  )
})
