import { afterEach, describe, expect, it, test } from 'vitest'
import { type AnswerEnd, readEnd } from '../../../src/adapters/openai/answer-ends.ts'
import { chunk, completion, json, type RawReply, startRaw, stream } from './raw-replies.ts'
import { closers, question } from './start-model.ts'

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

test.each<[AnswerEnd, ...string[]]>([
  ['whole', 'stop', 'STOP', 'eos', 'end_turn', 'tool_calls', 'stop_sequence', 'COMPLETE', 'odd'],
  ['cut', 'length', 'max_tokens', 'MAX_TOKENS', 'maxTokens', 'model_length', 'ERROR_LIMIT'],
  ['cut', 'model_context_window_exceeded', 'FINISH_REASON_MAX_TOKENS'],
  ['stopped', 'content_filter', 'SAFETY', 'FinishReason.RECITATION', 'blocklist', 'sensitive'],
  ['stopped', 'content_filter: PROHIBITED_CONTENT', 'refusal', 'guardrail_intervened', 'OTHER'],
  ['broken', 'error', 'network_error', 'insufficient_system_resource', 'abort'],
  ['miscalled', 'malformed_function_call', 'MALFORMED_FUNCTION_CALL', 'unexpected_tool_call'],
])('is %s after %s', (end, ...reasons) => {
  expect(reasons.map(readEnd)).toEqual(reasons.map(() => end))
})

const good = stream(chunk('all of it', 'stop'))
const wholly = (text: unknown, finish: string, more = {}): RawReply => [
  200,
  'application/json',
  completion(text, finish, more),
]
const thought = { choices: [{ delta: { reasoning_content: 'Hm.' } }] }

describe('an answer', () => {
  test.each<[name: string, replies: readonly RawReply[], expected: object, requests: number]>([
    [
      'that a filter ends is a part',
      [stream(chunk('half'), chunk('', 'content_filter'))],
      { text: 'half', finish: 'length', why: 'the endpoint ended it (content_filter)' },
      1,
    ],
    [
      'that a filter ends at once is empty, with the reason',
      [wholly('', 'sensitive')],
      { text: '', finish: 'stop', why: 'the endpoint ended it (sensitive)' },
      1,
    ],
    [
      'that is cut is continued, whatever the word for it',
      [stream(chunk('one, ', 'MAX_TOKENS')), stream(chunk('two', 'stop'))],
      { text: 'one, two', finish: 'stop', why: '' },
      2,
    ],
    [
      'that is cut stays a part where nothing continues it',
      [stream(chunk('one, ', 'length')), stream(chunk('', 'stop'))],
      { text: 'one, ', finish: 'length', why: '' },
      2,
    ],
    [
      'that is cut stays a part where a filter ends the rest',
      [stream(chunk('one, ', 'length')), stream(chunk('', 'content_filter'))],
      { text: 'one, ', finish: 'length', why: 'the endpoint ended it (content_filter)' },
      2,
    ],
    [
      'with only a thought says so',
      [stream(JSON.stringify(thought), chunk('', 'stop'))],
      { text: '', finish: 'stop', why: 'the model wrote only its reasoning' },
      1,
    ],
    [
      'with a thought among its parts says so',
      [wholly([{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }], 'stop')],
      { text: '', why: 'the model wrote only its reasoning' },
      1,
    ],
    [
      'with only a cut thought says so',
      [stream(JSON.stringify(thought), chunk('', 'length'))],
      { text: '', finish: 'length', why: 'the model wrote only its reasoning (length)' },
      1,
    ],
    [
      'with only a refusal says so',
      [wholly(null, 'stop', { refusal: 'I cannot\nhelp.' })],
      { text: '', finish: 'stop', why: 'the model refused: I cannot help.' },
      1,
    ],
    [
      'that announces calls and has none says so',
      [stream(chunk('', 'tool_calls'))],
      { text: '', why: 'it ended at once (tool_calls)' },
      1,
    ],
    ['that is empty says no more', [wholly('', 'stop')], { text: '', why: '' }, 1],
    [
      'is asked for again after an error in its choice',
      [stream(chunk('ha'), chunk('', 'error', { error: { code: 502, message: 'Gone' } })), good],
      { text: 'all of it', setbacks: [{ reason: expect.stringMatching(/: Gone$/) }] },
      2,
    ],
    [
      'is asked for again after an error without words',
      [stream(chunk('ha'), chunk('', 'insufficient_system_resource')), good],
      { setbacks: [{ reason: expect.stringMatching(/ended with insufficient_system_resource$/) }] },
      2,
    ],
    [
      'counts though an error stands beside its end',
      [stream(chunk('all of it', 'stop', { error: { message: 'a warning' } }))],
      { text: 'all of it', finish: 'stop' },
      1,
    ],
    [
      'to a prompt that a filter refuses is empty, with the reason',
      [json(400, { error: { message: 'It triggers the policy.', code: 'content_filter' } })],
      {
        text: '',
        finish: 'stop',
        why: expect.stringMatching(/refused.*: It triggers the policy\.$/),
      },
      1,
    ],
  ])('%s', async (_, replies, expected, requests) => {
    const raw = await startRaw(...replies)
    const reply = await raw.model.complete(question)
    expect({ why: '', ...reply }).toMatchObject({ status: 'answered', ...expected })
    expect(raw.requests).toHaveLength(requests)
  })

  test.each<[form: string, ...lines: string[]]>([
    ['a line of JSON', chunk('ha'), '{"error":"the runner died"}'],
    [
      'an object over several lines',
      chunk('ha'),
      '{',
      '  "error": {"message": "the runner died"}',
      '}',
    ],
    ['an event of plain words', chunk('ha'), 'event: error', 'data: the runner died', ''],
    ['an event of JSON', 'event: error', 'data: {"message":"the runner died"}', ''],
    ['an object that is an error', 'data: {"object":"error","message":"the runner died"}', ''],
    ['a field of its own', 'error: {"code":500,"message":"the runner died"}', '', 'data: [DONE]'],
    ['a list', 'data: [{"error":{"code":503,"message":"the runner died"}}]', ''],
  ])('that breaks off with %s has its words', async (_, ...lines) => {
    const { model } = await startRaw(stream(...lines))
    const reply = await model.complete(question)
    expect(reply).toMatchObject({
      status: 'unavailable',
      reason: expect.stringMatching(/^127\.0\.0\.1:\d+: the runner died$/),
    })
  })

  it('in which a tool is called in a broken form is asked for without tools, else it is a part', async () => {
    const broken = stream(chunk(null, 'malformed_function_call'))
    const tools = [{ name: 'grep', description: '', parameters: {} }]
    const offered = await startRaw(broken, good)
    expect(await offered.model.complete({ ...question, tools })).toMatchObject({
      text: 'all of it',
    })
    expect(offered.requests.map((each) => each.tools?.length ?? 0)).toEqual([1, 0])
    const plain = await startRaw(broken)
    const why = 'the endpoint ended it (malformed_function_call)'
    expect(await plain.model.complete(question)).toMatchObject({ text: '', why })
  })
})
