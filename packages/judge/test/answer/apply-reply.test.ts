import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { runs } from '../../../../test/property-runs.ts'
import { applyReply } from '../../answer/apply-reply.ts'
import { parseReply } from '../../answer/parse-reply.ts'
import type { Edit, FileProposal } from '../../answer/reply.ts'

const apply = (files: Readonly<Record<string, string>>, ...proposals: readonly FileProposal[]) =>
  applyReply({ proposals, refusals: [], claimsDone: false, summary: '' }, (path) =>
    Object.hasOwn(files, path) ? files[path] : undefined,
  )
const whole = (path: string, content: string): FileProposal => ({ kind: 'whole', path, content })
const edit = (path: string, ...edits: readonly Edit[]): FileProposal => ({
  kind: 'edits',
  path,
  edits,
})
const swap = (search: string, replace: string): Edit => ({ search, replace })

describe('whole files', () => {
  test.each([
    ['a new file', undefined, 'a\n', 'a\n'],
    ['a new file without a final newline, which a diff can ask for', undefined, 'a', 'a'],
    ['an empty new file', undefined, '', ''],
    ['an old file', 'a\n', 'b\n', 'b\n'],
    ['an old file with CRLF', 'a\r\nb\r\n', 'a\nc\n', 'a\r\nc\r\n'],
    ['an old file without a final newline', 'a\nb', 'a\nc\n', 'a\nc'],
    ['an old file with a byte order mark', '\uFEFFa\n', 'b\n', '\uFEFFb\n'],
    ['an old file that begins with its path', '// src/a.js\nold\n', 'new\n', '// src/a.js\nnew\n'],
  ])('%s', (_, before, content, after) => {
    const applied = apply(
      before === undefined ? {} : { 'src/a.js': before },
      whole('src/a.js', content),
    )
    const path = 'src/a.js'
    expect(applied).toEqual({
      changes: [
        before === undefined
          ? { action: 'create', path, content: after }
          : { action: 'modify', path, before, content: after },
      ],
      refusals: [],
      notes: [],
    })
  })

  it('says when a file shrinks to a fragment', () => {
    const applied = apply({ 'a.js': 'x\n'.repeat(100) }, whole('a.js', 'y\n'.repeat(9)))
    expect(applied.notes).toEqual(['a.js: shrinks from 100 lines to 9'])
  })
})

describe('edits', () => {
  test.each([
    ['exact', 'a\nb\nc\n', [swap('b\n', 'B\n')], 'a\nB\nc\n'],
    ['several, in order', 'a\nb\n', [swap('a\n', 'x\ny\n'), swap('y\nb\n', 'z\n')], 'x\nz\n'],
    [
      'where the file had the lines, not where an edit before put the same',
      'f\n  x\n}\n\ng\n  y\n}\n\n\nend\n',
      [
        swap('f\n  x\n}\n', 'f\n  x\n}\n\nh\n  y\n}\n\n\nend\n\nk\n  z\n}\n'),
        swap('  y\n}\n\n\nend\n', '  y\n}\nnew\nend\n'),
      ],
      'f\n  x\n}\n\nh\n  y\n}\n\n\nend\n\nk\n  z\n}\n\ng\n  y\n}\nnew\nend\n',
    ],
    ['removal', 'a\nb\nc\n', [swap('b\n', '')], 'a\nc\n'],
    ['removal at an open end', 'a\nb', [swap('b\n', '')], 'a'],
    ['open end kept', 'a\nb', [swap('b\n', 'c\nd\n')], 'a\nc\nd'],
    ['CRLF kept', 'a\r\nb\r\nc\r\n', [swap('b\n', 'x\ny\n')], 'a\r\nx\r\ny\r\nc\r\n'],
    ['mixed endings elsewhere kept', 'a\r\nb\nc\r\n', [swap('b\n', 'x\n')], 'a\r\nx\nc\r\n'],
    ['blank lines around mean nothing', 'a\nb\nc\n', [swap('\nb\n\n', '\nB\n\n')], 'a\nB\nc\n'],
    ['blank lines before the lines to find', 'a\nb\nc\n', [swap('\n\nb\n', 'B\n')], 'a\nB\nc\n'],
    ['as many blank lines go', 'a\nb\nc\n', [swap('\nb\n\n', '\nb\n\nB\n\n')], 'a\nb\n\nB\nc\n'],
    ['exact before tolerant', '  b\nb\n', [swap('b\n', 'c\n')], '  b\nc\n'],
    ['without final newlines', 'a\nb\n', [swap('b', 'c')], 'a\nc\n'],
    ['to an empty file', '', [swap('', 'a\n')], 'a\n'],
    ['to a first line behind a mark', '\uFEFFa\nb\n', [swap('a\n', 'c\n')], '\uFEFFc\nb\n'],
    ['templates are text', 'a\nb\n', [swap('b\n', '$& $1 $$ $`\n')], 'a\n$& $1 $$ $`\n'],
    ['patterns are text', '.*\n(a|b)+\n', [swap('(a|b)+\n', 'c\n')], '.*\nc\n'],
  ])('%s', (_, before, edits, after) => {
    expect(apply({ 'a.txt': before }, edit('a.txt', ...edits))).toEqual({
      changes: [{ action: 'modify', path: 'a.txt', before, content: after }],
      refusals: [],
      notes: [],
    })
  })

  test.each([
    [
      'white space at line ends',
      'if x:  \n\ty\n',
      [swap('if x:\n\ty \n', 'if z:\n\ty\n')],
      'if z:\n\ty\n',
    ],
    [
      'different indentation',
      '    if x:\n        y\n\n    z\n',
      [swap('if x:\n    y\n\nz\n', 'if q:\n\n    y\nz\n')],
      '    if q:\n\n        y\n    z\n',
    ],
    [
      'different indentation',
      'f() {\n  a\n  b\n}\n',
      [swap('    a\n    b\n', '    a\n      c\n')],
      'f() {\n  a\n    c\n}\n',
    ],
    [
      'different indentation',
      'f() {\n\tif a {\n\t\tb\n\t}\n}\n',
      [swap('    if a {\n        b\n    }\n', '    if c {\n        d\n    }\n')],
      'f() {\n\tif c {\n\t\td\n\t}\n}\n',
    ],
    [
      'different indentation',
      'def f():\n    return 1\n',
      [swap('return 1\n', 'return 2\n')],
      'def f():\n    return 2\n',
    ],
    [
      'accents encoded another way',
      'a = "cafe\u0301"\nb = "u\u0308"\n',
      [swap('a = "caf\u00e9"\nb = "\u00fc"\n', 'a = "caf\u00e9"\nb = "\u00f6"\n')],
      'a = "cafe\u0301"\nb = "\u00f6"\n',
    ],
  ])('tolerates %s where it is unique: %j', (what, before, edits, after) => {
    const applied = apply({ 'a.py': before }, edit('a.py', ...edits))
    expect(applied.refusals).toEqual([])
    expect(applied.changes).toMatchObject([{ content: after }])
    expect(applied.notes).toEqual([`a.py: an edit was placed despite ${what}`])
  })

  test.each([
    ['part of a line', 'return 10\n', swap('return 1\n', 'return 2\n'), /not in the file; copy/],
    ['twice', 'a\nb\na\n', swap('a\n', 'c\n'), /more than one place \(lines 1, 3/],
    ['twice but for indentation', '  a\n    a\n', swap('a\n', 'c\n'), /more than one place/],
    ['uneven indentation', '  a\n      b\n', swap('a\n  b\n', 'c\n'), /not in the file/],
    ['empty', 'a\n', swap('', 'c\n'), /empty SEARCH/],
    ['the same', 'a\n', swap('a\n', 'a\n'), /changed nothing/],
    ['done before', 'x\nnew\n', swap('old\n', 'new\n'), /replacement already is/],
  ])('refuses %s', (_, before, one, reason) => {
    const applied = apply({ 'a.txt': before }, edit('a.txt', one))
    expect(applied.changes).toEqual([])
    expect(applied.refusals).toMatchObject([{ path: 'a.txt', reason }])
  })

  it('shows the closest lines of the real file for an edit that is not found', () => {
    const file = Array.from({ length: 60 }, (_, index) => `line ${index}`)
    file[30] = 'export function total(items) {'
    file[31] = '  return items.reduce(add, 0)'
    const search = 'export function total(items) {\n  return items.reduce(sum, 0)\n}\n'
    const applied = apply({ 'a.js': `${file.join('\n')}\n` }, edit('a.js', swap(search, 'x\n')))
    expect(applied.refusals[0]?.excerpt.split('\n')).toEqual(file.slice(28, 35))
    const reworded = apply(
      { 'a.js': `${file.join('\n')}\n` },
      edit('a.js', swap('return items.reduce(sum)\n', 'x\n')),
    )
    expect(reworded.refusals[0]?.excerpt).toContain('  return items.reduce(add, 0)')
  })

  it('shows the places that an edit fits in', () => {
    const file = 'a() {\n  x\n}\nb() {\n  x\n}\n'
    const applied = apply({ 'a.js': file }, edit('a.js', swap('  x\n', '  y\n')))
    expect(applied.refusals[0]?.excerpt).toBe(
      'lines 1 to 3:\na() {\n  x\n}\nlines 2 to 6:\n  x\n}\nb() {\n  x\n}',
    )
  })

  it('does not guess which of two the file had, where an edit before put them beside each other', () => {
    const edits = [swap('x\na\n', 'x\na\ny\na\n'), swap('a\n', 'c\n')]
    const applied = apply({ 'a.txt': 'x\na\nb\n' }, edit('a.txt', ...edits))
    expect(applied.changes).toMatchObject([{ content: 'x\na\ny\na\nb\n' }])
    expect(applied.refusals).toMatchObject([{ reason: /more than one place \(lines 2, 4/ }])
  })

  it('makes the edits that fit and refuses the one that does not', () => {
    const applied = apply(
      { 'a.txt': 'a\nb\n' },
      edit('a.txt', swap('a\n', 'A\n'), swap('z\n', 'Z\n')),
    )
    expect(applied.changes).toMatchObject([{ content: 'A\nb\n' }])
    expect(applied.refusals).toMatchObject([{ path: 'a.txt', excerpt: 'z' }])
  })
})

describe('several proposals for one path', () => {
  test.each([
    [
      'whole then edit',
      {},
      [whole('a.js', 'a\nb\n'), edit('a.js', swap('b\n', 'c\n'))],
      { action: 'create', content: 'a\nc\n' },
    ],
    [
      'written in two ways',
      {},
      [whole('./a.js', 'a\n'), whole('a.js', 'b\n')],
      { action: 'create', content: 'b\n' },
    ],
    [
      'delete then create',
      { 'a.js': 'x\n' },
      [{ kind: 'delete', path: 'a.js' }, whole('a.js', 'b\n')],
      { action: 'modify', content: 'b\n' },
    ],
    [
      'edit with nothing to find on a missing file',
      {},
      [edit('a.js', swap('', 'a\n'))],
      { action: 'create', content: 'a\n' },
    ],
    [
      'delete',
      { 'a.js': 'x\n' },
      [{ kind: 'delete', path: 'a.js' }],
      { action: 'delete', before: 'x\n' },
    ],
  ] as const)('%s', (_, files, proposals, change) => {
    const applied = apply(files, ...proposals)
    expect(applied).toMatchObject({ changes: [{ path: 'a.js', ...change }], refusals: [] })
    expect(applied.changes).toHaveLength(1)
  })

  test.each([
    ['the same whole file', { 'a.js': 'a\n' }, [whole('a.js', 'a\n')], /changed nothing/],
    [
      'create then delete',
      {},
      [whole('a.js', 'a\n'), { kind: 'delete', path: 'a.js' }],
      /changed nothing/,
    ],
    [
      'there and back',
      { 'a.js': 'a\n' },
      [edit('a.js', swap('a\n', 'b\n'), swap('b\n', 'a\n'))],
      /changed nothing/,
    ],
    ['emptied', { 'a.js': 'a\n' }, [whole('a.js', '\n')], /would be empty/],
    ['delete of nothing', {}, [{ kind: 'delete', path: 'a.js' }], /no such file to delete/],
    ['edit of nothing', {}, [edit('a.js', swap('a\n', 'b\n'))], /no such file to edit/],
    ['a path that leads out', {}, [whole('../a.js', 'a\n')], /out of the repository/],
    ['prototype', {}, [edit('__proto__', swap('a\n', 'b\n'))], /no such file to edit/],
  ] as const)('refuses %s', (_, files, proposals, reason) => {
    const applied = apply(files, ...proposals)
    expect(applied.changes).toEqual([])
    expect(applied.refusals).toMatchObject([{ reason }])
  })
})

describe('properties', () => {
  const word = fc.constantFrom('a', 'b', ' a', '  a', '\ta', '', 'a ', '}', '$&', '```')
  const text = fc
    .array(word, { maxLength: 12 })
    .map((lines) => lines.map((line) => `${line}\n`).join(''))

  it('a placed edit replaces one run of lines and touches no other line', () => {
    fc.assert(
      fc.property(text, text, text, text, (head, search, tail, replace) => {
        const before = head + search + tail
        const { changes } = apply({ 'a.txt': before }, edit('a.txt', swap(search, replace)))
        const content = changes[0]?.action === 'modify' ? changes[0].content : before
        const lines = before.split('\n')
        const cuts = lines.flatMap((_, from) =>
          lines
            .slice(from)
            .map((__, count) => [
              lines.slice(0, from).join('\n'),
              lines.slice(from + count).join('\n'),
            ]),
        )
        const isOneRun = cuts.some(
          ([start = '', end = '']) => content.startsWith(start) && content.endsWith(end),
        )
        expect(content === before || isOneRun).toBe(true)
      }),
    )
  })

  it('an exact and unique edit gives exactly the expected text', () => {
    const unique = fc.integer({ min: 0, max: 1_000 }).map((number) => `unique ${number}\n`)
    fc.assert(
      fc.property(text, unique, text, text, (head, search, tail, replace) => {
        fc.pre(search !== replace)
        const applied = apply(
          { 'a.txt': head + search + tail },
          edit('a.txt', swap(search, replace)),
        )
        expect(applied.refusals).toEqual([])
        expect(applied.changes).toMatchObject([{ content: head + replace + tail }])
      }),
    )
  })

  it('neither parsing nor applying throws on any text', () => {
    const scraps = fc.constantFrom(
      ...[
        '```',
        '~~~~',
        '```js src/a.js',
        '````md',
        '<<<<<<< SEARCH',
        '=======',
        '>>>>>>> REPLACE',
      ],
      ...['### a.js', '// a.js', 'DELETE: a.js', '<think>', '</think>', '../x', '$&', 'text', ''],
    )
    const answer = fc.array(fc.oneof(scraps, fc.string({ unit: 'binary' })), { maxLength: 40 })
    fc.assert(
      fc.property(answer, fc.string(), (lines, old) => {
        const reply = parseReply(lines.join('\n'), { expectedPath: 'src/a.js' })
        const { changes, refusals } = applyReply(reply, (path) =>
          path === 'a.js' ? old : undefined,
        )
        const said = reply.refusals.length + refusals.length + changes.length
        expect(said > 0 || reply.claimsDone).toBe(true)
        expect(new Set(changes.map(({ path }) => path)).size).toBe(changes.length)
      }),
      { numRuns: runs(300) },
    )
  })
})

describe('hostile size', () => {
  test.each([
    '```\n',
    '```js\n',
    '<<<<<<< SEARCH\n',
    '<<<<<\n=====\n>>>>>\n',
    '<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n',
    'a.js\n```js\nA\n```\n',
    'DELETE: a.js\n',
    '`a.js` ',
    '<think>',
    '**',
    ' ',
  ])('two hundred kilobytes of %j ends in a proposal, a refusal, or both', (unit) => {
    const text = unit.repeat(Math.ceil(200_000 / unit.length))
    for (const answer of [text, `a.js\n\`\`\`js\n${text}`]) {
      const reply = parseReply(answer)
      const applied = applyReply(reply, () => 'old\n')
      expect(
        reply.refusals.length + applied.refusals.length + applied.changes.length,
      ).toBeGreaterThan(0)
    }
  })

  it('reads 10,000 blocks in order', () => {
    const blocks = Array.from(
      { length: 10_000 },
      (_, index) => `f${index}.js\n\`\`\`\n${index}\n\`\`\`\n`,
    )
    const { proposals } = parseReply(blocks.join('\n'))
    expect(proposals).toHaveLength(10_000)
    expect(proposals[9_999]).toEqual({ kind: 'whole', path: 'f9999.js', content: '9999\n' })
  })

  it('finds lines in a file of equal lines without trying every place', () => {
    const file = 'a\n'.repeat(60_000)
    const applied = apply(
      { 'a.txt': file },
      edit('a.txt', swap(`${'a\n'.repeat(30_000)}b\n`, 'c\n')),
    )
    expect(applied.refusals).toHaveLength(1)
  })
})
