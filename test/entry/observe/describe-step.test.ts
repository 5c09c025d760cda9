import { describe, expect, it } from 'vitest'
import type { Receipt } from '../../../packages/judge/results/test-report.ts'
import type { Attempt } from '../../../src/core/domain/attempt.ts'
import { newLoop, type ToolTurn } from '../../../src/core/domain/tool-loop.ts'
import { describeFinding, describePreview } from '../../../src/entry/observe/describe-step.ts'
import { notRun } from '../../../src/graph/tools/tool-result.ts'
import { anAttempt, aState, someSettings } from '../../fakes/facts.ts'

const preview = { tasks: 2, tokens: 3100, dollars: 0.0123, pastTasks: 4, warnings: 0 }
const forecast = 'Forecast: 2 open tasks, about 3,100 tokens, $0.0123 (from 4 past tasks).'
const warned = 'ROADMAP.md has 2 warnings: executor lint shows them.'

describe('what is said before a run spends anything', () => {
  it.each([
    ['a forecast', { roadmap: { preview } }, {}, [forecast]],
    [
      'the warnings, in a line',
      { roadmap: { preview: { ...preview, warnings: 2 } } },
      {},
      [forecast, warned],
    ],
    [
      'one warning',
      { roadmap: { preview: { ...preview, warnings: 1 } } },
      {},
      [forecast, expect.stringContaining('1 warning:')],
    ],
    ['nothing of a roadmap that was not read', { roadmap: { preview: null } }, {}, []],
    ['no forecast of nothing', { roadmap: { preview: { ...preview, tasks: 0 } } }, {}, []],
    [
      'only warnings in a dry run',
      { run: { dryRun: true }, roadmap: { preview: { ...preview, warnings: 2 } } },
      {},
      [warned],
    ],
    [
      'that a limit of dollars cannot count',
      { roadmap: { preview: { ...preview, dollars: null } } },
      { dollarsPerDay: 5 },
      [
        'Forecast: 2 open tasks, about 3,100 tokens, cost unknown (from 4 past tasks).',
        'No price is known for scripted, so no limit of dollars can stop it: set prices.',
      ],
    ],
    [
      'that it cannot count the model of a task',
      { roadmap: { preview: { ...preview, dollars: null } } },
      { dollarsPerDay: 5 },
      [
        expect.any(String),
        'No price is known for a model that a task names, so no limit of dollars can stop it: set prices.',
      ],
    ],
    [
      'no price, and no need for one',
      { roadmap: { preview: { ...preview, dollars: null } } },
      {},
      [expect.any(String)],
    ],
  ])('is %s', (name, facts, limits, lines) => {
    const settings = someSettings(limits)
    const prices = name.includes('of a task') ? { scripted: { prompt: 1, completion: 1 } } : {}
    const model = { ...settings.model, prices }
    expect(describePreview(aState(facts), { ...settings, model })).toEqual(lines)
  })
})

describe('what a step found', () => {
  const draft = {
    changes: [{ action: 'create', path: 'src/a.js', content: '' }],
    ...{ refusals: [], claimsDone: false, summary: '', notes: [] },
    warnings: ['.npmrc was left out: a settings file'],
  } as const

  it('counts the steps of a plan that is written step by step', () => {
    const part = (id: string) => ({ id, does: `write ${id}`, files: [`${id}.js`], needs: [] })
    const plan = {
      files: [],
      complexity: 'high',
      steps: [],
      parts: [part('a'), part('b')],
    } as const
    const told = (parts: Attempt['parts']) =>
      describeFinding(
        'execute_task',
        'part_drafted',
        aState({ attempt: anAttempt({ plan, parts }) }),
      )
    expect(told({ done: ['a'], refusals: [], again: '' })).toBe('step 1 of 2 is written')
    expect(told({ done: ['a'], refusals: [], again: 'no\nfile' })).toBe(
      'step 2 of 2 is asked for again: no file',
    )
  })

  it('names the files once they are written, and what was left out', () => {
    const state = aState({ attempt: anAttempt({ draft }) })
    expect(describeFinding('execute_task', 'drafted', state)).toBeNull()
    expect(describeFinding('write_files', 'written', state)).toBe(
      'create src/a.js; .npmrc was left out: a settings file',
    )
  })

  it('tells what could not be told, and the last words of what is red as it was before', () => {
    const output = `${'line\n'.repeat(9)}[ERROR] no compiler is provided`
    const command = { command: 'mvn test', exitCode: 1, seconds: 1, output }
    const receipt: Receipt = {
      ...{ result: 'unverified', before: null, after: null, seconds: 1, sandbox: null },
      ...{ commands: [command], notes: ['mvn test failed in the same way before.'] },
    }
    const found = describeFinding(
      'verify_task',
      'unverified',
      aState({ attempt: anAttempt({ receipt }) }),
    )
    const [, note, ...said] = (found ?? '').split('\n').map((line) => line.trim())
    expect(note).toBe('mvn test failed in the same way before.')
    expect(said).toEqual([...Array(4).fill('line'), '[ERROR] no compiler is provided'])
  })
})

describe('a step in a line', () => {
  const turn = {
    tool: 'grep',
    input: '{"words": "total"}',
    thought: '',
    observation: '',
    isOk: true,
  }
  const refused = { ...turn, tool: '', observation: 'Your reply had no tool call.', isOk: false }
  const problem = { type: 'reply', message: 'The answer has no file in it.', line: 0, column: 0 }
  it.each([
    [
      'use_tool',
      'observed',
      withTurn({ ...turn, summary: '3 in 2 files' }),
      '⚒ grep "total" → 3 in 2 files',
    ],
    [
      'use_tool',
      'observed',
      withTurn({ ...refused, summary: notRun }),
      '⚒ no tool → refused: Your reply had no tool call.',
    ],
    [
      'validate_code',
      'invalid',
      { problems: [{ ...problem, path: '' }] },
      'not written yet: The answer has no file in it.',
    ],
    [
      'validate_code',
      'invalid',
      { problems: [{ ...problem, path: 'a.js', line: 2 }] },
      'not written yet: a.js:2: The answer has no file in it.',
    ],
    [
      'classify_failure',
      'rerouted',
      { route: { way: 'tools', reason: 'single failed' } },
      'single failed: the task is tried once more with tools',
    ],
  ] as const)('%s %s', (node, outcome, facts, said) => {
    expect(describeFinding(node, outcome, aState({ attempt: anAttempt(facts) }))).toBe(said)
  })
})

function withTurn(turn: ToolTurn): Partial<Attempt> {
  return { loop: { ...newLoop, turns: [turn] } }
}
