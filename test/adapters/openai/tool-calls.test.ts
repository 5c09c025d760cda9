import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { AnswerReader, UnusableAnswer } from '../../../src/adapters/openai/answer-reader.ts'

const fence = (tool: string, given: unknown): string =>
  `\`\`\`json\n{"tool": ${JSON.stringify(tool)}, "arguments": ${JSON.stringify(given)}}\n\`\`\``

const event = (delta: unknown, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ delta, finish_reason: finish }] })}\n\n`

function hearBody(body: string): AnswerReader {
  const reader = new AnswerReader()
  reader.add(body)
  reader.end()
  return reader
}

/** The text of an answer whose deltas are these. */
const hear = (deltas: readonly unknown[], finish = 'tool_calls'): string =>
  hearBody([...deltas.map((delta) => event(delta)), event({}, finish)].join('')).text

const hearWhole = (message: unknown, finish = 'tool_calls'): string =>
  hearBody(JSON.stringify({ choices: [{ message, finish_reason: finish }] })).text

const call = (name: unknown, given: unknown, more = {}) => ({
  ...more,
  function: { name, arguments: given },
})

const total = { words: 'total' }
const json = JSON.stringify(total)
const grep = fence('grep', total)

describe('calls of tools become fences', () => {
  test.each<[name: string, deltas: readonly unknown[], expected: readonly string[]]>([
    [
      'in pieces',
      [
        { role: 'assistant', content: null },
        { tool_calls: [call('grep', '', { index: 0, id: 'a', type: 'function' })] },
        ...[...json].map((piece) => ({ tool_calls: [call(undefined, piece, { index: 0 })] })),
      ],
      [grep],
    ],
    [
      'beside content',
      [
        { content: 'I look.\n' },
        { tool_calls: [call('grep', json, { index: 0 })] },
        { content: 'Ok.' },
      ],
      ['I look.\nOk.', grep],
    ],
    [
      'beside a line break alone',
      [{ content: '\n\n' }, { tool_calls: [call('grep', json)] }],
      [grep],
    ],
    [
      'several, mixed',
      [
        {
          tool_calls: [call('grep', '{"wor', { index: 0 }), call('list_files', '{', { index: 1 })],
        },
        { tool_calls: [call(null, '}', { index: 1 }), call('', 'ds":"total"}', { index: 0 })] },
      ],
      [grep, fence('list_files', {})],
    ],
    [
      'without positions',
      [
        { tool_calls: [call('grep', '')] },
        { tool_calls: [call(undefined, json)] },
        { tool_calls: [call('done', '{}')] },
      ],
      [grep, fence('done', {})],
    ],
    [
      'all at one position, with ids',
      [
        { tool_calls: [call('grep', json, { index: 0, id: 'a' })] },
        { tool_calls: [call('grep', json, { index: 0, id: 'b' })] },
      ],
      [grep, grep],
    ],
    [
      'all at one position, without ids',
      [
        { tool_calls: [call('grep', json, { index: 0, id: '' })] },
        { tool_calls: [call('grep', json, { index: 0, id: '' })] },
      ],
      [grep, grep],
    ],
    [
      'with another id for each piece',
      [
        { tool_calls: [call('grep', '{"words":', { index: 0, id: 'a' })] },
        { tool_calls: [call(undefined, '"total"}', { index: 0, id: 'b' })] },
        { tool_calls: [call(undefined, '', { index: 0, id: 'c' })] },
      ],
      [grep],
    ],
    [
      'with the name in each piece',
      [
        { tool_calls: [call('grep', '{"words":', { index: 0 })] },
        { tool_calls: [call('grep', '"total"}', { index: 0 })] },
        { tool_calls: [call('grep', '\n', { index: 0 })] },
      ],
      [grep],
    ],
    [
      'with the name in pieces',
      [
        { tool_calls: [call('gr', '', { index: 0 })] },
        { tool_calls: [call('ep', json, { index: 0 })] },
      ],
      [grep],
    ],
    [
      'in the old form',
      [
        { function_call: { name: 'grep', arguments: '' } },
        { function_call: { arguments: '{"words":' } },
        { function_call: { arguments: '"total"}' } },
      ],
      [grep],
    ],
    [
      'in both forms at once',
      [
        {
          function_call: { name: 'grep', arguments: json },
          tool_calls: [call('grep', json, { index: 0 })],
        },
      ],
      [grep],
    ],
    [
      'with empty ones',
      [{ content: 'a', function_call: { name: '', arguments: '' }, tool_calls: [{}, null, 7, []] }],
      ['a'],
    ],
    ['that are no list', [{ content: 'a', tool_calls: 'grep', function_call: 'grep' }], ['a']],
  ])('%s', (_, deltas, expected) => {
    expect(hear(deltas)).toBe(expected.join('\n\n'))
  })

  test.each<[name: string, given: unknown, expected: unknown]>([
    ['an object', total, total],
    ['encoded twice', JSON.stringify(json), total],
    ['pretty', JSON.stringify(total, null, 2), total],
    ['nothing', '', {}],
    ['left out', undefined, {}],
    ['null', null, {}],
    ['null in JSON', 'null', {}],
    ['half of it', '{"words": "tot', '{"words": "tot'],
    ['two objects', '{}{}', '{}{}'],
    ['no JSON', 'words: total\n```\n', 'words: total\n```\n'],
    ['a list', '["total"]', ['total']],
    ['a number', '7', 7],
    ['a text', '"total"', 'total'],
    ['hostile keys', '{"__proto__": {"a": 1}}', JSON.parse('{"__proto__": {"a": 1}}')],
    [
      'lines and fences',
      { change: '```ts\nconst a = `${b}`\n```\n' },
      { change: '```ts\nconst a = `${b}`\n```\n' },
    ],
    ['too deep', '['.repeat(1_000_000), '['.repeat(1_000_000)],
  ])('with arguments: %s', (_, given, expected) => {
    for (const text of [
      hearWhole({ content: null, tool_calls: [call('grep', given, { id: 'a' })] }),
      hear([{ tool_calls: [call('grep', given, { index: 0 })] }]),
    ]) {
      const [start, line = '', end, ...more] = text.split('\n')
      expect([start, end, more]).toEqual(['```json', '```', []])
      expect(line).not.toContain('```')
      expect(JSON.parse(line)).toEqual({ tool: 'grep', arguments: expected })
    }
  })

  test.each(['a\nb', 'grep\0', '\u001b[31m', '```', '"},{"', '', '__proto__', 'x'.repeat(10_000)])(
    'with the name %j',
    (name) => {
      const text = hearWhole({ tool_calls: [call(name, json), call(7, json), call({}, json)] })
      const calls = text.split('\n\n').map((each) => JSON.parse(each.split('\n')[1] ?? ''))
      expect(calls.map(({ tool }) => tool)).toEqual([name, '', ''])
      expect(text.split('```')).toHaveLength(7)
    },
  )

  it('thirty of them, in one answer', () => {
    const many = Array.from({ length: 30 }, (_, index) => call('read_file', { path: `${index}` }))
    const expected = many.map((_, index) => fence('read_file', { path: `${index}` })).join('\n\n')
    expect(hearWhole({ content: '', tool_calls: many })).toBe(expected)
    expect(hear(many.map((each, index) => ({ tool_calls: [{ ...each, index }] })))).toBe(expected)
  })

  it('the same, wherever the server and the network cut them', () => {
    const calls = fc.array(
      fc.record({
        name: fc.string({ minLength: 1, unit: 'binary' }),
        given: fc.dictionary(fc.string(), fc.jsonValue()),
        cuts: fc.array(fc.nat(200), { maxLength: 5 }),
      }),
      { minLength: 1, maxLength: 4 },
    )
    const network = fc.array(fc.nat(4000), { maxLength: 20 })
    fc.assert(
      fc.property(calls, network, (said, cuts) => {
        const body = said.flatMap(({ name, given, cuts: places }, index) => [
          event({ tool_calls: [call(name, '', { index, id: `${index}` })] }),
          ...split(JSON.stringify(given), places).map((piece) =>
            event({ tool_calls: [call(undefined, piece, { index })] }),
          ),
        ])
        const reader = new AnswerReader()
        for (const piece of split([...body, event({}, 'tool_calls')].join(''), cuts))
          reader.add(piece)
        reader.end()
        const lines = reader.text.split('\n\n').map((each) => each.split('\n')[1] ?? '')
        expect(lines.map((line): unknown => JSON.parse(line))).toEqual(
          said.map(({ name, given }) => ({
            tool: name,
            arguments: JSON.parse(JSON.stringify(given)),
          })),
        )
      }),
    )
  })

  it('or nothing, whatever a server sends in their place', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.jsonValue(), fc.boolean(), (calls, old, whole) => {
        const message = { content: 'a', tool_calls: calls, function_call: old }
        try {
          expect(whole ? hearWhole(message) : hear([message, message])).toMatch(/^a/)
        } catch (error) {
          expect(error).toBeInstanceOf(UnusableAnswer)
        }
      }),
    )
  })
})

describe('a cut answer', () => {
  const cut = '{"path": "a.ts", "change": "const'
  const open = `\`\`\`json\n{"tool": "write", "arguments": ${cut}`

  it('ends in its last call, and no earlier one', () => {
    const calls = [call('grep', '{"wo', { index: 0 }), call('write', cut, { index: 1 })]
    const body = event({ content: 'a', tool_calls: calls }, 'length')
    const reader = hearBody(body)
    expect(reader).toMatchObject({ ending: 'cut', endsInCall: true })
    expect(reader.text).toBe(['a', fence('grep', '{"wo'), open].join('\n\n'))
  })

  it('does not end in a call that is whole, or that is only wrong', () => {
    const whole = hearBody(event({ tool_calls: [call('grep', json)] }, 'length'))
    expect(whole).toMatchObject({ text: grep, endsInCall: false })
    const wrong = hearBody(event({ tool_calls: [call('grep', '{"wo')] }, 'stop'))
    expect(wrong).toMatchObject({ text: fence('grep', '{"wo'), endsInCall: false })
  })
})

it('counts what a call costs, however little it says', () => {
  const reader = new AnswerReader()
  const given = '\u{1f680}'.repeat(500_000)
  reader.add(event({ content: 'abc', tool_calls: [call('write', given, { index: 0 })] }))
  expect(reader.length).toBeGreaterThan(1_000_000)
  const flood = new AnswerReader()
  const calls = Array.from({ length: 1_000 }, (_, index) => ({ index }))
  flood.add(event({ tool_calls: calls }))
  expect(flood.length).toBeGreaterThan(30_000)
})

/** The text in pieces that end at these places. */
function split(text: string, cuts: readonly number[]): readonly string[] {
  const places = cuts.map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b)
  return [...places, text.length].map((end, index) => text.slice(places[index - 1] ?? 0, end))
}
