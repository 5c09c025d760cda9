import { describe, expect, it } from 'vitest'
import type { ChangeSet } from '../../../change/change-set.ts'
import { findMissing, findSilenced, findStillRed, findUnrun } from '../../compare/find-unrun.ts'
import { failureSaying } from '../../compare/read-outcome.ts'
import type { CommandReport, TestReport } from '../../results/test-report.ts'

const ran = (titles: readonly string[] | undefined, facts: Partial<CommandReport> = {}) =>
  ({
    commands: [
      {
        ...{ command: 'npm test', exitCode: 0, timedOut: false, failures: [], tail: '' },
        counts: { passed: titles?.length ?? 1, failed: 0, skipped: 0 },
        ...{ titles, seconds: 1, sandbox: 'bubblewrap', ...facts },
      },
    ],
  }) satisfies TestReport

const treeOf = (files: Readonly<Record<string, string>>, changes: ChangeSet = []) => ({
  changes,
  paths: Object.keys(files),
  read: async (paths: readonly string[]) =>
    new Map(paths.map((path) => [path, files[path] ?? ''] as const)),
})

describe('a test that ran before and is still there', () => {
  const missed = async (
    files: Readonly<Record<string, string>>,
    before: TestReport,
    after: TestReport,
    changes?: ChangeSet,
  ) => (await findMissing(before, after, treeOf(files, changes))).map(({ test }) => test)
  const js = { 'a.test.js': "test('adds', f)\ntest('adds twice', f)\n" }
  const python = { 'tests/test_a.py': 'def test_adds (x):\n    pass\n' }

  it.each<[string, Readonly<Record<string, string>>, readonly string[], readonly string[]]>([
    ['is no more', js, ['adds', 'adds twice'], ['adds twice']],
    ['is there twice, and ran once', js, ['adds', 'adds'], ['adds']],
    ['is a function', python, ['test_adds'], ['test_b']],
    ['is one of a table', { 'a_test.go': 'func TestA(t) {}\n' }, ['TestA/one'], ['TestB']],
  ])('is missed where it %s', async (_, files, before, after) => {
    expect(await missed(files, ran(before), ran(after))).toHaveLength(1)
  })

  it.each<[string, Readonly<Record<string, string>>, TestReport, TestReport]>([
    ['runs', js, ran(['adds']), ran(['adds', 'b'])],
    ['is part of another name', { 'a.test.js': "test('xadds', f)\n" }, ran(['adds']), ran(['b'])],
    ['belongs to a table that has fewer rows', js, ran(['adds[1]', 'adds[2]']), ran(['adds[1]'])],
    ['was cut off', js, ran(['adds']), ran(['b'], { timedOut: true })],
    ['was cut off before', js, ran(['adds'], { timedOut: true }), ran(['b'])],
    ['is in no report', js, ran(['adds']), ran(undefined)],
    ['is a file of Node.js', { 'a.test.js': "'a.test.js'" }, ran(['a.test.js']), ran(['b'])],
    ['is a module of pytest', { 'a_test.py': "'a_test'" }, ran(['a_test']), ran(['test_b'])],
    ['has a name that code has', { 'src/a.js': "'adds'" }, ran(['adds']), ran(['b'])],
  ])('is not missed where it %s', async (_, files, before, after) => {
    expect(await missed(files, before, after)).toEqual([])
  })

  it('is not missed where the change takes one of that name out', async () => {
    const before = `${js['a.test.js']}test('adds', g)\n`
    const changes = [
      { action: 'modify', path: 'a.test.js', before, content: js['a.test.js'] },
    ] as const
    const [was, is] = [ran(['adds', 'adds']), ran(['adds'])]
    expect(await missed(js, was, is, changes)).toEqual([])
    expect(await missed(js, was, is)).toEqual(['adds'])
  })
})

describe('a test that several classes inherit', () => {
  const path = 'tests/test_a.py'
  const before = 'class TestA:\n    def test_adds(self):\n        assert 1\n'
  const moved = 'class TestA: pass\n\ndef test_adds():\n    assert 1\n'
  const missed = async (content: string, runs: readonly string[]) => {
    const changes = [{ action: 'modify', path, before, content }] as const
    const tree = treeOf({ [path]: content }, changes)
    return (await findMissing(ran(['test_adds', 'test_adds']), ran(runs), tree)).length
  }

  it('may run less often where the change makes it no method', async () => {
    expect(await missed(moved, ['test_adds'])).toBe(0)
  })

  it('is missed where it runs no more, or less often as it was', async () => {
    expect(await missed(moved, ['test_b'])).toBe(1)
    expect(await missed(`${before}x = 1\n`, ['test_adds'])).toBe(1)
    const without = `${before}\nclass TestB(TestA):\n    test_adds = None\n`
    expect(await missed(without, ['test_adds'])).toBe(1)
  })
})

describe('a new test file', () => {
  const content = "test('new', f)\n"
  const beside = { 'test/a.test.js': "test('adds', f)\n" }
  const unrun = (
    before: TestReport | null,
    after: TestReport,
    files: Readonly<Record<string, string>> = beside,
    text = content,
  ) => {
    const changes = [{ action: 'create', path: 'test/b.test.js', content: text }] as const
    return findUnrun(before, after, treeOf({ ...files, 'test/b.test.js': text }, changes))
  }
  const told = (passed: number) => ran(undefined, { counts: { passed, failed: 0, skipped: 0 } })

  it.each<[string, TestReport | null, TestReport]>([
    ['none of its tests ran', ran(['adds']), ran(['adds'])],
    ['no more tests ran than before', told(1), told(1)],
  ])('is unproven where %s', async (_, before, after) => {
    expect(await unrun(before, after)).toEqual([{ path: 'test/b.test.js', isAccepted: true }])
  })

  it.each<[string, Readonly<Record<string, string>>]>([
    ['in its folder', { 'a.test.js': "test('adds', f)" }],
    ['of its kind of name', { 'test/a.js': "test('adds', f)" }],
  ])('is not run where no test runs %s', async (_, files) => {
    expect(await unrun(ran(['adds']), ran(['adds']), files)).toEqual([
      { path: 'test/b.test.js', isAccepted: false },
    ])
    expect(await unrun(told(1), told(1), files)).toEqual([])
  })

  it.each<[string, TestReport | null, TestReport, Readonly<Record<string, string>>?, string?]>([
    ['a test of it ran', ran(['adds']), ran(['adds', 'new'])],
    ['its test ran under a name known before', ran(['new']), ran(['new'])],
    [
      'a name in it ran',
      ran(['adds']),
      ran(['adds', 'made']),
      beside,
      `${content}each(['made'])\n`,
    ],
    ['more tests ran than before', told(1), told(2)],
    ['it is unknown how many ran before', null, told(1)],
    ['no test ran at all', told(0), told(0)],
    ['some tests were left out', ran(['adds']), { ...ran(['adds']), notRun: ['make test'] }],
    ['it is put aside', ran(['adds']), ran(['adds']), beside, "test.skip('new', f)\n"],
  ])('is left alone where %s', async (_, before, after, files, text) => {
    expect(await unrun(before, after, files, text)).toEqual([])
  })
})

describe('a test file that could not be run before', () => {
  const red = (file: string | null) => ({
    ...failureSaying('error', 'undefined: Add'),
    file,
  })
  const broken = (file: string | null, facts: Partial<CommandReport> = {}) =>
    ran(['adds'], { failures: [red(file)], exitCode: 1, ...facts })
  const go = {
    'sum/sum_test.go': 'package sum\n\nfunc TestAdd(t *testing.T) {\n\tt.Fatal(1)\n}\n',
    'sum/more_test.go': 'package sum\n\nfunc TestMore(t *testing.T) {\n\tt.Fatal(1)\n}\n',
  }
  const js = { 'a.test.js': "test('new', f)\n" }
  const skipping = ran(['adds'], { counts: { passed: 1, failed: 0, skipped: 1 } })
  const silenced = async (
    files: Readonly<Record<string, string>>,
    before: TestReport | null,
    after: TestReport,
  ) => (await findSilenced(before, after, treeOf(files))).map(({ file }) => file)

  it.each<[string, Readonly<Record<string, string>>, TestReport, readonly string[]]>([
    ['itself', js, broken('a.test.js'), ['a.test.js']],
    ['with its folder', go, broken('sum/sum.go'), ['sum/sum_test.go']],
  ])('is silenced where none of its tests runs, %s', async (_, files, before, silent) => {
    expect(await silenced(files, before, ran(['adds']))).toEqual(silent)
  })

  it.each<[string, Readonly<Record<string, string>>, TestReport | null, TestReport]>([
    ['a test of it runs', js, broken('a.test.js'), ran(['adds', 'new'])],
    ['a test of its folder runs', go, broken('sum/sum_test.go'), ran(['adds', 'TestMore'])],
    ['it is still red', js, broken('a.test.js'), broken('a.test.js')],
    ['its folder is', go, broken('sum/sum.go'), broken('sum/more_test.go')],
    ['its tests may be skipped', js, broken('a.test.js'), skipping],
    ['tests were left out', js, broken('a.test.js'), { ...ran(['adds']), notRun: ['make'] }],
    ['no names are told', js, broken('a.test.js'), ran(undefined)],
    ['it was green', js, broken(null), ran(['adds'])],
    ['the start commit was not measured', js, null, ran(['adds'])],
    ['it has no tests', { 'a.test.js': 'f()\n' }, broken('a.test.js'), ran(['adds'])],
    ['it is no test file', { 'a.js': "test('new', f)\n" }, broken('a.js'), ran(['adds'])],
  ])('is not silenced where %s', async (_, files, before, after) => {
    expect(await silenced(files, before, after)).toEqual([])
  })
})

describe('findStillRed', () => {
  const tree = treeOf(
    {
      'src/sum.js': 'export const sum = (a, b) => a - b\n',
      'src/tax.js': 'export const tax = 3\n',
      'test/sum.test.js': "import 'node:test'\n",
      'test/totals.test.js': "import { sum } from '../src/sum.js'\n",
      'test/tax.test.js': "import { tax } from '../src/tax.js'\n",
    },
    [{ action: 'create', path: 'src/sum.js', content: '' }],
  )

  it.each([
    ['has its name', 'test/sum.test.js', true],
    ['imports it', 'test/totals.test.js', true],
    ['imports another file', 'test/tax.test.js', false],
    ['is of no file', null, false],
  ])('a red test that %s', async (_name, file, isOwn) => {
    const failure = { ...failureSaying('adds', 'It failed.'), file }
    const report = ran(undefined, { exitCode: 1, failures: [failure] })
    expect(await findStillRed(report, tree)).toEqual(isOwn ? [failure] : [])
    const lint = report.commands.map((command) => ({ ...command, role: 'lint' as const }))
    expect(await findStillRed({ commands: lint }, tree)).toEqual([])
  })

  it.each([
    ['itself', { file: 'src/sum.js', trace: [] }, true],
    ['in its stack alone', { file: 'test/all.test.js', trace: ['src/sum.js:3:5'] }, true],
    ['nowhere', { file: 'src/tax.js', trace: ['src/tax.js:1', 'test/tax.test.js:2'] }, false],
  ])('a panic that names the changed file %s', async (_name, where, isOwn) => {
    const failure = { ...failureSaying('adds', 'It panicked.'), ...where }
    const report = ran(undefined, { exitCode: 1, failures: [failure] })
    expect(await findStillRed(report, tree)).toEqual(isOwn ? [failure] : [])
  })
})
