import { describe, expect, it, test } from 'vitest'
import { diagnoseCommand } from '../../../diagnosis/diagnose.ts'
import { compareReports } from '../../compare/compare.ts'
import type { CommandReport, TestFailure } from '../../results/test-report.ts'

const failure = (name: string, message = 'It failed.'): TestFailure => ({
  test: name,
  file: 'a.test.js',
  line: 3,
  message,
  expected: null,
  actual: null,
  errorType: null,
  trace: [],
})

/** A run of `npm test` with this many passing tests and these failing ones. */
function ran(
  passed: number,
  failing: readonly string[] = [],
  more: Partial<CommandReport> = {},
): CommandReport {
  const report = {
    command: 'npm test',
    exitCode: failing.length === 0 ? 0 : 1,
    timedOut: false,
    counts: { passed, failed: failing.length, skipped: 0 },
    failures: failing.map((name) => failure(name)),
    tail: 'the last words',
    seconds: 2,
    sandbox: 'bubblewrap',
    ...more,
  } as const
  return { ...report, fault: diagnoseCommand(report, report.tail) }
}

/** A run whose output we do not understand. */
const silent = (exitCode: number, more: Partial<CommandReport> = {}) =>
  ran(0, [], { counts: null, exitCode, ...more })

const accept = (report: CommandReport): CommandReport => ({
  ...report,
  command: 'sh accept.sh',
  role: 'accept',
})

const rules = { requireTests: false, mayRemoveTests: true, lostTests: [] }

const notFound = silent(127, { tail: 'sh: 1: vitest: not found' })
const lacking = silent(1, { tail: 'No version is set for command node' })
const empty = ran(0, [], { counts: { passed: 0, failed: 0, skipped: 0 } })

type Row = readonly [
  name: string,
  before: readonly CommandReport[] | null,
  after: readonly CommandReport[],
  result: string,
  broken: readonly string[],
]

const rows: readonly Row[] = [
  ['green stays green', [ran(3)], [ran(4)], 'passed', []],
  ['green turns red', [ran(3)], [ran(2, ['x'])], 'failed', ['x']],
  ['red stays red', [ran(2, ['x'])], [ran(3, ['x'])], 'passed', []],
  ['red turns green', [ran(2, ['x'])], [ran(3)], 'passed', []],
  ['nothing but red stays red', [ran(0, ['x'])], [ran(0, ['x'])], 'unverified', []],
  ['nothing but red, and a test that passes', [ran(0, ['x'])], [ran(1, ['x'])], 'passed', []],
  ['one more is red', [ran(2, ['x'])], [ran(2, ['x', 'y'])], 'failed', ['y']],
  ['red without a baseline', null, [ran(2, ['x'])], 'failed', ['x']],
  ['green without a baseline', null, [ran(1)], 'passed', []],
  ['fewer tests, as the task asks', [ran(5)], [ran(3)], 'passed', []],
  ['the first tests of a project', [], [ran(1)], 'passed', []],
  ['the first tests are red', [], [ran(1, ['x'])], 'failed', ['x']],
  ['no tests at all', [], [], 'unverified', []],
  ['no tests without a baseline', null, [], 'unverified', []],
  ['no tests collected', [empty], [empty], 'unverified', []],
  ['no tests collected, by exit code', [], [{ ...empty, exitCode: 5 }], 'unverified', []],
  ['all tests are gone', [ran(3)], [], 'failed', ['npm test']],
  ['all tests are empty', [ran(3)], [empty], 'failed', ['npm test']],
  ['a crash', [ran(3)], [silent(2)], 'failed', ['npm test']],
  ['a crash as before', [silent(2)], [silent(2)], 'unverified', []],
  [
    'a crash after green tests, now before them',
    [ran(3, [], { exitCode: 1 })],
    [silent(1)],
    'failed',
    ['npm test'],
  ],
  [
    'a crash after green tests as before',
    [ran(3, [], { exitCode: 1 })],
    [ran(3, [], { exitCode: 1 })],
    'passed',
    [],
  ],
  ['another crash than before', [silent(2)], [silent(3)], 'failed', ['npm test']],
  ['a crash where tests failed', [ran(2, ['x'])], [silent(1)], 'failed', ['npm test']],
  ['unknown, and well', [silent(0)], [silent(0)], 'passed', []],
  [
    'only the known failure, and the rest never ran',
    [ran(9, ['x'])],
    [ran(1, ['x'])],
    'failed',
    ['npm test'],
  ],
  ['too slow', [ran(3)], [silent(0, { exitCode: null, timedOut: true })], 'failed', ['npm test']],
  [
    'as slow as before',
    [silent(0, { exitCode: null, timedOut: true })],
    [silent(0, { exitCode: null, timedOut: true })],
    'cannot_run',
    [],
  ],
  [
    'killed as before',
    [silent(0, { exitCode: null })],
    [silent(0, { exitCode: null })],
    'cannot_run',
    [],
  ],
  [
    'killed as before, but sooner',
    [ran(2, [], { exitCode: null })],
    [silent(137)],
    'cannot_run',
    [],
  ],
  ['killed under a shell as before', [silent(137)], [silent(143)], 'cannot_run', []],
  ['killed after a crash', [silent(2)], [silent(137)], 'failed', ['npm test']],
  ['killed before, and a crash now', [silent(139)], [silent(1)], 'failed', ['npm test']],
  [
    'killed as before, after some tests had passed',
    [ran(2, [], { exitCode: null })],
    [ran(3, [], { exitCode: null })],
    'cannot_run',
    [],
  ],
  [
    'one suite is killed as before, another tells',
    [silent(137), ran(1, [], { command: 'pytest' })],
    [silent(137), ran(1, [], { command: 'pytest' })],
    'passed',
    [],
  ],
  [
    'one suite is killed as before, another fails',
    [silent(137), ran(1, [], { command: 'pytest' })],
    [silent(137), ran(0, ['x'], { command: 'pytest' })],
    'failed',
    ['x'],
  ],
  [
    'lint is killed as before',
    [ran(1), silent(137, { role: 'lint', command: 'l' })],
    [ran(1), silent(137, { role: 'lint', command: 'l' })],
    'passed',
    [],
  ],
  [
    'over a limit',
    [ran(3)],
    [silent(0, { exitCode: null, ended: 'used more than 400 MB of memory' })],
    'failed',
    ['npm test'],
  ],
  ['killed', [ran(3)], [silent(0, { exitCode: null })], 'failed', ['npm test']],
  ['no such program', null, [notFound], 'cannot_run', []],
  ['tests were reported before, and none now', [ran(3)], [silent(0)], 'failed', ['npm test']],
  [
    'none of a suite ran, another is green',
    [ran(3), ran(1, [], { command: 'pytest' })],
    [empty, ran(1, [], { command: 'pytest' })],
    'failed',
    ['npm test'],
  ],
  ['red tests, and a run that says nothing', [ran(0, ['x'])], [silent(0)], 'failed', ['npm test']],
  [
    'one of two languages cannot be tested here, without a baseline',
    null,
    [notFound, ran(1, [], { command: 'pytest' })],
    'cannot_run',
    [],
  ],
  [
    'another command, whose program is not here',
    [ran(3)],
    [{ ...notFound, command: 'yarn test' }],
    'cannot_run',
    [],
  ],
  [
    'tests that fail, and a program that is not there',
    null,
    [{ ...ran(0, ['x']), exitCode: 127, tail: notFound.tail }],
    'failed',
    ['x'],
  ],
  ['something lacks that did not before', [silent(2)], [lacking], 'failed', ['npm test']],
  [
    'something lacks where tests ran before',
    [ran(2, ['x'], { tail: lacking.tail })],
    [lacking],
    'failed',
    ['npm test'],
  ],
  ['no such program, nor before', [notFound], [notFound], 'cannot_run', []],
  ...[
    '/opt/shims/python3: 21: exec: /root/.pyenv/libexec/pyenv: not found',
    '/opt/shims/ruby: line 21: /home/a/.rbenv/libexec/rbenv: No such file or directory',
  ].map((tail): Row => {
    const shim = silent(127, { tail })
    return [tail, [shim], [shim], 'cannot_run', []]
  }),
  ...[
    "rbenv: version `3.3.0' is not installed (set by .ruby-version)",
    'No version is set for command node',
    "error: rustup could not choose a version of cargo to run, because one wasn't specified explicitly, and no default is configured.",
    'node: error while loading shared libraries: libx.so: cannot open shared object file',
  ].map((tail): Row => {
    const absent = silent(1, { tail })
    return [tail, [absent], [absent], 'cannot_run', []]
  }),
  [
    'a toolchain that only one language lacks',
    [notFound, ran(2, [], { command: 'pytest' })],
    [
      silent(127, { tail: '/a/shims/node: 2: exec: /b/nodenv: not found' }),
      ran(2, [], { command: 'pytest' }),
    ],
    'passed',
    [],
  ],
  ['no such program any more', [ran(3)], [notFound], 'failed', ['npm test']],
  [
    'no such file of the project',
    null,
    [silent(127, { tail: 'sh: 1: ./t.sh: not found' })],
    'failed',
    ['npm test'],
  ],
  [
    'no pytest',
    null,
    [silent(1, { tail: '/usr/bin/python3: No module named pytest' })],
    'cannot_run',
    [],
  ],
  [
    'one language cannot be tested here, another can',
    [notFound, ran(1, [], { command: 'pytest' })],
    [notFound, ran(1, [], { command: 'pytest' })],
    'passed',
    [],
  ],
  ['accepted', [], [accept(silent(0))], 'passed', []],
  ['not accepted', [], [accept(silent(1))], 'failed', ['sh accept.sh']],
  ['not accepted, as before', [accept(silent(1))], [accept(silent(1))], 'failed', ['sh accept.sh']],
  ['not accepted, by a test', [accept(ran(0, ['x']))], [accept(ran(0, ['x']))], 'failed', ['x']],
  ['accepted by no test at all', [], [accept(empty)], 'failed', ['sh accept.sh']],
  ['accepted, but the tests are gone', [ran(3)], [accept(silent(0))], 'failed', ['npm test']],
  ['an accept command without its program', [], [accept(notFound)], 'cannot_run', []],
  [
    'an accept command without its program, and green tests',
    [ran(1)],
    [ran(1), accept(notFound)],
    'cannot_run',
    [],
  ],
  ['lint alone proves nothing', [], [silent(0, { role: 'lint' })], 'unverified', []],
  [
    'lint was untidy before',
    [ran(1), silent(1, { role: 'lint', command: 'l' })],
    [ran(1), silent(1, { role: 'lint', command: 'l' })],
    'passed',
    [],
  ],
  [
    'lint is untidy now',
    [ran(1), silent(0, { role: 'lint', command: 'l' })],
    [ran(1), silent(1, { role: 'lint', command: 'l' })],
    'failed',
    ['l'],
  ],
]

const hung = (passed: number, failing: readonly string[] = []) =>
  ran(passed, failing, { exitCode: null, timedOut: true, seconds: 30 })
const lint = (...findings: readonly string[]) =>
  ran(0, findings, { counts: null, role: 'lint', command: 'l' })
const lost = (test: string, kind: 'deleted' | 'skipped') => ({
  requireTests: false,
  mayRemoveTests: false,
  lostTests: [{ test, kind }],
})
const strict = lost('b', 'skipped')

const strictRows: readonly Row[] = [
  ['as many tests', [ran(3)], [ran(3)], 'passed', []],
  ['fewer tests', [ran(3)], [ran(2)], 'failed', ['npm test']],
  [
    'a test skipped',
    [ran(3)],
    [ran(2, [], { counts: { passed: 2, failed: 0, skipped: 1 } })],
    'failed',
    ['npm test'],
  ],
  ['a red test gone', [ran(2, ['x'])], [ran(2)], 'failed', ['npm test']],
  ['tests that were not counted before', [silent(0)], [ran(2)], 'passed', []],
  ['another command', [ran(3, [], { command: 'other' }), ran(1)], [ran(1)], 'passed', []],
  [
    'flaky tests alone',
    [ran(3)],
    [ran(3, [], { exitCode: 1, flaky: [failure('x')] })],
    'passed',
    [],
  ],
  [
    'a flaky test and a broken one',
    [ran(3)],
    [ran(2, ['y'], { flaky: [failure('x')] })],
    'failed',
    ['y'],
  ],
  ['a hang', [ran(3)], [hung(1)], 'failed', ['npm test']],
  ['a hang and a failure', [ran(3)], [hung(1, ['x'])], 'failed', ['npm test', 'x']],
  ['a hang as before', [hung(1)], [hung(1)], 'cannot_run', []],
  ['a hang as before, and a known failure', [hung(1, ['x'])], [hung(1, ['x'])], 'cannot_run', []],
  ['fewer tests than before a hang', [hung(3)], [ran(2)], 'passed', []],
  ['a hang as before, and a new failure', [hung(2)], [hung(1, ['x'])], 'failed', ['x']],
  ['a hang that is mended', [hung(1)], [ran(3)], 'passed', []],
  [
    'an accept command that hangs as before',
    [accept(hung(0))],
    [accept(hung(0))],
    'failed',
    ['sh accept.sh'],
  ],
  ['lint as before', [ran(1), lint('a', 'a')], [ran(1), lint('a', 'a')], 'passed', []],
  ['lint, once more the same', [ran(1), lint('a')], [ran(1), lint('a', 'a')], 'failed', ['a']],
  [
    'lint, on another line',
    [ran(1), lint('a in line 3')],
    [ran(1), lint('a in line 9')],
    'passed',
    [],
  ],
  ['lint, something else', [ran(1), lint('a')], [ran(1), lint('b')], 'failed', ['b']],
]

describe('compareReports, where the task asks for no fewer tests', () => {
  it.each(strictRows)('%s', (_name, before, after, result, broken) => {
    const compared = compareReports(before && { commands: before }, { commands: after }, strict)
    expect([compared.result, compared.broken.map(({ test }) => test)]).toEqual([result, broken])
  })

  it.each([
    ['a green test that is removed', lost('b', 'deleted'), ran(3), ran(2), 'passed'],
    [
      'a green test that is removed, next to a red one',
      lost('b', 'deleted'),
      ran(3, ['x']),
      ran(2, ['x']),
      'passed',
    ],
    ['more tests lost than were removed', lost('b', 'deleted'), ran(3), ran(1), 'failed'],
    ['a red test that is removed', lost('x', 'deleted'), ran(2, ['x']), ran(2), 'failed'],
    [
      'a red test of a suite that is removed',
      lost('x', 'deleted'),
      ran(2, ['suite > x']),
      ran(2),
      'failed',
    ],
    [
      'rows of a table, removed by one name',
      lost('b', 'deleted'),
      ran(3, [], { titles: ['a', 'b[1]', 'b[2]'] }),
      ran(1, [], { titles: ['a'] }),
      'passed',
    ],
    [
      'rows of a table, removed by one name, and a skipped test',
      { ...strict, lostTests: [...lost('b', 'deleted').lostTests, ...strict.lostTests] },
      ran(4, [], { titles: ['a', 'c', 'b[1]', 'b[2]'] }),
      ran(1, [], { titles: ['a'] }),
      'failed',
    ],
    [
      'a red test with parameters',
      lost('adds', 'deleted'),
      ran(2, ['T.adds[1]'], { titles: ['a', 'c', 'adds[1]'] }),
      ran(1, [], { titles: ['a'] }),
      'failed',
    ],
    [
      'a green test whose name is a part of a red one',
      lost('adds', 'deleted'),
      ran(2, ['adds_up'], { titles: ['a', 'adds', 'adds_up'] }),
      ran(1, ['adds_up'], { titles: ['a', 'adds_up'] }),
      'passed',
    ],
    [
      'a red row of a table',
      lost('b', 'deleted'),
      ran(2, ['b'], { titles: ['a', 'c', 'b'] }),
      ran(1, [], { titles: ['a'] }),
      'failed',
    ],
  ])('%s', (_name, rules, before, after, result) => {
    expect(compareReports({ commands: [before] }, { commands: [after] }, rules).result).toBe(result)
  })

  it('says of a build that this change broke nothing about how it was before', () => {
    const after = silent(1, { failures: [failure('error: b')] })
    const compared = compareReports({ commands: [ran(3)] }, { commands: [after] }, strict)
    expect(compared.result).toBe('failed')
    expect(compared.receipt.notes).toEqual([])
  })

  it('names the tests that are gone', () => {
    const [first] = compareReports({ commands: [ran(3)] }, { commands: [ran(2)] }, strict).broken
    expect(first?.message).toBe(
      'Only 2 of the 3 tests that ran before this change ran now, and the task does not ask for fewer. Gone or switched off: b. Restore them.',
    )
  })

  it('leaves suites alone that were not run', () => {
    const before = { commands: [ran(3), ran(9, [], { command: 'far' })] }
    const after = { commands: [ran(2, ['x'])], notRun: ['far'] }
    const { broken, receipt } = compareReports(before, after, strict)
    expect(broken.map(({ test }) => test)).toEqual(['x'])
    expect(receipt.notes).toEqual(['Not run, because tests nearer to the change fail: far.'])
  })

  it.each<[string, CommandReport, CommandReport, string]>([
    [
      'a flaky test',
      ran(3),
      ran(3, [], { exitCode: 1, flaky: [failure('x')] }),
      'flaky: x failed once and passed when run again.',
    ],
    [
      'one that was flaky before',
      ran(3, [], { flaky: [failure('x')] }),
      ran(3, [], { exitCode: 1, flaky: [failure('x')] }),
      'flaky: x failed once and passed when run again. It was flaky before this change, too.',
    ],
    ['a test that was red', ran(2, ['x']), ran(3), 'Red before this change and green now: x.'],
    [
      'a hang before',
      hung(1),
      ran(3),
      'npm test did not end within 30 seconds before the change; now it does.',
    ],
    [
      'a hang before and after',
      hung(1),
      hung(1),
      'npm test did not end within 30 seconds, and did not before this change either.',
    ],
    [
      'an accept command that passed before',
      accept(silent(0)),
      accept(silent(0)),
      'sh accept.sh also passed before this change, so it does not show what the change does.',
    ],
  ])('notes %s', (_name, before, after, note) => {
    const { receipt } = compareReports({ commands: [before] }, { commands: [after] }, strict)
    expect(receipt.notes).toContain(note)
  })

  it('says what a run did until it was stopped', () => {
    const [first] = compareReports({ commands: [ran(3)] }, { commands: [hung(1)] }, strict).broken
    expect(first).toMatchObject({
      errorType: 'Timeout',
      message:
        'It did not end and was stopped after 30 seconds. Before this change it took 2 seconds. Until then 1 test had passed and 0 had failed. Something in it waits or loops forever.\nthe last words',
    })
  })
})

describe('compareReports', () => {
  it.each(rows)('%s', (_name, before, after, result, broken) => {
    const compared = compareReports(before && { commands: before }, { commands: after }, rules)
    expect([compared.result, compared.broken.map(({ test }) => test)]).toEqual([result, broken])
    expect(compared.receipt.result).toBe(result === 'cannot_run' ? 'failed' : result)
  })

  it('with tests required, fails where it would be unverified, and only there', () => {
    for (const [, before, after, result] of rows) {
      const compared = compareReports(
        before && { commands: before },
        { commands: after },
        { ...rules, requireTests: true },
      )
      expect(compared.result).toBe(result === 'unverified' ? 'failed' : result)
    }
  })

  test('tests of one name in two files are two tests', () => {
    const other = { ...failure('x'), file: 'b.test.js' }
    const before = { commands: [ran(1, ['x'])] }
    const after = { commands: [{ ...ran(1, ['x']), failures: [other] }] }
    expect(compareReports(before, after, rules).broken).toEqual([other])
  })

  it('keeps the last lines of what ended badly', () => {
    const tail = Array.from({ length: 90 }, (_, index) => `line ${index}`).join('\n')
    const commands = [silent(1, { tail }), silent(0, { tail, command: 'pytest' })]
    const [bad, good] = compareReports(null, { commands }, rules).receipt.commands
    expect(bad?.output?.split('\n')).toHaveLength(20)
    expect(bad?.output).toMatch(/line 89$/)
    expect(good).not.toHaveProperty('output')
  })

  it('says what a reviewer should know', () => {
    const before = { commands: [ran(9, ['x'])] }
    const after = { commands: [ran(10, ['x']), accept({ ...silent(0), sandbox: 'unsandboxed' })] }
    expect(compareReports(before, after, rules).receipt).toEqual({
      result: 'passed',
      commands: [
        {
          command: 'npm test',
          exitCode: 1,
          seconds: 2,
          counts: { passed: 10, failed: 1, skipped: 0 },
          before: { exitCode: 1, counts: { passed: 9, failed: 1, skipped: 0 } },
        },
        { command: 'sh accept.sh', exitCode: 0, seconds: 2, counts: null, before: null },
      ],
      before: { passed: 9, failed: 1, skipped: 0 },
      after: { passed: 10, failed: 1, skipped: 0 },
      seconds: 4,
      sandbox: 'unsandboxed',
      notes: ['1 test was red before this change and still is.'],
    })
  })

  const [here, nowhere] = [failure('x'), { ...failure('x'), file: null }]
  it.each([
    ['test', ran(0, ['x'])],
    ['lint', silent(1, { role: 'lint', failures: [here] })],
    ['build', silent(1, { failures: [here] })],
    ['test', silent(1, { failures: [nowhere] })],
    ['killed', silent(0, { exitCode: null, timedOut: true })],
    ['killed', silent(0, { exitCode: null, ended: 'used too much' })],
    ['set-up', notFound],
  ] as const)('calls it %s', (kind, command) => {
    expect(compareReports(null, { commands: [command] }, rules).diagnosis?.kind).toBe(kind)
  })

  const unbuilt = silent(1, { failures: [here], tail: 'No space left on device' })
  it.each([
    [
      'tests that cannot be built',
      [unbuilt],
      [unbuilt],
      'The tests fail as they did before this change, so they cannot show whether it works.',
    ],
    ['fewer tests', [ran(5)], [ran(3)], 'There are fewer tests than before: 5, now 3.'],
    ['no tests', [], [], 'The project has no tests that could show whether this works.'],
    [
      'a command that failed before',
      [silent(1, { tail: 'no rule to make it\nexit 2.\n' })],
      [silent(1, { tail: 'no rule to make it\nexit 2.\n' })],
      'npm test failed in the same way before, with: exit 2.',
    ],
    [
      'a command that failed before without a word',
      [silent(1, { tail: '' })],
      [silent(1, { tail: '' })],
      'npm test failed in the same way before.',
    ],
    [
      'a missing program',
      [],
      [notFound],
      'npm test cannot be run here: vitest was not found. Install it: npm install --save-dev vitest',
    ],
  ])('notes %s', (_name, before, after, note) => {
    const { receipt } = compareReports({ commands: before }, { commands: after }, rules)
    expect(receipt.notes).toContain(note)
  })

  it('says what a command did to be ended, and whether it did it before', () => {
    const hog = silent(0, { exitCode: null, ended: 'used more than 400 MB of memory' })
    const compare = (before: CommandReport) =>
      compareReports({ commands: [before] }, { commands: [hog] }, rules).broken
    expect(compare(ran(3))).toMatchObject([
      {
        message: 'It used more than 400 MB of memory and was stopped.',
        errorType: 'ResourceLimit',
      },
    ])
    expect(compare(hog)).toMatchObject([
      { message: expect.stringContaining('The same happened before this change.') },
    ])
  })

  it('gives the model the last words of a crash', () => {
    const after = { commands: [silent(2)] }
    const [first] = compareReports({ commands: [] }, after, rules).broken
    expect(first?.message).toBe('It ended with code 2.\nthe last words')
  })
})
