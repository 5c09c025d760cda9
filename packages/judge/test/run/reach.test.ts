import { describe, expect, it } from 'vitest'
import { suiteIn } from '../../detect/suite.ts'
import { partByReach } from '../../run/reach.ts'
import { repositoryOf } from '../temporary-project.ts'

const suiteOf = (directory: string) =>
  suiteIn(directory, directory, { runner: 'command', command: { argv: ['t'] } })

const npm = (name: string, needs: readonly string[] = []) =>
  JSON.stringify({ name, dependencies: Object.fromEntries(needs.map((each) => [each, '*'])) })

const workspace = {
  'package.json': '{"workspaces":["packages/*"]}',
  'packages/core/package.json': npm('@a/core'),
  'packages/api/package.json': npm('@a/api', ['@a/core']),
  'packages/web/package.json': npm('web', ['@a/api']),
  'packages/docs/package.json': npm('docs'),
  'packages/docs/src/index.js': '',
}
const all = ['packages/core', 'packages/api', 'packages/web', 'packages/docs']

describe('of several suites first run', () => {
  it.each<
    [
      string,
      Readonly<Record<string, string>>,
      readonly string[],
      readonly string[],
      readonly string[],
    ]
  >([
    [
      'that of the changed package',
      workspace,
      all,
      ['packages/docs/src/index.js'],
      ['packages/docs'],
    ],
    [
      'those that depend on it, at any distance',
      workspace,
      all,
      ['packages/core/a.js'],
      ['packages/core', 'packages/api', 'packages/web'],
    ],
    ['those in between', workspace, all, ['packages/api/a.js'], ['packages/api', 'packages/web']],
    [
      'the dependents of a package without tests',
      workspace,
      ['packages/web', 'packages/docs'],
      ['packages/core/a.js'],
      ['packages/web'],
    ],
    ['all, for a change outside of them', workspace, all, ['tsconfig.json'], all],
    ['all, for a shared setting', workspace, ['.', ...all], ['package.json'], ['.', ...all]],
    ['all, when nothing was changed', workspace, all, [], all],
    ['the root, for its own files', workspace, ['.', 'packages/core'], ['src/a.js'], ['.']],
    [
      'those of Cargo by path',
      {
        'core/Cargo.toml': '[package]\nname = "core"',
        'cli/Cargo.toml': '[dependencies]\ncore = { path = "../core" }',
        'etc/Cargo.toml': '',
      },
      ['core', 'cli', 'etc'],
      ['core/src/lib.rs'],
      ['core', 'cli'],
    ],
    [
      'those of Go by module',
      {
        'a/go.mod': 'module example.com/a\n',
        'b/go.mod': 'module example.com/b\nrequire example.com/a v0.0.0\n',
        'c/go.mod': 'module example.com/c\n',
      },
      ['a', 'b', 'c'],
      ['a/a.go'],
      ['a', 'b'],
    ],
    [
      'those of Python by path',
      {
        'lib/pyproject.toml': '',
        'app/pyproject.toml': '[tool.poetry.dependencies]\nlib = { path = "../lib" }',
        'x/pyproject.toml': '',
      },
      ['lib', 'app', 'x'],
      ['lib/lib/a.py'],
      ['lib', 'app'],
    ],
    [
      'those whose tests import across folders',
      {
        'a/package.json': '{}',
        'a/x.js': '',
        'b/package.json': '{}',
        'b/b.test.js': "import '../a/x.js'",
        'c/package.json': '{}',
      },
      ['a', 'b', 'c'],
      ['a/x.js'],
      ['a', 'b'],
    ],
    ['the only one', { 'package.json': '{}' }, ['.'], ['src/a.js'], ['.']],
    [
      'all, of broken manifests',
      { 'a/package.json': '{', 'b/package.json': '[]' },
      ['a', 'b'],
      ['c.js'],
      ['a', 'b'],
    ],
    [
      'those in a circle',
      {
        'a/package.json': npm('a', ['b']),
        'b/package.json': npm('b', ['a']),
        'c/package.json': npm('c'),
      },
      ['a', 'b', 'c'],
      ['a/i.js'],
      ['a', 'b'],
    ],
  ])('%s', (_, texts, directories, changed, expected) => {
    const { near, far } = partByReach(directories.map(suiteOf), changed, repositoryOf(texts))
    expect(near.map(({ directory }) => directory)).toEqual(expected)
    expect(far.map(({ directory }) => directory)).toEqual(
      directories.filter((each) => !expected.includes(each)),
    )
  })
})
