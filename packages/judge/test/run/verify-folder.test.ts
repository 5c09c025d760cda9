import { expect, it } from 'vitest'
import { fakePorts, someSettings } from '../../../../test/fakes/facts.ts'
import { createMemoryWorkspace } from '../../../../test/fakes/memory-workspace.ts'
import { createScriptedSandbox } from '../../../../test/fakes/scripted-sandbox.ts'
import type { ChangeSet } from '../../../change/change-set.ts'
import { openTree } from '../../../change/tree.ts'
import type { SandboxRequest } from '../../../sandbox/port.ts'
import { verifyFolder } from '../../run/verify-folder.ts'

it('lets an installation reach what the start commit and the operator name, and not what the change does', async () => {
  const manifest = '{"scripts": {"test": "node --test"}, "dependencies": {"a": "1"}}'
  const before = 'registry=https://start.example/npm/\n'
  const workspace = createMemoryWorkspace({
    files: { 'package.json': manifest, '.npmrc': before },
  })
  const { base } = await workspace.refresh()
  const folder = await workspace.checkOut('T1', base.sha)
  const changes: ChangeSet = [
    { action: 'modify', path: '.npmrc', before, content: 'registry=https://evil.example/\n' },
    { action: 'create', path: 'web/.npmrc', content: 'registry=https://evil.example/\n' },
  ]
  const written = await workspace.write(folder, changes)
  expect(written).toEqual({ status: 'written' })
  const asked: SandboxRequest['registries'][] = []
  const sandbox = {
    ...createScriptedSandbox((_command, { registries }) => {
      if (registries !== undefined) asked.push(registries)
      return {}
    }),
    dependencyCache: async () => ({ path: '/memory', ready: false }),
  }
  const settings = someSettings()
  const verify = { ...settings.verify, registries: ['https://cdn.example'] }
  const ports = fakePorts({ workspace, sandbox, settings: { ...settings, verify } })
  const tree = (await openTree(base.sha, workspace)).with(changes)
  await verifyFolder(folder, tree, { verify: null, accept: [] }, ports)
  expect(asked).toEqual([{ of: ['npm'], named: ['https://cdn.example', 'https://start.example'] }])
})

it('writes the version that a build of the project would, before its tests run', async () => {
  const version = 'src/a/_version.py'
  const files = {
    'pyproject.toml': `[tool.hatch.build.hooks.vcs]\nversion-file = "${version}"\n`,
    'tests/test_a.py': 'def test_a():\n    assert True\n',
  }
  const workspace = createMemoryWorkspace({ files })
  const { base } = await workspace.refresh()
  const folder = await workspace.checkOut('T1', base.sha)
  const ports = fakePorts({ workspace, sandbox: createScriptedSandbox(() => ({})) })
  const tree = await openTree(base.sha, workspace)
  for (const _ of ['first', 'again']) {
    await verifyFolder(folder, tree, { verify: null, accept: [] }, ports)
    expect((await workspace.readFolder(folder, [version])).get(version)).toContain('__version__')
  }
})

const noBuild = (path: string) => `# a\n./${path}:1:5: undefined: x\nFAIL\ta [build failed]\n`
const red = [
  '{"Action":"run","Package":"a","Test":"TestB"}',
  '{"Action":"fail","Package":"a","Test":"TestB"}',
  '{"Action":"fail","Package":"a"}',
].join('\n')
const alone = 'go test ./...: none: error: undefined: x'
const beside = 'go test ./...: 0 + 1: error: undefined: x, TestB'

it.each<[string, string, readonly string[] | null, string]>([
  ['a test file', 'a_test.go', null, beside],
  ['a source file', 'a.go', null, alone],
  ['a test file, as before a change', 'a_test.go', ['a_test.go'], beside],
  ['a test file, as before, beside another', 'a_test.go', ['a_test.go', 'b_test.go'], beside],
  ['a test file since a change', 'a_test.go', [], alone],
  ['another test file since a change', 'a_test.go', ['b_test.go'], alone],
])('runs the tests beside what does not compile: %s', async (_, path, known, shown) => {
  const files = { 'go.mod': 'module a\n', 'a.go': 'package a\n', 'a_test.go': '', 'b_test.go': '' }
  const workspace = createMemoryWorkspace({ files })
  const { base } = await workspace.refresh()
  const folder = await workspace.checkOut('T1', base.sha)
  const scripted = createScriptedSandbox(() => ({}))
  const run: typeof scripted.run = async (request) => {
    const other = workspace.folder(`others-${base.sha.slice(0, 12)}`)
    const there = await workspace.readFolder(other ?? folder, [path])
    const ended = await scripted.run(request)
    if (request.name !== 'go test ./...') return ended
    return { ...ended, exitCode: 1, stdout: there.has(path) ? noBuild(path) : red }
  }
  const ports = fakePorts({ workspace, sandbox: { ...scripted, run } })
  const tree = await openTree(base.sha, workspace)
  const failures = known?.map((file) => ({
    ...{ test: 'error: undefined: x', file, line: 1, message: 'undefined: x', errorType: null },
    ...{ expected: null, actual: null, trace: [] },
  }))
  const was = { command: 'go test ./...', exitCode: 1, timedOut: false, counts: null, tail: '' }
  const before = { ...was, failures: failures ?? [], seconds: 1, sandbox: 'unsandboxed' } as const
  const choice = {
    change: {
      paths: [],
      before: async () =>
        ({ status: 'verified', report: { commands: [before] }, notes: [] }) as const,
    },
  }
  const task = { verify: null, accept: [] }
  const found = await verifyFolder(folder, tree, task, ports, known === null ? {} : choice)
  const commands = found.status === 'verified' ? found.report.commands : []
  const said = commands.map(({ command, counts, failures: all }) => {
    const ran = counts === null ? 'none' : `${counts.passed} + ${counts.failed}`
    return `${command}: ${ran}: ${all.map(({ test }) => test).join(', ')}`
  })
  expect(said).toEqual([shown])
  expect((await workspace.readFolder(folder, [path])).has(path)).toBe(true)
})
