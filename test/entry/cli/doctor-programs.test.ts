import { expect, it } from 'vitest'
import { tryPrograms } from '../../../src/entry/cli/commands/doctor-programs.ts'
import { someSettings } from '../../fakes/facts.ts'
import { createMemoryWorkspace } from '../../fakes/memory-workspace.ts'
import { createScriptedSandbox } from '../../fakes/scripted-sandbox.ts'

it('starts what the tests need, and tells a shim that leads nowhere', async () => {
  const files = {
    'package.json': '{ "scripts": { "test": "node --test" } }',
    'a/test_a.py': 'def test_a():\n    assert 1\n',
  }
  const gone = 'python3: 21: exec: /root/.pyenv/libexec/pyenv: not found'
  const sandbox = createScriptedSandbox((command) =>
    command.startsWith('python3') ? { exitCode: 127, stderr: `${gone}\n` } : {},
  )
  expect(await tryPrograms(createMemoryWorkspace({ files }), someSettings(), sandbox)).toEqual([
    { name: 'node', problem: null },
    { name: 'python3', problem: gone },
  ])
  expect(sandbox.commands).toEqual(['node --version', 'python3 --version'])
})
