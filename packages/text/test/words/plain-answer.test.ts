import { describe, expect, it, test } from 'vitest'
import { plainAnswer } from '../../text.ts'

const fence = '```'
const call = (tool: string, json: string) =>
  `${fence}json\n{"tool": "${tool}", "arguments": ${json}}\n${fence}`

test.each<[name: string, said: string, answer: string]>([
  ['nothing but an answer', 'a.js', 'a.js'],
  ['an answer with white space', '\n  a.js\n', '\n  a.js\n'],
  ['a byte order mark', '\uFEFFa.js', 'a.js'],
  ['a thought', '<think>Hm.</think>a.js', 'a.js'],
  ['two thoughts', '<think>1</think>\n<think>2</think>a.js', 'a.js'],
  ['a thought that does not end', '<think>Hm. a.js', ''],
  ['a thought of Mistral', '[THINK]Hm.[/THINK]a.js', 'a.js'],
  ['a thought of Kimi', '◁think▷Hm.◁/think▷a.js', 'a.js'],
  ['a thought of Gemma', '<|channel>thought\nHm.<channel|>a.js', 'a.js'],
  ['a thought without its start', 'Hm.\n</think>\na.js', '\na.js'],
  ['the steps of Apriel', 'Hm.\n[BEGIN FINAL RESPONSE]\na.js\n[END FINAL RESPONSE]', '\na.js\n'],
  ['a mark of an end', `${fence}\na\n${fence}<|im_end|>\n`, `${fence}\na\n${fence}`],
  ['several marks of an end', 'a<|end|></s>', 'a'],
  ['marks around a turn', '<|im_start|>assistant\na.js<|im_end|>', 'a.js'],
  [
    'channels',
    '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>a.js<|return|>',
    'a.js',
  ],
  ['a channel with a form', '<|channel|>final <|constrain|>json<|message|>{"a": 1}', '{"a": 1}'],
  [
    'channels without a start',
    '<|channel|>analysis<|message|>Hm.<|channel|>final<|message|>a',
    'a',
  ],
  ['channels without marks', 'analysisWe add it.assistantfinala.js', 'a.js'],
  ['only a thinking channel', '<|channel|>analysis<|message|>Hm.', ''],
  ['only the other channel', '<|channel|>commentary<|message|>a.js<|end|>', 'a.js'],
  ['a word that looks so', 'analysis of the final a.js', 'analysis of the final a.js'],
])('reads %s', (_, said, answer) => {
  expect(plainAnswer(said)).toBe(answer)
})

describe('a call', () => {
  const json = '{"path":"a.js"}'
  const tags = '<parameter=path>\na.js\n</parameter>'
  const split = '<|tool_call_argument_begin|>'
  test.each<[model: string, said: string]>([
    [
      'gpt-oss',
      `<|channel|>commentary to=functions.read <|constrain|>json<|message|>${json}<|call|>`,
    ],
    [
      'gpt-oss, the tool first',
      `<|start|>assistant to=functions.read<|channel|>commentary json<|message|>${json}<|call|>`,
    ],
    ['Kimi', `<|tool_call_begin|>functions.read:0${split}${json}<|tool_call_end|>`],
    [
      'DeepSeek',
      `<｜tool▁call▁begin｜>function<｜tool▁sep｜>read\n${fence}json\n${json}\n${fence}<｜tool▁call▁end｜>`,
    ],
    ['Qwen', `<function=read>\n${tags}\n</function>`],
    ['GLM', '<tool_call>read\n<arg_key>path</arg_key>\n<arg_value>a.js</arg_value>\n</tool_call>'],
    ['Anthropic', '<invoke name="read"><parameter name="path">a.js</parameter></invoke>'],
    ['Mistral', `[TOOL_CALLS]read[ARGS]${json}`],
  ])('is a fence of JSON: %s', (_, said) => {
    expect(plainAnswer(said).trim()).toBe(call('read', json))
  })

  it.each([`[TOOL_CALLS]`, '<|python_tag|>'])('that is JSON loses the mark %s', (mark) => {
    expect(plainAnswer(`${mark}[{"name": "read"}]`)).toBe('[{"name": "read"}]')
  })

  it('keeps a fence in what it writes', () => {
    const said = '<function=write>\n<parameter=text>\n```js\n</parameter>\n</function>'
    const [, inner = ''] = /json\n(.*)\n```$/s.exec(plainAnswer(said).trim()) ?? []
    expect(JSON.parse(inner)).toEqual({ tool: 'write', arguments: { text: '```js' } })
  })

  it('in a file is text of that file', () => {
    const said = `a.md\n${fence}\n<function=read>\n${tags}\n</function>\n${fence}\n`
    expect(plainAnswer(said)).toBe(said)
  })

  it('without an end stays as it is', () => {
    expect(plainAnswer('<function=read>\n<parameter')).toBe('<function=read>\n<parameter')
  })
})
