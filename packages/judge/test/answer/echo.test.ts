import { describe, expect, it, test } from 'vitest'
import type { ChangeSet } from '../../../change/change-set.ts'
import { readDraft } from '../../answer/read-draft.ts'

const files: Readonly<Record<string, string>> = {
  'src/a.js': 'import { x } from "./x.js"\nexport const a = () => x()\nexport const b = 2\n',
  'src/old.js': 'export const old = 1\n',
}
const read = async (paths: readonly string[]) =>
  new Map(paths.flatMap((path) => (files[path] === undefined ? [] : [[path, files[path]]])))
const draftOf = (
  answer: string,
  base: ChangeSet = [],
  refused?: Parameters<typeof readDraft>[1]['refused'],
) =>
  readDraft(answer, {
    ...{ base, expectedPath: undefined, read },
    ...(refused && { refused }),
  })
const whole = (path: string, text: string) => `${path}\n\`\`\`js\n${text}\`\`\`\n`
const block = (path: string, search: string, replace: string) =>
  `${path}\n\`\`\`\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n\`\`\`\n`
const news = whole('src/new.js', 'export const n = 1\n')
const sameFile = whole('src/a.js', files['src/a.js'] ?? '')

describe('what equals the present state', () => {
  test.each([
    ['a file repeated', sameFile],
    ['an edit that changes nothing', block('src/a.js', 'export const b = 2', 'export const b = 2')],
    ['an edit that is made already', block('src/a.js', 'export const b = 1', 'export const b = 2')],
    [
      'a hunk that is made already',
      'src/a.js\n```diff\n@@ -2,2 +2,2 @@\n export const a = () => x()\n-export const b = 1\n+export const b = 2\n```\n',
    ],
    ['a new name that is the old one', 'RENAME: src/a.js -> src/a.js\n'],
  ])('is a note beside the change that is asked for: %s', async (_, echo) => {
    const draft = await draftOf(`${echo}\n${news}`)
    expect(draft.refusals).toEqual([])
    expect(draft.changes).toMatchObject([{ action: 'create', path: 'src/new.js' }])
    expect(draft.notes).toEqual([expect.stringMatching(/^src\/a\.js: changed nothing/)])
  })

  it('is a problem where nothing else is in the answer', async () => {
    const draft = await draftOf(sameFile)
    expect(draft).toMatchObject({
      changes: [],
      refusals: [{ path: 'src/a.js', reason: /changed nothing/ }],
    })
  })

  test.each([
    ['repeats it beside a change', `${sameFile}\n${news}`],
    ['leaves it out', news],
  ])('is no problem any more once an answer that %s arrives', async (_, answer) => {
    const { refusals } = await draftOf(sameFile)
    const next = await draftOf(answer, [], refusals)
    expect(next).toMatchObject({ refusals: [], changes: [{ path: 'src/new.js' }] })
  })

  it('stays one while answers bring nothing new', async () => {
    const { refusals } = await draftOf(sameFile)
    const old = whole('src/old.js', files['src/old.js'] ?? '')
    const next = await draftOf(old, [], refusals)
    expect(next.changes).toEqual([])
    expect(next.refusals).toMatchObject([{ path: 'src/a.js', reason: /changed nothing/ }])
  })

  test.each([
    ['that should have come', '  return total(items, all)', '  return empty()'],
    ['that are there but for what goes at their end', '  return nil()', '  return spaced()'],
  ])('is not what merely looks like the lines %s', async (_, search, replace) => {
    const file =
      'function one() {\n  return total(items)\n}\nfunction two() {\n  return empty()\n}\n  return spaced() \n'
    const draft = await readDraft(`${block('b.js', search, replace)}${news}`, {
      ...{ base: [], expectedPath: undefined },
      read: async () => new Map([['b.js', file]]),
    })
    expect(draft.refusals).toMatchObject([{ path: 'b.js', reason: /not in the file/ }])
  })
})

test.each([
  ['above', '// say b\nexport const a = () => x()', 'export const a = () => x()'],
  ['below', 'export const b = 2\n// say b', 'export const b = 2'],
])(
  'a removal at an edge, %s, is refused where its lines are not there',
  async (_, search, replace) => {
    const draft = await draftOf(`${block('src/a.js', search, replace)}${news}`)
    expect(draft.refusals).toMatchObject([{ path: 'src/a.js', reason: /not in the file/ }])
  },
)

describe('an edit that comes twice in one answer', () => {
  const insertion = [
    'import { x } from "./x.js"',
    'import { x } from "./x.js"\nimport y from "./y.js"',
  ] as const
  const hunk =
    'src/a.js\n```diff\n@@ -1,1 +1,2 @@\n import { x } from "./x.js"\n+import y from "./y.js"\n```\n'
  test.each([
    ['in a row', `${block('src/a.js', ...insertion)}${block('src/a.js', ...insertion)}`],
    [
      'with a file between',
      `${block('src/a.js', ...insertion)}${news}${block('src/a.js', ...insertion)}`,
    ],
    ['as a diff', `${hunk}${news}${hunk}`],
  ])('is made once: %s', async (_, answer) => {
    const { changes, refusals } = await draftOf(answer)
    expect(refusals).toEqual([])
    expect(changes).toContainEqual(
      expect.objectContaining({
        content: (files['src/a.js'] ?? '').replace('\n', '\nimport y from "./y.js"\n'),
      }),
    )
  })
})

describe('the whole answer again, in a repair', () => {
  const answer = [
    block(
      'src/a.js',
      'import { x } from "./x.js"',
      'import { x } from "./x.js"\nimport y from "./y.js"',
    ),
    'DELETE: src/old.js',
    news,
  ].join('\n')

  it('changes nothing of the draft and gives no reason of its own', async () => {
    const first = await draftOf(answer)
    expect(first.refusals).toEqual([])
    const again = await draftOf(answer, first.changes, [])
    expect(again).toMatchObject({ changes: first.changes, refusals: [] })
  })

  it('is a note next to new changes', async () => {
    const first = await draftOf(answer)
    const more = await draftOf(
      `${answer}\n${whole('src/more.js', 'export const m = 1\n')}`,
      first.changes,
      [],
    )
    expect(more.refusals).toEqual([])
    expect(more.changes).toHaveLength(first.changes.length + 1)
  })

  it('renames once', async () => {
    const first = await draftOf('RENAME: src/old.js -> src/older.js\n')
    const again = await draftOf('RENAME: src/old.js -> src/older.js\n', first.changes, [])
    expect(again).toMatchObject({ changes: first.changes, refusals: [] })
  })
})

describe('what was refused before', () => {
  const refused = [
    { path: 'src/a.js', reason: 'the SEARCH lines are not in the file', excerpt: 'z' },
  ]
  const other: ChangeSet = [
    { action: 'create', path: 'src/new.js', content: 'export const n = 1\n' },
  ]

  test.each([
    ['an answer that repeats the existing file', sameFile, []],
    ['an answer about another file', whole('src/more.js', 'export const m = 1\n'), []],
    ['an answer without a file', 'What do you mean?', [{ path: '' }]],
  ])('stays through %s', async (_, answer, more) => {
    const draft = await draftOf(answer, other, refused)
    expect(draft.refusals).toMatchObject([...refused, ...more])
  })

  test.each([
    ['a change of the file', block('src/a.js', 'export const b = 2', 'export const b = 3'), []],
    [
      'another reason',
      block('src/a.js', 'nothing like it', 'x'),
      [{ path: 'src/a.js', reason: /closest/ }],
    ],
    ['the word for an empty change', 'NOTHING_TO_DO', []],
  ])('gives way to %s', async (_, answer, left) => {
    const draft = await draftOf(answer, other, refused)
    expect(draft.refusals).toMatchObject(left)
  })
})

it('leaves out what no path can hold, and says so', async () => {
  const refused = [{ path: '../x.js', reason: 'the path leads out of the repository', excerpt: '' }]
  const base: ChangeSet = [
    { action: 'create', path: 'src/new.js', content: 'export const n = 1\n' },
  ]
  const draft = await draftOf(whole('src/more.js', 'export const m = 1\n'), base, refused)
  expect(draft.refusals).toEqual([])
  expect(draft.warnings).toEqual(['../x.js was left out: the path leads out of the repository'])
})

it('gives way to another file where the refused one is not there', async () => {
  const refused = [{ path: 'src/A.js', reason: 'there is no such file to edit', excerpt: '' }]
  const edit = block('src/a.js', 'export const b = 2', 'export const b = 3')
  const draft = await draftOf(edit, [], refused)
  expect(draft).toMatchObject({ refusals: [], changes: [{ path: 'src/a.js' }] })
})
