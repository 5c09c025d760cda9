import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { applyReply } from '../../../answer/apply-reply.ts'
import { parseReply } from '../../../answer/parse-reply.ts'

const fence = '```'
const whole = { kind: 'whole', path: 'src/a.js', content: 'a\nb\n' }
const lines = { search: 'a\n', replace: 'b\n' }
const edit = { kind: 'edits', path: 'src/a.js', edits: [lines] }
const part = { ...edit, edits: [{ ...lines, part: { search: 'a', replace: 'b' } }] }
const file = { path: 'src/a.js', content: 'a\nb\n' }
const call = (name: string, args: unknown) => ({ name, arguments: args })

describe('shapes', () => {
  test.each<[string, unknown, unknown[]]>([
    ['one file', file, [whole]],
    ['a list', [file], [whole]],
    ['files', { summary: 'I did it.', files: [file] }, [whole]],
    ['a map', { 'src/a.js': 'a\nb\n' }, [whole]],
    ['a map of objects', { files: { 'src/a.js': { content: 'a\nb\n' } } }, [whole]],
    ['other names', { changes: [{ file_path: 'src/a.js', file_text: 'a\nb\n' }] }, [whole]],
    ['camel case', { filePath: 'src/a.js', newContent: 'a\nb' }, [whole]],
    ['lines', { path: 'src/a.js', lines: ['a', 'b'] }, [whole]],
    ['escaped twice', { path: 'src/a.js', content: 'a\\nb\\n' }, [whole]],
    ['a fence in the content', { path: 'src/a.js', content: '```js\na\nb\n```' }, [whole]],
    ['an edit', { path: 'src/a.js', search: 'a', replace: 'b' }, [part]],
    ['edits', { path: 'src/a.js', edits: [{ old_string: 'a', new_string: 'b' }] }, [part]],
    ['edits with paths', { edits: [{ path: 'src/a.js', find: 'a\n', replace: 'b\n' }] }, [edit]],
    ['delete flag', { path: 'src/a.js', delete: true }, [{ kind: 'delete', path: 'src/a.js' }]],
    [
      'delete action',
      [{ action: 'delete', path: 'src/a.js' }],
      [{ kind: 'delete', path: 'src/a.js' }],
    ],
    ['null in a map', { 'src/a.js': null }, [{ kind: 'delete', path: 'src/a.js' }]],
    [
      'rename',
      { action: 'rename', from: 'src/a.js', to: 'src/b.js' },
      [{ kind: 'rename', path: 'src/a.js', to: 'src/b.js' }],
    ],
    [
      'rename by new_path',
      { path: 'src/a.js', new_path: 'src/b.js' },
      [{ kind: 'rename', path: 'src/a.js', to: 'src/b.js' }],
    ],
    ['a call', call('write_file', file), [whole]],
    ['a call with JSON in a string', call('create_file', JSON.stringify(file)), [whole]],
    [
      'calls as OpenAI writes them',
      {
        tool_calls: [
          { id: '1', type: 'function', function: call('write_file', JSON.stringify(file)) },
        ],
      },
      [whole],
    ],
    [
      'str_replace',
      call('str_replace_editor', {
        command: 'str_replace',
        path: 'src/a.js',
        old_str: 'a',
        new_str: 'b',
      }),
      [part],
    ],
    [
      'delete_file',
      call('delete_file', { path: 'src/a.js' }),
      [{ kind: 'delete', path: 'src/a.js' }],
    ],
    [
      'move_file',
      call('move_file', { source: 'src/a.js', destination: 'src/b.js' }),
      [{ kind: 'rename', path: 'src/a.js', to: 'src/b.js' }],
    ],
    ['input instead of arguments', { type: 'tool_use', name: 'write_file', input: file }, [whole]],
  ])('%s', (_, value, proposals) => {
    const json = JSON.stringify(value, null, 2)
    for (const text of [
      json,
      `${fence}json\n${json}\n${fence}`,
      `Sure:\n\n${fence}\n${json}\n${fence}\nBye.`,
      `I will do this.\n\n${json}\n\nThat is all.`,
      `<tool_call>${JSON.stringify(value)}</tool_call>`,
    ]) {
      const reply = parseReply(text)
      expect(reply.refusals, text).toEqual([])
      expect(reply.proposals, text).toEqual(proposals)
    }
  })

  it('reads a diff in JSON', () => {
    const diff = '--- a/src/a.js\n+++ b/src/a.js\n@@ -1 +1 @@\n-a\n+b\n'
    for (const value of [{ patch: diff }, { path: 'src/a.js', diff }]) {
      const reply = parseReply(JSON.stringify(value))
      const { changes } = applyReply(reply, () => 'a\n')
      expect(changes).toMatchObject([{ path: 'src/a.js', content: 'b\n' }])
    }
  })

  it('repairs raw line ends, wrong escapes, comments and trailing commas', () => {
    const text =
      '{\n  // the file\n  "path": "src/a.js", /* all of it */\n  "content": "x = /\\d+/\n\ty = \\\'z\\\'\n",\n}'
    expect(parseReply(text).proposals).toEqual([
      { kind: 'whole', path: 'src/a.js', content: "x = /\\d+/\n\ty = 'z'\n" },
    ])
  })

  it('takes a fence in a text of a bare JSON answer for text', () => {
    const content = `# A\n${fence}js\nb.js\n${fence}\n`
    expect(parseReply(JSON.stringify({ path: 'README.md', content })).proposals).toEqual([
      { kind: 'whole', path: 'README.md', content },
    ])
  })

  it('leaves a text alone that holds \\n in its quotes', () => {
    const content = 'console.log("a\\nb")'
    expect(parseReply(JSON.stringify({ path: 'a.js', content })).proposals).toEqual([
      { kind: 'whole', path: 'a.js', content: `${content}\n` },
    ])
  })

  it('unescapes an edit only where the file says so', () => {
    const value = { path: 'a.js', search: 'a\\nb', replace: 'c\\nd' }
    const reply = parseReply(JSON.stringify(value))
    expect(applyReply(reply, () => 'a\nb\n').changes).toMatchObject([{ content: 'c\nd\n' }])
    expect(applyReply(reply, () => 'a\\nb\n').changes).toMatchObject([{ content: 'c\\nd\n' }])
  })
})

describe('a block that is no JSON answer', () => {
  test.each([
    [
      'a file',
      `package.json\n${fence}json\n{"files": [{"path": "a.js", "content": "x"}]}\n${fence}`,
      'package.json',
    ],
    [
      'a file named within',
      `${fence}json a/b.json\n{"path": "a.js", "content": "x"}\n${fence}`,
      'a/b.json',
    ],
  ])('%s stays a file', (_, text, path) => {
    expect(parseReply(text).proposals).toMatchObject([{ kind: 'whole', path }])
  })

  test.each([
    ['without content', { path: 'src/a.js' }, 'src/a.js', /does not say what the file/],
    [
      'an edit without replace',
      { path: 'a.js', edits: [{ search: 'x' }] },
      'a.js',
      /without "search"/,
    ],
    ['broken arguments', call('write_file', '{"path": '), '', /no JSON object/],
    [
      'left out',
      { path: 'a.js', content: 'a\n// ... rest unchanged\n' },
      'a.js',
      /leaves code out/,
    ],
    ['something else', { answer: 42 }, '', /no file in it/],
  ])('refuses %s', (_, value, path, reason) => {
    const reply = parseReply(JSON.stringify(value))
    expect(reply.proposals).toEqual([])
    expect(reply.refusals).toMatchObject([{ path, reason }])
  })

  it('says when the JSON is cut off', () => {
    const reply = parseReply('Here:\n{"path": "a.js", "content": "const a')
    expect(reply.refusals).toMatchObject([{ reason: /ends in the middle of its JSON/ }])
  })
})

describe('hostile', () => {
  test.each([
    ['deep', '['.repeat(10_000) + ']'.repeat(10_000)],
    ['deep objects', `${'{"files":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['deep and open', '{"a":['.repeat(50_000)],
    ['quotes', `{"path": ${'"\\"'.repeat(200_000)}`],
    ['back-slashes', `{"path": "${'\\'.repeat(400_001)}"`],
    ['commas', `[${', '.repeat(200_000)}`],
    ['many beginnings', '{"a\n'.repeat(100_000)],
    [
      'prototype',
      '{"__proto__": {"path": "a.js"}, "files": {"__proto__": "x", "constructor": "y"}}',
    ],
    ['strange values', '{"files":[null,1,"x",[],{"path":1},{"path":"a.js","content":5}]}'],
  ])('%s ends in words', (_, text) => {
    const reply = parseReply(text)
    const applied = applyReply(reply, () => undefined)
    expect(
      reply.refusals.length + applied.refusals.length + applied.changes.length,
    ).toBeGreaterThan(0)
  })

  it('never throws', () => {
    const key = fc.constantFrom(
      'path',
      'file',
      'content',
      'edits',
      'files',
      'name',
      'arguments',
      'a.js',
      '__proto__',
      'action',
      'to',
    )
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom('a.js', 'x\ny', 'delete', 'rename', null, 1, true, ''),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 4 }),
      ),
    }))
    fc.assert(
      fc.property(value, (one) => {
        applyReply(parseReply(JSON.stringify(one)), () => 'x\n')
      }),
    )
  })
})
