import { describe, expect, it } from 'vitest'
import { contentAfter } from '../../../packages/change/change-set.ts'
import { readDraft } from '../../../packages/judge/answer/read-draft.ts'
import { attributeReply } from '../../../src/graph/parts/attribute-reply.ts'
import { edit, file } from '../../e2e/cli/model.ts'

const files: Readonly<Record<string, string>> = { 'src/a.js': 'one\n\ntwo\n' }

const around = {
  task: null,
  paths: Object.keys(files),
  read: async (wanted: readonly string[]) =>
    new Map(wanted.flatMap((path) => (files[path] === undefined ? [] : [[path, files[path]]]))),
}

async function attribute(answer: string) {
  const draft = await readDraft(answer, { ...around, base: [], expectedPath: undefined })
  const found = await attributeReply(answer, ['T-1', 'T-2', 'T-3'], draft, around)
  return (
    found?.map(({ id, changes }) => [
      id,
      ...changes.map((each) => `${each.path} ${contentAfter(each)}`),
    ]) ?? null
  )
}

const one = edit('src/a.js', 'one', 'I')
const two = edit('src/a.js', 'two', 'II')
const fresh = file('src/b.js', 'b\n')
const both = [
  ['T-1', 'src/a.js I\n\ntwo\n'],
  ['T-2', 'src/a.js I\n\nII\n'],
]

describe('an answer about several tasks', () => {
  it.each<[string, string, Awaited<ReturnType<typeof attribute>>]>([
    ['is told apart at its headings', `## T-1\n${one}\n## T-2\n${two}`, both],
    ['with titles, bold or not', `### T-1: Say I\n${one}\n**T-2**\n${two}`, both],
    ['with line ends of Windows', `## T-1\n${one}\n## T-2\n${two}`.replaceAll('\n', '\r\n'), both],
    ['when one has nothing', `## T-2\n${two}\n`, [['T-2', 'src/a.js one\n\nII\n']]],
    [
      'in any order',
      `## T-2\n${two}\n## T-1\n${one}`,
      [
        ['T-2', 'src/a.js one\n\nII\n'],
        ['T-1', 'src/a.js I\n\nII\n'],
      ],
    ],
    [
      'whatever the files hold',
      `## T-1\n${file('src/b.js', '## T-2\n## T-9\n')}\n## T-2\n${two}`,
      [
        ['T-1', 'src/b.js ## T-2\n## T-9\n'],
        ['T-2', 'src/a.js one\n\nII\n'],
      ],
    ],
    ['not without headings', one + two, null],
    ['not with the ids of others', `## T-8\n${one}\n## T-9\n${two}`, null],
    ['not when a task comes twice', `## T-1\n${one}\n## T-2\n${fresh}\n## T-1\n${two}`, null],
    ['not when a change comes before the first', `${one}\n## T-2\n${two}`, null],
    [
      'not when a part cannot be applied',
      `## T-1\n${edit('src/a.js', 'nine', 'IX')}\n## T-2\n${two}`,
      null,
    ],
    ['not when nothing is in it', '', null],
  ])('%s', async (_, answer, expected) => {
    expect(await attribute(answer)).toEqual(expected)
  })
})
