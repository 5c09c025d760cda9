import { expect, it } from 'vitest'
import { createScriptedSandbox } from '../../../../test/fakes/scripted-sandbox.ts'
import type { SandboxRun } from '../../../sandbox/port.ts'
import { detectSuites } from '../../detect/detect-suites.ts'
import { runSuites } from '../../run/run-suites.ts'
import { noTask, plainVerify, repositoryOf } from '../temporary-project.ts'

const repository = repositoryOf({
  'package.json': '{ "scripts": { "test": "vitest run && node check.js" } }',
})
const input = { folder: '/project', mounts: [], timeoutSeconds: 9, network: false }
const green: Partial<SandboxRun> = { stdout: '      Tests  3 passed (3)\n' }
const red: Partial<SandboxRun> = { exitCode: 1, stdout: '      Tests  1 failed | 2 passed (3)\n' }

/** Runs the suite before and after a change; `plain` is its output without our reporter. */
async function runBoth(plain: Partial<SandboxRun>, changed = plain) {
  let isChanged = false
  const sandbox = createScriptedSandbox((command) => {
    if (command.includes('--reporter')) return red
    return isChanged ? changed : plain
  })
  const suites = detectSuites(repository, plainVerify, noTask)
  const before = await runSuites(suites, input, { sandbox })
  isChanged = true
  const after = await runSuites(suites, { ...input, before: async () => before }, { sandbox })
  return { before: before.commands[0], after: after.commands[0], sandbox }
}

it('runs a command as it is where our reporter makes it red', async () => {
  const { before, after } = await runBoth(green)
  const counts = { passed: 3, failed: 0, skipped: 0 }
  expect(before).toMatchObject({ command: 'npm test', exitCode: 0, counts })
  expect(after).toMatchObject({ command: 'npm test', exitCode: 0, counts })
})

it('finds what a change breaks in such a command', async () => {
  const { before, after } = await runBoth(green, red)
  expect(before?.exitCode).toBe(0)
  expect(after).toMatchObject({ exitCode: 1, counts: { passed: 2, failed: 1, skipped: 0 } })
})

it('keeps to the report where the command is red without it, too', async () => {
  const { before, sandbox } = await runBoth(red)
  expect(before?.exitCode).toBe(1)
  expect(sandbox.commands.filter((command) => !command.includes('--reporter'))).toHaveLength(1)
})

it.each([
  [
    { exitCode: 4, stderr: 'ERROR: usage: pytest\npytest: error: unrecognized arguments: --lf\n' },
    0,
  ],
  [{ exitCode: 1, stdout: '1 failed, 2 passed in 0.1s\n' }, 1],
])('runs pytest without our words only where it refuses them: %j', async (said, exitCode) => {
  const sandbox = createScriptedSandbox((command) =>
    command.includes('--junitxml') ? said : { stdout: '=== 3 passed in 0.1s ===\n' },
  )
  const files = { 'pytest.ini': '', 'test_a.py': 'def test_a(): pass\n' }
  const suites = detectSuites(repositoryOf(files), plainVerify, noTask)
  const { commands } = await runSuites(suites, input, { sandbox })
  expect(commands[0]).toMatchObject({ command: 'pytest', exitCode })
})
