import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { changeState } from '../../../src/core/domain/change-state.ts'
import type { RunState } from '../../../src/core/domain/run-state.ts'
import type { Settings } from '../../../src/core/domain/settings.ts'
import {
  type BudgetCheck,
  checkBudget,
  contextBudget,
  contextBudgetOf,
} from '../../../src/model/budget/check-budget.ts'
import { anAttempt, aState } from '../../fakes/facts.ts'
import { settingsWith, stateWith, tokensUsed } from './spending-state.ts'

const whole = { status: 'ok', maxOutputTokens: 4000, continuations: 2 }
const over = (scope: string, limit: string) => ({ status: 'over_budget', scope, limit })
const dollars = (amount: number) => tokensUsed(0, amount)

describe('checkBudget, before a request of 1,000 tokens and an answer of up to 4,000', () => {
  // One answer: 5,000 tokens, $0.041. Continued once: 14,000 and $0.086; twice: 27,000 and $0.135.
  test.each<[name: string, RunState, Partial<Settings['limits']>, expected: object]>([
    ['no limit', stateWith({ run: tokensUsed(1e9, 1e6) }), {}, whole],
    ['room for all', stateWith(), { tokens: 27_000, dollars: 0.135 }, whole],
    ['room for one continuation', stateWith(), { tokens: 26_999 }, { ...whole, continuations: 1 }],
    ['… in dollars', stateWith(), { dollars: 0.1349 }, { ...whole, continuations: 1 }],
    ['room for the answer alone', stateWith(), { tokens: 5000 }, { ...whole, continuations: 0 }],
    [
      'a shorter answer',
      stateWith({ run: tokensUsed(1000) }),
      { tokens: 3000 },
      { status: 'ok', maxOutputTokens: 1000, continuations: 0 },
    ],
    [
      'a shorter answer for its price',
      stateWith(),
      { dollars: 0.011015 },
      { status: 'ok', maxOutputTokens: 1001, continuations: 0 },
    ],
    ['the shortest answer', stateWith(), { tokens: 1256 }, { status: 'ok', maxOutputTokens: 256 }],
    [
      'too short an answer',
      stateWith({ run: tokensUsed(8745) }),
      { tokens: 10_000 },
      over(
        'run',
        'The run may use 10,000 tokens (max-tokens): 8,745 tokens are used, and the next request needs at least 1,256 tokens.',
      ),
    ],
    [
      'too little money',
      stateWith({ run: dollars(0.997) }),
      { dollars: 1 },
      over(
        'run',
        'The run may use $1.00 (max-cost): $0.997 are used, and the next request needs at least $0.0036.',
      ),
    ],
    [
      "a task's Budget line of tokens",
      stateWith({ task: tokensUsed(19_000), budget: { tokens: 20_000, dollars: null } }),
      {},
      over(
        'task',
        'Task T-1 may use 20,000 tokens (its Budget line): 19,000 tokens are used, and the next request needs at least 1,256 tokens.',
      ),
    ],
    [
      "a task's Budget line of dollars",
      stateWith({ task: dollars(0.1), budget: { tokens: null, dollars: 0.1 } }),
      {},
      over(
        'task',
        expect.stringMatching(/^Task T-1 may use \$0\.10 \(its Budget line\): \$0\.10 /),
      ),
    ],
    [
      'the limit of tokens per task',
      stateWith({ task: tokensUsed(900) }),
      { tokensPerTask: 1000 },
      over('task', expect.stringContaining('(limits.tokens-per-task)')),
    ],
    [
      'the limit of dollars per task',
      stateWith({ task: dollars(2) }),
      { dollarsPerTask: 2 },
      over('task', expect.stringContaining('(limits.cost-per-task)')),
    ],
    [
      'the limit of tokens per call',
      stateWith(),
      { tokensPerCall: 1255 },
      over(
        'call',
        'One request may use 1,255 tokens (limits.tokens-per-call): the next request needs at least 1,256 tokens.',
      ),
    ],
    [
      '… exactly met by the shortest answer',
      stateWith(),
      { tokensPerCall: 1256 },
      { maxOutputTokens: 256 },
    ],
    [
      'the limit of dollars per call',
      stateWith(),
      { dollarsPerCall: 0.003 },
      over('call', expect.stringContaining('$0.003 (limits.cost-per-call)')),
    ],
    [
      'a call, whatever was used before',
      stateWith({ run: tokensUsed(1e6), task: tokensUsed(1e6) }),
      { tokensPerCall: 13_000 },
      whole,
    ],
    [
      'a call whose second continuation would be too long a prompt',
      stateWith(),
      { tokensPerCall: 12_999 },
      { ...whole, continuations: 1 },
    ],
    ['… in dollars', stateWith(), { dollarsPerCall: 0.0489 }, { ...whole, continuations: 1 }],
    [
      'what other tasks used',
      stateWith({ run: tokensUsed(9000) }),
      { tokensPerTask: 27_000 },
      whole,
    ],
    [
      'minutes',
      stateWith({ seconds: 600 }),
      { minutes: 10 },
      over('run', 'The run may take 10 minutes (limits.minutes), and they are over.'),
    ],
    ['minutes left', stateWith({ seconds: 599 }), { minutes: 10 }, whole],
    ['a price nobody knows', stateWith({ model: 'own-model' }), { dollars: 0.001 }, whole],
    [
      'dollars spent before, with a price nobody knows',
      stateWith({ model: 'own-model', run: dollars(1) }),
      { dollars: 1 },
      over('run', expect.stringContaining('max-cost')),
    ],
    [
      'nothing at all',
      stateWith(),
      { tokens: 0 },
      over('run', expect.stringContaining('0 tokens')),
    ],
  ])('%s', (_, state, limits, expected) => {
    expect(checkBudget(state, settingsWith(limits), { promptTokens: 1000 })).toMatchObject(expected)
  })

  it('takes a short answer where only that was asked for', () => {
    const check = checkBudget(stateWith(), settingsWith({ tokens: 1100 }), {
      promptTokens: 1000,
      maxOutputTokens: 100,
    })
    expect(check).toEqual({ status: 'ok', maxOutputTokens: 100, continuations: 0 })
  })

  it('works before any task is picked', () => {
    const state = changeState(stateWith(), { attempt: null })
    expect(checkBudget(state, settingsWith({ tokensPerTask: 1 }), { promptTokens: 9 })).toEqual(
      whole,
    )
  })
})

test.each([
  [{ contextTokens: 12_000 }, 12_000],
  [{ contextTokens: 12_000, tokensPerCall: 8001 }, 4000],
  [{ contextTokens: 500, tokensPerCall: 8000 }, 500],
])('leaves room for the answer: %j', (limits, expected) => {
  expect(contextBudget(settingsWith(limits))).toBe(expected)
})

it('never allows more than what is left, whatever the answers turn out to be', () => {
  const spending = fc.record({
    used: fc.nat(50_000),
    limit: fc.nat(60_000),
    cents: fc.nat(50),
    prompt: fc.nat(5000),
    wanted: fc.integer({ min: 1, max: 20_000 }),
  })
  fc.assert(
    fc.property(spending, ({ used, limit, cents, prompt, wanted }) => {
      const state = stateWith({ run: tokensUsed(used), task: tokensUsed(used) })
      const settings = settingsWith({ tokensPerTask: limit, dollars: cents / 100 })
      const check = checkBudget(state, settings, { promptTokens: prompt, maxOutputTokens: wanted })
      if (check.status === 'over_budget') return
      const { tokens, cost } = worstCase(check, prompt)
      expect(check.maxOutputTokens).toBeLessThanOrEqual(wanted)
      expect(used + tokens).toBeLessThanOrEqual(limit)
      expect(cost).toBeLessThanOrEqual(cents / 100 + 1e-9)
    }),
  )
})

/** Call by call: every answer as long as allowed, and repeated in the prompt of the next. */
function worstCase(check: Extract<BudgetCheck, { status: 'ok' }>, prompt: number) {
  let input = 0
  let output = 0
  for (let call = 0; call <= check.continuations; call++) {
    input += prompt + output
    output += check.maxOutputTokens
  }
  return { tokens: input + output, cost: (input * 1 + output * 10) / 1e6 }
}

test('a request with little code has a budget for it, unless the budget is smaller', () => {
  const state = aState({ attempt: anAttempt({ refinement: 'less_code' }) })
  expect(contextBudgetOf(state, settingsWith())).toBe(2_000)
  expect(contextBudgetOf(state, settingsWith({ contextTokens: 900 }))).toBe(900)
})

test.each([
  ['unknown', undefined, 12_000],
  ['fast', 2_500, 12_000],
  ['slow', 62.5, 3_750],
  ['very slow', 8, 2_000],
])('a %s server is shown the code that it reads in a minute', (_, speed, tokens) => {
  const speeds = speed === undefined ? {} : { speeds: { [settingsWith().model.name]: speed } }
  const state = aState({ attempt: anAttempt(), learned: speeds })
  expect(contextBudgetOf(state, settingsWith({ contextTokens: 12_000 }))).toBe(tokens)
  expect(contextBudgetOf(state, settingsWith({ contextTokens: 900 }))).toBe(900)
})
