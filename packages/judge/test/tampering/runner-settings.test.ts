import { describe, expect, it } from 'vitest'
import { findRunnerChanges } from '../../tampering/runner-settings.ts'

type Texts = Readonly<Record<string, string>>

async function look(change: Texts, before: Texts = {}) {
  const changes = Object.entries(change).map(([path, content]) => {
    const was = before[path]
    return was === undefined
      ? ({ action: 'create', path, content } as const)
      : ({ action: 'modify', path, before: was, content } as const)
  })
  const after = new Map(Object.entries({ ...before, ...change }))
  const read = async (paths: readonly string[]) =>
    new Map([...after].filter(([path]) => paths.includes(path)))
  return findRunnerChanges({ changes, paths: [...after.keys()], read })
}

const json = (value: unknown) => JSON.stringify(value)
const pyproject = (tests: string, dependency: string) =>
  `[project]\nname = "x"\ndependencies = ["${dependency}"]\n[tool.pytest.ini_options]\naddopts = "${tests}"\n`

describe('findRunnerChanges', () => {
  it.each<[string, string, string | undefined]>([
    ['conftest.py', 'import pytest\n', undefined],
    ['tests/unit/conftest.py', 'a = 2\n', 'a = 1\n'],
    ['sitecustomize.py', 'a = 1\n', undefined],
    ['lib/swap.pth', 'import swap\n', undefined],
    ['pytest.ini', '[pytest]\naddopts = -x\n', undefined],
    ['pyproject.toml', pyproject('-p swap', 'a'), pyproject('', 'a')],
    ['pyproject.toml', 'not [ toml = pytest', pyproject('', 'a')],
    ['setup.cfg', '[tool:pytest]\naddopts = -x\n', '[metadata]\nname = x\n'],
    [
      'setup.cfg',
      '[tool:pytest]\naddopts = -k a[1]\nx = 2\n',
      '[tool:pytest]\naddopts = -k a[1]\nx = 1\n',
    ],
    ['tox.ini', '[testenv]\ncommands = true\n', '[testenv]\ncommands = pytest\n'],
    [
      'package.json',
      json({ scripts: { test: 'node a.js' } }),
      json({ scripts: { test: 'vitest' } }),
    ],
    ['package.json', json({ scripts: { pretest: 'node a.js' } }), json({ scripts: {} })],
    ['web/package.json', json({ jest: { setupFiles: ['./a.js'] } }), json({})],
    ['vitest.config.ts', 'export default {}\n', undefined],
    ['jest.config.unit.js', 'module.exports = {}\n', undefined],
    ['vite.config.ts', 'export default { test: { globals: true } }\n', 'export default {}\n'],
    ['vite.config.js', "export default { plugins: [{ name: 'fast' }] }\n", 'export default {}\n'],
    ['.pytest.ini', '[pytest]\naddopts = -p quiet\n', undefined],
    ['pytest.toml', 'addopts = ["-p", "quiet"]\n', undefined],
    ['package.json', '{"imports":{"#a":{"development":"./b.js"}}}', '{}'],
    ['.mocharc.yml', 'require: a\n', undefined],
    ['Cargo.toml', '[[test]]\nname = "a"\nharness = false\n', '[package]\nname = "x"\n'],
    ['Cargo.toml', '[lib]\ntest = false\n', '[lib]\nname = "x"\n'],
    ['spec/spec_helper.rb', 'RSpec\n', undefined],
    ['phpunit.xml.dist', '<phpunit/>', undefined],
  ])('%s: %j', async (path, after, before) => {
    expect(await look({ [path]: after }, before === undefined ? {} : { [path]: before })).toEqual([
      path,
    ])
  })

  it.each<[string, Texts, string]>([
    [
      'a set-up file of vitest',
      { 'vitest.config.ts': "setupFiles: ['./test/setup.ts']" },
      'test/setup.ts',
    ],
    [
      'a set-up file of jest',
      { 'package.json': json({ jest: { setupFiles: ['<rootDir>/test/setup'] } }) },
      'test/setup.js',
    ],
    [
      'a plugin of pytest',
      { 'conftest.py': 'pytest_plugins = ["tests.plugin"]\n' },
      'tests/plugin.py',
    ],
    [
      'what a script loads first',
      { 'web/package.json': json({ scripts: { test: 'node --import ./test/setup.js --test' } }) },
      'web/test/setup.js',
    ],
    [
      'a plugin in the options',
      { 'pytest.ini': '[pytest]\naddopts = -p tests.plugin\n' },
      'tests/plugin.py',
    ],
  ])('%s, which settings name', async (_, before, path) => {
    expect(await look({ [path]: 'a = 1\n' }, before)).toEqual([path])
  })

  it.each<[string, Texts, string]>([
    [
      'the entry of a package',
      { 'package.json': json({ main: './src/a.js', jest: {} }) },
      'src/a.js',
    ],
    ['an export', { 'package.json': json({ exports: { '.': './src/a.js' } }) }, 'src/a.js'],
    [
      'the entry of a bundle',
      { 'vite.config.ts': "export default { build: { lib: { entry: 'src/a.ts' } }, test: {} }" },
      'src/a.ts',
    ],
    [
      'an alias',
      { 'vitest.config.ts': "export default { resolve: { alias: { a: './src/a.ts' } } }" },
      'src/a.ts',
    ],
    [
      'the test that a script runs',
      { 'package.json': json({ scripts: { test: 'node --test test/a.js' } }) },
      'test/a.js',
    ],
    [
      'a command of a Python package',
      { 'pyproject.toml': '[project.scripts]\na = "pkg.a"\n' },
      'pkg/a.py',
    ],
  ])('leaves alone what settings name for something else: %s', async (_, before, path) => {
    expect(await look({ [path]: 'a = 1\n' }, before)).toEqual([])
  })

  it.each<[string, string, string | undefined]>([
    ['tests/test_a.py', 'def test_a(): pass\n', undefined],
    ['src/conftest.ts', 'export {}\n', undefined],
    ['src/karma.ts', 'export {}\n', undefined],
    ['pyproject.toml', pyproject('-x', 'b'), pyproject('-x', 'a')],
    [
      'package.json',
      json({ scripts: { test: 'a', build: 'c' }, dependencies: { b: '1' } }),
      json({ scripts: { test: 'a', build: 'b' } }),
    ],
    [
      'setup.cfg',
      '[options]\ninstall_requires = a\n[tool:pytest]\nb = 1\n',
      '[tool:pytest]\nb = 1\n',
    ],
    ['Cargo.toml', '[package]\nname = "x"\n[dependencies]\na = "1"\n', '[package]\nname = "x"\n'],
    ['vite.config.ts', 'export default { base: "/" }\n', 'export default {}\n'],
  ])('leaves alone what decides nothing: %s, %j', async (path, after, before) => {
    expect(await look({ [path]: after }, before === undefined ? {} : { [path]: before })).toEqual(
      [],
    )
  })
})
