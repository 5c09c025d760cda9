import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { findDestructive } from '../../destructive/find-destructive.ts'
import { dependencyTools } from '../../prepare/dependency-tools.ts'
import { readProject, readSetup, readTox } from '../../prepare/python-packages.ts'

const poetry = (lines: string) => `[tool.poetry.dependencies]\npython = "^3.11"\n${lines}\n`
const project = (requirement: string) =>
  `[project]\nname = "x"\ndependencies = [${JSON.stringify(requirement)}]\n`
const setup = (...requirements: readonly string[]) =>
  `from setuptools import setup\nsetup(name="x", install_requires=${JSON.stringify(requirements)})\n`

type Manifest = 'pyproject.toml' | 'setup.py' | 'setup.cfg' | 'tox.ini'

/** The lines that pip gets for a manifest. */
async function linesFor(path: Manifest, text: string): Promise<readonly string[]> {
  const cwd = mkdtempSync(join(tmpdir(), 'python-packages-'))
  try {
    writeFileSync(join(cwd, path), text)
    const readers = { 'pyproject.toml': readProject, 'tox.ini': readTox }
    const script = { 'setup.py': readSetup, 'setup.cfg': readSetup, ...readers }[path]
    const { stdout } = await execa('python3', ['-c', script], { cwd })
    return stdout.split('\n').filter((line) => line !== '')
  } finally {
    rmSync(cwd, { recursive: true })
  }
}

/** True when the change of a manifest waits for a person. */
const waits = async (path: string, text: string) =>
  (await findDestructive({ path, text })).length > 0

describe('the requirements of a manifest', () => {
  it.each<[Manifest, string, readonly string[]]>([
    ['pyproject.toml', project('requests>=2,<3'), ['requests>=2,<3']],
    ['pyproject.toml', project('zope.interface (>=5)'), ['zope.interface (>=5)']],
    [
      'pyproject.toml',
      project("a[b,c]~=1.0; python_version < '3.12' and (os_name == 'nt' or extra == 'x-y')"),
      ["a[b,c]~=1.0; python_version < '3.12' and (os_name == 'nt' or extra == 'x-y')"],
    ],
    ['pyproject.toml', project("a ; 'linux' in sys_platform"), ["a ; 'linux' in sys_platform"]],
    [
      'pyproject.toml',
      poetry(
        'a = "*"\nb = "^1.2"\nc = { version = "~2", extras = ["d"] }\ne = ">=1,<2"\nf = "1.*"',
      ),
      ['a', 'b>=1.2', 'c>=2', 'e>=1,<2', 'f==1.*'],
    ],
    [
      'setup.py',
      setup('a>=1', 'b[c]; python_version >= "3"'),
      ['a>=1', 'b[c]; python_version >= "3"'],
    ],
    ['setup.cfg', '[options]\ninstall_requires =\n  a>=1\n  b==2.*\n', ['a>=1', 'b==2.*']],
    [
      'tox.ini',
      '[testenv]\ndeps =\n  a>=1\n  py27: b\n  {env:MORE}\n  c\n[testenv:lint]\ndeps = d\n',
      ['a>=1', 'c'],
    ],
    ['tox.ini', '[testenv]\ndeps = a\ncommands = pytest {posargs}\n', ['a']],
  ])('%s: %j', async (path, text, lines) => {
    expect(await linesFor(path, text)).toEqual(lines)
    expect(await waits(path, text)).toBe(false)
  })

  it.each<[Manifest, string]>([
    ...[
      ...['evil = {version = ">=1.0\\n--no-binary=:all:\\n"}', 'evil = ">=1\\n-e ."'],
      ...['"evil\\n--no-binary=:all:\\nx" = "*"', '"evil @ https://e.com/x.tgz#" = "*"'],
      ...['"--no-binary=:all:" = "*"', '"https://e.com/x.tar.gz" = "*"', '"./local" = "*"'],
      ...['"evil --no-binary :all:" = "*"', 'evil = ">=1 --no-binary=:all:"'],
      ...['evil = ">=1\\u2028--no-binary=:all:"', 'evil = ">=1\\u000b--no-binary=:all:"'],
      ...['evil = ">=1\\r--pre"', 'evil = {version = ">=1 ; --no-binary=:all:"}'],
    ].map((line): [Manifest, string] => ['pyproject.toml', poetry(line)]),
    ...[
      ...['evil @ https://e.com/x.tgz', 'evil; python_version > "3" --no-binary=:all:'],
      ...['evil>=1\n--no-binary=:all:', 'evil --no-binary=:all:', '-e .', './x', 'x/../y'],
      ...['evil ; "a" in " --no-binary=:all:"', 'evil; python_version > "3"\n--no-binary=:all:'],
      ...['evil>= --no-deps', 'evil[ --pre ]', 'evil # --no-binary', '${evil}', 'e\u0000vil'],
      ...['evil; "a" in "\u2028--no-binary=:all:"', 'evil; "\u0085-e ." in sys_platform'],
      ...['evil --config-settings=x=y', 'evil --hash=sha256:00', 'evil\\\n --no-binary=:all:'],
    ].map((requirement): [Manifest, string] => ['pyproject.toml', project(requirement)]),
  ])('%s waits for a person, and pip gets nothing of it: %j', async (path, text) => {
    expect(await linesFor(path, text)).toEqual([])
    expect(await waits(path, text)).toBe(true)
  })

  it.each<[Manifest, string]>([
    ['setup.py', setup('evil; python_version > "3" --no-binary=:all:')],
    ['setup.py', setup('evil @ git+https://e.com/x')],
    ['setup.py', setup('evil ; --no-binary=:all:', '-e .')],
    ['setup.cfg', '[options]\ninstall_requires =\n  evil --no-binary=:all:\n  --pre\n'],
    ['setup.cfg', '[options]\ninstall_requires = evil ; python_version>"3" --no-binary :all:\n'],
    ['tox.ini', '[testenv]\ndeps =\n  evil --no-binary=:all:\n  -r more.txt\n  -e .\n  ./x\n'],
    ['tox.ini', '[testenv]\ndeps = evil @ https://e.com/x.tgz\n'],
    ['tox.ini', 'deps = evil\n[testenv\n'],
  ])('pip gets nothing of %s: %j', async (path, text) => {
    expect(await linesFor(path, text)).toEqual([])
  })
})

it('no requirement that pip gets can make it build a package', async () => {
  const root = mkdtempSync(join(tmpdir(), 'python-packages-'))
  try {
    const [source, wheels, place] = ['source', 'wheels', 'place'].map((name) => join(root, name))
    for (const folder of [source, wheels, place]) mkdirSync(folder ?? '')
    const ran = join(root, 'ran')
    const code = `open(${JSON.stringify(ran)}, "w").close()\nfrom setuptools import setup\nsetup(name="evil", version="2")\n`
    writeFileSync(join(source ?? '', 'setup.py'), code)
    await execa('python3', ['setup.py', '-q', 'sdist', '-d', wheels ?? ''], { cwd: source ?? '' })
    rmSync(ran)
    const { install = '' } = dependencyTools.find(({ lock }) => lock.test('pyproject.toml')) ?? {}
    writeFileSync(join(place ?? '', 'pyproject.toml'), poetry('evil = ">=1"'))
    const env = { PIP_NO_INDEX: '1', PIP_FIND_LINKS: wheels, PIP_NO_BUILD_ISOLATION: '0' }
    const run = (options: string) =>
      execa('sh', ['-c', install.replace('OPTIONS', options)], {
        ...{ cwd: place ?? '', reject: false, env },
      })
    expect((await run('--only-binary=:all:')).stderr).toContain('No matching distribution found')
    expect(existsSync(ran)).toBe(false)
    // The package itself would run its code: the option is what holds it.
    await run('')
    expect(existsSync(ran)).toBe(true)
  } finally {
    rmSync(root, { recursive: true })
  }
})
