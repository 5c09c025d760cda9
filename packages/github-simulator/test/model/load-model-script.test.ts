import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { InvalidScript } from '../../model/invalid-script.ts'
import { loadModelScript } from '../../model/load-model-script.ts'

const script = `# What the model says.
- a bare answer
- text: |
    two
    lines
  finish: length
  usage: { promptTokens: 10, completionTokens: 2 }
- toolCalls: [{ name: shell, arguments: { command: ls } }, { name: shell, arguments: '{' }]
- when: { purpose: draft, task: T-1, contains: /greet(ing)?/i }
  answers:
    - fault: { kind: status, status: 429, retryAfter: 2 }
    - fine
  usedUp: error
`

describe('loadModelScript', () => {
  it('reads YAML', () => {
    expect(loadModelScript(script)).toEqual([
      { text: 'a bare answer' },
      {
        text: 'two\nlines\n',
        finish: 'length',
        usage: { promptTokens: 10, completionTokens: 2 },
      },
      {
        toolCalls: [
          { name: 'shell', arguments: { command: 'ls' } },
          { name: 'shell', arguments: '{' },
        ],
      },
      {
        when: { purpose: 'draft', task: 'T-1', contains: /greet(ing)?/i },
        answers: [{ fault: { kind: 'status', status: 429, retryAfter: 2 } }, { text: 'fine' }],
        usedUp: 'error',
      },
    ])
  })

  it('reads JSON', () => {
    const json = JSON.stringify(['one', { when: { contains: 'a/b/c' }, answers: ['two'] }])
    expect(loadModelScript(json)).toEqual([
      { text: 'one' },
      { when: { contains: 'a/b/c' }, answers: [{ text: 'two' }] },
    ])
  })

  test.each<[name: string, text: string, message: RegExp]>([
    ['nothing', '', /line 1: expected a list of answers and rules/],
    ['a mapping', 'answers: []', /line 1: expected a list/],
    ['broken YAML', '- a\n- [b', /line 2/],
    ['a number', '- one\n- 7', /line 2, 1: .*expected object/],
    ['a misspelt key', '- one\n- text: a\n  finsh: stop', /line 2, 1: .*"finsh"/],
    ['an unknown finish', '- text: a\n  finish: never', /line 2, 0\.finish: /],
    ['a call without arguments', '- toolCalls: [{ name: a }]', /0\.toolCalls\.0\.arguments: /],
    ['an unknown fault', '- text: a\n  fault:\n    kind: fire', /line 3, 0\.fault\.kind: /],
    [
      'a good status as a fault',
      '- fault: { kind: status, status: 200 }',
      /0\.fault\.status: .*400/,
    ],
    ['a rule without answers', '- when: {}', /line 1, 0\.answers: /],
    ['answers without a rule', '- answers: [a]', /line 1, 0\.when: /],
    ['an unknown condition', '- when: { prompt: a }\n  answers: [a]', /0\.when: .*"prompt"/],
    [
      'a broken pattern',
      '- when: { contains: /(/ }\n  answers: [a]',
      /line 1, 0\.when\.contains: .*regular/i,
    ],
    [
      'a wrong answer in a rule',
      '- when: {}\n  answers:\n    - a\n    - 1',
      /line 4, 0\.answers\.1: /,
    ],
    ['two problems', '- 1\n- 2', /line 1, 0: .*; line 2, 1: /],
  ])('says what is wrong with %s', (_, text, message) => {
    expect(() => loadModelScript(text)).toThrow(message)
    expect(() => loadModelScript(text)).toThrow(InvalidScript)
  })

  it('reads any text, or says what is wrong with it', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.json(),
      fc.string().map((text) => script + text),
    )
    fc.assert(
      fc.property(texts, (text) => {
        try {
          expect(Array.isArray(loadModelScript(text))).toBe(true)
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidScript)
        }
      }),
      { examples: [['*an-alias-to-nothing']] },
    )
  })
})
