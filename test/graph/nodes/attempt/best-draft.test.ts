import { describe, expect, it } from 'vitest'
import { nothingRun } from '../../../../packages/judge/verdict/nothing-run.ts'
import type { Attempt, BestDraft } from '../../../../src/core/domain/attempt.ts'
import { verifyTask } from '../../../../src/graph/nodes/attempt/verify-task.ts'
import { fakePorts } from '../../../fakes/facts.ts'
import { createScriptedSandbox, tapReport } from '../../../fakes/scripted-sandbox.ts'
import { aDraft, attemptAfter, taskUnderWay } from '../bench.ts'

const files = {
  'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  'test/a.test.js': "import test from 'node:test'\n",
}

const failures = (...names: readonly string[]) =>
  names.map((name) => ({ name, file: 'test/a.test.js', line: 3, error: `expected ${name}` }))

const earlierDraft = aDraft({ summary: 'the earlier one' })

/** An earlier draft with these red tests. */
const bestWith = (...names: readonly string[]): BestDraft => ({
  draft: earlierDraft,
  broken: names.map((test) => ({
    ...{ test, file: 'test/a.test.js', line: 3, message: `expected ${test}`, trace: [] },
    ...{ expected: null, actual: null, errorType: null },
  })),
  tests: { commands: [] },
  receipt: nothingRun([], ['the earlier run'], 'failed'),
})

/** Verifies a draft with these red tests. */
async function verify(red: readonly string[], attempt: Partial<Attempt>) {
  const draft = aDraft({ summary: 'the present one' })
  const { workspace, state } = await taskUnderWay({ files, attempt: { draft, ...attempt } })
  const sandbox = createScriptedSandbox((_, { folder }) => {
    const found = folder.includes('baseline') ? [] : failures(...red)
    const report = tapReport(4 - found.length, found)
    const collected = new Map([['.executor-results-1.report', report]])
    return { exitCode: found.length > 0 ? 1 : 0, collected }
  })
  return verifyTask(state, fakePorts({ workspace, sandbox }, { testRepairs: 2 }))
}

describe('of several drafts with red tests', () => {
  it.each<[string, readonly string[], BestDraft | null, string, number]>([
    ['the first is the best so far', ['a', 'b'], null, 'the present one', 2],
    ['one with fewer red tests is the best', ['a'], bestWith('a', 'b'), 'the present one', 1],
    [
      'the earlier one is the best where both fail alike',
      ['a'],
      bestWith('b'),
      'the earlier one',
      1,
    ],
    ['one with more red tests is not the best', ['a', 'b'], bestWith('c'), 'the earlier one', 1],
  ])('%s', async (_, red, best, summary, count) => {
    const step = await verify(red, { best })
    expect(step.outcome).toBe('failed')
    const after = attemptAfter(step)
    expect(after.best?.draft.summary).toBe(summary)
    expect(after.best?.broken).toHaveLength(count)
    // The next repair is for the present draft.
    expect(after.draft?.summary).toBe('the present one')
    expect(after.broken).toHaveLength(red.length)
  })

  const spent = { testRepairs: 2, validationRepairs: 9 }

  it('the best is kept where the attempt ends, with its own tests', async () => {
    const step = await verify(['a', 'b'], { ...spent, best: bestWith('c') })
    expect(step.outcome).toBe('repairs_spent')
    expect(attemptAfter(step)).toMatchObject({
      draft: { summary: 'the earlier one' },
      broken: [{ test: 'c' }],
      receipt: { notes: ['the earlier run'] },
      failure: { at: 'repairs_spent', message: 'c: expected c', failures: [{ test: 'c' }] },
    })
  })

  it('the last is kept where it is the best', async () => {
    const step = await verify(['a'], { ...spent, best: bestWith('a', 'b') })
    expect(step.outcome).toBe('repairs_spent')
    expect(attemptAfter(step)).toMatchObject({
      draft: { summary: 'the present one' },
      failure: { at: 'repairs_spent', failures: [{ test: 'a' }] },
    })
  })

  it('one that passes is taken, whatever was before', async () => {
    const step = await verify([], { ...spent, best: bestWith('a') })
    expect(step.outcome).toBe('passed')
    expect(attemptAfter(step).draft?.summary).toBe('the present one')
  })
})
