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

const noBuild = (path: string) =>
  `error[E0432]: unresolved import\n --> ${path}:1:5\nerror: could not compile \`a\`\n`
const red = 'test b ... FAILED\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored\n'

it.each([
  ['test', 'tests/a.rs', ['cargo: 0 + 1: E0432: unresolved import, b'], false],
  ['source', 'src/lib.rs', ['cargo: none: E0432: unresolved import'], true],
])(
  'of a start commit whose %s does not compile, runs what does',
  async (_, path, shown, isLeft) => {
    const files = { 'Cargo.toml': '[package]\nname = "a"\n', 'src/lib.rs': '', 'tests/a.rs': '' }
    const workspace = createMemoryWorkspace({ files })
    const { base } = await workspace.refresh()
    const folder = await workspace.checkOut('T1', base.sha)
    const isThere = async () => (await workspace.readFolder(folder, [path])).has(path)
    const scripted = createScriptedSandbox(() => ({}))
    const run: typeof scripted.run = async (request) => ({
      ...(await scripted.run(request)),
      ...((await isThere())
        ? { exitCode: 101, stderr: noBuild(path) }
        : { exitCode: 101, stdout: red }),
    })
    const ports = fakePorts({ workspace, sandbox: { ...scripted, run } })
    const tree = await openTree(base.sha, workspace)
    const found = await verifyFolder(folder, tree, { verify: null, accept: [] }, ports)
    const commands = found.status === 'verified' ? found.report.commands : []
    const said = commands.map(({ counts, failures }) => {
      const ran = counts === null ? 'none' : `${counts.passed} + ${counts.failed}`
      return `cargo: ${ran}: ${failures.map(({ test }) => test).join(', ')}`
    })
    expect([said, await isThere()]).toEqual([shown, isLeft])
  },
)
