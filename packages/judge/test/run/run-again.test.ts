import { describe, expect, it } from 'vitest'
import { createScriptedSandbox } from '../../../../test/fakes/scripted-sandbox.ts'
import { type Suite, suiteIn } from '../../detect/suite.ts'
import type { CommandReport, TestFailure, TestReport } from '../../results/test-report.ts'
import { brokeOff, joinRuns, mayBeFlaky, runSecondTime, runSuites } from '../../run/run-suites.ts'
import { realSandbox, writeProject } from '../temporary-project.ts'

const failure = (test: string, errorType: string | null = null): TestFailure => ({
  ...{ test, file: 'a.test.js', line: 1, message: 'no', expected: null, actual: null },
  errorType,
  trace: [],
})

const ran = (passed: number, failures: readonly TestFailure[], more = {}): CommandReport => ({
  command: 'npm test',
  exitCode: failures.length === 0 ? 0 : 1,
  timedOut: false,
  counts: { passed, failed: failures.length, skipped: 0 },
  failures,
  tail: '',
  seconds: 1,
  sandbox: 'bubblewrap',
  ...more,
})

const x = failure('x')
const y = failure('y')

describe('what broke off without a word runs again', () => {
  const silent = (exitCode: number | null, more = {}) =>
    ran(0, [], { counts: null, exitCode, ...more })

  it.each<[string, CommandReport, boolean, Partial<Suite>?]>([
    ['when it was killed', silent(null), true],
    ['when it could not start a process', silent(1), true],
    ['not when it told a failure', silent(1, { failures: [x] }), false],
    ['not when it counted tests', ran(1, [], { exitCode: 1 }), false],
    ['not when it ended well', silent(0), false],
    ['not when its program is not there', silent(127), false],
    ['not when it used up its time', silent(null, { timedOut: true }), false],
    ['not when it used up its memory', silent(null, { ended: 'used more' }), false],
    ['not when no reader understands its output', silent(2), false, { runner: 'command' }],
    ['not for lint', silent(2), false, { role: 'lint', runner: 'lint' }],
  ])('%s', (_, report, expected, suite = {}) => {
    expect(brokeOff({ role: 'tests', runner: 'node-test', ...suite }, report)).toBe(expected)
  })
})

describe('what ran once runs a second time', () => {
  it('without our reporter, where that makes the unchanged code red', async () => {
    const plain = suiteIn('.', 'npm test', { runner: 'mocha', command: { argv: ['plain'] } })
    const suite = suiteIn('.', 'npm test', {
      runner: 'mocha',
      command: { shell: 'reporter' },
      plain,
    })
    const sandbox = createScriptedSandbox((command) => ({ exitCode: command === 'plain' ? 0 : 1 }))
    const place = { folder: '/project', mounts: [], timeoutSeconds: 9, network: false }
    const before = await runSuites([suite], place, { sandbox })
    expect(before.commands).toMatchObject([{ exitCode: 0 }])
    const again = { commands: [{ ...ran(1, [x]), once: true }] }
    const change = { ...place, before: async () => before }
    const from = sandbox.commands.length
    await runSecondTime([suite], again, change, { sandbox })
    expect(sandbox.commands.slice(from)).toEqual(['plain'])
  })
})

describe('a run of tests may take', () => {
  const never = new Promise<never>(() => {})
  const rows: readonly [
    name: string,
    before: CommandReport | Promise<never>,
    facts: { readonly runner?: Suite['runner']; readonly set?: number },
    seconds: number,
  ][] = [
    ['two minutes where it took a second', ran(1, []), {}, 120],
    ['twenty times as long as before', ran(1, [], { seconds: 9 }), {}, 180],
    ['no more than ten minutes', ran(1, [], { seconds: 90 }), {}, 600],
    ['as long as is set', ran(1, []), { set: 900 }, 900],
    ['ten minutes where something is compiled', ran(1, []), { runner: 'cargo' }, 600],
    ['ten seconds more for each test that was red', ran(1, [x, y]), {}, 140],
    ['ten minutes where a file could not be loaded', ran(1, [failure('a.test.js')]), {}, 600],
    ['ten minutes where no test ran before', ran(0, []), {}, 600],
    ['ten minutes where no test was counted', ran(0, [], { counts: null }), {}, 600],
    ['ten minutes where it was killed before', ran(1, [x], { exitCode: null }), {}, 600],
    ['ten minutes where it did not end before', ran(1, [], { timedOut: true }), {}, 600],
    ['ten minutes where that is not known yet', never, {}, 600],
  ]
  it.each(rows)('%s', async (_, before, { runner = 'node-test', set = null }, seconds) => {
    const limits: number[] = []
    const sandbox = createScriptedSandbox((_command, { timeoutSeconds }) => {
      limits.push(timeoutSeconds)
      return {}
    })
    const suite = suiteIn('.', 'npm test', { runner, command: { argv: ['tests'] } })
    const place = { folder: '/project', mounts: [], timeoutSeconds: set, network: false }
    const known = async () => ({ commands: [await before] })
    await runSuites([suite], { ...place, before: known }, { sandbox })
    expect(limits[0]).toBe(seconds)
  })
})

describe('a failure may be chance', () => {
  it.each<[string, readonly CommandReport[] | null, CommandReport, boolean]>([
    ['when it passed before', [ran(2, [])], ran(1, [x]), true],
    ['when it was not there before', [], ran(1, [x]), true],
    ['when that is unknown', null, ran(1, [x]), true],
    ['not when it failed before', [ran(1, [x])], ran(1, [x]), false],
    ['not when it was flaky before', [ran(2, [], { flaky: [x] })], ran(1, [x]), false],
    ['not when all passed', [ran(2, [])], ran(2, []), false],
    ['not when it was stopped', null, ran(1, [x], { timedOut: true }), false],
    ['not when it was killed', null, ran(1, [x], { exitCode: null }), false],
    ['not when nothing could be counted', null, ran(0, [x], { counts: null }), false],
    [
      'not for many',
      null,
      ran(
        1,
        Array.from({ length: 11 }, (_, n) => failure(`t${n}`)),
      ),
      false,
    ],
    ['not for syntax', null, ran(1, [failure('x', 'SyntaxError')]), false],
    ['not for a module', null, ran(1, [failure('x', 'ERR_MODULE_NOT_FOUND')]), false],
    ['not for lint', null, ran(1, [x], { role: 'lint' }), false],
    [
      'for a test among errors',
      null,
      ran(1, [failure('x', 'SyntaxError'), failure('y', 'AssertionError')]),
      true,
    ],
  ])('%s', (_, before, report, expected) => {
    const known: TestReport | null = before && { commands: before }
    expect(mayBeFlaky(known, report)).toBe(expected)
  })
})

describe('two runs', () => {
  it.each<[string, CommandReport, CommandReport, object]>([
    [
      'that fail alike are a failure',
      ran(1, [x]),
      ran(1, [x]),
      { failures: [x], exitCode: 1, seconds: 2 },
    ],
    [
      'of which one passes are flaky',
      ran(1, [x]),
      ran(2, []),
      { failures: [], flaky: [x], exitCode: 0, counts: { passed: 2, failed: 0 } },
    ],
    [
      'that fail in other tests are flaky',
      ran(1, [x]),
      ran(1, [y]),
      { failures: [], flaky: [x, y], counts: { passed: 2, failed: 0 } },
    ],
    [
      'that share a failure keep it',
      ran(1, [x, y]),
      ran(2, [y]),
      { failures: [y], flaky: [x], counts: { passed: 2, failed: 1 } },
    ],
    [
      'of which the second gets to a compiler that fails keep what it says',
      ran(1, [x]),
      ran(2, [y], { exitCode: 2, counts: { passed: 2, failed: 0, skipped: 0 } }),
      { failures: [y], flaky: [x], counts: { passed: 2, failed: 0 } },
    ],
    [
      'say nothing when the second is stopped',
      ran(1, [x]),
      ran(1, [], { timedOut: true }),
      { failures: [x], exitCode: 1 },
    ],
    [
      'say nothing when the second crashes',
      ran(1, [x]),
      ran(0, [], { counts: null, exitCode: 2 }),
      { failures: [x], exitCode: 1 },
    ],
    [
      'say nothing when the second ends badly and names no failure',
      ran(1, [x]),
      ran(2, [], { exitCode: 1 }),
      { failures: [x], exitCode: 1 },
    ],
    [
      'say nothing when the second runs fewer',
      ran(1, [x]),
      ran(1, []),
      { failures: [x], exitCode: 1 },
    ],
  ])('%s', (_, first, second, expected) => {
    expect(joinRuns(first, second)).toMatchObject(expected)
  })
})

const suite = suiteIn('.', 'node --test', {
  runner: 'node-test',
  command: {
    argv: ['node', '--test', '--test-reporter=tap', '--test-reporter-destination=report'],
  },
  report: 'report',
})

/** Passes from its second run on; counts its runs in the folder. */
const flaky = `import { appendFileSync, readFileSync } from 'node:fs'
import assert from 'node:assert/strict'
import test from 'node:test'
appendFileSync('runs', '.')
test('sure', () => {})
test('lucky', () => assert.ok(readFileSync('runs', 'utf8').length > 1))
`
const broken = `import { appendFileSync } from 'node:fs'
import test from 'node:test'
appendFileSync('runs', '.')
test('broken', () => { throw new Error('no') })
`
const hanging = `import test from 'node:test'
test('quick', () => {})
test('slow', async () => { await new Promise((done) => setTimeout(done, 600_000)) })
`

async function run(texts: Readonly<Record<string, string>>, before?: TestReport, seconds = 30) {
  const folder = await writeProject(texts)
  const given = before === undefined ? {} : { before: async () => before }
  const input = { folder, mounts: [], timeoutSeconds: seconds, network: false, ...given }
  const { commands } = await runSuites([suite], input, { sandbox: await realSandbox() })
  return { report: commands[0], folder }
}

describe('a real run', () => {
  const none: TestReport = { commands: [] }

  it('tells a flaky test by a second one', async () => {
    const { report } = await run({ 'a.test.mjs': flaky }, none)
    expect(report).toMatchObject({
      exitCode: 0,
      counts: { passed: 2, failed: 0 },
      failures: [],
      flaky: [{ test: 'lucky', file: 'a.test.mjs' }],
    })
  })

  it('fails what fails twice', async () => {
    const { report } = await run({ 'a.test.mjs': broken }, none)
    expect(report).toMatchObject({ exitCode: 1, failures: [{ test: 'broken' }] })
    expect(report?.flaky).toBeUndefined()
  })

  it('is not repeated where it is the baseline, nor for what was red before', async () => {
    const { report: first } = await run({ 'a.test.mjs': flaky })
    expect(first).toMatchObject({ exitCode: 1, failures: [{ test: 'lucky' }] })
    if (first === undefined) throw new Error('Nothing was run.')
    const { report } = await run({ 'a.test.mjs': flaky }, { commands: [first] })
    expect(report).toMatchObject({ exitCode: 1, failures: [{ test: 'lucky' }] })
  })

  it('is stopped where it hangs, and not repeated', async () => {
    const { report } = await run({ 'a.test.mjs': hanging }, none, 2)
    expect(report).toMatchObject({
      timedOut: true,
      exitCode: null,
      counts: { passed: 1, failed: 0 },
    })
    expect(report?.flaky).toBeUndefined()
  })
})
