import { expect, it } from 'vitest'
import type { SandboxRun } from '../../../src/core/ports/sandbox.ts'
import { compareReports } from '../../../src/verify/compare/compare.ts'
import { detectSuites } from '../../../src/verify/detect/detect-suites.ts'
import { runSuites } from '../../../src/verify/run/run-suites.ts'
import { createScriptedSandbox } from '../../fakes/scripted-sandbox.ts'
import { noTask, plainVerify, repositoryOf } from '../temporary-project.ts'

const input = { folder: '/project', mounts: [], timeoutSeconds: 9, network: false }
const lint = 'src/b.test.js:3:1: error: no tabs\n'
const tests = (passed: number, failed: number) =>
  `TAP version 13\n${Array.from({ length: passed }, (_, index) => `ok ${index + 1} - t${index}\n`).join('')}${failed === 0 ? '' : `not ok ${passed + 1} - red\n`}`

const red = (stdout: string): Partial<SandboxRun> => ({ exitCode: 1, stdout })
const cutShort = red(lint)

/** Runs `npm test` before and after a change; `all` is what it says where every part runs. */
async function runBoth(
  script: string,
  before: readonly [asWritten: Partial<SandboxRun>, all: Partial<SandboxRun>],
  after = before,
) {
  let [asWritten, all] = before
  const sandbox = createScriptedSandbox((command) =>
    command.includes('|| red=$?') ? all : asWritten,
  )
  const repository = repositoryOf({ 'package.json': JSON.stringify({ scripts: { test: script } }) })
  const suites = detectSuites(repository, plainVerify, noTask)
  const was = await runSuites(suites, input, { sandbox })
  ;[asWritten, all] = after
  const is = await runSuites(suites, { ...input, before: async () => was }, { sandbox })
  const rules = { requireTests: false, mayRemoveTests: false, lostTests: [] }
  return { was, is, judged: compareReports(was, is, rules), commands: sandbox.commands }
}

const script = 'lint . && check --tap'

it('tests behind a part that is red on the unchanged code tell whether a change works', async () => {
  const { was, judged } = await runBoth(
    script,
    [cutShort, red(lint + tests(2, 0))],
    [cutShort, red(lint + tests(3, 0))],
  )
  expect(was.commands[0]).toMatchObject({ exitCode: 1, counts: { passed: 2, failed: 0 } })
  expect(judged).toMatchObject({ result: 'passed', receipt: { after: { passed: 3, failed: 0 } } })
})

it('tests that fail behind such a part are what the change broke', async () => {
  const { judged } = await runBoth(
    script,
    [cutShort, red(lint + tests(2, 0))],
    [cutShort, red(lint + tests(2, 1))],
  )
  expect(judged.result).toBe('failed')
  expect(judged.broken).toMatchObject([{ test: 'red' }])
})

it('what the change breaks in the part that was red is its fault', async () => {
  const before = [cutShort, red(tests(2, 0))] as const
  const more = red(`${lint}src/a.js:9:1: error: no spaces\n`)
  const { was, judged } = await runBoth(script, before, [more, red(tests(2, 0))])
  expect(was.commands[0]?.failures).toMatchObject([{ file: 'src/b.test.js' }])
  expect(judged.result).toBe('failed')
  expect(judged.broken).toMatchObject([{ file: 'src/a.js' }])
})

it.each([
  ['a part is red only with the change', [{ stdout: tests(2, 0) }, {}], [cutShort, {}]],
  ['no part tells of tests', [cutShort, cutShort], [cutShort, cutShort]],
  ['the tests themselves are red', [red(tests(1, 1)), {}], [red(tests(1, 1)), {}]],
] as const)('a script ends where npm ends it: %s', async (_, before, after) => {
  const { is } = await runBoth(script, before, after)
  expect(is.commands[0]?.tail).toBe(after[0].stdout?.trim())
})

it('a script of one line has no other parts', async () => {
  const { commands } = await runBoth('check --tap', [cutShort, red(tests(2, 0))])
  expect(commands.filter((command) => command.includes('red='))).toEqual([])
})
