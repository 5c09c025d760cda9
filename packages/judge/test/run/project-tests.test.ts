import { expect, it } from 'vitest'
import { someSettings } from '../../../../test/fakes/facts.ts'
import { memoryTree } from '../../../../test/fakes/memory-tree.ts'
import { createScriptedSandbox } from '../../../../test/fakes/scripted-sandbox.ts'
import type { Sandbox } from '../../../sandbox/port.ts'
import { testsOf } from '../../run/project-tests.ts'

async function tryPrograms(
  files: Readonly<Record<string, string>>,
  sandbox: Pick<Sandbox, 'run' | 'has'>,
) {
  const tests = await testsOf(await memoryTree(files), someSettings().verify)
  return tests.tryPrograms('/empty', sandbox)
}

it('starts what the tests need, and tells a shim that leads nowhere', async () => {
  const files = {
    'package.json': '{ "scripts": { "test": "node --test" } }',
    'a/test_a.py': 'def test_a():\n    assert 1\n',
  }
  const gone = 'python3: 21: exec: /root/.pyenv/libexec/pyenv: not found'
  const sandbox = createScriptedSandbox((command) =>
    command.startsWith('python3') ? { exitCode: 127, stderr: `${gone}\n` } : {},
  )
  expect(await tryPrograms(files, sandbox)).toMatchObject([
    { name: 'node', problem: null },
    { name: 'python3', problem: gone, next: expect.stringContaining('not only a shim') },
  ])
  const [first, ...others] = new Set(sandbox.commands)
  expect([first, ...others]).toEqual([
    'node --version',
    'python3 --version',
    'python3 -m pytest --version',
  ])
})

it('tells a program that a script starts and nothing installs', async () => {
  const tried = async (manifest: object) => {
    const files = { 'package.json': JSON.stringify(manifest) }
    const sandbox = createScriptedSandbox((command) =>
      command === 'mocha --version' ? { exitCode: 127 } : {},
    )
    return tryPrograms(files, sandbox)
  }
  const scripts = { test: 'NODE_ENV=test mocha && ./more.sh' }
  expect(await tried({ scripts })).toMatchObject([
    { name: 'node', problem: null },
    { name: 'mocha', problem: 'it was not found', next: expect.stringContaining('mocha') },
  ])
  expect(await tried({ scripts, dependencies: { mocha: '1' } })).toMatchObject([
    { name: 'node', problem: null },
    { name: 'npm', problem: null },
  ])
})

it('tells an installer that is not there, and how it is had', async () => {
  const files = {
    'package.json': '{ "scripts": { "test": "nyc mocha" }, "dependencies": { "mocha": "1" } }',
    'yarn.lock': '# yarn lockfile v1\n',
  }
  const sandbox = {
    ...createScriptedSandbox(),
    has: async (name: string) => !/^(?:yarn|npm)$/.test(name),
  }
  const tried = await tryPrograms(files, sandbox)
  expect(tried.at(-1)).toEqual({
    ...{ name: 'yarn', problem: 'it was not found' },
    next: 'Install it: npm install --global yarn',
  })
})
