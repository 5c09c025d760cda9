import { expect, it } from 'vitest'
import { createScriptedSandbox } from '../../../../test/fakes/scripted-sandbox.ts'
import type { SandboxRun } from '../../../sandbox/port.ts'
import { compareReports } from '../../compare/compare.ts'
import { detectSuites } from '../../detect/detect-suites.ts'
import { runSuites } from '../../run/run-suites.ts'
import { noTask, plainVerify, repositoryOf } from '../temporary-project.ts'

const input = { folder: '/project', mounts: [], timeoutSeconds: 9, network: false }
const lint = 'src/b.test.js:3:1: error: no tabs\n'
const tests = (passed: number, failed: number): Partial<SandboxRun> => ({
  exitCode: failed === 0 ? 0 : 1,
  stdout: `TAP version 13\n${Array.from({ length: passed }, (_, index) => `ok ${index + 1} - t${index}\n`).join('')}${failed === 0 ? '' : `not ok ${passed + 1} - red\n`}`,
})
const red = (stdout: string): Partial<SandboxRun> => ({ exitCode: 1, stdout })
const cutShort = red(lint)

type Said = readonly [script: Partial<SandboxRun>, alone: Partial<SandboxRun>]

/** Runs `npm test` before and after a change; `alone` is its tests' output without the linter. */
async function runBoth(script: string, before: Said, after: Said = before) {
  let [whole, alone] = before
  const sandbox = createScriptedSandbox((command) => (command.includes('eslint') ? whole : alone))
  const repository = repositoryOf({ 'package.json': JSON.stringify({ scripts: { test: script } }) })
  const suites = detectSuites(repository, plainVerify, noTask)
  const was = await runSuites(suites, input, { sandbox })
  ;[whole, alone] = after
  const is = await runSuites(suites, { ...input, before: async () => was }, { sandbox })
  const rules = { requireTests: false, mayRemoveTests: false, lostTests: [] }
  return { was, is, judged: compareReports(was, is, rules) }
}

const script = 'eslint . && ava && tsd'

it('tests behind a linter that is red on the unchanged code tell whether a change works', async () => {
  const { was, judged } = await runBoth(script, [cutShort, tests(2, 0)], [cutShort, tests(3, 0)])
  expect(was.commands).toMatchObject([
    { command: 'npm test', exitCode: 1, counts: null },
    { command: 'ava', exitCode: 0, counts: { passed: 2, failed: 0 } },
  ])
  expect(judged).toMatchObject({ result: 'passed', receipt: { after: { passed: 3, failed: 0 } } })
})

it.each<[string, Said, Said, 'passed' | 'failed', readonly object[]]>([
  [
    'breaks one of them',
    [cutShort, tests(2, 0)],
    [cutShort, tests(2, 1)],
    'failed',
    [{ test: 'red' }],
  ],
  ['turns a red one green', [cutShort, tests(1, 1)], [cutShort, tests(2, 0)], 'passed', []],
  [
    'breaks more of what the linter looks at',
    [cutShort, tests(2, 0)],
    [red(`${lint}src/a.js:9:1: error: no spaces\n`), tests(2, 0)],
    'failed',
    [{ file: 'src/a.js' }],
  ],
  ['fixes the linter', [cutShort, tests(2, 0)], [tests(2, 0), tests(2, 0)], 'passed', []],
])('a change that %s', async (_, before, after, result, broken) => {
  const { judged } = await runBoth(script, before, after)
  expect(judged.result).toBe(result)
  expect(judged.broken).toMatchObject(broken)
})

it.each<[string, string, Said, Said]>([
  ['the linter is red only with the change', script, [tests(2, 0), {}], [cutShort, tests(2, 0)]],
  [
    'tests were red before, and now the linter is',
    script,
    [tests(1, 1), {}],
    [red('no'), tests(1, 1)],
  ],
  ['it tells of no tests', script, [cutShort, cutShort], [cutShort, tests(2, 0)]],
  [
    'a build is red',
    'eslint . && rollup -c && ava',
    [cutShort, tests(2, 0)],
    [cutShort, tests(2, 0)],
  ],
  ['the linter writes', 'eslint --fix . && ava', [cutShort, tests(2, 0)], [cutShort, tests(2, 0)]],
  [
    'a part goes elsewhere',
    'cd a && eslint . && ava',
    [cutShort, tests(2, 0)],
    [cutShort, tests(2, 0)],
  ],
])('tests do not run alone where %s', async (_, line, before, after) => {
  const { is, judged } = await runBoth(line, before, after)
  expect(is.commands.map(({ command }) => command)).toEqual(['npm test'])
  expect(judged.result).not.toBe('passed')
})
