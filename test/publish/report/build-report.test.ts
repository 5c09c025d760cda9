import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Strategy } from '../../../src/core/domain/attempt.ts'
import { changeState } from '../../../src/core/domain/change-state.ts'
import type { NodeMetrics } from '../../../src/core/domain/run-state.ts'
import { noUsage } from '../../../src/core/domain/usage.ts'
import type { TaskResult, Verdict } from '../../../src/core/domain/verdict.ts'
import {
  buildReport,
  describeRedStart,
  describeTotals,
  writeTodos,
} from '../../../src/publish/report/build-report.ts'
import { describeReceipt } from '../../../src/publish/report/describe-verification.ts'
import { summaryOf } from '../../../src/publish/report/write-report-markdown.ts'
import { sampleResult, sampleState } from '../../contracts/run-state.ts'
import { aState, aTask, usageOf } from '../../fakes/facts.ts'

describe('report.json', () => {
  const report = buildReport(sampleState({ run: { completedAt: '2026-01-02T04:00:00.000Z' } }))

  it('has what is promised, in the shape that is promised', () => {
    expect(report).toMatchObject({
      runId: 'run-1',
      startedAt: '2026-01-02T03:04:05.000Z',
      completedAt: '2026-01-02T04:00:00.000Z',
      durationSeconds: 20,
      successRate: 1,
      tasks: [
        {
          id: 'T-1',
          title: 'Task T-1',
          outcome: 'in_review',
          branch: 'agent/T-1',
          pr: { number: 7, url: 'https://example.org/pull/7' },
          attempts: 1,
          repairs: 0,
          tokens: 720,
          cost: 0.0012,
          seconds: 12.5,
          receipt: { result: 'passed' },
        },
      ],
      nodes: [{ node: 'execute_task', calls: 2, tokens: 720, share: 100, seconds: 9 }],
      preview: { tasks: 2, tokens: 3000, dollars: 0.01, pastTasks: 0, warnings: 1 },
      recoveries: [{ taskId: 'T-5', decision: 'approved', by: 'ada' }],
      roadmapChanges: ['added T-5-a'],
      errors: [{ code: 'git_failed', message: 'm', next: 'n' }],
      limits: ['5 open pull requests'],
    })
  })

  it('says "at least" of a cost to which a model without a price belongs', () => {
    const preview = { tasks: 2, tokens: 9, dollars: null, pastTasks: 0, warnings: 0 }
    const costing = (...dollars: readonly number[]) => {
      const own = dollars.map((each, index) => {
        const usage = { ...usageOf(100), dollars: each }
        return [`T-${index}`, sampleResult(`T-${index}`, { usage })] as const
      })
      const usage = { ...usageOf(200), dollars: dollars.reduce((sum, each) => sum + each, 0) }
      const tasks = { results: Object.fromEntries(own) }
      return buildReport(aState({ tasks, spent: { usage }, roadmap: { preview } }))
    }
    expect(summaryOf(costing(0.5, 0)).at(-1)).toBe('at least $0.5000')
    expect(summaryOf(costing(0.5, 0.25)).at(-1)).toBe('$0.7500')
    expect(summaryOf(costing(0, 0)).at(-1)).toBe('cost unknown')
  })

  it.each([
    [false, 'budget_exceeded'],
    [true, 'planned'],
  ])('names a task that was not paid for (dry run: %s): %s', (dryRun, outcome) => {
    const results = { 'T-1': sampleResult('T-1', { verdict: 'over_budget' }) }
    expect(buildReport(aState({ run: { dryRun }, tasks: { results } })).tasks[0]?.outcome).toBe(
      outcome,
    )
  })

  it('of a dry run counts no task, and none of its requests was made', () => {
    const results = { 'T-1': sampleResult('T-1', { verdict: 'over_budget' }) }
    const preview = { tasks: 1, tokens: 700, dollars: 0, pastTasks: 0, warnings: 0 }
    const planned = buildReport(
      aState({
        ...{ run: { dryRun: true }, roadmap: { preview }, tasks: { results } },
        spent: { usage: usageOf(700) },
      }),
    )
    expect(new Set(Object.values(planned.totals))).toEqual(new Set([0]))
    const [tasks, forecast, ...rest] = summaryOf(planned)
    expect([tasks, forecast]).toEqual(['1 tasks planned', 'forecast: about 700 tokens, $0.0000'])
    expect(rest.join()).not.toMatch(/token|request|success/)
  })

  it('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(report))).toEqual(report)
  })

  const stateOf = (
    verdicts: readonly Verdict[],
    facts: Partial<TaskResult> = { thisRun: true, attempts: 1 },
  ) => {
    const results = verdicts.map((verdict, n) => [
      `T-${n}`,
      sampleResult(`T-${n}`, { ...facts, verdict }),
    ])
    return aState({ tasks: { results: Object.fromEntries(results) } })
  }

  it.each<[readonly Verdict[], number]>([
    [[], 1],
    [['done', 'in_review'], 1],
    [['done', 'in_review', 'unverified'], 0.6667],
    [['done', 'failed'], 0.5],
    [['done', 'waiting', 'skipped'], 0.3333],
    [['done', 'replaced'], 1],
    [['replaced', 'failed'], 0],
  ])('of %j has a success rate of %d', (verdicts, rate) => {
    expect(buildReport(stateOf(verdicts)).successRate).toBe(rate)
  })

  it.each<[string, Partial<TaskResult>, readonly Verdict[], number]>([
    ['what an earlier run finished', { thisRun: false }, ['done', 'in_review'], 1],
    ['what only waited', { thisRun: true, attempts: 0 }, ['waiting'], 0],
    ['tests that did not run', { thisRun: true, attempts: 1, receipt: null }, ['done'], 0],
  ])('does not count %s', (_, facts, verdicts, rate) => {
    expect(buildReport(stateOf(verdicts, facts)).successRate).toBe(rate)
  })

  it('adds up by verdict', () => {
    const verdicts = ['done', 'in_review', 'unverified', 'failed', 'over_budget'] as const
    const { totals, evidence } = buildReport(
      stateOf([...verdicts, 'rejected', 'rolled_back', 'replaced', 'replaced']),
    )
    const zero = { deferred: 0, waiting: 0 }
    const left = { failed: 2, skipped: 1, rolledBack: 1, replaced: 2 }
    expect(totals).toEqual({ ...zero, done: 2, unverified: 1, ...left })
    const others = '1 unverified, 2 failed, 1 skipped, 1 rolled back, 2 replaced'
    expect(describeTotals({ totals, evidence, tasks: [] })).toBe(`2 of 7 done, ${others}`)
    expect(describeTotals({ totals, evidence: { proven: 1, unharmed: 1 }, tasks: [] })).toBe(
      `2 of 7 done (1 proven, 1 unharmed), ${others}`,
    )
  })

  const pullRequest = { number: 4, url: 'https://github.com/a/b/pull/4' }
  it.each<[name: string, verdicts: readonly Verdict[], facts: Partial<TaskResult>, words: string]>([
    [
      'counts what a person has to review',
      ['in_review', 'failed'],
      {},
      '1 pull request to review, 1 failed',
    ],
    [
      'counts an unverified one',
      ['in_review', 'unverified'],
      {},
      '1 pull request to review (1 unverified)',
    ],
    ['counts what is merged apart', ['in_review', 'done'], {}, '1 pull request to review, 1 done'],
    ['counts branches as done', ['in_review', 'done'], { pullRequest: null }, '2 of 2 done'],
  ])('%s', (_, verdicts, facts, words) => {
    const report = buildReport(stateOf(verdicts, { receipt: null, pullRequest, ...facts }))
    expect(describeTotals(report)).toBe(words)
  })

  const counts = (passed: number, failed: number) => ({ passed, failed, skipped: 0 })
  it.each([
    [
      'a red suite',
      counts(1, 2),
      'aaaa',
      'Your suite is red at main (aaaaaaa): 2 of 3 tests fail before any change.',
    ],
    [
      'one red test',
      counts(0, 1),
      'aaaa',
      'Your suite is red at main (aaaaaaa): 1 of 1 test fails before any change.',
    ],
    ['a green suite', counts(3, 0), 'aaaa', null],
    ['no suite', null, 'aaaa', null],
    ['a red branch', counts(1, 2), 'bbbb', null],
  ])('tells of %s at the start', (_, before, start, words) => {
    const { receipt: sample } = sampleResult('T-1')
    const report = buildReport(
      stateOf(['done'], { receipt: sample && { ...sample, before }, start: start.repeat(10) }),
    )
    const base = { branch: 'main', sha: 'a'.repeat(40) }
    expect(describeRedStart({ ...report, base })).toBe(words)
  })

  it.each([
    ['is red', 'unverified', 4, 4, null, 'pytest ends with code 4'],
    ['is stopped', 'unverified', null, null, null, 'pytest is stopped'],
    ['is green', 'unverified', 0, 0, null, null],
    ['has counts', 'unverified', 1, 1, counts(3, 0), null],
    ['is green now', 'unverified', 4, 0, null, null],
    ['must pass and was red, as it is to be', 'passed', 4, 0, null, null],
    ['must pass and is red', 'failed', 4, 4, null, null],
  ] as const)('tells of a command without tests that %s', (_, result, was, is, known, words) => {
    const { receipt: sample } = sampleResult('T-1')
    const before = { exitCode: was, counts: known }
    const commands = [{ command: 'pytest', exitCode: is, seconds: 1, before }]
    const receipt = sample && { ...sample, result, before: null, commands }
    const report = buildReport(stateOf(['done'], { receipt, start: 'a'.repeat(40) }))
    const base = { branch: 'main', sha: 'a'.repeat(40) }
    const said =
      words === null ? null : `Your suite is red at main (aaaaaaa): ${words} before any change.`
    expect(describeRedStart({ ...report, base })).toBe(said)
  })

  it('counts what the tests show of done tasks', () => {
    const { receipt: sample } = sampleResult('T-1')
    const receipt = sample && ({ ...sample, evidence: 'proven' } as const)
    expect(buildReport(stateOf(['done', 'in_review', 'failed'], { receipt })).evidence).toEqual({
      ...{ proven: 2, unharmed: 0 },
    })
  })

  it('tells of stubs for 1,000 lines of all tasks', () => {
    expect(report.lei).toBe(2.5)
    expect(buildReport(stateOf(['done'], { receipt: null })).lei).toBe(0)
  })

  it('counts recoveries that were tried, and those that led to the end', () => {
    const record = (taskId: string, strategy: Strategy, ids: readonly string[] = []) => ({
      taskId,
      proposal: {
        strategy,
        reason: 'unknown' as const,
        explanation: '',
        tasks: ids.map((id) => ({ id, title: id, details: [], files: [] })),
      },
      decision: 'approved' as const,
      by: 'ada',
      at: '2026-01-02T03:04:05.000Z',
    })
    const recoveries = [
      record('T-0', 'DEFER'),
      record('T-1', 'DEFER'),
      record('T-2', 'DECOMPOSE', ['T-0', 'T-3']),
      record('T-4', 'REWRITE', ['T-1']),
      record('T-5', 'SKIP'),
      record('T-6', 'ESCALATE'),
      { ...record('T-7', 'DEFER'), decision: 'waiting' as const },
    ]
    const state = changeState(stateOf(['done', 'failed', 'replaced', 'unverified']), {
      record: { recoveries },
    })
    expect(buildReport(state).recovered).toEqual({ tried: 4, succeeded: 2 })
  })
})

describe('the shares of the steps', () => {
  const metrics = (tokens: number, seconds: number): NodeMetrics => ({
    calls: 1,
    seconds,
    usage: usageOf(tokens),
  })

  it('sum to 100, in tenths, whatever was spent', () => {
    const spent = fc.tuple(fc.nat(1e7), fc.double({ min: 0, max: 1e5, noNaN: true }))
    fc.assert(
      fc.property(fc.array(spent, { minLength: 1, maxLength: 18 }), (rows) => {
        fc.pre(rows.some(([tokens, seconds]) => tokens > 0 || seconds > 1e-9))
        const nodes = Object.fromEntries(rows.map(([t, s], n) => [`node_${n}`, metrics(t, s)]))
        const shares = buildReport(aState({ spent: { nodes } })).nodes.map(({ share }) => share)
        expect(shares.reduce((sum, share) => sum + Math.round(share * 10), 0)).toBe(1000)
        for (const share of shares) expect(share * 10).toBeCloseTo(Math.round(share * 10), 6)
      }),
    )
  })

  it('are of tokens, and of time where no tokens were spent', () => {
    const share = (...all: readonly NodeMetrics[]) =>
      buildReport(
        aState({ spent: { nodes: Object.fromEntries(all.map((each, n) => [n, each])) } }),
      ).nodes.map((node) => node.share)
    expect(share(metrics(30, 9), metrics(10, 1))).toEqual([75, 25])
    expect(share(metrics(0, 9), metrics(0, 1))).toEqual([90, 10])
    expect(share(metrics(1, 0), metrics(1, 0), metrics(1, 0))).toEqual([33.4, 33.3, 33.3])
    expect(share(metrics(0, 0))).toEqual([0])
  })
})

describe('a receipt on one line', () => {
  const { receipt } = sampleResult('T-1')
  if (receipt === null) throw new Error('The sample has a receipt.')

  it.each([
    ['passed: npm test → 0, 3 passed, 1 failed, 2.0 s, bubblewrap', {}],
    [
      'passed: npm test → 0, 3 passed, 1 failed (before: 2 passed, 0 failed, 1 skipped), 2.0 s, bubblewrap',
      { before: { passed: 2, failed: 0, skipped: 1 } },
    ],
    [
      'unverified: a → 1, as before; b → 1, 2.0 s',
      {
        result: 'unverified' as const,
        commands: [
          { command: 'a', exitCode: 1, seconds: 1, before: { exitCode: 1, counts: null } },
          { command: 'b', exitCode: 1, seconds: 1, before: { exitCode: 0, counts: null } },
        ],
        after: null,
        sandbox: null,
      },
    ],
    ['unverified: nothing was run', { result: 'unverified' as const, commands: [] }],
    [
      'failed: a b → killed, 2.0 s',
      {
        result: 'failed' as const,
        commands: [{ command: 'a\n b', exitCode: null, seconds: 1 }],
        after: null,
        sandbox: null,
      },
    ],
  ])('%s', (line, facts) => {
    expect(describeReceipt({ ...receipt, ...facts })).toBe(line)
  })
})

it('todos.json knows every task of the roadmap', () => {
  const tasks = [
    aTask({ id: 'T-1', status: 'done' }),
    aTask({ id: 'T-2' }),
    aTask({ id: 'T-3' }),
    aTask({ id: 'T-4' }),
    aTask({ id: 'T-5', status: 'blocked' }),
  ]
  const results = {
    'T-2': sampleResult('T-2', { usage: noUsage }),
    'T-3': sampleResult('T-3', { verdict: 'failed' }),
  }
  const todos = JSON.parse(writeTodos(tasks, results)) as { todos: { status: string }[] }
  expect(todos.todos.map(({ status }) => status)).toEqual([
    'completed',
    'completed',
    'failed',
    'pending',
    'blocked',
  ])
  expect(todos.todos[0]).toEqual({
    ...{ id: 'T-1', title: 'Add a greeting', status: 'completed' },
    ...{ group: null, files: [], dependsOn: [] },
  })
})
