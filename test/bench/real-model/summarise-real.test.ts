import { describe, expect, it } from 'vitest'
import { choosePrograms } from '../../../bench/measures/real-model.ts'
import type { RealResult } from '../../../bench/real-model/play-task.ts'
import { readAnswer } from '../../../bench/real-model/read-answer.ts'
import type { Exchange } from '../../../bench/real-model/record-proxy.ts'
import { writeRealTables } from '../../../bench/real-model/summarise-real.ts'
import {
  countRepeats,
  usabilityByForm,
  usabilityByJournal,
} from '../../../bench/real-model/unusable-answers.ts'
import { type JournalEvent, readJournalLine } from '../../../src/core/domain/journal-event.ts'

const exchange = (more: Partial<Exchange>): Exchange => ({
  ...{ path: '/v1/chat/completions', purpose: null, request: {}, ownTemperature: null },
  ...{ text: '', toolCalls: '', finish: 'stop', timings: null, status: 200, refusal: '' },
  ...{ promptTokens: 10, completionTokens: 5, isEstimated: false, isCut: false },
  ...{ seconds: 1, firstByteSeconds: 0.5, ...more },
})

const result = (more: Partial<RealResult>): RealResult => ({
  ...{ program: 'executor', task: 'HumanEval/1', model: 'small', temperature: null },
  ...{ isSolved: true, isRight: true, isWrong: false, outcome: 'done', reason: '', limit: null },
  ...{ requests: 2, promptTokens: 800, completionTokens: 200, estimated: 0, modelSeconds: 30 },
  ...{ seconds: 40, repeats: 0, unusable: {}, isFirstUsable: true, ownTemperature: null, ...more },
})

describe('the table', () => {
  const tables = writeRealTables([
    result({}),
    result({
      ...{ task: 'HumanEval/3', isSolved: false, isRight: false, isWrong: true, repeats: 1 },
      ...{ unusable: { 'no code': 2 }, isFirstUsable: false, estimated: 1 },
    }),
    result({ program: 'naive', isSolved: false, limit: 'requests', temperature: 0 }),
    result({ program: 'naive', task: 'HumanEval/3', ownTemperature: 0.2 }),
  ])

  it.each([
    '| executor | 1 of 2 | 1 | 4 | 1 | 2,000 (1 answers estimated) | 2,000 | 60 | 1 of 2 | 2 no code | 0 | the server’s |',
    '| naive | 1 of 2 |  | 4 | 0 | 2,000 | 2,000 | 60 | 2 of 2 | 0 | 1 | 0, set by the bench; 0.2 |',
    'executor and naive both played 2 tasks. Only executor solved: HumanEval/1. Only naive solved: HumanEval/3.',
  ])('has %s', (line) => {
    expect(tables.split('\n')).toContain(line)
  })
})

describe('requests sent twice', () => {
  const asked = (content: string, more: object = {}) =>
    exchange({ request: { messages: [{ role: 'user', content }], temperature: 0, ...more } })

  it.each<readonly [string, readonly Exchange[], number]>([
    ['the same but for digits', [asked('try 1 of 3'), asked('try 12 of 3')], 1],
    ['three of them', [asked('a'), asked('a'), asked('a')], 2],
    ['another temperature', [asked('a'), asked('a', { temperature: 0.8 })], 0],
    ['another sample', [asked('a', { seed: 1 }), asked('a', { seed: 2 })], 0],
    ['other words', [asked('a'), asked('b')], 0],
  ])('%s', (_, exchanges, expected) => {
    expect(countRepeats(exchanges)).toBe(expected)
  })
})

describe('unusable answers', () => {
  const fence = /^```/m

  it.each<readonly [string, Partial<Exchange>, object]>([
    ['code', { text: 'Here:\n```py\nx\n```' }, {}],
    ['words', { text: 'I would do it.' }, { 'no code': 1 }],
    ['nothing', {}, { empty: 1 }],
    ['a runaway', { text: 'and on and on', finish: 'length' }, { 'cut off': 1 }],
    ['a refusal', { status: 400 }, { 'status 400': 1 }],
  ])('by form: %s', (_, given, unusable) => {
    const isFirstUsable = Object.keys(unusable).length === 0
    expect(usabilityByForm([exchange(given)], fence)).toEqual({ unusable, isFirstUsable })
  })

  const place = { at: '2026-01-02T03:04:05.000Z', run: 'r', task: 'T-1', attempt: 1 }
  const usage = { requests: 1, promptTokens: 1, completionTokens: 1, dollars: 0 }
  const step = (node: string, outcome: string) => ({
    ...{ ...place, kind: 'stepped', node, outcome, seconds: 1, usage },
  })
  const fault = (node: string, type: string, message: string) => ({
    ...{ ...place, kind: 'failed', node, signature: 's', message },
    error: { type, severity: 'error', recoverable: true, strategy: 'ask_again' },
  })
  const read = (events: readonly object[]): readonly JournalEvent[] =>
    events.map((event, seq) => {
      const found = readJournalLine(JSON.stringify({ seq, ...event }))
      if (found === null) throw new Error(`no journal line: ${JSON.stringify(event)}`)
      return found
    })

  it.each<readonly [string, readonly object[], object, boolean | null]>([
    ['a claim', [step('execute_task', 'claims_done')], { 'execute_task: claims_done': 1 }, false],
    [
      'a usable answer',
      [step('execute_task', 'drafted'), step('validate_code', 'valid')],
      {},
      true,
    ],
    [
      'an answer without files, then one that loses lines',
      [
        step('validate_code', 'invalid'),
        fault('validate_code', 'model_error', 'The answer has no file in it.'),
        step('validate_code', 'invalid'),
        fault('validate_code', 'model_error', 'the file in full loses 13 of 15 lines; send less'),
      ],
      { 'The answer has no file in it': 1, 'the file in full loses N of N lines': 1 },
      false,
    ],
    ['no answer at all', [step('pick_task', 'picked')], {}, null],
  ])('by the journal: %s', (_, events, unusable, isFirstUsable) => {
    expect(usabilityByJournal(read(events))).toEqual({ unusable, isFirstUsable })
  })
})

it.each([
  [
    'streamed',
    'data: {"choices":[{"delta":{"content":"a"}}]}\n\ndata: {"choices":[{"delta":{"content":"b"},"finish_reason":"stop"}]}\n\ndata: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2}}\n\ndata: [DONE]\n',
  ],
  [
    'whole',
    '{"choices":[{"message":{"content":"ab"},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":2}}',
  ],
])('an answer that comes %s', (_, raw) => {
  const usage = { promptTokens: 7, completionTokens: 2 }
  expect(readAnswer(raw)).toMatchObject({ text: 'ab', finish: 'stop', usage })
})

it.each([
  ['naive,aider', { executor: 'e', naive: '', aider: 'a' }, ['executor', 'naive', 'aider']],
  ['', { executor: 'e' }, ['executor']],
])('the programs of --with %o', (wanted, paths, names) => {
  const chosen = choosePrograms(wanted, paths)
  expect(typeof chosen === 'string' ? chosen : chosen.map(({ name }) => name)).toEqual(names)
})

it.each([
  ['nave', '--with knows executor, naive, aider, mini-swe-agent, not nave.'],
  ['aider', 'Say where aider is.'],
])('--with %o is refused', (wanted, message) => {
  expect(choosePrograms(wanted, { executor: 'e', naive: '' })).toBe(message)
})
