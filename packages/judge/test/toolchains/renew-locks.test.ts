import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createFakeClock } from '../../../../test/fakes/fake-clock.ts'
import { memoryTree } from '../../../../test/fakes/memory-tree.ts'
import { type ChangeSet, contentAfter } from '../../../change/change-set.ts'
import type { SandboxKind } from '../../../sandbox/port.ts'
import { findOperations } from '../../destructive/find-destructive.ts'
import { namedRegistries } from '../../prepare/named-registries.ts'
import { renewLocks } from '../../prepare/renew-locks.ts'
import { realSandbox, repositoryOf, writeProject } from '../temporary-project.ts'
import { has } from './toolchain.ts'

/** The lock files that the real installer writes after a change of this manifest. */
async function renewed(
  before: Readonly<Record<string, string>>,
  path: string,
  content: string,
  kind: SandboxKind = 'bubblewrap',
) {
  const own = before[path]
  const changes: ChangeSet = [
    own === undefined
      ? { action: 'create', path, content }
      : { action: 'modify', path, before: own, content },
  ]
  const texts = { ...before, [path]: content }
  const folder = { name: 'T-1', path: await writeProject(texts), sha: 'a'.repeat(40) }
  const repository = repositoryOf(texts)
  const ports = { sandbox: await realSandbox(kind), clock: createFakeClock() }
  const registries = namedRegistries(new Map(Object.entries(before)))
  const done = await renewLocks({ folder, changes, repository, registries }, ports)
  if (done.status === 'failed') throw new Error(done.output)
  // No approval is needed, whichever registry this machine is set to.
  const made = done.locks.map(({ change }) => change)
  const settings = { verify: { registries: [] } }
  expect(await findOperations(made, await memoryTree({}), settings, true)).toEqual([])
  const unchanged = await readFile(join(folder.path, path), 'utf8')
  expect(unchanged).toBe(content)
  return new Map(done.locks.map(({ change }) => [change.path, contentAfter(change) ?? '']))
}

describe('the real installer writes the lock of a changed manifest', () => {
  const manifest = (more: object = {}) =>
    JSON.stringify({ name: 'x', version: '1.0.0', dependencies: { 'is-odd': '3.0.1', ...more } })
  const script = { scripts: { preinstall: 'exit 1', postinstall: 'exit 1', prepare: 'exit 1' } }
  const changed = JSON.stringify({ ...JSON.parse(manifest({ 'is-even': '^1' })), ...script })

  // Yarn 1 has its own registry, which is reachable when the start commit names it.
  const yarnLock =
    '# yarn lockfile v1\n\n\nis-odd@3.0.1:\n  version "3.0.1"\n  resolved "https://registry.yarnpkg.com/is-odd/-/is-odd-3.0.1.tgz"\n'

  it.each<[name: string, kind: SandboxKind, path: string, lock: string, found: RegExp]>([
    [
      ...(['npm', 'bubblewrap', 'package-lock.json'] as const),
      JSON.stringify({ name: 'x', version: '1.0.0', lockfileVersion: 3, packages: {} }),
      /node_modules\/is-even"[\s\S]*"integrity"/,
    ],
    [
      ...(['npm', 'unsandboxed', 'package-lock.json'] as const),
      JSON.stringify({ name: 'x', version: '1.0.0', lockfileVersion: 3, packages: {} }),
      /node_modules\/is-even"[\s\S]*"integrity"/,
    ],
    [
      'pnpm',
      'bubblewrap',
      'pnpm-lock.yaml',
      "lockfileVersion: '9.0'\n",
      /is-even@1[\s\S]*integrity/,
    ],
    ['yarn 1', 'bubblewrap', 'yarn.lock', yarnLock, /is-even@\^1[\s\S]*integrity/],
    [
      ...(['yarn 4', 'bubblewrap', 'yarn.lock'] as const),
      '__metadata:\n  version: 8\n  cacheKey: 10c0\n',
      /is-even@npm:\^1[\s\S]*checksum/,
    ],
  ])('%s in %s, without scripts', { timeout: 180_000 }, async (_, kind, path, lock, found) => {
    const before = { 'package.json': manifest(), [path]: lock }
    const locks = await renewed(before, 'package.json', changed, kind)
    expect([...locks.keys()]).toEqual([path])
    expect(locks.get(path)).toMatch(found)
  })

  const project = (more: string) =>
    `[project]\nname = "x"\nversion = "0.1.0"\nrequires-python = ">=3.10"\ndependencies = [${more}]\n`
  it.runIf(has('uv'))('uv', { timeout: 180_000 }, async () => {
    const before = {
      'pyproject.toml': project(''),
      'uv.lock': 'version = 1\nrequires-python = ">=3.10"\n',
    }
    const locks = await renewed(before, 'pyproject.toml', project('"iniconfig>=2"'))
    expect(locks.get('uv.lock')).toMatch(/name = "iniconfig"[\s\S]*sha256:/)
  })

  it('a package that is not there is a failed installation', { timeout: 120_000 }, async () => {
    const before = { 'package.json': manifest(), 'package-lock.json': '{}' }
    const absent = manifest({ 'a-package-that-nobody-has-published': '1' })
    await expect(renewed(before, 'package.json', absent)).rejects.toThrow(/E404|Not Found/)
  })

  it.runIf(has('cargo'))('cargo', { timeout: 120_000 }, async () => {
    const crate = (more: string) =>
      `[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\n${more}`
    const lock = 'version = 3\n\n[[package]]\nname = "x"\nversion = "0.1.0"\n'
    const before = { 'Cargo.toml': crate(''), 'Cargo.lock': lock, 'src/lib.rs': '' }
    const locks = await renewed(before, 'Cargo.toml', crate('itoa = "1"\n'))
    expect(locks.get('Cargo.lock')).toMatch(/name = "itoa"[\s\S]*checksum = /)
  })

  it.runIf(has('go'))('go, with what the required module needs', { timeout: 120_000 }, async () => {
    const before = {
      'go.mod': 'module example.com/x\n\ngo 1.19\n',
      'x.go': 'package x\n\nimport _ "github.com/pkg/errors"\n',
    }
    const after = `${before['go.mod']}\nrequire github.com/pkg/errors v0.9.1\n`
    const locks = await renewed(before, 'go.mod', after)
    expect(locks.get('go.sum')).toContain('github.com/pkg/errors v0.9.1 h1:')
  })
})
