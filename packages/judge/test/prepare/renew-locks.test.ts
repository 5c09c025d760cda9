import { describe, expect, it } from 'vitest'
import { createFakeClock } from '../../../../test/fakes/fake-clock.ts'
import { createScriptedSandbox } from '../../../../test/fakes/scripted-sandbox.ts'
import type { ChangeSet } from '../../../change/change-set.ts'
import type { SandboxRequest } from '../../../sandbox/port.ts'
import { renewLocks } from '../../prepare/renew-locks.ts'
import { repositoryOf } from '../temporary-project.ts'

type Texts = Readonly<Record<string, string>>

/** Renews the lock files after one file changes; returns the result and the sandbox's requests. */
async function renew(before: Texts, path: string, content: string, has: (name: string) => boolean) {
  const requests: SandboxRequest[] = []
  const sandbox = createScriptedSandbox((_, request) => {
    requests.push(request)
    return { collected: new Map(request.collect.map((each) => [each, 'new\n'])) }
  })
  const changes: ChangeSet = [{ action: 'modify', path, before: before[path] ?? '', content }]
  const input = {
    folder: { name: 'T-1', path: '/folder', sha: 'a' },
    ...{ changes, repository: repositoryOf({ ...before, [path]: content }), registries: [] },
  }
  const ports = {
    sandbox: { ...sandbox, has: async (name: string) => has(name) },
    clock: createFakeClock(),
  }
  return { done: await renewLocks(input, ports), requests }
}

const all = () => true
const npm = (more: object = {}) => JSON.stringify({ dependencies: { a: '1' }, ...more })
const more = npm({ devDependencies: { b: '1' } })
const crate = (text: string) => `[package]\nname = "x"\n${text}`

describe('the lock beside a changed manifest', () => {
  it.each<[before: Texts, path: string, content: string, line: string, made: readonly string[]]>([
    [
      { 'package.json': npm(), 'package-lock.json': '{}' },
      ...(['package.json', more] as const),
      ...(['npm install --package-lock-only --ignore-scripts', ['package-lock.json']] as const),
    ],
    [
      {
        'package.json': npm({ workspaces: ['a'] }),
        'a/package.json': npm(),
        'package-lock.json': '{}',
      },
      ...(['a/package.json', more] as const),
      ...(['npm install --package-lock-only --ignore-scripts', ['package-lock.json']] as const),
    ],
    [
      { 'web/package.json': npm(), 'web/pnpm-lock.yaml': 'a' },
      ...(['web/package.json', more] as const),
      ...(['pnpm install --lockfile-only --ignore-scripts', ['web/pnpm-lock.yaml']] as const),
    ],
    [
      { 'package.json': npm(), 'yarn.lock': 'a' },
      ...(['package.json', more] as const),
      ...(['yarn install --ignore-scripts', ['yarn.lock']] as const),
    ],
    [
      { 'package.json': npm(), 'yarn.lock': '__metadata:\n' },
      ...(['package.json', more] as const),
      ...(['yarn install --mode=update-lockfile', ['yarn.lock']] as const),
    ],
    [
      { 'package.json': npm(), 'bun.lock': 'a' },
      ...(['package.json', more] as const),
      ...(['bun install --lockfile-only --ignore-scripts', ['bun.lock']] as const),
    ],
    [
      { 'pyproject.toml': '', 'uv.lock': 'a' },
      ...(['pyproject.toml', '[project]\ndependencies = ["a"]'] as const),
      ...(['uv lock --no-build', ['uv.lock']] as const),
    ],
    [
      { 'pyproject.toml': '', 'poetry.lock': 'a' },
      ...(['pyproject.toml', '[tool.poetry.dependencies]\na = "1"'] as const),
      ...(['poetry lock', ['poetry.lock']] as const),
    ],
    [
      { 'Cargo.toml': crate(''), 'Cargo.lock': 'a' },
      ...(['Cargo.toml', crate('[dependencies]\na = "1"')] as const),
      ...(['cargo update --workspace', ['Cargo.lock']] as const),
    ],
    [
      { 'go.mod': 'module a\n', 'go.sum': 'a' },
      ...(['go.mod', 'module a\nrequire b v1.0.0\n'] as const),
      ...(['go list -e -mod=mod', ['go.mod', 'go.sum']] as const),
    ],
    [
      { Gemfile: 'gem "a"', 'Gemfile.lock': 'a' },
      ...(['Gemfile', 'gem "b"', 'bundle lock', ['Gemfile.lock']] as const),
    ],
    [
      { 'composer.json': '{}', 'composer.lock': 'a' },
      ...(['composer.json', '{ "require": { "a/b": "1" } }'] as const),
      ...(['--no-install --no-scripts --no-plugins', ['composer.lock']] as const),
    ],
  ])('%j: %s', async (before, path, content, line, made) => {
    const { done, requests } = await renew(before, path, content, all)
    expect(requests).toMatchObject([{ network: true, directory: '.' }])
    expect(requests[0]?.command).toMatchObject({ shell: expect.stringContaining(line) })
    // Keeps installers from running packages' scripts, which some do by default.
    expect(requests[0]?.env).toMatchObject({
      npm_config_ignore_scripts: 'true',
      YARN_ENABLE_SCRIPTS: 'false',
    })
    if (done.status === 'failed') throw new Error(done.reason)
    expect(done.locks.map(({ change }) => change.path)).toEqual(made)
  })

  it.each<[string, Texts, string, string]>([
    [
      'scripts',
      { 'package.json': npm(), 'package-lock.json': '{}' },
      'package.json',
      npm({ scripts: { a: 'b' } }),
    ],
    [
      'a test fixture',
      { 'fixtures/package.json': npm(), 'package.json': npm(), 'package-lock.json': '{}' },
      'fixtures/package.json',
      more,
    ],
    [
      'another project',
      { 'a/package.json': npm(), 'a/package-lock.json': '{}', 'b/package.json': npm() },
      'b/package.json',
      more,
    ],
    ['a project without a lock', { 'package.json': npm() }, 'package.json', more],
    [
      'settings of a linter',
      { 'pyproject.toml': '', 'uv.lock': 'a' },
      'pyproject.toml',
      '[tool.ruff]\nline-length = 1',
    ],
    [
      'a profile',
      { 'Cargo.toml': crate(''), 'Cargo.lock': 'a' },
      'Cargo.toml',
      crate('[profile.release]\nlto = true'),
    ],
    ['code', { 'package.json': npm(), 'package-lock.json': '{}', 'a.js': '' }, 'a.js', 'b()'],
  ])('is left as it is by a change of %s', async (_, before, path, content) => {
    const { done, requests } = await renew(before, path, content, all)
    expect(done).toEqual({ status: 'renewed', locks: [], notes: [] })
    expect(requests).toEqual([])
  })

  it('is written by a package manager that npm fetches, where it is not there', async () => {
    const before = { 'package.json': npm(), 'pnpm-lock.yaml': "lockfileVersion: '6.0'\n" }
    const { requests } = await renew(before, 'package.json', more, (name) => name === 'npm')
    expect(requests[0]?.command).toMatchObject({
      shell: expect.stringMatching(
        /--ignore-scripts --cache \.\.\/\.cache pnpm@8\); .*--lockfile-only/,
      ),
    })
  })
})
