import { describe, expect, it } from 'vitest'
import { contentAfter } from '../../../../packages/change/change-set.ts'
import { readDraft } from '../../../../packages/judge/answer/read-draft.ts'
import { isParsed } from '../../../../packages/judge/validate/parse-text.ts'
import { validateFile } from '../../../../packages/judge/validate/validate-file.ts'
import { languageOf } from '../../../../packages/source/code/languages.ts'
import {
  chooseLesson,
  codeLessons,
  type Lesson,
  lessonTurns,
  otherLessons,
  testLessons,
  withoutEcho,
} from '../../../../src/model/prompts/examples/lessons.ts'
import { aDraft } from '../../../graph/nodes/bench.ts'

const { javascript, typescript, python, go, rust, ruby } = codeLessons
const { json, yaml, docs, script, style } = otherLessons
const node = 'package.json: ES modules; test "node --test"'
const vitest = 'package.json: ES modules; test "vitest run"; dev typescript, vitest'

interface Case {
  readonly about: string
  readonly title?: string
  readonly named?: readonly string[]
  readonly map?: string
  readonly shown?: readonly string[]
  readonly lesson: Lesson
}

const cases: readonly Case[] = [
  { about: 'the language of the file it names', named: ['app/user.py'], lesson: python },
  { about: 'code before its test', named: ['test/a.test.ts', 'src/a.ts'], lesson: typescript },
  { about: 'a path in its words', title: 'Speed up `cmd/serve.go`', lesson: go },
  { about: 'tests, of Python', named: ['tests/test_a.py'], lesson: testLessons.python },
  {
    about: 'tests, as node:test has them',
    named: ['test/a.test.js'],
    map: node,
    lesson: testLessons.javascript,
  },
  {
    about: 'tests, as vitest has them',
    named: ['test/a.test.ts'],
    map: vitest,
    lesson: testLessons.expect,
  },
  {
    about: 'tests, by the title and the code shown',
    title: 'Add tests for the parser',
    shown: ['lib/parser.rb'],
    lesson: testLessons.ruby,
  },
  { about: 'configuration', named: ['tsconfig.json'], lesson: json },
  { about: 'a workflow', named: ['ci/build.yml'], lesson: yaml },
  { about: 'a document', named: ['docs/use.md'], lesson: docs },
  { about: 'a document, by the title', title: 'Write the README', lesson: docs },
  { about: 'a script', named: ['bin/release.sh'], lesson: script },
  { about: 'a Dockerfile', named: ['Dockerfile'], lesson: script },
  { about: 'a style sheet', named: ['web/site.css'], lesson: style },
  { about: 'code and its document: the code', named: ['README.md', 'src/a.rs'], lesson: rust },
  { about: 'nothing named: the code shown', shown: ['a.rb', 'b.rb', 'c.js'], lesson: ruby },
  { about: 'nothing shown: the manifest', map: 'go.mod: module x', lesson: go },
  { about: 'nothing at all', lesson: javascript },
]

describe('the worked example is nearest to', () => {
  it.each(cases)('$about', ({ title = 'Do it', named = [], map = '', shown = [], lesson }) => {
    const task = { title, details: '', files: named }
    const files = shown.map((path) => ({ path }))
    expect(chooseLesson({ task, plan: null, map, files })).toBe(lesson)
  })
})

const lessons: readonly (readonly [string, Lesson])[] = [
  ...Object.entries(codeLessons),
  ...Object.entries(testLessons),
  ...Object.entries(otherLessons),
]

const inEachForm = lessons.flatMap(([name, lesson]) =>
  (['edits', 'whole'] as const).map((form) => [name, form, lesson] as const),
)

describe.each(inEachForm)('the example %s as %s', (_, form, lesson) => {
  const answer = lessonTurns(lesson, form)[1].content
  const texts = new Map([[lesson.path, lesson.before]])
  const read = async () => texts

  it('is an answer that we would take ourselves', async () => {
    const draft = await readDraft(answer, { base: [], expectedPath: undefined, read })
    expect(draft.refusals).toEqual([])
    const { path, before, search, replace, fresh } = lesson
    expect(draft.changes.map((change) => [change.path, contentAfter(change)])).toEqual([
      [path, before.replace(search, () => replace)],
      ...(fresh ? [[fresh.path, fresh.text]] : []),
    ])
    for (const change of draft.changes) {
      if (!['javascript', 'typescript', 'json', 'yaml', 'toml'].includes(languageOf(change.path))) {
        continue
      }
      expect(isParsed(languageOf(change.path))).toBe(true)
      const file = { path: change.path, text: contentAfter(change) ?? '' }
      const syntax = { check: () => Promise.reject(new Error('not needed')) }
      expect((await validateFile(file, { syntax })).problems).toEqual([])
    }
  })

  it('is dropped where a model repeats it', async () => {
    const nothing = async () => new Map<string, string>()
    const echoed = await readDraft(answer, { base: [], expectedPath: undefined, read: nothing })
    expect(withoutEcho(echoed, lesson)).toMatchObject({
      changes: [],
      refusals: [{ path: '', reason: expect.stringContaining('only repeats') }],
    })
    const own = { action: 'create', path: 'own.txt', content: 'own\n' } as const
    const both = withoutEcho({ ...echoed, changes: [...echoed.changes, own] }, lesson)
    expect([both.changes, both.refusals]).toEqual([[own], []])
  })
})

it.each([
  [
    'more than the example',
    { action: 'create', path: python.fresh.path, content: `${python.fresh.text}# more\n` },
  ],
  ['a deletion', { action: 'delete', path: 'old.py', before: 'x = 1\n' }],
  ['a deletion of the example', { action: 'delete', path: python.fresh.path, before: 'x = 1\n' }],
] as const)('leaves a draft alone that repeats nothing: %s', (_name, change) => {
  const draft = aDraft({ changes: [change] })
  expect(withoutEcho(draft, python)).toBe(draft)
})
