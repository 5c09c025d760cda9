import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../test/property-runs.ts'
import { suiteIn } from '../../detect/suite.ts'
import { parseGoJson } from '../../results/go.ts'
import { parseJsonReport, parseMochaJson, parseRspec } from '../../results/json-reports.ts'
import { parseText, readRun } from '../../results/read-run.ts'
import { type Results, reproducibleText } from '../../results/results.ts'
import { parseTap } from '../../results/tap.ts'
import { parseUnittest } from '../../results/text-runners.ts'
import { parseJunit, parseTrx } from '../../results/xml-reports.ts'

const project = { folder: '/project', directory: '.', sources: [] }

const recorded = (name: string) =>
  readFileSync(join(import.meta.dirname, '../fixtures', name), 'utf8')

/** The parts that matter, on one line each. */
const show = (results: Results | null) => ({
  counts: results?.counts,
  failures: results?.failures.map(
    ({ test, file, line, errorType, message, expected, actual }) =>
      `${test} | ${file}:${line} | ${errorType} | ${message.split('\n', 1)[0]} | ${actual} ≠ ${expected}`,
  ),
})

describe('all failures of a run', () => {
  const many = Array.from({ length: 120 }, (_, index) => `t${index}`)
  const texts: readonly (readonly [string, Results | null])[] = [
    [
      'TAP',
      parseTap(
        `TAP version 13\n${many.map((name, index) => `not ok ${index + 1} - ${name}`).join('\n')}`,
        project,
      ),
    ],
    [
      'JUnit XML',
      parseJunit(
        `<testsuite>${many.map((name) => `<testcase name="${name}"><failure/></testcase>`).join('')}</testsuite>`,
        project,
      ),
    ],
    [
      'jest',
      parseJsonReport(
        JSON.stringify({
          testResults: [
            {
              name: '/project/a.test.js',
              assertionResults: many.map((title) => ({ title, status: 'failed' })),
            },
          ],
        }),
        project,
      ),
    ],
    [
      'mocha',
      parseMochaJson(
        JSON.stringify({
          stats: { passes: 0, failures: 120, pending: 0 },
          failures: many.map((title) => ({ title, fullTitle: title, err: {} })),
        }),
        project,
      ),
    ],
    [
      'RSpec',
      parseRspec(
        JSON.stringify({
          examples: many.map((name) => ({
            ...{
              full_description: name,
              status: 'failed',
              file_path: './a_spec.rb',
              line_number: 1,
            },
          })),
          summary: { example_count: 120 },
        }),
        project,
      ),
    ],
    [
      'TRX',
      parseTrx(
        `<TestRun>${many.map((name) => `<UnitTestResult testName="${name}" outcome="Failed"/>`).join('')}</TestRun>`,
        project,
      ),
    ],
    [
      'go',
      parseGoJson(
        many.map((Test) => JSON.stringify({ Action: 'fail', Package: 'a', Test })).join('\n'),
        project,
      ),
    ],
    [
      'cargo',
      parseText(
        `${many.map((name) => `test ${name} ... FAILED`).join('\n')}\ntest result: FAILED. 0 passed; 120 failed; 0 ignored`,
        project,
      ),
    ],
    [
      'minitest',
      parseText(
        `${many.map((name, index) => `  ${index + 1}) Failure:\nA#${name} [c.rb:3]:\nx\n`).join('\n')}\n120 runs, 1 assertions, 120 failures, 0 errors, 0 skips`,
        project,
      ),
    ],
    ['a compiler', parseText(many.map((name) => `a.c:1:2: error: ${name}`).join('\n'), project)],
  ]

  it.each(texts)('are known of %s', (_reader, results) => {
    expect(new Set(results?.failures.map(({ test }) => test)).size).toBe(120)
  })
})

describe('the text of a script that starts several runners', () => {
  it.each([
    [
      'jest and mocha',
      'Tests:       1 failed, 2 passed, 3 total\n\n  4 passing (5ms)\n  1 pending\n',
      { passed: 6, failed: 1, skipped: 1 },
    ],
    [
      'two packages with vitest',
      '      Tests  2 passed (2)\n      Tests  1 failed | 3 passed (4)\n',
      { passed: 5, failed: 1, skipped: 0 },
    ],
    [
      'two environments of tox',
      '===== 5 passed in 0.10s =====\n===== 4 passed, 1 failed in 0.20s =====\n',
      { passed: 9, failed: 1, skipped: 0 },
    ],
    [
      'pytest and unittest',
      '== 5 passed in 0.10s ==\nRan 3 tests in 0.1s\n\nOK (skipped=1)\n',
      { passed: 7, failed: 0, skipped: 1 },
    ],
    [
      'two modules of Maven',
      '[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0\n[INFO] Tests run: 3, Failures: 1, Errors: 0, Skipped: 1\n',
      { passed: 3, failed: 1, skipped: 1 },
    ],
    ['nobody', '', null],
    [
      'test-unit with omissions',
      '4 tests, 2 assertions, 1 failures, 0 errors, 1 pendings, 1 omissions, 0 notifications\n',
      { passed: 1, failed: 1, skipped: 2 },
    ],
    [
      'RSpec and minitest',
      '3 examples, 0 failures\n2 runs, 2 assertions, 0 failures, 0 errors, 0 skips\n',
      { passed: 5, failed: 0, skipped: 0 },
    ],
  ])('counts all of them: %s', (_, text, counts) => {
    expect(parseText(text, project).counts).toEqual(counts)
  })
})

describe('recorded output', () => {
  it('of jest', () => {
    expect(show(parseJsonReport(recorded('jest.json'), project))).toEqual({
      counts: { passed: 1, failed: 5, skipped: 2 },
      failures: [
        'sum > adds | sum.test.js:3 | AssertionError | Error: expect(received).toBe(expected) // Object.is equality | 2 ≠ 3',
        'sum > equals | sum.test.js:4 | AssertionError | Error: expect(received).toEqual(expected) // deep equality | {"a":1} ≠ {"a":2}',
        "sum > throws | sum.test.js:5 | TypeError | TypeError: Cannot read properties of null (reading 'x') | null ≠ null",
        "user.test.js | user.test.js:1 | ERR_MODULE_NOT_FOUND | Cannot find module './user' from 'user.test.js' | null ≠ null",
        'broken.test.js | broken.test.js:null | SyntaxError | SyntaxError: ./broken.test.js: Unexpected token (1:10) | null ≠ null',
      ],
    })
  })

  it('of pytest', () => {
    expect(show(parseJunit(recorded('pytest-failures.xml'), project))).toEqual({
      counts: { passed: 2, failed: 4, skipped: 2 },
      failures: [
        'TestSum > test_adds | tests/test_sum.py:6 | AssertionError | assert (1 + 1) == 3 | (1 + 1) ≠ 3',
        'test_boom | tests/test_sum.py:14 | ValueError | ValueError: bad | null ≠ null',
        'test_many[2] | tests/test_sum.py:19 | AssertionError | AssertionError: n is one | null ≠ null',
        'test_fixture | tests/test_sum.py:24 | RuntimeError | RuntimeError: no fixture | null ≠ null',
      ],
    })
    const boom = parseJunit(recorded('pytest-failures.xml'), project)?.failures[1]
    expect(boom?.message).toBe('ValueError: bad\nthing <x> & "y"')
  })

  it('of pytest that could not load a file', () => {
    expect(show(parseJunit(recorded('pytest-collection.xml'), project))).toEqual({
      counts: { passed: 0, failed: 1, skipped: 0 },
      failures: [
        "tests/test_user.py | tests/test_user.py:1 | ModuleNotFoundError | ModuleNotFoundError: No module named 'src.user' | null ≠ null",
      ],
    })
  })

  it('of pytest as a person runs it', () => {
    expect(show(parseText(recorded('pytest.txt'), project))).toEqual({
      counts: { passed: 2, failed: 4, skipped: 2 },
      failures: [
        'TestSum > test_adds | tests/test_sum.py:19 | null | assert (1 + 1) == 3 | null ≠ null',
        'test_boom | tests/test_sum.py:19 | ValueError | ValueError: bad | null ≠ null',
        'test_many[2] | tests/test_sum.py:19 | AssertionError | AssertionError: n is one | null ≠ null',
        'test_fixture | tests/test_sum.py:19 | RuntimeError | RuntimeError: no fixture | null ≠ null',
      ],
    })
  })

  it('of mocha', () => {
    expect(show(parseText(recorded('mocha.txt'), project))).toEqual({
      counts: { passed: 1, failed: 2, skipped: 1 },
      failures: [
        'outer > other | m.js:3 | TypeError | TypeError: bad | null ≠ null',
        'outer > inner > fails | m.js:2 | ERR_ASSERTION | AssertionError [ERR_ASSERTION]: 1 == 2 | null ≠ null',
      ],
    })
  })

  it('of cargo', () => {
    expect(show(parseText(recorded('cargo.txt'), project))).toEqual({
      counts: { passed: 1, failed: 1, skipped: 1 },
      failures: [
        expect.stringMatching(
          /^tests > fails \| src\/lib\.rs:6 \| panic \| thread 'tests::fails' .* \| 2 ≠ 3$/,
        ),
      ],
    })
  })
})

describe('what differs from run to run', () => {
  it.each([
    ['<function f at 0x7f5a3c3e4180>([3])', '<function f at 0x…>([3])'],
    [
      '<bound method A.f of <a.A object at 0x10a2b3c4d>>',
      '<bound method A.f of <a.A object at 0x…>>',
    ],
    ['#<Shop::Cart:0x000078a1b2c3d4e5 @items=[]>', '#<Shop::Cart:0x… @items=[]>'],
    ['got (*cart.Cart)(0xc000012345)', 'got (*cart.Cart)(0x…)'],
    [
      'expected: <acme.Cart@1b2c3d4> but was: <acme.Cart[]@5e6f70>',
      'expected: <acme.Cart@…> but was: <acme.Cart[]@…>',
    ],
    ['in /project/web/a.py and file:///project/a.mjs', 'in ./web/a.py and ./a.mjs'],
  ])('%s', (printed, shown) => {
    expect(reproducibleText(printed, '/project')).toBe(shown)
  })

  it.each([
    'left: 0xcbf29ce484222325, right: 0xcbf29ce484222326',
    'jump at 0x08048000 failed',
    'got Addr(0xc000012345)',
    'mail ann@facade.org and Bob@abcdef',
  ])('does not hide a value: %s', (value) => {
    expect(reproducibleText(value, '/project')).toBe(value)
  })
})

describe('compilers', () => {
  it.each([
    [
      "src/a.ts(3,5): error TS2307: Cannot find module './b'.",
      "TS2307: Cannot find module './b'. | src/a.ts:3 | TS2307 | Cannot find module './b'. | null ≠ null",
    ],
    [
      '\u001b[96msrc/a.ts\u001b[0m:\u001b[93m3\u001b[0m:\u001b[93m5\u001b[0m - \u001b[91merror\u001b[0m\u001b[90m TS1005: \u001b[0m; expected.',
      'TS1005: ; expected. | src/a.ts:3 | TS1005 | ; expected. | null ≠ null',
    ],
    [
      '/project/src/a.c:3:5: error: expected ;',
      'error: expected ; | src/a.c:3 | null | expected ; | null ≠ null',
    ],
    [
      'error[E0432]: unresolved import `crate::user`\n --> src/lib.rs:1:12\n  |',
      'E0432: unresolved import `crate::user` | src/lib.rs:1 | E0432 | unresolved import `crate::user` | null ≠ null',
    ],
  ])('%s', (text, expected) => {
    expect(show(parseText(text, project))).toEqual({ counts: null, failures: [expected] })
  })

  it('of files that are not the project’s are no failures of its', () => {
    const text = '/usr/include/a.h:3:5: error: x\nnode_modules/a/b.ts(1,1): error TS1: x'
    expect(parseText(text, project).failures).toEqual([])
  })
})

describe('go', () => {
  it.each([
    ['?   \tx/y\t[no test files]', { passed: 0, failed: 0, skipped: 0 }, 0],
    ['ok  \tx/y\t0.003s\n?   \tx/z\t[no test files]', null, 0],
    ['--- FAIL: TestAdd (0.00s)\n    add_test.go:6: got 2\nFAIL\nFAIL\tx/y\t0.003s', null, 1],
    ['# x/y\n./a.go:3:5: undefined: b\nFAIL\tx/y [build failed]', null, 1],
  ])('%j', (text, counts, failed) => {
    const results = parseText(text, project)
    expect([results.counts, results.failures.length]).toEqual([counts, failed])
  })
})

describe('the events of go', () => {
  const event = (Action: string, Test: string, Output = '') =>
    JSON.stringify({ Action, Package: 'x/y', Test, Output })
  it.each([
    ['for a child alone', '', ['TestA > child']],
    ['for a reason of its own, too', '    a_test.go:9: no\n', ['TestA', 'TestA > child']],
  ])('tell of a parent that fails %s', (_, said, failed) => {
    const text = [
      event('output', 'TestA', said),
      event('fail', 'TestA/child'),
      event('fail', 'TestA'),
    ].join('\n')
    expect(parseGoJson(text, project)?.failures.map(({ test }) => test)).toEqual(failed)
  })
})

describe('a report in XML', () => {
  it.each([
    ['takes the first outcome', '<testcase name="a"><error/><skipped/></testcase>', [0, 1, 0]],
    ['knows a bracket in quotes', `<testcase name='a > "b'></testcase>`, [1, 0, 0]],
  ])('%s', (_, test, [passed, failed, skipped]) => {
    const counts = parseJunit(`<testsuite>${test}</testsuite>`, project)?.counts
    expect(counts).toEqual({ passed, failed, skipped })
  })

  it('names a class of two modules by the one that was tested', () => {
    const sources = ['a/src/test/java/x/SumTest.java', 'b/src/test/java/x/SumTest.java']
    const text =
      '<testsuite><testcase name="t" classname="x.SumTest"><failure/></testcase></testsuite>'
    const found = parseJunit(text, { ...project, directory: 'b', sources })
    expect(found?.failures[0]?.file).toBe(sources[1])
  })
})

it('RSpec: a pending example has not run', () => {
  const examples = ['passed', 'pending'].map((status) => ({ status, description: status }))
  const text = JSON.stringify({ examples, summary: { example_count: 2 } })
  expect(parseRspec(text, project)?.titles).toEqual(['passed'])
})

it('cargo: of two programs, each with such a test, the first one that failed speaks', () => {
  const program = (said: string) =>
    `test a ... FAILED\n\n---- a stdout ----\n${said}\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored\n`
  const { failures } = parseText(program('one') + program('two'), project)
  expect(failures[0]?.message).toMatch(/^one\n/)
})

it('cargo: programs that do not compile are seen beside those that ran', () => {
  const stdout = 'test a ... FAILED\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored\n'
  const error = 'error[E0432]: unresolved import `b`\n --> tests/b.rs:1:5\n'
  const red = (stderr: string) => {
    const suite = suiteIn('.', 'cargo test', { runner: 'cargo', command: { shell: '' } })
    const run = { stdout, stderr, exitCode: 101, timedOut: false, collected: new Map() }
    const ended = { seconds: 1, sandbox: 'unsandboxed', signal: null } as const
    return readRun(suite, { ...run, ...ended }, '/project').failures.map(({ test }) => test)
  }
  expect(red(`${error}error: could not compile \`c\` (test "b")\n`)).toEqual([
    'a',
    'E0432: unresolved import `b`',
  ])
  expect(red(error)).toEqual(['a'])
})

it('a tool that crashes while it reads a file is not that file', () => {
  const crash =
    'TypeError: util.isDate is not a function\nOccurred while linting /project/a.test.ts:1'
  const tool = '    at isSpace (/project/node_modules/eslint/rule.js:3:9)'
  const own = '    at total (/project/a.js:7:3)'
  const placesOf = (text: string) => parseText(text, project).failures.map(({ file }) => file)
  expect(placesOf([crash, tool, tool].join('\n'))).toEqual([])
  expect(placesOf([crash, tool, own].join('\n'))).toEqual(['a.js'])
})

it('TAP: what a file printed says nothing of the next one', () => {
  const crash = "  ---\n  failureType: 'testCodeFailure'\n  exitCode: 1\n  ..."
  const lines = [
    '# Error: one',
    'not ok 1 - a.test.js',
    crash,
    '# Error: two',
    'not ok 2 - b.test.js',
    crash,
  ]
  const messages = parseTap(tap(lines), project)?.failures.map(({ message }) => message)
  expect(messages).toEqual(['Error: one', 'Error: two'])
})

const tap = (lines: readonly string[]) => ['TAP version 13', ...lines].join('\n')

describe('TAP', () => {
  it.each([
    ['nothing', [], { passed: 0, failed: 0, skipped: 0 }],
    ['a plan without tests', ['1..0'], { passed: 0, failed: 0, skipped: 0 }],
    ['other tools', ['ok 1 one', 'not ok 2 two', 'ok'], { passed: 2, failed: 1, skipped: 0 }],
    [
      'directives',
      ['ok 1 - a # SKIP', 'not ok 2 - b # TODO'],
      { passed: 0, failed: 0, skipped: 2 },
    ],
    [
      'a file without a test in it',
      ['ok 1 - test/a.test.js'],
      { passed: 0, failed: 0, skipped: 0 },
    ],
    [
      'what a test printed',
      ['# not ok 9 - forged', 'ok 1 - a'],
      { passed: 1, failed: 0, skipped: 0 },
    ],
    ['a number sign', ['ok 1 - a \\# SKIP'], { passed: 1, failed: 0, skipped: 0 }],
  ])('counts %s', (_name, lines, counts) => {
    expect(parseTap(tap(lines), project)?.counts).toEqual(counts)
  })

  it("has AVA's titles with and without the file before them, and leaves those of Node.js whole", () => {
    const titles = (...lines: readonly string[]) => parseTap(tap(lines), project)?.titles
    expect(titles('ok 1 - adds')).toEqual(['adds'])
    expect(titles('ok 1 - test › adds', 'ok 2 - sub › sum › adds')).toEqual(['adds', 'adds'])
    expect(titles('# Subtest: a › b', 'ok 1 - a › b')).toEqual(['a › b'])
  })

  it("reads AVA's difference without its YAML", () => {
    const lines = [
      ...['not ok 1 - test › adds', '  ---', '    name: AssertionError', '    values:'],
      ...[
        "      'Difference (- actual, + expected):': |-",
        "        - '1'",
        "        + '2'",
        '  ...',
      ],
    ]
    expect(parseTap(tap(lines), project)?.failures[0]?.message).toBe(
      "Difference (- actual, + expected):\n  - '1'\n  + '2'",
    )
  })

  it('is nothing else', () => {
    expect(parseTap('ok 1 - a', project)).toBeNull()
  })
})

describe('unittest', () => {
  it.each([
    ['Ran 3 tests in 0.1s\n\nOK\n', { passed: 3, failed: 0, skipped: 0 }],
    ['Ran 0 tests in 0.0s\n\nNO TESTS RAN\n', { passed: 0, failed: 0, skipped: 0 }],
    [
      'Ran 9 tests in 1s\nOK\nRan 2 tests in 0.0s\n\nOK (skipped=1)\n',
      { passed: 1, failed: 0, skipped: 1 },
    ],
    [
      'Ran 4 tests in 0.0s\n\nFAILED (failures=1, errors=1, expected failures=1)\n',
      { passed: 1, failed: 2, skipped: 1 },
    ],
  ])('counts %j', (text, counts) => {
    expect(parseUnittest(text, project)?.counts).toEqual(counts)
  })

  it('names the tests that ran, where it is asked to', () => {
    const named =
      "test_a (a.A.test_a) ... ok\ntest_b (a.A.test_b)\nSays what it does. ... FAIL\ntest_c (a.A.test_c) ... skipped 'no'\n"
    const ending = '\nRan 3 tests in 0.1s\n\nFAILED (failures=1, skipped=1)\n'
    expect(parseUnittest(named + ending, project)?.titles).toEqual(['test_a', 'test_b'])
    expect(parseUnittest(`.Fs\n${ending}`, project)?.titles).toBeUndefined()
  })
})

describe('hostile output', () => {
  const samples = ['jest.json', 'pytest-failures.xml', 'pytest.txt', 'mocha.txt', 'cargo.txt'].map(
    recorded,
  )
  const parsers = [parseJsonReport, parseJunit, parseTap, parseUnittest, parseText]

  /** A sample with one piece replaced by another. */
  const damaged = fc
    .tuple(fc.constantFrom(...samples), fc.nat(8000), fc.nat(500), fc.string({ unit: 'binary' }))
    .map(([text, start, length, put]) => text.slice(0, start) + put + text.slice(start + length))

  it('never throws, and never yields a failure that is too large', () => {
    fc.assert(
      fc.property(fc.oneof(damaged, fc.string({ unit: 'binary' })), (text) => {
        for (const parse of parsers) {
          for (const failure of parse(text, project)?.failures ?? []) {
            expect(JSON.stringify(failure).length).toBeLessThan(20_000)
          }
        }
      }),
      { numRuns: runs(300) },
    )
  })

  it.each([
    ['line', 'a'.repeat(500_000)],
    ['line of colons', 'a:1:'.repeat(125_000)],
    ['number of long words', `${'a'.repeat(999)}\n`.repeat(500)],
    [
      'stack of long words',
      tap([`not ok 1 - x\n  ---\n  stack: |-\n${`    ${'a.'.repeat(450)}\n`.repeat(2000)}  ...`]),
    ],
    ['line of spaces', ' '.repeat(500_000)],
    ['number of lines', '\n'.repeat(500_000)],
    ['TAP', tap(['not ok 1 - x\n  ---\n'.repeat(25_000)])],
    [
      'depth of TAP',
      tap(Array.from({ length: 2000 }, (_, depth) => `${'    '.repeat(2000 - depth)}not ok 1 - x`)),
    ],
    ['XML', `<testsuite>${'<testcase name="x"><failure message="'.repeat(50_000)}`],
    ['depth of JSON', '['.repeat(250_000)],
    ['JSON', `{"testResults":[${'{},'.repeat(50_000)}{}]}`],
    ['escapes', '\u001b]'.repeat(125_000)],
    [
      'failures of unittest',
      `${`\n${'='.repeat(70)}\nFAIL: a (b)\n${'-'.repeat(70)}\nE: x\n`.repeat(5_000)}Ran 1 test in 1s\n`,
    ],
  ])('an endless %s is read all the same', (_name, text) => {
    for (const parse of parsers) {
      const most = Math.ceil(text.length / 10)
      expect(parse(text, project)?.failures.length ?? 0).toBeLessThanOrEqual(most)
    }
  })
})

it.each([
  ['fatal: not a git repository (or any of the parent directories): .git', true],
  [
    "CalledProcessError: Command '['git', 'rev-parse', 'HEAD']' returned non-zero exit status 128.",
    true,
  ],
  ['exec: git describe: exit status 128', true],
  ["CalledProcessError: Command '['make', 'all']' returned non-zero exit status 128.", false],
  ['expected 128, got 1', false],
])('says of a test that needs a repository that its folder is none: %s', (message, isSaid) => {
  const tap = `TAP version 13\nnot ok 1 - head\n  ---\n  error: ${JSON.stringify(message)}\n  ...\n`
  const [failure] = parseTap(tap, project)?.failures ?? []
  expect(failure?.message.includes('a folder without .git')).toBe(isSaid)
})
