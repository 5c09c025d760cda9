import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { parseReply } from '../../answer/parse-reply.ts'

const fence = '```'

/** Every way to address a whole file that a model has used. */
const styles: Readonly<Record<string, (path: string, content: string) => string>> = {
  'path alone': (path, content) => `${path}\n${fence}js\n${content}${fence}`,
  'info after language': (path, content) => `${fence}js ${path}\n${content}${fence}`,
  'info alone': (path, content) => `${fence}${path}\n${content}${fence}`,
  'info with colon': (path, content) => `${fence}js:${path}\n${content}${fence}`,
  'info title': (path, content) => `${fence}js title="${path}"\n${content}${fence}`,
  'info file=': (path, content) => `${fence}js file=${path}\n${content}${fence}`,
  'info in braces': (path, content) => `${fence}js {filename='${path}'}\n${content}${fence}`,
  heading: (path, content) => `### ${path}\n\n${fence}js\n${content}${fence}`,
  'heading, numbered and quoted': (path, content) =>
    `#### 2. \`${path}\` (new)\n${fence}js\n${content}${fence}`,
  'heading, then a description': (path, content) =>
    `## Create \`${path}\`\n\nIt adds two numbers.\n\n${fence}js\n${content}${fence}`,
  bold: (path, content) => `**${path}**\n${fence}js\n${content}${fence}`,
  'bold label': (path, content) => `**File:** \`${path}\`\n${fence}js\n${content}${fence}`,
  'back-ticked': (path, content) => `\`${path}\`:\n${fence}js\n${content}${fence}`,
  labelled: (path, content) => `File: ${path}\n${fence}js\n${content}${fence}`,
  numbered: (path, content) => `1. ${path}\n${fence}js\n${content}${fence}`,
  'sentence of fillers': (path, content) =>
    `Here is the updated \`${path}\`:\n\n${fence}js\n${content}${fence}`,
  'slash comment': (path, content) => `${fence}js\n// ${path}\n${content}${fence}`,
  'labelled comment': (path, content) => `${fence}js\n// File: ${path}\n${content}${fence}`,
  'hash comment': (path, content) => `${fence}\n# ${path}\n${content}${fence}`,
  'star comment': (path, content) => `${fence}css\n/* ${path} */\n${content}${fence}`,
  'html comment': (path, content) => `${fence}html\n<!-- ${path} -->\n${content}${fence}`,
  'first line inside': (path, content) => `${fence}js\n${path}\n${content}${fence}`,
  'first line inside, labelled': (path, content) => `${fence}\nFile: ${path}\n${content}${fence}`,
  'heading and comment': (path, content) =>
    `### ${path}\n${fence}js\n// ${path}\n${content}${fence}`,
  'long fence': (path, content) => `${path}\n${fence}${fence}js\n${content}${fence}${fence}`,
  tildes: (path, content) => `~~~~js ${path}\n${content}~~~~`,
  'list item': (path, content) =>
    `- ${path}\n   ${fence}js\n${content.replace(/^(?=.)/gm, '   ')}   ${fence}`,
}

const segment = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/)
const anyPath = fc
  .tuple(fc.array(segment, { maxLength: 3 }), segment, fc.constantFrom('js', 'py', 'tsx', 'css'))
  .map(([folders, name, ending]) => [...folders, `${name}.${ending}`].join('/'))
const anyContent = fc
  .array(fc.stringMatching(/^[a-z]{2,6} = "[^`~\\/.\n\r]{0,20}"[;,]?$/), {
    minLength: 1,
    maxLength: 8,
  })
  .map((lines) => lines.map((line) => `${line}\n`).join(''))

describe('whole files', () => {
  test.each(Object.keys(styles))('%s: read back as it was written', (name) => {
    const write = styles[name] as (path: string, content: string) => string
    fc.assert(
      fc.property(anyPath, anyContent, (path, content) => {
        const reply = parseReply(write(path, content))
        expect(reply.refusals).toEqual([])
        expect(reply.proposals).toEqual([{ kind: 'whole', path, content }])
      }),
      { numRuns: 40 },
    )
  })

  it('reads several files in one answer, each in another style, with prose around', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(
          fc.record({
            style: fc.constantFrom(...Object.keys(styles)),
            path: anyPath,
            content: anyContent,
          }),
          { minLength: 2, maxLength: 5, selector: ({ path }) => path },
        ),
        (files) => {
          const blocks = files.map(({ style, path, content }) => styles[style]?.(path, content))
          const reply = parseReply(`Sure!\n\n${blocks.join('\n\nAnd the next one.\n\n')}\n\nDone.`)
          expect(reply.refusals).toEqual([])
          expect(reply.proposals).toEqual(
            files.map(({ path, content }) => ({ kind: 'whole', path, content })),
          )
        },
      ),
      { numRuns: 100 },
    )
  })

  test.each([
    ['bin/run', `bin/run\n${fence}\nA\n${fence}`],
    ['Makefile', `Makefile\n${fence}make\nA\n${fence}`],
    ['src/__init__.py', `**src/__init__.py**\n${fence}python\nA\n${fence}`],
    ['.gitignore', `\`.gitignore\`\n${fence}\nA\n${fence}`],
    ['app/[id]/(tabs)/page.tsx', `### app/[id]/(tabs)/page.tsx\n${fence}\nA\n${fence}`],
    ['docs/My File.md', `File: docs/My File.md\n${fence}\nA\n${fence}`],
    ['src/a.js', `./src/a.js\r\n${fence}js\r\nA\r\n${fence}\r\n`],
    ['src/a.js', `### a.js\n${fence}js\n// src/a.js\nA\n${fence}`],
    ['../../etc/passwd', `../../etc/passwd\n${fence}\nA\n${fence}`],
  ])('path %s', (path, text) => {
    expect(parseReply(text).proposals).toEqual([{ kind: 'whole', path, content: 'A\n' }])
  })

  it('reads an empty file', () => {
    expect(parseReply(`src/__init__.py\n${fence}python\n${fence}`).proposals).toEqual([
      { kind: 'whole', path: 'src/__init__.py', content: '' },
    ])
  })

  it('drops the address comment behind a shebang, keeps any other comment', () => {
    const text = `${fence}js\n#!/usr/bin/env node\n// src/cli.js\n// see src/b.js\nA\n${fence}`
    expect(parseReply(text).proposals).toEqual([
      { kind: 'whole', path: 'src/cli.js', content: '#!/usr/bin/env node\n// see src/b.js\nA\n' },
    ])
  })

  it('keeps a first line that names another file when the path is known', () => {
    expect(parseReply(`.gitignore\n${fence}\ndist/a.js\n${fence}`).proposals).toEqual([
      { kind: 'whole', path: '.gitignore', content: 'dist/a.js\n' },
    ])
    expect(parseReply(`${fence}\na.js\nb.js\n${fence}`).refusals).toHaveLength(1)
  })

  it('ends a file at a fence that is indented a little', () => {
    expect(parseReply(`a.js\n${fence}\nA\n  ${fence}\nBye.`)).toMatchObject({
      proposals: [{ content: 'A\n' }],
      summary: 'Bye.',
    })
  })

  it('takes a Markdown heading for text, not for an address', () => {
    const text = `docs/a.md\n${fence}md\n# setup.py\nA\n${fence}`
    expect(parseReply(text).proposals).toEqual([
      { kind: 'whole', path: 'docs/a.md', content: '# setup.py\nA\n' },
    ])
  })
})

describe('nested fences', () => {
  const readme = `# T\n${fence}js\nx\n${fence}\nmore\n`

  test.each([
    ['a longer outer fence', `README.md\n${fence}${fence}md\n${readme}${fence}${fence}`],
    ['tildes outside', `README.md\n~~~md\n${readme}~~~`],
    ['equal fences, inner one with a language', `README.md\n${fence}md\n${readme}${fence}`],
  ])('%s', (_, text) => {
    expect(parseReply(text).proposals).toEqual([
      { kind: 'whole', path: 'README.md', content: readme },
    ])
  })

  test.each([
    ['````markdown', '````'],
    ['```markdown', '```'],
    ['~~~', '~~~'],
  ])('reads the answer inside a fence around all of it: %s', (open, close) => {
    const text = `${open}\nsrc/a.js\n${fence}js\nA\n${fence}\n\nsrc/b.js\n${fence}js\nB\n${fence}\n${close}`
    expect(parseReply(text)).toMatchObject({
      proposals: [
        { path: 'src/a.js', content: 'A\n' },
        { path: 'src/b.js', content: 'B\n' },
      ],
      refusals: [],
    })
  })

  it('keeps a Markdown file that shows files', () => {
    const content = `# Use\n\n### src/a.js\n${fence}js\nA\n${fence}\n`
    const reply = parseReply(`${fence}${fence}md\n${content}${fence}${fence}`, {
      expectedPath: 'README.md',
    })
    expect(reply.proposals).toEqual([{ kind: 'whole', path: 'README.md', content }])
  })

  it('reads an indented fence in a doc string', () => {
    const content = `def f():\n    """\n    ${fence}python\n    f()\n    ${fence}\n    """\n`
    const reply = parseReply(
      `a.py\n${fence}python\n${content}${fence}\nb.py\n${fence}\nB\n${fence}`,
    )
    expect(reply.proposals).toEqual([
      { kind: 'whole', path: 'a.py', content },
      { kind: 'whole', path: 'b.py', content: 'B\n' },
    ])
  })

  it('refuses bare fences of equal length, which are ambiguous', () => {
    const text = `README.md\n${fence}md\n# T\n${fence}\nsome text\n${fence}\nmore\n${fence}`
    const reply = parseReply(text, { expectedPath: 'README.md' })
    expect(reply.proposals).toEqual([])
    expect(reply.refusals[0]).toMatchObject({ path: 'README.md', reason: /nested/ })
  })

  it('still ends a Markdown file at a bare fence when commands to run follow', () => {
    const text = `README.md\n${fence}md\n# T\n${fence}\nRun:\n${fence}\nnpm test\n${fence}`
    expect(parseReply(text)).toMatchObject({
      proposals: [{ path: 'README.md', content: '# T\n' }],
      refusals: [],
    })
  })
})

describe('SEARCH/REPLACE', () => {
  const block = (search: string, replace: string, signs = 7) =>
    `${'<'.repeat(signs)} SEARCH\n${search}${'='.repeat(signs)}\n${replace}${'>'.repeat(signs)} REPLACE\n`
  const edit = { search: 'a\n', replace: 'b\n' }

  test.each([
    ['path before the fence', `src/a.js\n${fence}js\n${block('a\n', 'b\n')}${fence}`],
    ['path in the info string', `${fence}js src/a.js\n${block('a\n', 'b\n')}${fence}`],
    ['path inside the fence', `${fence}\nsrc/a.js\n${block('a\n', 'b\n')}${fence}`],
    ['path in a comment inside', `${fence}js\n// src/a.js\n${block('a\n', 'b\n')}${fence}`],
    ['path in a sentence', `In \`src/a.js\` rename it:\n${fence}\n${block('a\n', 'b\n')}${fence}`],
    ['no fence', `src/a.js\n${block('a\n', 'b\n')}`],
    ['five signs', `src/a.js\n${block('a\n', 'b\n', 5)}`],
    ['nine signs', `src/a.js\n${block('a\n', 'b\n', 9)}`],
    ['no words', 'src/a.js\n<<<<<<<\na\n=======\nb\n>>>>>>>'],
    ['path in the marker', '<<<<<<< SEARCH src/a.js\na\n=======\nb\n>>>>>>> REPLACE'],
    ['dashes and plusses', 'src/a.js\n------- SEARCH\na\n=======\nb\n+++++++ REPLACE'],
    ['CRLF', `src/a.js\n${block('a\n', 'b\n')}`.replaceAll('\n', '\r\n')],
  ])('%s', (_, text) => {
    expect(parseReply(text)).toMatchObject({
      proposals: [{ kind: 'edits', path: 'src/a.js', edits: [edit] }],
      refusals: [],
    })
  })

  it('reads what was written, any number of edits, fences in them and all', () => {
    const lines = fc
      .array(fc.constantFrom('x', '', '  y', fence, `${fence}js`, '== z', '# h', '...'), {
        maxLength: 6,
      })
      .map((all) => all.map((line) => `${line}\n`).join(''))
    const edits = fc.array(fc.record({ search: lines, replace: lines }), { minLength: 1 })
    fc.assert(
      fc.property(edits, fc.boolean(), (written, fenced) => {
        const body = written.map(({ search, replace }) => block(search, replace)).join('')
        const text = fenced ? `a.md\n${fence}\n${body}${fence}\n` : `a.md\n${body}`
        expect(parseReply(text)).toMatchObject({
          proposals: [{ kind: 'edits', path: 'a.md', edits: written }],
          refusals: [],
        })
      }),
    )
  })

  it('inherits the path from the edit before, until another is named', () => {
    const one = block('a\n', 'b\n')
    const text = `a.js\n${one}\nThen:\n${one}\n${fence}\n${one}b.js\n${one}${fence}`
    expect(parseReply(text)).toMatchObject({
      proposals: [
        { path: 'a.js', edits: [edit, edit, edit] },
        { path: 'b.js', edits: [edit] },
      ],
      refusals: [],
    })
  })

  it('takes the dividing line that is as long as the marker, and refuses two of them', () => {
    expect(parseReply(`a.md\n${block('T\n=====\n', 'U\n=====\n')}`).proposals).toMatchObject([
      { edits: [{ search: 'T\n=====\n', replace: 'U\n=====\n' }] },
    ])
    const twice = parseReply(`a.md\n${block('Install\n=======\n', 'b\n')}`)
    expect(twice.proposals).toEqual([])
    expect(twice.refusals).toMatchObject([{ path: 'a.md', reason: /more than one =======/ }])
  })

  it.each([
    ['nothing above the dividing line is the text', '=======\nA\n>>>>>>> REPLACE\n', 'A\n'],
    ['a path below it', '\n=======\nA\n>>>>>>> REPLACE\nb.js\n', 'A\n'],
    ['lines above the dividing line is refused', 'B\n=======\nA\n>>>>>>> REPLACE\n', null],
    ['no dividing line is refused', 'A\n>>>>>>> REPLACE\n', null],
  ])('is no file without its first marker: with %s', (_, body, replace) => {
    const { proposals, refusals } = parseReply(`a.md\n${fence}\n${body}${fence}`)
    expect(proposals).toEqual(
      replace === null ? [] : [{ kind: 'edits', path: 'a.md', edits: [{ search: '', replace }] }],
    )
    expect(refusals.map(({ path, reason }) => `${path}: ${reason}`)).toEqual(
      replace === null ? [expect.stringMatching(/^a\.md: .*without its <<<<<<< SEARCH line/)] : [],
    )
  })

  it.each(['Title\n=======\ntext\n', '>>>>>>> quoted seven times\n', 'a\n>>>>>>>\n'])(
    'is not what looks like one of its lines: %j',
    (content) => {
      const { proposals } = parseReply(`a.md\n${fence}\n${content}${fence}`)
      expect(proposals).toEqual([{ kind: 'whole', path: 'a.md', content }])
    },
  )
})

test('deletions are on their own lines, outside fences', () => {
  const text = `DELETE: src/a.js\nDELETE src/b.js\n- **DELETE: \`c.js\`**\nDELETE this, please.\n\`DELETE /users\` is new.\nx.md\n${fence}\ntext\nDELETE: d.js\n${fence}`
  expect(parseReply(text).proposals).toEqual([
    { kind: 'delete', path: 'src/a.js' },
    { kind: 'delete', path: 'src/b.js' },
    { kind: 'delete', path: 'c.js' },
    { kind: 'whole', path: 'x.md', content: 'text\nDELETE: d.js\n' },
  ])
})

describe('thoughts', () => {
  const answer = `a.js\n${fence}\nA\n${fence}`
  const thought = `maybe\nb.js\n${fence}\nB\n${fence}\n`
  test.each([
    ['tagged', `<think>\n${thought}</think>\n${answer}`],
    ['without the opening tag', `${thought}\n</think>\n\n${answer}`],
    ['twice', `<think>x</think>\n<thinking>${thought}</thinking>${answer}`],
  ])('%s', (_, text) => {
    expect(parseReply(text).proposals).toEqual([{ kind: 'whole', path: 'a.js', content: 'A\n' }])
  })
})

describe('expectedPath', () => {
  const whole = `${fence}js\nA\n${fence}`
  const edit = '<<<<<<< SEARCH\nA\n=======\nB\n>>>>>>> REPLACE\n'
  const run = `${fence}bash\nnpm test\n${fence}`

  test.each([
    ['one block', whole, 1, 0],
    ['one block and commands', `${whole}\nRun:\n${run}`, 1, 0],
    ['edits', `${edit}${edit}`, 1, 0],
    ['two blocks', `${whole}\nor\n${whole}`, 0, 2],
    ['a block beside the file itself', `a.js\n${whole}\nAnd:\n${whole}`, 1, 1],
    ['a sample beside the file itself', `a.js\n${whole}\nUsage:\n${whole}`, 1, 0],
    ['a block that leaves code out', `${fence}js\nA\n// ...\n${fence}`, 0, 1],
  ])('%s', (_, text, proposals, refusals) => {
    const reply = parseReply(text, { expectedPath: 'a.js' })
    expect(reply.proposals.map(({ path }) => path)).toEqual(Array(proposals).fill('a.js'))
    expect(reply.refusals).toHaveLength(refusals)
  })
})

describe('claimsDone and summary', () => {
  test.each([
    ['NOTHING_TO_DO', true],
    [`${fence}\nNOTHING_TO_DO\n${fence}`, true],
    ['This is already implemented in `src/a.js`.', true],
    ['The feature has already been fully implemented. Run it:\n```bash\nnpm test\n```', true],
    ['No changes are needed.', true],
    ['This is not already implemented.', false],
    ['Is it already done?', false],
    ['Tell me whether the file already exists.', false],
    ['It is already done.\na.js\n```\nA\n```', false],
  ])('%s', (text, done) => {
    expect(parseReply(text).claimsDone).toBe(done)
  })

  it('keeps the prose, without the addresses and deletions', () => {
    const text = `I add a file.\n\n### a.js\n${fence}\nA\n${fence}\n\nDELETE: b.js\nThat is all.`
    expect(parseReply(text).summary).toBe('I add a file.\n\nThat is all.')
    expect(parseReply('word '.repeat(5_000)).summary.length).toBeLessThan(2_100)
  })
})
