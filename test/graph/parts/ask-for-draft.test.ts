import { describe, expect, it } from 'vitest'
import { baselineOn } from '../../../packages/judge/run/baseline.ts'
import type { Attempt, ContextFile, Failure } from '../../../src/core/domain/attempt.ts'
import { startOf } from '../../../src/core/domain/change-state.ts'
import { executeTask } from '../../../src/graph/nodes/attempt/execute-task.ts'
import { formFor } from '../../../src/graph/parts/ask-for-draft.ts'
import { anAttempt, aState, aTask, fakePorts, someSettings } from '../../fakes/facts.ts'
import { createScriptedModel } from '../../fakes/scripted-model.ts'
import { createScriptedSandbox, tapReport } from '../../fakes/scripted-sandbox.ts'
import { attemptAfter, taskUnderWay } from '../nodes/bench.ts'

const path = 'src/greet.js'
const text = "export const greet = () => 'hello'\n"
const shown: ContextFile = { path, text, whole: true }
const aTest: ContextFile = { path: 'test/greet.test.js', text: "test('greets')\n", whole: true }
const answer = `${path}\n\`\`\`js\nexport const greet = () => 'hi'\n\`\`\`\n`

type Tests = 'green' | 'red' | 'unknown'

async function ask(attempt: Partial<Attempt>, tests: Tests = 'unknown') {
  const { workspace, state } = await taskUnderWay({
    files: {
      ...{ [path]: text, [aTest.path]: aTest.text },
      'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
    },
    attempt: { targets: [path], context: [shown, aTest], ...attempt },
    state: { progress: { next: 'execute_task' } },
  })
  const failing = { name: 'greets', file: aTest.path, line: 1, error: 'no' }
  const report = tests === 'red' ? tapReport(1, [failing]) : tapReport(2)
  const sandbox = createScriptedSandbox(() => ({
    exitCode: tests === 'red' ? 1 : 0,
    collected: new Map([['.executor-results-1.report', report]]),
  }))
  const model = createScriptedModel([answer])
  const ports = fakePorts({ workspace, sandbox, model })
  if (tests !== 'unknown') await baselineOn(startOf(state), ports)
  const step = await executeTask(state, ports)
  const messages = model.requests[0]?.messages ?? []
  const whole = messages.map(({ content }) => content).join('\n')
  return { step, whole, asked: messages.at(-1)?.content ?? '' }
}

describe('"nothing to do" is', () => {
  it('never offered: the request is the same whatever is known of the tests, so a killed run sends it again', async () => {
    const [green, red, unknown] = await Promise.all([
      ask({}, 'green'),
      ask({}, 'red'),
      ask({}, 'unknown'),
    ])
    expect(unknown.whole).not.toContain('NOTHING_TO_DO')
    expect([green.whole, red.whole]).toEqual([unknown.whole, unknown.whole])
  })

  it('not offered again once red tests refuted it, which the request names', async () => {
    const failed = { test: 'greets', file: aTest.path, line: 1, message: "expected 'hi'" }
    const failure: Failure = {
      ...{ at: 'refuted', message: 'greets: no', problems: [], output: '' },
      failures: [{ ...failed, expected: null, actual: null, errorType: null, trace: [] }],
    }
    const { step, asked } = await ask({ failure }, 'green')
    expect(asked).toContain('there is nothing to do, but these tests fail:\nFAILED greets')
    expect(attemptAfter(step).requests).toMatchObject([{ rung: 'red_tests', sample: 0 }])
    expect(attemptAfter(step).failure).toBeNull()
  })
})

describe('a request for a change', () => {
  it.each<[string, Partial<Attempt>, string, string]>([
    ['of a small file wants it whole', {}, 'whole', 'one code fence with the whole finished file'],
    [
      'of a long file wants edits',
      { context: [{ ...shown, text: text.repeat(400) }] },
      'edits',
      'one code fence with SEARCH/REPLACE blocks',
    ],
  ])('%s', async (_, attempt, form, words) => {
    const { step, asked } = await ask(attempt)
    expect(asked).toMatch(new RegExp(`\\n\\nWrite src/greet\\.js: [^\\n]*${words}\\.$`))
    expect(attemptAfter(step).requests).toEqual([{ rung: 'first', form, sample: 0, why: '' }])
  })

  it.each<[string, Partial<Attempt>, readonly string[]]>([
    ['apart from the code', {}, [`TESTS (read only)\n${aTest.path}`, `FILES\n${path}`]],
    [
      'with the code, where it is to be written',
      { targets: [aTest.path] },
      [`FILES\n${path}`, `\n${aTest.path}\n`],
    ],
  ])('shows an existing test %s', async (_, attempt, parts) => {
    const { asked } = await ask(attempt)
    for (const part of parts) expect(asked).toContain(part)
    expect(asked.includes('TESTS (read only)')).toBe(parts[0]?.startsWith('TESTS'))
  })
})

it('asks in the form that was measured of the model that the task is for', () => {
  const long = { path, text: "export const greet = () => 'hello'\n".repeat(200), whole: true }
  const forms = { weak: { edits: { good: 0, of: 5 } }, strong: { edits: { good: 5, of: 5 } } }
  const of = (model: string) => {
    const attempt = anAttempt({ task: aTask({ model }) })
    const state = aState({ learned: { forms }, attempt })
    return formFor(state, { settings: someSettings() }, [long], [])
  }
  expect(['weak', 'strong', 'other'].map(of)).toEqual(['whole', 'edits', 'edits'])
})
