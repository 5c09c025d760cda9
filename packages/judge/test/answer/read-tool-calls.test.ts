import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toolNames } from '../../../../src/core/domain/tool-call.ts'
import { readToolCalls } from '../../answer/read-tool-calls.ts'

const fence = (text: string, info = 'json') => `\`\`\`${info}\n${text}\n\`\`\``
const callsIn = (answer: string) => readToolCalls(answer, toolNames)
const read = (answer: string) => callsIn(answer).map(({ tool, input }) => [tool, input])
const grep = [['grep', '{"words":"total"}']]

describe('a tool call', () => {
  it.each([
    ['a fence', fence('{"tool": "grep", "arguments": {"words": "total"}}')],
    ['bare JSON', '{"tool": "grep", "arguments": {"words": "total"}}'],
    [
      'prose around',
      `I look for it.\n\n${fence('{"tool": "grep", "arguments": {"words": "total"}}')}\nThen I go on.`,
    ],
    ['flat arguments', '{"tool": "grep", "words": "total"}'],
    ['arguments as text', String.raw`{"name": "grep", "arguments": "{\"words\": \"total\"}"}`],
    [
      'a call of an endpoint',
      '{"tool_calls": [{"type": "function", "function": {"name": "grep", "arguments": {"words": "total"}}}]}',
    ],
    ['a list', '[{"name": "grep", "parameters": {"words": "total"}}]'],
    ['an action', '{"action": "grep", "action_input": {"words": "total"}}'],
    ['lines of ReAct', 'Thought: where is it?\nAction: grep\nAction Input: {"words": "total"}'],
    ['a tag', '<tool_call>\n{"name": "grep", "arguments": {"words": "total"}}\n</tool_call>'],
    ['tags', '<grep>\n<words>total</words>\n</grep>'],
    ['another name', '{"tool": "search_code", "arguments": {"words": "total"}}'],
    ['another spelling', '{"tool": "Grep", "arguments": {"words": "total"}}'],
    [
      'thinking before',
      `<think>Maybe {"tool": "done"}?</think>\n{"tool": "grep", "arguments": {"words": "total"}}`,
    ],
    ['comments and commas', '{"tool": "grep", // look\n "arguments": {"words": "total",}}'],
  ])('is read from %s', (_, answer) => {
    expect(read(answer)).toEqual(grep)
  })

  it.each([
    [
      'several calls, in order',
      `${fence('{"tool": "list_files"}')}\n${fence('{"tool": "run_tests"}')}`,
      ['list_files', 'run_tests'],
    ],
    ['a file', `src/a.js\n${fence('export {}', 'js')}`, ['write_diff']],
    [
      'a file, then a call',
      `src/a.js\n${fence('export {}', 'js')}\n${fence('{"tool": "run_tests"}')}`,
      ['write_diff', 'run_tests'],
    ],
    [
      'edits',
      `src/a.js\n${fence('<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE', '')}`,
      ['write_diff'],
    ],
    ['a deletion', 'DELETE: src/a.js', ['write_diff']],
    [
      'a file called as a tool',
      '{"tool": "write_file", "arguments": {"path": "src/a.js", "content": "x"}}',
      ['write_diff'],
    ],
    [
      'a package named as a tool',
      `package.json\n${fence('{"name": "search", "version": "1.0.0"}')}`,
      ['write_diff'],
    ],
    [
      'a file that holds what looks like calls',
      `tasks.json\n${fence('[\n{ "name": "Test", "args": ["--watch"] },\n{ "tool": "run_tests" }\n]')}\n${fence('{"tool": "done"}')}`,
      ['write_diff', 'done'],
    ],
    [
      'an edit that holds them',
      `src/a.js\n${fence('<<<<<<< SEARCH\n{"tool": "grep"}\n=======\n{"tool": "done"}\n>>>>>>> REPLACE', '')}`,
      ['write_diff'],
    ],
    [
      'a call below the path that it is about',
      `src/a.js\n${fence('{"tool": "read_file", "arguments": {"path": "src/a.js"}}')}`,
      ['read_file'],
    ],
    ['nothing to do', 'NOTHING_TO_DO', ['done']],
    ['an unknown tool', '{"tool": "browse", "arguments": {"url": "x"}}', ['browse']],
    ['prose', 'I am not sure what you mean.', ['']],
    ['nothing', '', ['']],
    ['half a call', '{"tool": "grep", "arguments": {"words": "to', ['']],
  ])('or %s', (_, answer, tools) => {
    expect(callsIn(answer).map(({ tool }) => tool)).toEqual(tools)
  })

  it('has the words before it, and the change as the model wrote it', () => {
    const change = `src/a.js\n${fence('export {}', 'js')}`
    expect(callsIn(`Thought: I write it.\n\n${change}`)).toMatchObject([
      { tool: 'write_diff', thought: 'I write it.' },
    ])
    const asked = JSON.stringify({ tool: 'write_diff', arguments: { change } })
    expect(read(asked)).toEqual([['write_diff', change]])
  })

  it('is one of five at most, and never fails to be read', () => {
    const calls = Array.from({ length: 30 }, (_, at) =>
      fence(`{"tool": "list_files", "path": "${at}"}`),
    )
    expect(callsIn(calls.join('\n'))).toHaveLength(5)
    expect(callsIn(fence('{"tool": "run_tests"}\n').repeat(2))).toHaveLength(1)
    const pieces = fc.constantFrom(
      ...['{"tool": ', '"grep"', '{', '}', '[', ']', '"', '\\', '\n', '```', '<grep>', '</grep>'],
      ...['Action: grep\n', 'Action Input: ', ',', ':', 'src/a.js\n', '<<<<<<< SEARCH\n', '\u0000'],
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        const calls = callsIn(parts.join(''))
        expect(calls.length).toBeGreaterThan(0)
        for (const { thought } of calls) expect(thought.length).toBeLessThanOrEqual(300)
      }),
    )
  })

  it('is found in a megabyte of brackets without delay', () => {
    for (const text of ['{'.repeat(1e6), '<grep>'.repeat(1e5), 'Action: grep\n'.repeat(1e5)]) {
      expect(callsIn(text).length).toBeGreaterThan(0)
    }
  })

  it.each(toolNames)('may be %s', (tool) => {
    expect(callsIn(JSON.stringify({ tool }))[0]?.tool).toBe(tool)
  })
})
