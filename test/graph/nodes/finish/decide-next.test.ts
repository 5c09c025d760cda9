import { describe, expect, it } from 'vitest'
import { nothingRun } from '../../../../packages/judge/verdict/nothing-run.ts'
import {
  changeState,
  failureAt,
  type StatePatch,
} from '../../../../src/core/domain/change-state.ts'
import { label } from '../../../../src/core/domain/identity.ts'
import type { Settings } from '../../../../src/core/domain/settings.ts'
import type { Verdict } from '../../../../src/core/domain/verdict.ts'
import { decideNext } from '../../../../src/graph/nodes/finish/decide-next.ts'
import { sampleResult } from '../../../contracts/run-state.ts'
import { fakePorts, usageOf } from '../../../fakes/facts.ts'
import { createMemoryForge } from '../../../fakes/memory-forge.ts'
import { taskUnderWay } from '../bench.ts'

async function decide(
  result: Parameters<typeof sampleResult>[1],
  facts: StatePatch = {},
  limits: Partial<Settings['limits']> = {},
) {
  const { workspace, state, attempt } = await taskUnderWay({
    attempt: { usage: usageOf(90), seconds: 8 },
  })
  await workspace.checkOut('T-1', state.roadmap.base.sha)
  const results = { 'T-1': sampleResult('T-1', { usage: usageOf(1), ...result }) }
  const step = await decideNext(
    changeState(state, { tasks: { results } }, facts),
    fakePorts({ workspace }, limits),
  )
  return { step, attempt, workspace }
}

describe('decide_next', () => {
  it('books what the task cost, lets its attempt and folder go, and goes on', async () => {
    const { step, workspace } = await decide({ verdict: 'in_review' })
    expect(step).toMatchObject({
      outcome: 'go_on',
      patch: {
        attempt: null,
        tasks: { parked: {}, results: { 'T-1': { usage: usageOf(90), seconds: 8 } } },
      },
    })
    expect(workspace.folder('T-1')).toBeNull()
  })

  it.each([
    ['in_review', expect.any(Number)],
    ['unverified', expect.any(Number)],
    ['failed', null],
    ['over_budget', null],
  ] as const)('keeps what a task was expected to take when it is %s', async (verdict, expected) => {
    const { step } = await decide({ verdict, forecastTokens: null })
    expect(step.patch?.tasks?.results?.['T-1']?.forecastTokens).toEqual(expected)
  })

  it('parks the attempt of a deferred task', async () => {
    const { step, attempt } = await decide({ verdict: 'deferred' })
    expect(step.patch?.tasks?.parked).toEqual({ 'T-1': attempt })
  })

  it.each<[Verdict, object]>([
    ['failed', { 'T-1': 'An earlier attempt at this task failed. too big', 'T-9': 'x' }],
    ['deferred', { 'T-1': 'An earlier attempt at this task failed. too big', 'T-9': 'x' }],
    ['in_review', { 'T-9': 'x' }],
  ])('keeps why a task is %s, for the next attempt at it', async (verdict, kept) => {
    const { state } = await taskUnderWay()
    const failure = {
      at: 'refused' as const,
      message: 'too big',
      problems: [],
      failures: [],
      output: '',
    }
    const attempt = state.attempt && { ...state.attempt, failure }
    const failedBefore = { 'T-1': 'before', 'T-9': 'x' }
    const { step } = await decide({ verdict }, { attempt, tasks: { failedBefore } })
    expect(step.patch?.tasks?.failedBefore).toEqual(kept)
  })

  it('takes an attempt without a verdict for a bug', async () => {
    const { workspace, state } = await taskUnderWay()
    await expect(decideNext(state, fakePorts({ workspace }))).rejects.toThrow('without a verdict')
  })

  it.each<[string, StatePatch, Partial<Settings['limits']>, object]>([
    ['tasks', {}, { tasks: 1 }, { limits: ['1 task per run (max-tasks)'], stopped: null }],
    ['open pull requests', {}, { openPullRequests: 1 }, { stopped: 'limit' }],
    ['tokens', { spent: { usage: usageOf(500) } }, { tokens: 500 }, { stopped: 'limit' }],
    ['minutes', { spent: { seconds: 61 } }, { minutes: 1 }, { stopped: 'limit' }],
    [
      'money, as a step found out',
      { progress: { stopped: 'limit', limits: ['$1 per run'] } },
      {},
      { stopped: 'limit', limits: ['$1 per run'] },
    ],
  ])('stops at the limit of %s', async (_, facts, limits, progress) => {
    const { step } = await decide({ verdict: 'in_review' }, facts, limits)
    expect(step).toMatchObject({ outcome: 'limit_reached', patch: { progress } })
  })

  it.each([
    ['waits for its second try', { verdict: 'deferred' }, {}],
    ['was requeued', { verdict: 'in_review' }, { tasks: { retried: ['T-2'] } }],
  ] as const)(
    'leaves a deferred task that %s out of the limit of tasks',
    async (_, result, facts) => {
      const { step } = await decide(result, facts, { tasks: 1 })
      expect(step.outcome).toBe('go_on')
    },
  )

  it('ends the run after three tasks without a usable answer, and leaves them to the next one', async () => {
    const { workspace, state, attempt } = await taskUnderWay({
      files: { 'ROADMAP.md': [1, 2, 3, 4].map((n) => `- [ ] T-${n}: Do ${n}\n`).join('') },
      attempt: { usage: usageOf(90), failure: failureAt('repairs_spent', 'still not valid') },
    })
    const facts = { verdict: 'failed', thisRun: true, attempts: 1, usage: usageOf(90) } as const
    const before = ['T-2', 'T-3'].map((id) => [id, sampleResult(id, { ...facts, unusable: true })])
    const results = { ...Object.fromEntries(before), 'T-1': sampleResult('T-1', facts) }
    const forge = createMemoryForge()
    const draft = { ...{ head: 'agent/T-1', base: 'main', title: 'T-1', body: '', draft: true } }
    const people = { labels: [label.needsHuman], reviewers: [], assignees: [] }
    const opened = await forge.upsertPullRequest({ ...draft, ...people })
    if (opened.status === 'refused' || opened.value === null) throw new Error('There is no pull.')
    const { number, url } = opened.value
    const questions = { 'T-1': [{ number, url, head: 'agent/T-1' }] }
    const now = changeState(state, { tasks: { results, questions } })
    const step = await decideNext(now, fakePorts({ workspace, forge }))
    expect(step).toMatchObject({
      outcome: 'limit_reached',
      patch: {
        progress: { stopped: 'limit', limits: [expect.stringContaining('(no_usable_answers)')] },
        tasks: { questions: {}, results: { 'T-1': { unusable: true } } },
      },
    })
    expect(forge.pulls).toMatchObject([
      { state: 'closed', labels: [label.needsHuman, label.deferred] },
    ])
    const tested = { ...attempt, receipt: nothingRun([], []) }
    const other = await decideNext(
      changeState(now, { attempt: tested }),
      fakePorts({ workspace, forge }),
    )
    expect(other.outcome).toBe('go_on')
    expect(other.patch?.tasks?.results?.['T-1']?.unusable).toBeUndefined()
  })

  it('is not stopped by a limit that holds nothing up', async () => {
    const { step } = await decide(
      { verdict: 'in_review' },
      { run: { only: ['T-1'] } },
      { openPullRequests: 1 },
    )
    expect(step.outcome).toBe('go_on')
    expect(step.patch?.progress?.stopped).toBeUndefined()
  })
})
