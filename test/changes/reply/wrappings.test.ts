import { describe, expect, it, test } from 'vitest'
import { readDraft } from '../../../src/changes/reply/read-draft.ts'

const files: Readonly<Record<string, string>> = {
  'src/a.js': 'export const a = one(1)\nexport const b = two(2)\n',
  'README.md': '# A\n',
}
const draftOf = (answer: string) =>
  readDraft(answer, {
    ...{ base: [], expectedPath: undefined },
    paths: async () => Object.keys(files),
    read: async (paths) =>
      new Map(paths.flatMap((path) => (files[path] === undefined ? [] : [[path, files[path]]]))),
  })
const fence = '```'
const body = 'export const n = 1\n'
const file = (path: string) => `${path}\n${fence}js\n${body}${fence}\n`
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
    ['below a path with back-slashes', file('src\\new.js')],
    ['below a path from the root', file('/src/new.js')],
    ['below a path with the prefix of a diff', file('a/src/new.js')],
    ['below a comment @file', `${fence}js\n/** @file src/new.js */\n${body}${fence}\n`],
    ['below a line of signs', `${fence}js\n// === src/new.js ===\n${body}${fence}\n`],
    [
      'as a hunk without signs',
      `${fence}diff\n--- src/new.js\n+++ src/new.js\n@@ -0,0 +1,1 @@\n${body}${fence}\n`,
    ],
  ])('%s', async (_, answer) => {
    expect(await draftOf(answer)).toMatchObject({ changes: [created], refusals: [] })
  })

  test.each([
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
