import { describe, expect, it, test } from 'vitest'
import type { ChangeSet, FileChange } from '../../../change/change-set.ts'
import type { DiffEntry } from '../../../change/trees.ts'
import { checkChangeSet, checkDiff, type GateRules } from '../../gate/gate.ts'

const rules: GateRules = {
  scope: [],
  roadmap: 'ROADMAP.md',
  protectedPaths: ['infra/**'],
  allowed: [],
  modes: new Map([
    ['src/a.js', '100644'],
    ['src/run.sh', '100755'],
    ['link', '120000'],
    ['vendor/lib', '160000'],
    ['ROADMAP.md', '100644'],
  ]),
}
const create = (path: string, content = 'a\n'): FileChange => ({ action: 'create', path, content })
const modify = (path: string, content = 'b\n', before = 'a\n'): FileChange => ({
  action: 'modify',
  path,
  before,
  content,
})
const remove = (path: string): FileChange => ({ action: 'delete', path, before: 'a\n' })
const types = (changes: ChangeSet, more: Partial<GateRules> = {}) =>
  checkChangeSet(changes, { ...rules, ...more }).map(({ path, type }) => `${type} ${path}`)

describe('checkChangeSet', () => {
  test.each([
    ['an ordinary set', [create('src/new.js'), modify('src/a.js'), remove('src/run.sh')]],
    ['one hundred files', Array.from({ length: 100 }, (_, index) => create(`f${index}.js`))],
    ['exactly one megabyte', [create('a.txt', 'a'.repeat(1024 * 1024))]],
    ['emoji and Persian text', [create('a.md', 'family 👨‍👩‍👧 ❤️ می‌خواهم\n')]],
    [
      'Russian comments and strings',
      [create('a.js', '// Привет, API-ключ\nprint("\\nПривет %sраз")\n')],
    ],
    ['Greek in formulas', [create('a.py', 'Δt = λ * σ2\n')]],
    ['a byte order mark at the start', [create('a.cs', '\uFEFFclass A {}\n')]],
    [
      'hidden text that was there before',
      [modify('src/a.js', 'x\n// \u202Eold\n', '// \u202Eold\n')],
    ],
  ])('lets through %s', (_, changes) => {
    expect(types(changes)).toEqual([])
  })

  test.each([
    ['a path that leads out', create('../a'), 'path ../a'],
    ['a path written oddly', create('./a'), 'path ./a'],
    ['the git folder', create('.GIT/config'), 'path .GIT/config'],
    ['a workflow', create('.GitHub/workflows/x.yml'), 'protected .GitHub/workflows/x.yml'],
    ['the roadmap', modify('ROADMAP.md'), 'protected ROADMAP.md'],
    ['what the configuration protects', create('infra/x.tf'), 'protected infra/x.tf'],
    ['a file too large', create('a.txt', 'é'.repeat(600_000)), 'size a.txt'],
    ['NUL', create('a.txt', 'a\0b'), 'binary a.txt'],
    ['an archive', create('a.txt', 'PK\x03\x04rest'), 'binary a.txt'],
    ['a half character', create('a.txt', 'a\uD800'), 'binary a.txt'],
    ['a symbolic link', modify('link'), 'tree link'],
    ['a path behind a symbolic link', create('link/a.js'), 'tree link/a.js'],
    ['a submodule', create('vendor/lib/a.js'), 'tree vendor/lib/a.js'],
    ['a file as a folder', create('src/a.js/b.js'), 'tree src/a.js/b.js'],
    ['a folder as a file', create('src'), 'tree src'],
    ['a path that differs in case', create('src/A.js'), 'tree src/A.js'],
    ['a folder that differs in case', create('SRC/new.js'), 'tree SRC/new.js'],
    ['a new file that exists', create('src/a.js'), 'tree src/a.js'],
    ['a change of nothing', modify('src/none.js'), 'tree src/none.js'],
    ['a removal of nothing', remove('src/none.js'), 'tree src/none.js'],
  ])('refuses %s', (_, change, problem) => {
    expect(types([change])).toEqual([problem])
  })

  test.each([
    [
      'a comment turned round',
      'if (x) {\n  // \u202E } \u2066if (admin)\u2069 \u2066 begin\n',
      2,
      6,
    ],
    ['a string turned round', 'a\nlevel != "user\u202E \u2066"', 2, 15],
    ['an invisible function', 'const \u3164 = 1', 1, 7],
    ['a zero-width space', 'a\u200Bb', 1, 2],
    ['a joiner in a name', 'us\u200Der', 1, 3],
    ['tag characters', 'x \u{E0041}', 1, 3],
    ['a payload of selectors', 'x \u{E0101}\u{E0102}', 1, 3],
    ['a Cyrillic letter in a Latin name', 'say\u041Dello()', 1, 1],
    ['a Greek letter in a Latin name', 'x = \u039Fpen()', 1, 5],
    ['a full-width letter in a name', 'e\uFF56al("x")', 1, 1],
    ['a styled name', '\u{1D41E}\u{1D42F}\u{1D41A}\u{1D425}("x")', 1, 1],
  ])('refuses %s', (_, content, line, column) => {
    expect(checkChangeSet([create('a.js', content)], rules)).toMatchObject([
      { path: 'a.js', type: 'hidden_text', line, column },
    ])
  })

  it('stops at the limits before it checks anything else', () => {
    const bomb = Array.from({ length: 10_000 }, (_, index) => create(`../f${index}`))
    expect(types(bomb)).toEqual(['size '])
    const heavy = Array.from({ length: 5 }, (_, index) => create(`f${index}`, 'a'.repeat(900_000)))
    expect(types(heavy)).toEqual(['size '])
  })

  it('sees what its own paths do to each other', () => {
    expect(types([create('a'), create('a/b')])).toEqual(['tree a/b'])
    expect(types([create('New.js'), create('new.js')])).toEqual(['tree new.js'])
    expect(types([create('Dir/x.js'), create('dir/y.js')])).toEqual(['tree dir/y.js'])
    expect(types([create('a'), create('a')])).toContain('tree a')
  })

  it('keeps to the scope, and to what a writer granted', () => {
    const scope = ['src/a.js']
    expect(types([modify('src/a.js'), create('src/a.test.js')], { scope })).toEqual([])
    expect(types([create('src/b.js')], { scope })).toEqual(['scope src/b.js'])
    const [outside] = checkChangeSet([create('src/b.js')], { ...rules, scope })
    expect(outside?.message).toMatch(/^is not among .*: src\/a\.js; .* \/allow src\/b\.js$/)
    const granted = { scope, allowed: ['src/b.js', '.github/workflows/x.yml'] }
    expect(types([create('src/b.js'), create('.github/workflows/x.yml')], granted)).toEqual([])
    expect(types([create('src/B.js')], granted)).toEqual(['scope src/B.js'])
  })
})

describe('a new test of a file in scope', () => {
  const scope = ['src/a.js']
  const content = "import { a } from '../src/a.js'\ntest('greets', () => a())\n"
  const modes = new Map([...rules.modes, ['test/old.test.js', '100644'], ['test/link', '120000']])
  const problems = (change: FileChange) => types([change], { scope, modes })
  const entry = { oldPath: 'test/new.test.js', oldMode: '000000', newMode: '100644' } as const

  it('is let in, whatever its name, before and after it is written', () => {
    const change = create('test/new.test.js', content)
    expect(problems(change)).toEqual([])
    const diff = [{ status: 'added', path: change.path, ...entry } as const]
    expect(checkDiff(diff, [change], { ...rules, scope, modes })).toEqual([])
    expect(checkDiff(diff, [], { ...rules, scope, modes })).toMatchObject([
      { type: 'diff' },
      { type: 'scope' },
    ])
  })

  test.each([
    ['an existing test', modify('test/old.test.js', content), ['scope test/old.test.js']],
    ['its removal', remove('test/old.test.js'), ['scope test/old.test.js']],
    [
      'an existing test that is said to be new',
      create('test/old.test.js', content),
      ['scope test/old.test.js', 'tree test/old.test.js'],
    ],
    [
      'a test among the workflows',
      create('.github/test/new.test.js', content),
      ['protected .github/test/new.test.js'],
    ],
    [
      'a protected test',
      create('infra/test/a.test.js', content),
      ['protected infra/test/a.test.js'],
    ],
    ['a link', create('test/link', content), ['scope test/link', 'tree test/link']],
    [
      'a test behind a link',
      create('test/link/a.test.js', content.replace('..', '../..')),
      ['tree test/link/a.test.js'],
    ],
    ['set-up', create('test/setup.js', content), ['scope test/setup.js']],
  ])('leaves out %s', (_, change, expected) => {
    expect(problems(change)).toEqual(expected)
  })
})

test.each<[string, readonly string[], string, boolean]>([
  ['of the language of the file', ['lib/answer.py'], 'tests/test_answer.py', true],
  ['of another language of the repository', ['native/answer.c'], 'test/answer.test.js', true],
  ['of a language that shares its tests', ['src/Answer.java'], 'src/test/AnswerTest.kt', true],
  ['of a language that is nowhere else', ['lib/answer.py'], 'answer_test.go', false],
  ['beside the test of a task', ['tests/answer.rs'], 'tests/test_answer.py', false],
  ['that the task names', ['lib/answer.py', 'answer_test.go'], 'answer_test.go', true],
  ['in a folder that the task names', ['lib/'], 'lib/answer_test.go', true],
])('a new test %s: %j, %s is let in: %s', (_, scope, path, isIn) => {
  expect(types([create(path)], { scope })).toEqual(isIn ? [] : [`scope ${path}`])
})

describe('checkDiff', () => {
  const entry = (path: string, more: Partial<DiffEntry> = {}): DiffEntry => ({
    status: 'added',
    path,
    oldPath: path,
    oldMode: '000000',
    newMode: '100644',
    ...more,
  })
  const modified = { status: 'modified', oldMode: '100644' } as const
  const changes = [create('src/new.js'), modify('src/a.js'), remove('src/run.sh')]
  const honest = [
    entry('src/new.js'),
    entry('src/a.js', modified),
    entry('src/run.sh', { status: 'deleted', oldMode: '100755', newMode: '000000' }),
  ]

  it('lets through exactly the change set', () => {
    expect(checkDiff(honest, changes, rules)).toEqual([])
    const tool = entry('src/tool.sh', { newMode: '100755' })
    expect(checkDiff([tool], [create('src/tool.sh', '#!/bin/sh\n')], rules)).toEqual([])
    const script = entry('src/run.sh', { status: 'modified', oldMode: '100755', newMode: '100755' })
    expect(checkDiff([script], [modify('src/run.sh')], rules)).toEqual([])
  })

  test.each([
    ['one file more', [...honest, entry('src/extra.js')], 'src/extra.js'],
    ['one file less', honest.slice(1), 'src/new.js'],
    ['another action', [entry('src/new.js', modified), ...honest.slice(1)], 'src/new.js'],
    [
      'a new program',
      [entry('src/new.js', { newMode: '100755' }), ...honest.slice(1)],
      'src/new.js',
    ],
    ['a new link', [entry('src/new.js', { newMode: '120000' }), ...honest.slice(1)], 'src/new.js'],
    [
      'a mode',
      [honest[0], entry('src/a.js', { ...modified, newMode: '100755' }), honest[2]],
      'src/a.js',
    ],
    [
      'a type',
      [honest[0], entry('src/a.js', { ...modified, status: 'type_changed' }), honest[2]],
      'src/a.js',
    ],
    [
      'a rename',
      [entry('src/new.js', { status: 'renamed', oldPath: 'src/a.js' }), ...honest.slice(1)],
      'src/new.js',
    ],
    ['a quoted path', [...honest, entry('"src/\\303.js"')], '"src/\\303.js"'],
    [
      'an unknown status',
      [{ ...entry('src/new.js'), status: 'unmerged' }, ...honest.slice(1)],
      'src/new.js',
    ],
  ])('refuses %s', (_, entries, path) => {
    const problems = checkDiff(entries as readonly DiffEntry[], changes, rules)
    expect(problems.map((problem) => problem.path)).toContain(path)
    expect(new Set(problems.map((problem) => problem.path)).size).toBe(1)
  })

  it('refuses a protected path for the second time', () => {
    const path = '.github/workflows/x.yml'
    const problems = checkDiff([entry(path)], [create(path)], rules)
    expect(problems).toMatchObject([{ path, type: 'protected' }])
  })
})
