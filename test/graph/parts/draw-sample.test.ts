import { describe, expect, it } from 'vitest'
import type { FileChange } from '../../../packages/change/change-set.ts'
import type { TestFailure } from '../../../packages/judge/results/test-report.ts'
import { nothingRun } from '../../../packages/judge/verdict/nothing-run.ts'
import type { TriedRequest } from '../../../src/core/domain/answer-form.ts'
import type { Attempt, BestDraft } from '../../../src/core/domain/attempt.ts'
import type { TaskResult } from '../../../src/core/domain/verdict.ts'
import { repairTest } from '../../../src/graph/nodes/attempt/repair-test.ts'
import { sampleResult } from '../../contracts/run-state.ts'
import { aTask, fakePorts } from '../../fakes/facts.ts'
import { createScriptedModel } from '../../fakes/scripted-model.ts'
import { aDraft, attemptAfter, greeting, taskUnderWay } from '../nodes/bench.ts'

const broken: TestFailure = {
  ...{ test: 'greets', file: 'test/greet.test.js', line: 3, message: "expected 'hi'" },
  ...{ expected: "'hi'", actual: "'hello'", errorType: 'AssertionError', trace: [] },
}

const first: TriedRequest = { rung: 'first', form: 'whole', sample: 0, why: '' }
const drawn: TriedRequest = { rung: 'sample', form: 'whole', sample: 1, why: 'red' }

const greets = (word: string): FileChange => ({
  ...{ action: 'create', path: 'src/greet.js', content: `export const greet = () => '${word}'\n` },
})
const answer = (word: string) =>
  `src/greet.js\n\`\`\`js\nexport const greet = () => '${word}'\n\`\`\`\n`

const best: BestDraft = {
  draft: aDraft({ changes: [greets('ho')] }),
  broken: [broken],
  tests: { commands: [] },
  receipt: nothingRun([], [], 'failed'),
}

async function repair(
  reply: string,
  facts: Partial<Attempt>,
  results: Readonly<Record<string, TaskResult>> = {},
) {
  const shown = { path: 'test/greet.test.js', text: "import test from 'node:test'\n", whole: true }
  const { workspace, state } = await taskUnderWay({
    files: { [shown.path]: shown.text },
    attempt: { draft: aDraft(), broken: [broken], requests: [first], context: [shown], ...facts },
    state: { progress: { next: 'repair_test' }, tasks: { results } },
  })
  const model = createScriptedModel([reply])
  const limits = { testRepairs: 2, validationRepairs: 2 }
  const step = await repairTest(state, fakePorts({ workspace, model }, limits))
  return { step, request: model.requests[0], asked: model.requests[0]?.messages.at(-1)?.content }
}

const tallied = (usable: number, of: number) =>
  sampleResult('T-0', { verdict: 'failed', thisRun: true, attempts: 1, answers: { usable, of } })

describe('a sample after red tests', () => {
  it.each<[string, string, Partial<Attempt>, string]>([
    ['with other code is tested', answer('hi'), {}, 'repaired'],
    ['that is the draft whose tests failed counts as repeated', answer('hello'), {}, 'repeated'],
    ['that is the best draft so far counts as repeated', answer('ho'), { best }, 'repeated'],
    ['that says there is nothing to do counts as repeated', 'NOTHING_TO_DO', {}, 'repeated'],
    ['without code counts as repeated', 'I cannot do that.', {}, 'repeated'],
    [
      'that is repeated ends the attempt where no request is left',
      answer('hello'),
      { testRepairs: 1, validationRepairs: 2 },
      'failed',
    ],
  ])('%s', async (_, reply, facts, outcome) => {
    const { step, request } = await repair(reply, facts)
    expect(step.outcome).toBe(outcome)
    expect(request).toMatchObject({ purpose: 'repair_test', sample: 1 })
    const { requests, testRepairs, emptyRepairs, draft } = attemptAfter(step)
    expect(emptyRepairs).toBe(reply.startsWith('I cannot') ? 1 : 0)
    expect(requests).toMatchObject([first, { rung: 'sample', form: 'whole', sample: 1 }])
    expect(testRepairs).toBe((facts.testRepairs ?? 0) + 1)
    expect(draft?.changes).toEqual(outcome === 'repaired' ? [greets('hi')] : greeting)
  })

  it.each([
    ['ends the attempt', tallied(3, 6), 'failed'],
    ['does not where more than half could be used', tallied(4, 6), 'repeated'],
  ])(
    'without code, of a model of which hardly an answer can be used, %s',
    async (_, before, outcome) => {
      const { step } = await repair('I cannot do that.', {}, { 'T-0': before })
      expect(step.outcome).toBe(outcome)
    },
  )

  it('answers the first question, with the failure and without the code that failed', async () => {
    const { asked } = await repair(answer('hi'), {})
    expect(asked).toContain('TASK T-1: Add a greeting')
    expect(asked).toContain("FAILED greets (test/greet.test.js:3)\nAssertionError: expected 'hi'")
    expect(asked).not.toContain("() => 'hello'")
    expect(asked).not.toContain('NOTHING_TO_DO')
  })

  it.each<[string, Partial<Attempt>]>([
    ['for an attempt that noted no request', { requests: [] }],
    ['for a group', { task: aTask({ members: [aTask(), aTask()] }) }],
    ['for a review', { feedback: { by: 'ada', text: 'No.', threads: [] } }],
    [
      'once the samples are drawn',
      { requests: [first, ...Array.from({ length: 9 }, () => drawn)] },
    ],
  ])('is not drawn %s', async (_, facts) => {
    const { asked, request } = await repair(answer('hi'), facts)
    expect(asked).toContain('breaks tests. Change the code so that they pass')
    expect(request?.sample).toBeUndefined()
  })
})
