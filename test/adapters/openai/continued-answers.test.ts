import fc from 'fast-check'
import { afterEach, describe, expect, it, test } from 'vitest'
import type { ScriptedReply } from '../../../packages/github-simulator/model/model-script.ts'
import { joinAnswers } from '../../../src/adapters/openai-model.ts'
import { closers, question, start } from './start-model.ts'

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

describe('a cut answer', () => {
  const cut = (text: string): ScriptedReply => ({ text, finish: 'length' })

  it('is continued, at most twice', async () => {
    const { model, server, heard } = await start([cut('one, '), cut('two, '), cut('three, ')])
    const reply = await model.complete({ ...question, json: true })
    expect(reply).toMatchObject({ text: 'one, two, three, ', finish: 'length' })
    expect(server.requests).toHaveLength(3)
    expect(server.requests.map(({ json }) => json)).toEqual([true, false, false])
    expect(server.requests[2]?.messages).toEqual([
      ...question.messages,
      { role: 'assistant', content: 'one, two, ' },
      {
        role: 'user',
        content: expect.stringMatching(/^Your answer was cut off\. Continue exactly/),
      },
    ])
    expect(reply.usage.requests).toBe(3)
    const received = heard.flatMap((each) => (each.kind === 'received' ? [each.characters] : []))
    expect(received).toEqual(received.toSorted((a, b) => a - b))
    expect(received.at(-1)).toBe('one, two, three, '.length)
  })

  it('is continued no more often than allowed', async () => {
    const { model, server } = await start([cut('one, '), cut('two, ')])
    const reply = await model.complete({ ...question, continuations: 1 })
    expect(reply).toMatchObject({ text: 'one, two, ', finish: 'length' })
    expect(server.requests).toHaveLength(2)
  })

  it('is left as it is when there is nothing to go on from', async () => {
    const { model, server } = await start([cut('')])
    expect(await model.complete(question)).toMatchObject({ text: '', finish: 'length' })
    expect(server.requests).toHaveLength(1)
  })

  it('that cannot be continued for now is unavailable, and its cost is booked', async () => {
    const { model } = await start([
      cut('x'.repeat(40)),
      { fault: { kind: 'status', status: 429, retryAfter: 600 } },
    ])
    const reply = await model.complete(question)
    expect(reply).toMatchObject({
      status: 'unavailable',
      usage: { requests: 2, completionTokens: 10 },
    })
  })

  it('becomes whole, wherever it was cut and however much is repeated', async () => {
    const script: ScriptedReply[] = []
    const { model } = await start(
      // Functions, so that each example of the property can bring its own answers.
      [{ when: {}, answers: [() => script.shift() ?? 'none left'] }],
    )
    const lines = fc
      .array(fc.string({ unit: 'grapheme', maxLength: 60 }), { minLength: 2, maxLength: 12 })
      .map((texts) => texts.map((text, index) => `line ${index}: ${text}\n`).join(''))
    const repeated = fc.constantFrom('nothing', 'a tail', 'the broken line')
    await fc.assert(
      fc.asyncProperty(lines, fc.nat(), repeated, async (whole, seed, kind) => {
        const at = seed % (whole.length + 1)
        const lineStart = whole.lastIndexOf('\n', at - 1) + 1
        const broken = at - lineStart >= 'line 1:'.length ? lineStart : at
        const from = { nothing: at, 'a tail': at >= 40 ? at - 40 : at, 'the broken line': broken }
        script.splice(0, 2, cut(whole.slice(0, at)), { text: whole.slice(from[kind]) })
        const reply = await model.complete(question)
        expect(reply).toHaveProperty('text', at === 0 ? '' : whole)
      }),
      { numRuns: 150 },
    )
  })
})

test.each<[start: string, continuation: string, joined: string]>([
  ['', 'all of it', 'all of it'],
  ['all of it', '', 'all of it'],
  ['one\n', '\ntwo', 'one\n\ntwo'],
  ['- '.repeat(20), '- '.repeat(20), '- '.repeat(40)],
  ['    return 1\n        ', '        }', '    return 1\n                }'],
  ['const total = com', 'const total = compute()', 'const total = compute()'],
  ['a\nconst total = com', 'const total = compute()', 'a\nconst total = compute()'],
  ['mur', 'murmur', 'murmurmur'],
  ['let x = value', 'value + 1', 'let x = valuevalue + 1'],
  [
    'function add(a, b) {\n  return a',
    ' b) {\n  return a + b\n}',
    'function add(a, b) {\n  return a b) {\n  return a + b\n}',
  ],
  [
    'function add(left, right) {\n  return left',
    'right) {\n  return left + right\n}',
    'function add(left, right) {\n  return left + right\n}',
  ],
])('%j and %j are %j', (start, continuation, joined) => {
  expect(joinAnswers(start, continuation)).toBe(joined)
})
