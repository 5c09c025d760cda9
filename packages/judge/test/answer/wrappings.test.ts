import { describe, expect, it, test } from 'vitest'
import { readDraft } from '../../answer/read-draft.ts'

const files: Readonly<Record<string, string>> = {
  'src/a.js': 'export const a = one(1)\nexport const b = two(2)\n',
  'README.md': '# A\n',
}
const draftOf = (answer: string) =>
  readDraft(answer, {
    ...{ base: [], expectedPath: undefined },
    paths: Object.keys(files),
    read: async (paths) =>
      new Map(paths.flatMap((path) => (files[path] === undefined ? [] : [[path, files[path]]]))),
  })
const fence = '```'
const body = 'export const n = 1\n'
const file = (path: string) => `${path}\n${fence}js\n${body}${fence}\n`
const list = '- src/more.js\n- src/other.js\n'
const created = { action: 'create', path: 'src/new.js', content: body }

describe('a whole file is read', () => {
  test.each([
    [
      'with a usage block after it',
      `${file('src/new.js')}\n## Usage\n\n${fence}js\nimport { n } from './new.js'\n${fence}\n`,
    ],
    [
      'with a JSON example after it',
      `${file('src/new.js')}\nThe service answers:\n${fence}json\n{ "n": 1 }\n${fence}\n`,
    ],
    ['in a tag', `<file path="src/new.js">\n${body}</file>\n`],
    [
      'in a tag with a fence in it',
      `<file name="src/new.js" type="js">\n\n${fence}js\n${body}${fence}\n</file>\n`,
    ],
    [
      'in a tag with CDATA in it',
      `<document path='src/new.js'>\n<![CDATA[\n${body}]]>\n</document>\n`,
    ],
    [
      'in the tags of a tool’s call',
      `<write_to_file>\n<path>src/new.js</path>\n<content>\n${body}</content>\n<line_count>2</line_count>\n</write_to_file>\n`,
    ],
    [
      'in an action, right behind its tag',
      `<boltArtifact id="a">\n<boltAction type="file" filePath="src/new.js">${body}</boltAction>\n</boltArtifact>\n`,
    ],
    ['below bold with a colon in it', file('**src/new.js:**')],
    ['below a path with back-slashes', file('src\\new.js')],
    ['below a path from the root', file('/src/new.js')],
    ['below a path with the prefix of a diff', file('a/src/new.js')],
    ['below a comment @file', `${fence}js\n/** @file src/new.js */\n${body}${fence}\n`],
    ['below a line of signs', `${fence}js\n// === src/new.js ===\n${body}${fence}\n`],
    ['below a list, with its path in the fence', `${list}${fence}js src/new.js\n${body}${fence}\n`],
    [
      'below a list, with its path in the first line, too',
      `- src/more.js\n- src/new.js\n${fence}js\n// src/new.js\n${body}${fence}\n`,
    ],
    ['in a tag below a list', `${list}<file path="src/new.js">\n${body}</file>\n`],
    ['below a list, and named again', `- src/new.js\n- src/other.js\n${file('- src/new.js')}`],
    [
      'as a hunk without signs',
      `${fence}diff\n--- src/new.js\n+++ src/new.js\n@@ -0,0 +1,1 @@\n${body}${fence}\n`,
    ],
  ])('%s', async (_, answer) => {
    expect(await draftOf(answer)).toMatchObject({ changes: [created], refusals: [] })
  })

  test.each([
    [
      'a tag of a call that is not closed',
      `<write_to_file>\n<path>src/new.js</path>\n<content>\n${body}`,
    ],
    ['a tag that is not closed', `<file path="src/new.js">\n${body}`],
    ['two paths in lines of one form', `src/new.js\nsrc/other.js\n${fence}js\n${body}${fence}\n`],
    [
      'code without a word about it',
      `${file('src/new.js')}\n${fence}js\nexport const m = 2\n${fence}\n`,
    ],
    [
      'a block of JSON for a file that prose names',
      `${file('src/new.js')}\nAdd this to package.json too:\n${fence}json\n{ "n": 1 }\n${fence}\n`,
    ],
    ['a path that leads out', file('..\\..\\etc\\passwd')],
    ['a path of the machine', file('/etc/passwd')],
  ])('not: %s', async (_, answer) => {
    expect((await draftOf(answer)).refusals).toHaveLength(1)
  })
})

describe('an edit is read', () => {
  const [before = '', after = ''] = ['export const a = one(1)\n', 'export const a = one(3)\n']
  const block = (head = '') => `<<<<<<< SEARCH\n${head}${before}=======\n${after}>>>>>>> REPLACE\n`
  const patch = `*** Begin Patch\n*** Update File: src/a.js\n@@\n-${before}+${after}*** End Patch\n`
  test.each([
    [
      'in the tags of a tool’s call',
      `<replace_in_file>\n<path>src/a.js</path>\n<diff>\n${block()}</diff>\n</replace_in_file>\n`,
    ],
    [
      'with the line where it begins',
      `<apply_diff>\n<path>src/a.js</path>\n<diff>\n${block(':start_line:1\n-------\n')}</diff>\n</apply_diff>\n`,
    ],
    ['with both lines', `src/a.js\n${block(':start_line: 1\n:end_line: 1\n-------\n')}`],
    ['fed to a program', `${fence}bash\napply_patch <<"EOF"\n${patch}EOF\n${fence}\n`],
    [
      'with a deletion and an example behind it',
      `src/a.js\n${fence}\n${block()}${fence}\n\nDELETE: README.md\n\n## Usage\n\n${fence}js\nrun()\n${fence}\n`,
    ],
  ])('%s', async (_, answer) => {
    const draft = await draftOf(answer)
    expect(draft.refusals).toEqual([])
    expect(draft.changes[0]).toMatchObject({
      path: 'src/a.js',
      content: `${after}export const b = two(2)\n`,
    })
    expect(draft.summary).not.toMatch(/[<>]/)
  })
})

it('takes a list whose other file has a block of its own', async () => {
  const draft = await draftOf(`- src/more.js\n${file('- src/new.js')}\n${file('src/more.js')}`)
  expect(draft).toMatchObject({
    changes: [created, { ...created, path: 'src/more.js' }],
    refusals: [],
  })
})

test.each([
  ['a fence', `src/new.js\n${fence}js\n${body}\n\n${fence}\n`],
  ['a tag', `<file path="src/new.js">\n${body}\n\n</file>\n`],
  [
    'the tags of a call',
    `<write_to_file>\n<path>src/new.js</path>\n<content>\n${body}\n\n</content>\n</write_to_file>\n`,
  ],
])('keeps the blank lines at the end of a file in %s', async (_, answer) => {
  expect(await draftOf(answer)).toMatchObject({
    changes: [{ ...created, content: `${body}\n\n` }],
    refusals: [],
  })
})

it('takes an edit in JSON that speaks of a part of a line', async () => {
  const edit = { path: 'src/a.js', search: 'one(1)', replace: 'one(3)' }
  const draft = await draftOf(JSON.stringify({ edits: [edit] }))
  expect(draft).toMatchObject({
    changes: [{ content: (files['src/a.js'] ?? '').replace('one(1)', 'one(3)') }],
    refusals: [],
  })
})

test.each([
  ['in several lines', 'export const', 'export let'],
  ['of words', 'wo(2)', 'wo(3)'],
])('refuses one %s', async (_, search, replace) => {
  const draft = await draftOf(JSON.stringify({ edits: [{ path: 'src/a.js', search, replace }] }))
  expect(draft).toMatchObject({ changes: [], refusals: [{ path: 'src/a.js' }] })
})

it('reads two hundred kilobytes of open tags', async () => {
  const draft = await draftOf('<file path="src/new.js">\n'.repeat(8_000))
  expect(draft.refusals.length).toBeGreaterThan(0)
})

it('takes what a line asks to remove, within a fence around the whole answer, too', async () => {
  const answer = `${fence}${fence}\n${file('src/new.js')}\nDELETE: src/a.js\n\n${file('src/other.js')}${fence}${fence}\n`
  expect(await draftOf(answer)).toMatchObject({
    changes: [
      created,
      { action: 'delete', path: 'src/a.js' },
      { ...created, path: 'src/other.js' },
    ],
    refusals: [],
  })
})

it.each([
  ['src/caf\u00e9.js', 'src/cafe\u0301.js', 'modify'],
  ['\u00fcber/new.js', 'u\u0308ber/new.js', 'create'],
])(
  'a path is spelled as the repository spells its accents: %s',
  async (written, spelled, action) => {
    const there = new Map([
      ['src/cafe\u0301.js', 'old\n'],
      ['u\u0308ber/a.js', 'a\n'],
    ])
    const { changes } = await readDraft(file(written), {
      ...{ base: [], expectedPath: undefined },
      paths: [...there.keys()],
      read: async (paths) => new Map([...there].filter(([path]) => paths.includes(path))),
    })
    expect(changes).toMatchObject([{ action, path: spelled }])
  },
)
