import { describe, expect, it, test } from 'vitest'
import { createAnswerBook } from '../../model/choose-answer.ts'
import type { ModelScript, RecordedModelRequest, RequestMatch } from '../../model/model-script.ts'
import { requestHash } from '../../model/request-hash.ts'

const request = (
  content: string,
  more: Partial<RecordedModelRequest> = {},
): RecordedModelRequest => ({
  messages: [
    { role: 'system', content: 'You write code.' },
    { role: 'user', content },
  ],
  tools: [],
  model: 'm',
  stream: true,
  includeUsage: true,
  purpose: 'draft',
  maxTokens: null,
  json: false,
  at: '2026-01-02T03:04:05.000Z',
  promptTokens: 1,
  ...more,
})

/** What the script says to these prompts, one after the other. */
function say(script: ModelScript, ...prompts: readonly string[]) {
  const answer = createAnswerBook(script)
  return prompts.map((prompt) => answer(request(prompt))?.text ?? null)
}

describe('the order of answers', () => {
  it('is that of the list, each once', () => {
    expect(say(['one', { text: 'two' }], '', '', '')).toEqual(['one', 'two', null])
  })

  it('repeats the last answer of a rule', () => {
    const script: ModelScript = [{ when: {}, answers: ['one', 'two'] }]
    expect(say(script, '', '', '', '')).toEqual(['one', 'two', 'two', 'two'])
  })

  it('ends where a rule says so', () => {
    const script: ModelScript = [{ when: {}, answers: ['one'], usedUp: 'error' }, 'bare']
    expect(say(script, '', '')).toEqual(['one', null])
  })

  it('takes the first rule that matches, wherever it stands, then the bare answers', () => {
    const script: ModelScript = [
      'bare',
      { when: { contains: 'cat' }, answers: ['meow'] },
      { when: { contains: /c.t/ }, answers: ['hm'] },
    ]
    expect(say(script, 'cat', 'dog', 'cut', 'cat', 'dog')).toEqual([
      'meow',
      'bare',
      'hm',
      'meow',
      null,
    ])
  })

  it('lets a function look at the request', () => {
    const script: ModelScript = [({ messages }) => `you said ${messages.at(-1)?.content}`]
    expect(say(script, 'hello')).toEqual(['you said hello'])
  })
})

test.each<[RequestMatch, prompt: string, matches: boolean]>([
  [{ purpose: 'draft' }, '', true],
  [{ purpose: 'plan' }, '', false],
  [{ model: 'm' }, '', true],
  [{ model: 'n' }, '', false],
  [{ contains: 'write code' }, '', true],
  [{ contains: 'CODE' }, 'code', false],
  [{ contains: /CODE/i }, '', true],
  [{ contains: /cat/g }, 'a cat', true],
  [{ task: 'T-1' }, 'Task T-1: greet', true],
  [{ task: 'T-1' }, 'Task T-1.', true],
  [{ task: 'T-1' }, 'Task T-10', false],
  [{ task: 'T-1' }, 'Task T-1.2', false],
  [{ task: 'T-1' }, 'Task T-1-b', false],
  [{ task: 'T-1' }, 'Task XT-1', false],
  [{ task: 'T-1' }, 'T-10 comes before T-1', true],
  [{ task: 'T-1', purpose: 'plan' }, 'T-1', false],
  [{ hash: requestHash(request('this very prompt')) }, 'this very prompt', true],
  [{ hash: requestHash(request('this very prompt')) }, 'another', false],
])('%j and the prompt "%s": %s', (when, prompt, matches) => {
  // Twice: a pattern with a memory must not matter.
  const script: ModelScript = [{ when, answers: ['yes'] }]
  const expected = matches ? 'yes' : null
  expect(say(script, prompt, prompt)).toEqual([expected, expected])
})
