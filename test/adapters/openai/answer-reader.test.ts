import fc from 'fast-check'
import { expect, it } from 'vitest'
import { AnswerReader, UnusableAnswer } from '../../../src/adapters/openai/answer-reader.ts'

/** What is heard from a body that arrives in these pieces. */
function hear(pieces: readonly string[]) {
  const reader = new AnswerReader()
  for (const piece of pieces) reader.add(piece)
  reader.end()
  const { text, ending, usage } = reader
  return { text, ending, usage }
}

it('hears the same, wherever the network cuts the stream', () => {
  const event = (data: unknown) => `data: ${JSON.stringify(data)}`
  const usage = { prompt_tokens: 3, completion_tokens: 4 }
  const streams = fc.record({
    texts: fc.array(fc.string({ unit: 'binary' }), { maxLength: 6 }),
    lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
    comment: fc.boolean(),
    cuts: fc.array(fc.nat(2000), { maxLength: 30 }),
  })
  fc.assert(
    fc.property(streams, ({ texts, lineEnd, comment, cuts }) => {
      const body = [
        ...(comment ? [': still thinking'] : []),
        ...texts.map((content) => event({ choices: [{ delta: { content } }] })),
        event({ choices: [{ delta: {}, finish_reason: 'length' }] }),
        event({ choices: [], usage }),
        'data: [DONE]',
      ].join(lineEnd + lineEnd)
      const places = [0, ...cuts.map((cut) => cut % body.length), body.length].sort((a, b) => a - b)
      const pieces = places.slice(1).map((end, index) => body.slice(places[index], end))
      expect(hear(pieces)).toEqual({
        text: texts.join(''),
        ending: 'cut',
        usage: { promptTokens: 3, completionTokens: 4 },
      })
    }),
  )
})

it('reads anything, or says that it cannot', () => {
  const json = fc.oneof(
    fc.json(),
    fc.json().map((value) => `{"choices": [{"delta": ${value}, "message": ${value}}]}`),
    fc.json().map((value) => `{"choices": ${value}, "usage": ${value}, "error": ${value}}`),
  )
  const line = fc.oneof(
    fc.string(),
    json,
    json.map((value) => `data: ${value}`),
  )
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      try {
        expect(hear([lines.join('\n')]).text).toBeTypeOf('string')
      } catch (error) {
        expect(error).toBeInstanceOf(UnusableAnswer)
      }
    }),
  )
})

it.each(['reasoning_content', 'reasoning'])(
  'counts what is thought aloud in %s, and takes none of it',
  (name) => {
    const reader = new AnswerReader()
    const deltas = [
      { [name]: 'hm' },
      { [name]: 'm', content: 'a' },
      { content: 'b' },
      { [name]: null },
    ]
    for (const delta of deltas) reader.add(`data: ${JSON.stringify({ choices: [{ delta }] })}\n`)
    expect(reader.text).toBe('ab')
    expect(reader.heard).toBe('hmmab'.length)
    expect(reader.written).toBe('hmmab')
  },
)

it.each<[string, object]>([
  ['text', { content: 'Let me check it again.\n' }],
  ['a thought', { reasoning_content: 'Wait. Is it so?\n' }],
  ['arguments', { tool_calls: [{ index: 0, function: { arguments: 'return None\\n' } }] }],
])('hears %s that repeats itself, until it ends', (_, delta) => {
  const reader = new AnswerReader()
  const add = (choice: object) => reader.add(`data: ${JSON.stringify({ choices: [choice] })}\n`)
  for (let piece = 0; piece < 50; piece++) add({ delta })
  expect(reader.isRepeating).toBe(false)
  for (let piece = 0; piece < 100; piece++) add({ delta })
  expect(reader.isRepeating).toBe(true)
  add({ delta: {}, finish_reason: 'stop' })
  expect(reader.isRepeating).toBe(false)
})
