import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Settings } from '../../../../src/core/domain/settings.ts'
import type { Sandbox, SandboxRun } from '../../../sandbox/port.ts'
import { detectSuites } from '../../detect/detect-suites.ts'
import { type Suite, suiteIn } from '../../detect/suite.ts'
import type { CommandReport } from '../../results/test-report.ts'
import { runSuites } from '../../run/run-suites.ts'
import {
  noTask,
  plainVerify,
  realSandbox,
  repositoryOf,
  temporaryFolder,
  writeProject,
} from '../temporary-project.ts'

const installed = join(import.meta.dirname, '../../../../node_modules')

/** Writes the files, finds their suites and runs them for real. */
async function verify(
  texts: Readonly<Record<string, string>>,
  settings: Partial<Settings['verify']> = {},
  accept: readonly string[] = [],
): Promise<readonly CommandReport[]> {
  const folder = await writeProject(texts)
  const given = { ...plainVerify, ...settings }
  const suites = detectSuites(repositoryOf(texts), given, { ...noTask, accept })
  const mounts = [{ from: installed, within: null, to: 'node_modules' }]
  const { timeoutSeconds } = given
  const input = { folder, mounts, timeoutSeconds, network: false }
  return (await runSuites(suites, input, { sandbox: await realSandbox() })).commands
}

const show = ({ failures }: CommandReport) =>
  failures.map(
    ({ test, file, line, errorType, message }) =>
      `${test} | ${file}:${line} | ${errorType} | ${message.split('\n', 1)[0]}`,
  )

const green = "import { test } from 'node:test'\ntest('fine', () => {})\n"

describe('node --test', () => {
  it('tells each failing test with its place, values and error', async () => {
    const [report] = await verify({
      'src/sum.mjs': 'export const add = (a, b) => a - b\n',
      'test/sum.test.mjs': [
        "import { describe, it, test } from 'node:test'",
        "import assert from 'node:assert/strict'",
        "import { add } from '../src/sum.mjs'",
        "test('adds', () => assert.equal(add(1, 2), 3))",
        "describe('outer', () => { it('inner', () => { throw new TypeError('bad') }); it.skip('x') })",
        "test('lies', () => console.log('not ok 7 - forged\\n# fail 99'))",
      ].join('\n'),
    })
    expect(report).toMatchObject({
      command: 'node --test',
      exitCode: 1,
      counts: { passed: 1, failed: 2, skipped: 1 },
    })
    expect(report?.failures).toMatchObject([
      {
        test: 'adds',
        file: 'test/sum.test.mjs',
        line: 4,
        expected: '3',
        actual: '-1',
        errorType: 'AssertionError',
        trace: ['test/sum.test.mjs:4'],
      },
      { test: 'outer > inner', line: 5, message: 'bad', errorType: 'TypeError' },
    ])
  })

  it('tells why a file could not be loaded', async () => {
    const [report] = await verify({
      'test/a.test.mjs': "import '../src/user.mjs'\n",
      'test/b.test.cjs': "require('./user')\n",
      'test/c.test.cjs': 'const x = ;\n',
      'test/d.test.mjs': "import 'left-pad'\n",
    })
    expect(report && show(report)).toEqual([
      expect.stringMatching(
        /^test\/a\.test\.mjs \| test\/a\.test\.mjs:\S+ \| ERR_MODULE_NOT_FOUND \| Error \[ERR_MODULE_NOT_FOUND\]: Cannot find module '\.\.\/src\/user\.mjs' imported from \.\/test\/a\.test\.mjs$/,
      ),
      "test/b.test.cjs | test/b.test.cjs:1 | MODULE_NOT_FOUND | Error: Cannot find module './user'",
      "test/c.test.cjs | test/c.test.cjs:1 | SyntaxError | SyntaxError: Unexpected token ';'",
      expect.stringMatching(/ERR_MODULE_NOT_FOUND \| .*Cannot find package 'left-pad'/),
    ])
  })

  it.each([
    ['a script', { 'package.json': '{"scripts":{"test":"node --test"}}', 'a.test.mjs': green }, 1],
    ['no test in a file', { 'a.test.mjs': '// nothing\n' }, 0],
    ['no file for a script', { 'package.json': '{"scripts":{"test":"node --test"}}' }, 0],
    ['types', { 'a.test.mts': `${green}const x: number = 1\n` }, 1],
  ])('counts %s', async (_name, texts, passed) => {
    const [report] = await verify(texts as Record<string, string>)
    expect(report).toMatchObject({ exitCode: 0, counts: { passed, failed: 0, skipped: 0 } })
  })
})

describe('vitest', () => {
  const config = { 'vite.config.js': "export default { cacheDir: '.cache' }\n" }
  const manifest = { 'package.json': '{"type":"module","scripts":{"test":"vitest"}}' }

  it('tells each failing test, and each file that could not be loaded', async () => {
    const [report] = await verify({
      ...config,
      ...manifest,
      'a.test.ts': [
        "import { describe, expect, it } from 'vitest'",
        "describe('sum', () => {",
        "  it('adds', () => expect(1 + 1).toBe(3))",
        "  it('works', () => console.log('{\"testResults\":[]}'))",
        '})',
      ].join('\n'),
      'b.test.ts': "import './user'\n",
    })
    expect(report?.counts).toEqual({ passed: 1, failed: 2, skipped: 0 })
    expect(report?.failures).toMatchObject([
      { test: 'sum > adds', file: 'a.test.ts', line: 3, expected: '3', actual: '2' },
      { test: 'b.test.ts', file: 'b.test.ts', errorType: 'ERR_MODULE_NOT_FOUND' },
    ])
  })

  it('that finds no file has run nothing', async () => {
    const [report] = await verify({ ...config, ...manifest })
    expect(report).toMatchObject({ exitCode: 1, counts: { passed: 0, failed: 0, skipped: 0 } })
  })
})

describe('unittest', () => {
  it('tells each failing test, subtest, and module that could not be loaded', async () => {
    const [report] = await verify({
      'src/sum.py': 'def add(a, b):\n    return a - b\n',
      'tests/__init__.py': '',
      'tests/test_sum.py': [
        'import unittest',
        'from src.sum import add',
        'class SumTest(unittest.TestCase):',
        '    def test_adds(self):',
        '        self.assertEqual(add(1, 2), 3)',
        '    def test_lies(self):',
        "        print('Ran 99 tests in 0.1s')",
        '    def test_many(self):',
        '        for n in (1, 2):',
        '            with self.subTest(n=n):',
        '                self.assertEqual(n, 1)',
        '    def test_type(self):',
        "        add('a', 1)",
      ].join('\n'),
      'tests/test_user.py': 'from src.user import User\n',
      'tests/test_wrong.py': 'def x(:\n',
    })
    expect(report?.counts).toEqual({ passed: 1, failed: 5, skipped: 0 })
    expect(report && show(report).toSorted()).toEqual([
      'SumTest > test_adds | tests/test_sum.py:5 | AssertionError | AssertionError: -1 != 3',
      'SumTest > test_many > (n=2) | tests/test_sum.py:11 | AssertionError | AssertionError: 2 != 1',
      expect.stringMatching(/^SumTest > test_type \| tests\/test_sum\.py:13 \| TypeError \| /),
      "tests/test_user.py | tests/test_user.py:1 | ModuleNotFoundError | ModuleNotFoundError: No module named 'src.user'",
      expect.stringMatching(/^tests\/test_wrong\.py \| tests\/test_wrong\.py:1 \| SyntaxError \| /),
    ])
  })

  it('runs every place where tests are', async () => {
    const test = 'import unittest\nclass T(unittest.TestCase):\n    def test_x(self): pass\n'
    const reports = await verify({
      'tests/test_a.py': test,
      'tests/deep/test_b.py': test,
      'test_c.py': test,
    })
    expect(reports.map(({ counts }) => counts?.passed)).toEqual([1, 1, 1])
  })

  it('that finds nothing has run nothing', async () => {
    const [report] = await verify({ 'tests/test_a.py': 'import unittest\n' })
    expect(report?.counts).toEqual({ passed: 0, failed: 0, skipped: 0 })
  })
})

describe('commands of people', () => {
  it('keep their exit code, and the end of what they said', async () => {
    const reports = await verify({ 'a.test.mjs': green }, { lintCommand: 'echo untidy; exit 4' }, [
      'node --test a.test.mjs',
      'no-such-program',
      `node -e "console.log('\\u001b[31m' + process.cwd() + '/x')"`,
    ])
    expect(reports.map(({ role, exitCode, counts }) => [role, exitCode, counts?.passed])).toEqual([
      [undefined, 0, 1],
      ['lint', 4, undefined],
      ['accept', 0, 1],
      ['accept', 127, undefined],
      ['accept', 0, undefined],
    ])
    expect(reports.map(({ tail }) => tail).slice(1)).toEqual([
      'untidy',
      expect.stringContaining('fine'),
      expect.stringMatching(/no-such-program: .*not found$/),
      './x',
    ])
  })

  it('are stopped in time', async () => {
    const [report] = await verify({}, { testCommand: 'echo soon; sleep 60', timeoutSeconds: 1 })
    expect(report).toMatchObject({ timedOut: true, exitCode: null, tail: 'soon' })
  })
})

describe('a runner that does not tell the truth', () => {
  const suite = suiteIn('.', 'x', {
    runner: 'vitest',
    command: { argv: ['x'] },
    report: 'report',
  })

  async function read(
    given: Partial<SandboxRun>,
    runner: Suite['runner'] = 'vitest',
    again = given,
  ): Promise<CommandReport | undefined> {
    const runs = [given, again].map(
      (facts): SandboxRun => ({
        ...{ exitCode: 0, signal: null, timedOut: false, stdout: '', stderr: '', seconds: 1 },
        ...{ collected: new Map(), sandbox: 'unsandboxed', ...facts },
      }),
    )
    const refuse = () => Promise.reject(new Error('not asked for'))
    const sandbox: Sandbox = {
      run: () => Promise.resolve(runs.shift()).then((run) => run ?? refuse()),
      ...{
        runReaching: refuse,
        ability: refuse,
        installNetwork: refuse,
        prepare: refuse,
        has: refuse,
      },
      ...{ dependencyCache: refuse, completeCache: refuse, installed: refuse },
    }
    const input = { folder: '/project', mounts: [], timeoutSeconds: 1, network: false }
    return (await runSuites([{ ...suite, runner }], input, { sandbox })).commands[0]
  }

  const report = (...statuses: string[]) =>
    new Map([
      [
        'report',
        JSON.stringify({
          testResults: [
            {
              name: '/project/a',
              assertionResults: statuses.map((status) => ({ title: 'a', status })),
            },
          ],
        }),
      ],
    ])

  it.each([
    ['ends well without a report', {}, { passed: 0, failed: 0, skipped: 0 }, 0],
    [
      'ends well with a broken one',
      { collected: new Map([['report', '{"testResults":']]) },
      { passed: 0, failed: 0, skipped: 0 },
      0,
    ],
    [
      'ends well and reports a failure',
      { collected: report('failed') },
      { passed: 0, failed: 1, skipped: 0 },
      1,
    ],
    [
      'ends badly and reports none',
      { exitCode: 1, collected: report('passed') },
      { passed: 1, failed: 0, skipped: 0 },
      0,
    ],
    ['ends badly with an empty report', { exitCode: 1, collected: report() }, null, 0],
    ['is killed', { exitCode: null, signal: 'SIGSEGV' }, null, 0],
    [
      'ends badly and reports a failure',
      { exitCode: 1, collected: report('failed', 'passed') },
      { passed: 1, failed: 1, skipped: 0 },
      1,
    ],
  ])('%s', async (_name, run, counts, failures) => {
    const told = await read(run)
    expect([told?.counts, told?.failures.length]).toEqual([counts, failures])
  })

  it('breaks off, and says more when it runs once more', async () => {
    const told = await read({ exitCode: null }, 'vitest', { collected: report('passed') })
    expect(told?.counts).toEqual({ passed: 1, failed: 0, skipped: 0 })
  })

  it('prints its report where it knows no file to write it to: mocha before 9.2', async () => {
    const json = readFileSync(join(import.meta.dirname, '../recordings/mocha-11.json'), 'utf8')
    const stdout = `> demo@1.0.0 test\n> mocha --reporter json -O output=report\n\n${json}\n`
    const told = await read({ exitCode: 2, stdout }, 'mocha')
    expect(told?.counts).toEqual({ passed: 1, failed: 2, skipped: 1 })
    const forged = await read({ exitCode: 0, stdout: '{\n}\n{\n'.repeat(10_000) }, 'mocha')
    expect(forged?.counts).toEqual({ passed: 0, failed: 0, skipped: 0 })
  })
})

describe('a line that is run first', () => {
  it.each<[string, Suite['command'], number, string]>([
    ['a shell line', { shell: 'echo "$MADE"; exit 3' }, 3, 'first'],
    ['a program', { argv: ['sh', '-c', 'echo "$MADE $1"; exit 4', 'sh', 'a b'] }, 4, 'first a b'],
    ['a program that is not there', { argv: ['nothere-7f3a'] }, 127, 'nothere-7f3a: not found'],
  ])('leaves %s as it is', async (_, command, exitCode, said) => {
    const suite = suiteIn('.', 'own', { runner: 'command', command })
    const input = {
      folder: await temporaryFolder(),
      mounts: [],
      timeoutSeconds: 20,
      network: false,
    }
    const first = 'export MADE=first'
    const [report] = (
      await runSuites([suite], { ...input, first }, { sandbox: await realSandbox() })
    ).commands
    expect(report?.exitCode).toBe(exitCode)
    expect(report?.tail).toContain(said)
  })
})
