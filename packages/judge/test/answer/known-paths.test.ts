import { describe, expect, test } from 'vitest'
import { readDraft } from '../../answer/read-draft.ts'

const names = [
  'CHANGES',
  'configure',
  'bin/run',
  '日本語',
  'docs/my notes.txt',
  'my notes.md',
  '.env',
  '[id].tsx',
  '(shop)/page.tsx',
  'app/[...all]/(shop)/page.tsx',
  '@scope/core/index.ts',
]
const before = 'one\ntwo\n'
const draftOf = (answer: string, paths: readonly string[] = names) =>
  readDraft(answer, {
    ...{ base: [], expectedPath: undefined },
    paths: paths,
    read: async (wanted) =>
      new Map(wanted.flatMap((path) => (paths.includes(path) ? [[path, before]] : []))),
  })

const fence = '```'
const whole = `${fence}\none\nthree\n${fence}\n`
const edit = '<<<<<<< SEARCH\ntwo\n=======\nthree\n>>>>>>> REPLACE\n'
const other = `src/a.js\n${fence}js\nexport const a = 1\n${fence}\n\n`
const forms: Readonly<Record<string, (path: string) => string>> = {
  alone: (path) => `${path}\n${whole}`,
  'in back-ticks': (path) => `**\`${path}\`**:\n\n${whole}`,
  'among words': (path) => `Update \`${path}\`:\n${whole}`,
  'with a label': (path) => `File: ${path}\n${whole}`,
  'in a heading': (path) => `### \`${path}\`\n\n${whole}`,
  'in the fence': (path) => whole.replace(fence, `${fence}txt title="${path}"`),
  'behind the language': (path) => whole.replace(fence, `${fence}txt ${path}`),
  'in a tag': (path) => `<file path="${path}">\none\nthree\n</file>\n`,
  'in the tag of a call': (path) => `<path>${path}</path>\n<content>\none\nthree\n</content>\n`,
  'above an edit': (path) => `${other}${path}\n${fence}\n${edit}${fence}\n`,
  'within the fence of an edit': (path) => `${other}${fence}\n${path}\n${edit}${fence}\n`,
  'in a diff': (path) =>
    `${fence}diff\n--- a/${path}\n+++ b/${path}\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n${fence}\n`,
}

describe.each(Object.entries(forms))('a name of the tree is a path: %s', (_, write) => {
  test.each(names)('%s', async (path) => {
    const draft = await draftOf(write(path))
    expect(draft.refusals).toEqual([])
    expect(draft.changes.at(-1)).toMatchObject({ action: 'modify', path, content: 'one\nthree\n' })
  })
})

test.each(['CHANGES', 'configure', 'my notes.md'])('it can be removed: %s', async (path) => {
  const draft = await draftOf(`DELETE: ${path}\n`)
  expect(draft).toMatchObject({ changes: [{ action: 'delete', path }], refusals: [] })
})

test.each([
  ...['LICENSE', 'LICENSE-MIT', 'NEWS', 'AUTHORS', 'VERSION', 'Procfile', 'Justfile', 'Podfile'],
  ...['Dockerfile.dev', 'web.Dockerfile', 'docs/LICENSE.MIT', 'app/[id].tsx', '(blog)/page.tsx'],
])('a new file that is known without an extension: %s', async (path) => {
  const draft = await draftOf(`${path}\n${whole}`)
  expect(draft).toMatchObject({ changes: [{ action: 'create', path }], refusals: [] })
})

test.each(['## TODO', '## NEWS', 'build:', 'Test:', 'Then run the build'])(
  'a word above a block is none: %s',
  async (line) => {
    const draft = await draftOf(`${other}${line}\n${fence}sh\nnpm run build\n${fence}\n`, [
      'build',
      'test',
    ])
    expect(draft.changes).toMatchObject([{ path: 'src/a.js' }])
  },
)
