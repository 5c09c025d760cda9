import { describe, expect, it } from 'vitest'
import { changeBetween } from '../../../packages/change/change-set.ts'
import type { CommandReport, TestFailure } from '../../../packages/judge/results/test-report.ts'
import type { Attempt } from '../../../src/core/domain/attempt.ts'
import { changeState, failureAt } from '../../../src/core/domain/change-state.ts'
import { composeTask } from '../../../src/core/domain/compose-task.ts'
import { addUsage, noUsage } from '../../../src/core/domain/usage.ts'
import { dissolve, partGroup } from '../../../src/recovery/task/part-group.ts'
import { sampleResult } from '../../contracts/run-state.ts'
import { anAttempt, aState, aTask } from '../../fakes/facts.ts'
import { aDraft } from '../../graph/nodes/bench.ts'

const members = [1, 2, 3].map((each) =>
  aTask({ id: `T-${each}`, files: [`src/${each}.js`], accept: [`node check.js  ${each}`] }),
)

const created = [1, 2, 3].flatMap((each) => changeBetween(`src/${each}.js`, undefined, 'x\n') ?? [])

const usage = { requests: 4, promptTokens: 100, completionTokens: 11, dollars: 0.01 }

const accept = (each: number, exitCode: number): CommandReport => ({
  ...{ command: `node check.js ${each}`, role: 'accept', exitCode, timedOut: false },
  ...{ counts: null, failures: [], tail: '', seconds: 1, sandbox: 'bubblewrap' },
})

const failing = (file: string | null, ...trace: readonly string[]): TestFailure => ({
  ...{ test: 'works', file, line: 1, message: 'no', expected: null, actual: null },
  ...{ errorType: null, trace },
})

const attempt = (facts: Partial<Attempt>): Attempt =>
  anAttempt({
    task: composeTask(members),
    draft: aDraft({ changes: created, refusals: [{ path: 'src/1.js', reason: 'x', excerpt: '' }] }),
    failure: failureAt('repairs_spent', 'no'),
    ...{ usage, seconds: 9 },
    ...facts,
  })

const problem = (path: string) =>
  failureAt('repairs_spent', 'no', {
    problems: [{ path, type: 'syntax', line: 1, column: 1, message: 'no' }],
  })

const part = (facts: Partial<Attempt>) => {
  const state = aState({ attempt: attempt(facts) })
  const patch = partGroup(state, attempt(facts))
  return patch && changeState(state, patch)
}

describe('of a group whose attempt failed', () => {
  it.each<[string, Partial<Attempt>, string | null]>([
    [
      'the one whose command fails',
      { tests: { commands: [accept(1, 0), accept(2, 1)] } },
      'T-1 T-3',
    ],
    [
      'both whose commands fail',
      { tests: { commands: [accept(1, 1), accept(2, 0), accept(3, 1)] } },
      'T-2',
    ],
    [
      'the one whose test fails',
      { broken: [failing('test/2.test.js', 'src/2.js:3:7')] },
      'T-1 T-3',
    ],
    [
      'the one whose test fails, whatever a repair could not do',
      { broken: [failing(null, 'src/2.js:3')], failure: problem('src/1.js') },
      'T-1 T-3',
    ],
    ['the one whose file does not parse', { failure: problem('src/3.js') }, 'T-1 T-2'],
    ['none when all fail', { tests: { commands: [1, 2, 3].map((each) => accept(each, 1)) } }, null],
    ['none when a failure says nothing of where', { broken: [failing(null)] }, null],
    ['none when a failure is in a file of others', { broken: [failing('src/old.js')] }, null],
    ['none without a failure', {}, null],
    [
      'none when its changes cannot be told apart',
      {
        tests: { commands: [accept(2, 1)] },
        draft: aDraft({ changes: [...created, { action: 'create', path: 'x.lock', content: '' }] }),
      },
      null,
    ],
    ['none without a draft', { draft: null, tests: { commands: [accept(2, 1)] } }, null],
  ])('%s falls out', (_, facts, left) => {
    const { task } = part(facts)?.attempt ?? {}
    const ids = (task?.members ?? [task]).map((each) => each?.id).join(' ')
    expect(part(facts) === null ? null : ids).toBe(left)
  })

  it('the rest goes on without the failure, and with its own share of the cost', () => {
    const state = part({ tests: { commands: [accept(2, 1)] }, testRepairs: 2 })
    expect(state?.attempt).toMatchObject({
      ...{ failure: null, problems: [], broken: [], tests: null, testRepairs: 2 },
      draft: { changes: [{ path: 'src/1.js' }, { path: 'src/3.js' }], refusals: [] },
      task: { id: 'T-1', accept: ['node check.js  1', 'node check.js  3'] },
    })
    const gone = state?.tasks.alone?.['T-2']
    expect(gone).toMatchObject({ attempts: 1, usage: { requests: 1 } })
    expect(addUsage(state?.attempt?.usage ?? noUsage, gone?.usage ?? noUsage)).toEqual(usage)
    expect((state?.attempt?.seconds ?? 0) + (gone?.seconds ?? 0)).toBe(9)
  })

  it('each goes alone when it is dissolved, and the shares are all of the cost', () => {
    const results = { 'T-0': sampleResult('T-0'), 'T-1': sampleResult('T-1') }
    const { tasks } = dissolve(aState({ tasks: { results } }), attempt({ number: 2 }))
    expect(Object.keys(tasks.results)).toEqual(['T-0'])
    const booked = Object.values(tasks.alone ?? {})
    expect(booked.map(({ attempts }) => attempts)).toEqual([2, 2, 2])
    expect(booked.map((each) => each.usage).reduce(addUsage, noUsage)).toEqual(usage)
  })
})
