import { describe, expect, it, test } from 'vitest'
import { readDraft } from '../../answer/read-draft.ts'

const files: Readonly<Record<string, string>> = {
  'src/a.js': 'export const a = 1\n',
  'README.md': '# Shop\n\nIt sells.\n\nIt buys.\n\nIt lends.\n',
}
const read = async (paths: readonly string[]) =>
  new Map(paths.flatMap((path) => (files[path] === undefined ? [] : [[path, files[path]]])))

type Input = Partial<Parameters<typeof readDraft>[1]>
const draftOf = (answer: string, more: Input = {}) =>
  readDraft(answer, { base: [], expectedPath: undefined, read, ...more })
const whole = (path: string, text: string) => `${path}\n\`\`\`js\n${text}\`\`\`\n`
const block = (path: string, search: string, replace: string) =>
  `${path}\n\`\`\`\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n\`\`\`\n`
const changed = whole('src/a.js', 'export const a = 2\n')

describe('half an answer', () => {
  const filtered = { finish: 'length', why: 'the endpoint ended it (content_filter)' } as const

  it('is asked for the rest', async () => {
    const draft = await draftOf(changed, { end: filtered })
    expect(draft).toMatchObject({ isCut: true, changes: [{ path: 'src/a.js' }] })
    expect(draft.refusals).toMatchObject([
      {
        path: 'src/a.js',
        reason: /^the answer was cut off after this \(the endpoint .*filter\)\)/,
      },
    ])
  })

  it('is whole where the answer is', async () => {
    const draft = await draftOf(changed, { end: { finish: 'stop' } })
    expect(draft.refusals).toEqual([])
    expect(draft.isCut).toBeUndefined()
  })

  test.each<
    [name: string, answer: string, finish: 'stop' | 'length', left: number, warnings: number]
  >([
    ['brings more', whole('src/b.js', 'export const b = 1\n'), 'stop', 0, 0],
    ['says that nothing is missing', 'NOTHING_TO_DO', 'stop', 0, 0],
    ['repeats it', changed, 'stop', 0, 0],
    ['repeats it and is cut off again', changed, 'length', 0, 1],
    ['brings more and is cut off again', whole('src/b.js', 'export const b = 1\n'), 'length', 1, 0],
    ['is empty', '', 'stop', 1, 0],
  ])('ends with an answer that %s', async (_, answer, finish, left, warnings) => {
    const { changes: base, refusals: refused } = await draftOf(changed, { end: filtered })
    const draft = await draftOf(answer, { base, refused, end: { finish } })
    expect(draft.changes).toContainEqual(expect.objectContaining({ path: 'src/a.js' }))
    expect(draft.refusals).toHaveLength(left)
    expect(draft.warnings).toHaveLength(warnings)
  })
})

test.each<[why: string | undefined, said: string, reason: string]>([
  ['the model refused: No.', '', 'The answer was empty: the model refused: No.'],
  [undefined, '', 'The answer was empty.'],
  [undefined, '<think>Hm.', 'The answer was empty: the model wrote only its reasoning.'],
])('an empty answer says why: %s, %j', async (why, said, reason) => {
  const { refusals } = await draftOf(said, { end: { ...(why !== undefined && { why }) } })
  expect(refusals).toMatchObject([{ reason }])
})

describe('a refused part that the next answer leaves out', () => {
  const task = { title: 'Let a be two', details: '', files: [] as string[] }
  const lost = block('README.md', 'not there', 'there')
  const lostCode = block('src/a.js', 'not there', 'there')
  const news = whole('src/new.js', 'export const n = 1\n')
  test.each<
    [name: string, first: string, next: string, more: object, left: string[], out: string[]]
  >([
    ['is dropped where it is prose', changed + lost, changed, {}, [], ['README.md']],
    ['is dropped beside a change', changed + lost, news, {}, [], ['README.md']],
    [
      'stays where the task speaks of it',
      changed + lost,
      changed,
      { details: 'Say so in the readme.' },
      ['README.md'],
      [],
    ],
    ['stays where it is code', news + lostCode, news, {}, ['src/a.js'], []],
    [
      'is dropped where the task lists others',
      news + lostCode,
      news,
      { files: ['src/new.js'], title: 'New' },
      [],
      ['src/a.js'],
    ],
    ['stays where there is nothing else', lost, lost, {}, ['README.md'], []],
  ])('%s', async (_, first, next, more, left, out) => {
    const about = { task: { ...task, ...more } }
    const before = await draftOf(first, about)
    const draft = await draftOf(next, { ...about, base: before.changes, refused: before.refusals })
    expect(draft.refusals.map(({ path }) => path)).toEqual(left)
    expect(draft.warnings).toEqual(
      out.map((path) => expect.stringMatching(`^${path} was left out: `)),
    )
  })
})

describe('NOTHING_TO_DO', () => {
  const same = whole('src/a.js', 'export const a = 1\n')
  test.each<[name: string, answer: string, claims: boolean, changes: number]>([
    ['beside a file as it is, is a claim', `NOTHING_TO_DO\n\n${same}`, true, 0],
    ['beside a change, is none', `NOTHING_TO_DO\n\n${changed}`, false, 1],
    ['in the place of a file, is a claim', whole('src/a.js', 'NOTHING_TO_DO\n'), true, 0],
    ['that is not said, is no claim', same, false, 0],
  ])('%s', async (_, answer, claimsDone, changes) => {
    const draft = await draftOf(answer)
    expect(draft).toMatchObject({ claimsDone })
    expect(draft.changes).toHaveLength(changes)
    expect(draft.refusals).toHaveLength(claimsDone || changes > 0 ? 0 : 1)
  })
})
