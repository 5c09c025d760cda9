import { execFile } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { Settings } from '../../../../src/core/domain/settings.ts'
import { createFakeClock } from '../../../../test/fakes/fake-clock.ts'
import { createScriptedSandbox } from '../../../../test/fakes/scripted-sandbox.ts'
import type { Sandbox, SandboxRequest } from '../../../sandbox/port.ts'
import { createProcessSandbox } from '../../../sandbox/process-sandbox.ts'
import type { Suite } from '../../detect/suite.ts'
import { planDependencies } from '../../prepare/plan-dependencies.ts'
import { prepareDependencies } from '../../prepare/prepare-dependencies.ts'
import { plainVerify, repositoryOf, temporaryFolder, writeProject } from '../temporary-project.ts'

const manifest = JSON.stringify({ dependencies: { a: '1' } })
const bare = JSON.stringify({ name: 'x', dependencies: {}, devDependencies: {} })

const plan = (
  texts: Readonly<Record<string, string>>,
  settings: Partial<Settings['verify']> = {},
) =>
  planDependencies(repositoryOf(texts), { ...plainVerify, ...settings }, () =>
    Promise.resolve(true),
  )

describe('pip behind a shim', () => {
  it('is run by Python itself: the shim may write nothing beside itself', async () => {
    const folder = await temporaryFolder()
    const real = join(folder, 'real')
    await writeFile(real, '#!/bin/sh\necho "$@"\n')
    const shim = `#!/bin/sh\ncase "$*" in *'-m pip'*) echo 'cannot rehash' >&2; exit 1;; esac\necho '${real}'\n`
    await writeFile(join(folder, 'python3'), shim)
    for (const name of ['real', 'python3']) await chmod(join(folder, name), 0o755)
    await writeFile(join(folder, 'requirements.txt'), 'a\n')
    const [pip] = await plan({ 'requirements.txt': 'a\n' })
    if (pip === undefined || !('shell' in pip.command)) throw new Error('pip was not planned.')
    const { stdout } = await promisify(execFile)('sh', ['-c', pip.command.shell], {
      cwd: folder,
      env: { PATH: `${folder}:${process.env.PATH}` },
    })
    expect(stdout).toMatch(/^-m pip install .* -r requirements\.txt/)
  })
})

describe('only what the tests load is installed', () => {
  const locks = {
    ...{ 'requirements.txt': 'a\n', 'api/requirements.txt': 'a\n', 'docs/requirements.txt': 'a\n' },
    ...{ 'package.json': manifest, 'package-lock.json': '{}' },
    ...{ 'web/package.json': manifest, 'web/package-lock.json': '{}' },
    ...{ 'docs/Gemfile': 'gem "jekyll"\n', 'docs/Gemfile.lock': 'GEM\n  specs:\n    jekyll (4)\n' },
  }
  const npm = ['npm ci', 'npm ci in web']
  const pip = ['pip install', 'pip install in api']
  const docs = ['bundle install', 'pip install in docs']
  it.each<[string, readonly Pick<Suite, 'runner' | 'directory'>[], readonly string[]]>([
    ['pytest', [{ runner: 'pytest', directory: '.' }], ['npm ci', ...pip]],
    ['pytest below', [{ runner: 'pytest', directory: 'api' }], pip],
    ['tests in web alone', [{ runner: 'vitest', directory: 'web' }], npm],
    [
      'tests of Node at the root',
      [{ runner: 'node-test', directory: '.' }],
      [...npm, 'pip install'],
    ],
    [
      'a command that may run anything',
      [{ runner: 'command', directory: '.' }],
      [...npm, ...pip, ...docs],
    ],
    ['a command below', [{ runner: 'accept', directory: 'web' }], [...npm, 'pip install']],
    ['tests of Rust below', [{ runner: 'cargo', directory: 'core' }], []],
    ['tests of the docs', [{ runner: 'rspec', directory: 'docs' }], docs],
    ['nothing', [], []],
  ])('%s', async (_, suites, tools) => {
    const has = async () => true
    const plans = await planDependencies(repositoryOf(locks), plainVerify, has, suites)
    expect(plans.map(({ tool }) => tool).toSorted()).toEqual(tools.toSorted())
  })
})

describe('where the own package manager is not there', () => {
  const without = (texts: Readonly<Record<string, string>>, ...there: readonly string[]) =>
    planDependencies(repositoryOf(texts), plainVerify, async (name) => there.includes(name))
  const asking = (version: string) =>
    JSON.stringify({ packageManager: version, dependencies: { a: '1' } })

  it.each([
    [
      asking('pnpm@10.28.0+sha512.ab'),
      'pnpm-lock.yaml',
      "lockfileVersion: '9.0'\n",
      'pnpm@10.28.0',
    ],
    [manifest, 'pnpm-lock.yaml', "lockfileVersion: '6.0'\n", 'pnpm@8'],
    [manifest, 'pnpm-lock.yaml', '', 'pnpm@10'],
    [asking('pnpm@1; x'), 'pnpm-lock.yaml', '', 'pnpm@1'],
    [manifest, 'yarn.lock', '# yarn lockfile v1\n', 'yarn@1'],
    [manifest, 'yarn.lock', '__metadata:\n  version: 6\n', '@yarnpkg/cli-dist@3'],
    [asking('yarn@4.5.1'), 'yarn.lock', '__metadata:\n  version: 8\n', '@yarnpkg/cli-dist@4.5.1'],
  ])('npm fetches it: %s, %s %j', async (text, lock, written, fetched) => {
    const [plan] = await without({ 'package.json': text, [lock]: written }, 'npm')
    expect(plan).toMatchObject({ isAvailable: true, source: { lockPath: lock } })
    expect(plan?.insteadOf).toContain(` was not found, so npm fetches ${fetched}.`)
    expect(plan && 'shell' in plan.command && plan.command.shell).toContain(
      `/.cache ${fetched}) && `,
    )
  })

  it.each([
    ['uv.lock', 'pyproject.toml', 'pip install'],
    ['poetry.lock', 'pyproject.toml', 'pip install'],
    ['bun.lock', 'package.json', 'npm install'],
  ])('the base installer reads the manifest, not %s', async (lock, read, tool) => {
    const texts = { [lock]: '', 'package.json': manifest, 'pyproject.toml': '[project]\n' }
    const plan = (await without(texts, 'npm', 'python3')).at(-1)
    expect(plan?.insteadOf).toMatch(
      new RegExp(`^\\w+ was not found, so ${tool} reads ${read} and not ${lock}\\.$`),
    )
    expect(plan).toMatchObject({ tool, isAvailable: true, source: { lockPath: read } })
  })

  it('a fetched tool is where the tests find it, with the npmrc of this machine', async () => {
    const folder = await temporaryFolder()
    const npm =
      '#!/bin/sh\ncase "$*" in *--prefix*) exit 1; esac\nmkdir -p node_modules/.bin\nprintf "#!/bin/sh\\nmkdir -p node_modules/a; echo it ran >>said\\n" >node_modules/.bin/pnpm\nchmod +x node_modules/.bin/pnpm\n'
    await writeFile(join(folder, 'npm'), npm)
    await chmod(join(folder, 'npm'), 0o755)
    const [plan] = await without({ 'package.json': manifest, 'pnpm-lock.yaml': '' }, 'npm')
    if (plan === undefined || !('shell' in plan.command)) throw new Error('pnpm was not planned.')
    const given = { cwd: folder, env: { PATH: `${folder}:${process.env.PATH}` } }
    await promisify(execFile)('sh', ['-c', plan.command.shell], given)
    await promisify(execFile)('node_modules/.bin/pnpm', [], given)
    expect(await readFile(join(folder, 'said'), 'utf8')).toBe('it ran\nit ran\n')
    expect((await readdir(join(folder, 'node_modules'))).sort()).toEqual(['.bin', '.tool', 'a'])
  })

  it("Poetry's own tables are read as far as pip understands them", async () => {
    const folder = await temporaryFolder()
    const toml =
      '[tool.poetry.dependencies]\npython = "^3.9"\nsix = "^1.16"\nattrs = "*"\n[tool.poetry.group.dev.dependencies]\npytest = { version = "8.1.0" }\n'
    await writeFile(join(folder, 'pyproject.toml'), toml)
    const [plan] = await without({ 'pyproject.toml': toml, 'poetry.lock': '' }, 'python3')
    if (plan === undefined || !('shell' in plan.command)) throw new Error('pip was not planned.')
    const [reading = ''] = plan.command.shell.split(' && ')
    await promisify(execFile)('sh', ['-c', reading], { cwd: folder })
    const asked = await readFile(join(folder, 'all.txt'), 'utf8')
    expect(asked).toBe('six>=1.16\nattrs\npytest==8.1.0\n')
  })
})

describe('the requirements of a setup.py', () => {
  const read = async (files: Readonly<Record<string, string>>): Promise<string> => {
    const folder = await temporaryFolder()
    for (const [name, text] of Object.entries(files))
      await writeFile(join(folder, name), text, 'latin1')
    const [found] = await plan(files)
    if (found === undefined || !('shell' in found.command)) throw new Error('pip was not planned.')
    const reading = found.command.shell.slice(0, found.command.shell.indexOf(' > all.txt'))
    const { stdout } = await promisify(execFile)('sh', ['-c', reading], { cwd: folder })
    expect(await readdir(folder)).toEqual(Object.keys(files).sort())
    return stdout.trim()
  }

  it.each([
    ['in the call', 'setup(install_requires=["six>=1.16", "attrs"])', 'six>=1.16\nattrs'],
    [
      'in names and sums',
      'core = ["six"]\nmore = core + ["attrs; python_version > \'3\'"]\nsetup(install_requires=core, tests_require=more)',
      "six\nsix\nattrs; python_version > '3'",
    ],
    [
      'as extras, and as one text',
      'setup(install_requires="""\nsix\n""", extras_require={"test": ["pytest", "nose"]})',
      'six\npytest\nnose',
    ],
    ['in Python 2', 'print "install_requires"', ''],
    ['computed', 'setup(install_requires=open("x").read().split())', ''],
    [
      'partly computed',
      'v = "1"\nsetup(install_requires=None, tests_require=["six", f"attrs>={v}", "yaml==" + v, "x%s" % v, 1])',
      'six',
    ],
    ['in no encoding', 'a = "\xe9"\nsetup(install_requires=["six"])', ''],
    [
      'that name an address, a path or an option',
      'setup(install_requires=["evil @ https://a.example/e.zip", "./evil", "--index-url=https://a.example", "six"])',
      'six',
    ],
    [
      'that name themselves',
      'a = [a, a, "six"]\nsetup(install_requires=a)',
      Array(15).fill('six').join('\n'),
    ],
  ])('are read where they are %s, and its code does not run', async (_, text, wanted) => {
    const hostile = `open("ran", "w")\nfrom setuptools import setup\n${text}\n`
    expect(await read({ 'setup.py': hostile })).toBe(wanted)
  })

  it('are those of its setup.cfg, too', async () => {
    const config =
      '[metadata]\nname = 50%\n[options]\ninstall_requires =\n  six\n  attrs>=23\n[options.extras_require]\ntest =\n  pytest\n'
    expect(await read({ 'setup.cfg': config })).toBe('six\nattrs>=23\npytest')
  })

  it.each([
    ['names a file', '[options]\ninstall_requires = file: needed.txt\n'],
    ['is damaged', 'install_requires = six\n'],
    ['is in no encoding', '[options]\ninstall_requires = six\n# \xe9\n'],
  ])('are none where its setup.cfg %s', async (_, config) => {
    expect(await read({ 'setup.cfg': config })).toBe('')
  })
})

describe('planDependencies', () => {
  it.each([
    ['nothing', {}, []],
    ['a package without dependencies', { 'package.json': bare }, []],
    ['a lock without dependencies', { 'package.json': bare, 'package-lock.json': '{}' }, []],
    ['no lock', { 'package.json': manifest }, ['npm install @ package.json']],
    [
      'a package inside another, whose root brings all',
      { 'package.json': manifest, 'web/package.json': manifest },
      ['npm install @ package.json'],
    ],
    [
      'npm',
      { 'package.json': manifest, 'package-lock.json': '{}' },
      ['npm ci @ package-lock.json'],
    ],
    ['pnpm', { 'package.json': manifest, 'pnpm-lock.yaml': '' }, ['pnpm install @ pnpm-lock.yaml']],
    ['yarn', { 'package.json': manifest, 'yarn.lock': '' }, ['yarn install @ yarn.lock']],
    ['bun', { 'package.json': manifest, 'bun.lock': '' }, ['bun install @ bun.lock']],
    [
      'two locks of one language',
      { 'package.json': manifest, 'yarn.lock': '', 'package-lock.json': '{}' },
      ['npm ci @ package-lock.json'],
    ],
    ['pip', { 'requirements.txt': 'yaml\n' }, ['pip install @ requirements.txt']],
    ['no requirement', { 'requirements.txt': '# none\n-r x.txt\n' }, []],
    [
      'a Python project',
      { 'pyproject.toml': '[project]\ndependencies = ["yaml"]\n' },
      ['pip install @ pyproject.toml'],
    ],
    [
      'a Python project without any',
      { 'pyproject.toml': '[project]\nname = "x"\ndependencies = []\n' },
      [],
    ],
    [
      'a Python project with only a setup.py',
      { 'setup.py': 'setup(install_requires=["yaml"])' },
      ['pip install @ setup.py'],
    ],
    [
      'a Python project whose setup.cfg has the requirements',
      {
        'pyproject.toml': '[build-system]\nrequires = ["setuptools"]\n',
        'setup.cfg': '[options]\ninstall_requires =\n  yaml\n',
        'setup.py': 'setup()',
      },
      ['pip install @ setup.cfg'],
    ],
    [
      'what tox installs for the tests, where nothing else names any',
      { 'setup.py': 'setup(name="x")', 'tox.ini': '[testenv]\ndeps =\n  yaml\n' },
      ['pip install @ tox.ini'],
    ],
    [
      'a setup.py, and what tox installs with it',
      {
        'setup.py': 'setup(install_requires=["yaml"])',
        'tox.ini': '[testenv]\ndeps = freezegun\n',
      },
      ['pip install @ setup.py'],
    ],
    ['a setup.py without any', { 'setup.py': 'setup(name="x")', 'setup.cfg': '[flake8]' }, []],
    ['uv', { 'pyproject.toml': '', 'uv.lock': '' }, ['uv @ uv.lock']],
    ['poetry', { 'pyproject.toml': '', 'poetry.lock': '' }, ['poetry @ poetry.lock']],
    [
      'Yarn without node_modules',
      { 'package.json': manifest, 'yarn.lock': '__metadata:\n', '.pnp.cjs': '' },
      [],
    ],
    ['Go', { 'go.mod': 'require x v1', 'go.sum': 'x' }, ['go mod download @ go.mod']],
    ['Go without dependencies', { 'go.mod': 'module x\n\ngo 1.22\n' }, []],
    ['Go that brings its own', { 'go.mod': 'require x v1', 'vendor/modules.txt': '' }, []],
    [
      'several modules of Go, once',
      { 'a/go.mod': 'require x v1', 'b/go.mod': 'require y v1' },
      ['go mod download @ a/go.mod'],
    ],
    [
      'Cargo',
      { 'Cargo.toml': '', 'Cargo.lock': 'source = "registry"\n' },
      ['cargo fetch @ Cargo.lock'],
    ],
    ['Cargo without crates', { 'Cargo.toml': '[dependencies]\n', 'Cargo.lock': 'version = 3' }, []],
    [
      'Cargo without a lock',
      { 'Cargo.toml': '[dev-dependencies]\nserde = "1"\n' },
      ['cargo fetch @ Cargo.toml'],
    ],
    ['crates by path', { 'Cargo.toml': '[dependencies]\na = { path = "a" }\n' }, []],
    ['Maven', { 'pom.xml': '' }, ['mvn @ pom.xml']],
    [
      'Bundler',
      { Gemfile: '', 'Gemfile.lock': 'GEM\n  specs:\n    rake (13.0.6)\n' },
      ['bundle install @ Gemfile.lock'],
    ],
    ['Bundler without gems', { Gemfile: "source 'x'\n", 'Gemfile.lock': 'GEM\n  specs:\n' }, []],
    ['Bundler without a lock', { Gemfile: "gem 'rake'\n" }, ['bundle install @ Gemfile']],
    [
      'two languages in one place',
      { 'go.mod': 'require x v1', Gemfile: "gem 'rake'\n" },
      ['go mod download @ go.mod', 'bundle install @ Gemfile'],
    ],
    [
      'Composer that loads classes',
      { 'composer.json': '{"autoload":{"psr-4":{"A":"src"}}}' },
      ['composer install @ composer.json'],
    ],
    [
      'Composer',
      { 'composer.json': '', 'composer.lock': '' },
      ['composer install @ composer.lock'],
    ],
    [
      'two languages, one of them inside',
      { 'web/package.json': manifest, 'web/package-lock.json': '{}', 'requirements.txt': 'x' },
      ['npm ci in web @ web/package-lock.json', 'pip install @ requirements.txt'],
    ],
    [
      'nothing when packages are already installed',
      { 'node_modules/a/package.json': manifest },
      [],
    ],
  ])('finds %s', async (_name, texts, expected) => {
    const plans = await plan(texts as Record<string, string>)
    expect(plans.map(({ tool, source }) => `${tool} @ ${source?.lockPath}`)).toEqual(expected)
  })

  it('runs no scripts unless they are allowed', async () => {
    const texts = { 'package.json': manifest, 'package-lock.json': '{}' }
    const [safe] = await plan(texts)
    const [open] = await plan(texts, { installScripts: true })
    expect(safe?.command).toMatchObject({ shell: expect.stringContaining('--ignore-scripts') })
    expect(open?.command).toMatchObject({ shell: expect.not.stringContaining('--ignore-scripts') })
    expect(safe?.source?.key).not.toBe(open?.source?.key)
  })

  it.each([
    ['npm ci', { 'package.json': manifest, 'package-lock.json': '{}' }, '--ignore-scripts'],
    ['npm install', { 'package.json': manifest }, '--ignore-scripts'],
    ['pnpm', { 'package.json': manifest, 'pnpm-lock.yaml': '' }, '--ignore-scripts'],
    ['yarn 1', { 'package.json': manifest, 'yarn.lock': '' }, '--ignore-scripts'],
    ['yarn', { 'package.json': manifest, 'yarn.lock': '__metadata:\n' }, '--mode=skip-build'],
    ['bun', { 'package.json': manifest, 'bun.lock': '' }, '--ignore-scripts'],
    ['pip', { 'requirements.txt': 'yaml\n' }, '--only-binary=:all:'],
    [
      'a Python project',
      { 'pyproject.toml': '[project]\ndependencies = ["yaml"]\n' },
      '--only-binary=:all:',
    ],
    ['uv', { 'pyproject.toml': '', 'uv.lock': '' }, '--no-build'],
    ['poetry', { 'pyproject.toml': '', 'poetry.lock': '' }, 'POETRY_INSTALLER_ONLY_BINARY=:all:'],
    [
      'composer',
      { 'composer.json': '{"require": {"a/b": "1"}}', 'composer.lock': '{"packages": [{}]}' },
      '--no-scripts --no-plugins',
    ],
  ])('tells %s to run nothing, before it installs and not after', async (_name, texts, option) => {
    const files = texts as unknown as Readonly<Record<string, string>>
    const [safe] = await plan(files)
    const [open] = await plan(files, { installScripts: true })
    const shell = JSON.stringify(safe?.command)
    expect(shell).toContain(option)
    expect(shell).not.toContain('OPTIONS')
    expect(JSON.stringify(open?.command)).not.toContain(option)
  })

  it('has one key for one lock, whatever else changes', async () => {
    const key = async (more: Readonly<Record<string, string>>) => {
      const texts = { 'package.json': manifest, 'package-lock.json': '{}', ...more }
      return (await plan(texts))[0]?.source?.key
    }
    const first = await key({})
    expect(await key({ 'src/a.js': 'x' })).toBe(first)
    expect(await key({ 'package-lock.json': '{"a":1}' })).not.toBe(first)
    expect(await key({ 'package.json': JSON.stringify({ dependencies: { b: '1' } }) })).not.toBe(
      first,
    )
  })

  it('reads the manifests of workspaces, and shows their packages, too', async () => {
    const [found] = await plan({
      'package.json': '{"workspaces":["packages/*"]}',
      'package-lock.json': '{}',
      'packages/a/package.json': manifest,
    })
    expect(found?.source?.files).toContain('packages/a/package.json')
    expect(found?.source?.shown.map(({ to }) => to)).toEqual([
      'node_modules',
      'packages/a/node_modules',
    ])
  })

  it('leaves all to a setup command', async () => {
    const plans = await plan({ 'package.json': manifest }, { setupCommand: 'make deps' })
    expect(plans).toMatchObject([{ source: null, command: { shell: 'make deps' } }])
  })
})

/** A fake npm: records each call, installs one package, fails when the lock file says so. */
const fakeNpm = `#!/bin/sh
echo "$@ $SECRET_TOKEN" >> calls
cat package-lock.json
grep -q broken package-lock.json && exit 1
grep -q away package-lock.json && exec ln -s / node_modules
mkdir -p node_modules/a && cp calls node_modules/a/calls && echo 'module.exports = 42' > node_modules/a/index.js
`

async function start(lock: string, checkout: string | null = null) {
  const bin = join(await temporaryFolder(), 'bin')
  await mkdir(bin)
  await writeFile(join(bin, 'npm'), fakeNpm)
  await chmod(join(bin, 'npm'), 0o755)
  const texts = {
    'package.json': manifest,
    'package-lock.json': lock,
    'use.cjs': "console.log(require('a'))",
  }
  const folder = await writeProject(texts)
  const path = `${bin}:${process.env.PATH}`
  const sandbox = createProcessSandbox({
    mode: 'auto',
    cacheDirectory: await temporaryFolder(),
    checkout,
    environment: { ...process.env, PATH: path, SECRET_TOKEN: 'canary' },
    // The same on every machine: this tests the preparation, not the isolation.
    only: 'unsandboxed',
  })
  const plans = await planDependencies(repositoryOf(texts), plainVerify, sandbox.has)
  return {
    folder,
    sandbox,
    plans,
    prepare: () => prepareDependencies(plans, { folder }, { sandbox, clock: createFakeClock() }),
  }
}

describe('prepareDependencies', () => {
  it('installs once for one lock, without credentials, and shows it to the tests', async () => {
    const { folder, sandbox, prepare } = await start('{}')
    const both = await Promise.all([prepare(), prepare()])
    const again = await prepare()
    expect([...both, again].map(({ lack }) => lack)).toEqual([undefined, undefined, undefined])
    expect(again.notes).toEqual(['Dependencies were already installed (npm ci).'])
    const [mount] = again.mounts
    expect(await readFile(join(mount?.from ?? '', 'a/calls'), 'utf8')).toBe(
      'ci --no-audit --no-fund --cache .cache --ignore-scripts \n',
    )
    const run = await sandbox.run({
      ...{ command: { argv: ['node', 'use.cjs'] }, folder, directory: '.', network: false },
      ...{ env: again.env, mounts: again.mounts, timeoutSeconds: 20, collect: [] },
    })
    expect(run.stdout).toBe('42\n')
  })

  it('says why an installation failed, and does not keep it', async () => {
    const { prepare, plans, sandbox } = await start('{"broken": true}')
    for (const _ of [1, 2]) {
      const { lack, notes } = await prepare()
      expect(notes).toEqual(['npm ci failed: exit code 1. It said: {"broken": true}'])
      expect(lack).toEqual({
        status: 'failed',
        reason: 'npm ci failed: exit code 1.',
        output: '{"broken": true}',
        error: expect.objectContaining({ type: 'unknown', line: '{"broken": true}' }),
        diagnosis: expect.objectContaining({ kind: 'set-up', message: notes[0] }),
        setup: null,
        tried: [],
      })
    }
    expect((await sandbox.dependencyCache(plans[0]?.source?.key ?? '')).ready).toBe(false)
  })

  it('takes what the working copy has installed for the same lock', async () => {
    const lock = JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0' } } })
    const checkout = await writeProject({
      'package-lock.json': lock,
      'node_modules/.package-lock.json': lock,
    })
    const { prepare } = await start(lock, checkout)
    expect(await prepare()).toEqual({
      mounts: [{ from: join(checkout, 'node_modules'), within: null, to: 'node_modules' }],
      env: {},
      notes: ['package-lock.json: the packages in the working copy are used.'],
      tried: [],
    })
  })

  it('shows nothing of a package that put a link to somewhere else in its place', async () => {
    const { prepare, plans, sandbox } = await start('{"away": true}')
    for (const _ of [1, 2]) {
      const { lack, mounts, notes } = await prepare()
      expect(mounts).toEqual([])
      expect(notes).toEqual([expect.stringContaining('leads out of its own folder')])
      expect(lack?.reason).toContain('leads out of its own folder')
    }
    const key = plans[0]?.source?.key ?? ''
    expect(await sandbox.dependencyCache(key)).toMatchObject({ ready: false })
  })

  it('shows no installer what a manifest leads to that is a link by now', async () => {
    const { folder, prepare } = await start('{}')
    const secret = join(await temporaryFolder(), 'secret')
    await writeFile(secret, 'canary')
    await rm(join(folder, 'package-lock.json'))
    await symlink(secret, join(folder, 'package-lock.json'))
    const { lack, notes } = await prepare()
    expect(lack?.output).toContain('leads out of the folder')
    expect(JSON.stringify([lack, notes])).not.toContain('canary')
  })

  it('continues without a missing tool', async () => {
    const { folder, sandbox } = await start('{}')
    const texts = { 'pyproject.toml': '', 'uv.lock': '' }
    const plans = await planDependencies(repositoryOf(texts), plainVerify, () =>
      Promise.resolve(false),
    )
    expect(
      await prepareDependencies(plans, { folder }, { sandbox, clock: createFakeClock() }),
    ).toEqual({
      mounts: [],
      env: {},
      notes: ['uv was not run: uv was not found. Install it: pip install uv'],
      lack: expect.objectContaining({ output: 'uv: command not found' }),
      tried: [],
    })
  })

  it.each([
    ['1', '# yarn lockfile v1\n', 'npm install --global yarn'],
    ['4', '__metadata:\n  version: 8\n', 'corepack enable'],
  ])('says how yarn %s is had', async (_, lock, command) => {
    const { folder, sandbox } = await start('{}')
    const manifest = '{ "dependencies": { "a": "1" } }'
    const texts = { 'package.json': manifest, 'yarn.lock': lock }
    const plans = await planDependencies(repositoryOf(texts), plainVerify, async () => false)
    const done = await prepareDependencies(plans, { folder }, { sandbox, clock: createFakeClock() })
    expect(done.lack?.reason).toBe(
      `yarn install was not run: yarn was not found. Install it: ${command}`,
    )
  })

  it('tells of the first that is lacking', async () => {
    const { folder, sandbox } = await start('{}')
    const texts = { 'package.json': manifest, 'package-lock.json': '{}', 'requirements.txt': 'six' }
    const plans = await planDependencies(repositoryOf(texts), plainVerify, async () => false)
    const done = await prepareDependencies(plans, { folder }, { sandbox, clock: createFakeClock() })
    expect(done.notes).toHaveLength(2)
    expect(done.lack?.reason).toMatch(/^npm ci was not run/)
  })

  it('runs a setup command in the folder itself', async () => {
    const { folder, sandbox } = await start('{}')
    const verify = { ...plainVerify, setupCommand: 'echo made > made.txt' }
    const plans = await planDependencies(repositoryOf({}), verify, sandbox.has)
    expect(
      await prepareDependencies(plans, { folder }, { sandbox, clock: createFakeClock() }),
    ).toMatchObject({
      notes: [
        expect.stringMatching(
          /^echo made > made\.txt: done in \d+ s\. It had full network access: no sandbox on this machine can limit an installation to its registries\.$/,
        ),
      ],
    })
    expect(await readFile(join(folder, 'made.txt'), 'utf8')).toBe('made\n')
  })

  it('names what may be reached: by its installer, and by the start commit', async () => {
    const texts = { 'requirements.txt': 'x' }
    const asked: SandboxRequest['registries'][] = []
    const sandbox: Sandbox = {
      ...createScriptedSandbox((_command, { registries }) => {
        asked.push(registries)
        return {}
      }),
      dependencyCache: async () => ({ path: '/memory', ready: false }),
    }
    const ports = { sandbox, clock: createFakeClock() }
    const registries = ['https://named.example']
    for (const setupCommand of [null, 'make deps']) {
      const verify = { ...plainVerify, setupCommand }
      const plans = await planDependencies(repositoryOf(texts), verify, sandbox.has)
      const { notes } = await prepareDependencies(plans, { folder: '/memory', registries }, ports)
      expect(notes).toEqual([expect.stringMatching(/: done in 1 s\.$/)])
    }
    expect(asked).toEqual([
      { of: ['python3'], named: registries },
      { of: 'all', named: registries },
    ])
  })

  it('tells Python where its packages are', async () => {
    const { sandbox } = await start('{}')
    const folder = await temporaryFolder()
    const texts = { 'app/requirements.txt': 'x' }
    const [plan] = await planDependencies(repositoryOf(texts), plainVerify, sandbox.has)
    await sandbox.dependencyCache(plan?.source?.key ?? '')
    await sandbox.completeCache(plan?.source?.key ?? '', [])
    expect(
      await prepareDependencies(
        plan ? [plan] : [],
        { folder },
        { sandbox, clock: createFakeClock() },
      ),
    ).toMatchObject({
      env: {
        PYTHONPATH: `${folder}/app/.executor-packages`,
        PYTEST_ADDOPTS: `--ignore='${folder}/app/.executor-packages'`,
      },
      mounts: [{ to: 'app/.executor-packages' }],
    })
  })
})

describe('a package that wants to run something when it is installed', () => {
  const project = {
    'package.json': JSON.stringify({
      name: 'x',
      version: '1.0.0',
      workspaces: ['packages/*'],
      scripts: Object.fromEntries(
        ['preinstall', 'install', 'postinstall', 'prepare'].map((name) => [name, 'echo x > ran']),
      ),
    }),
    'package-lock.json': JSON.stringify({
      name: 'x',
      version: '1.0.0',
      lockfileVersion: 3,
      requires: true,
      packages: { '': { name: 'x', version: '1.0.0', workspaces: ['packages/*'] } },
    }),
  }

  it.each([
    [false, false],
    [true, true],
  ])('with install-scripts: %s runs it: %s', async (installScripts, hasRun) => {
    const folder = await writeProject(project)
    const cacheDirectory = await temporaryFolder()
    const sandbox = createProcessSandbox({ mode: 'auto', cacheDirectory, checkout: null })
    const plans = await plan(project, { installScripts })
    expect(plans.map(({ tool }) => tool)).toEqual(['npm ci'])
    await prepareDependencies(plans, { folder }, { sandbox, clock: createFakeClock() })
    const left = await readdir(cacheDirectory, { recursive: true })
    expect(left.some((name) => name.endsWith('/ran'))).toBe(hasRun)
  })
})

describe('an installation that fails', () => {
  const folder = '/f'
  const runs = async (
    setupCommand: string,
    ends: readonly (readonly [exitCode: number, stderr: string])[],
  ) => {
    const left = [...ends]
    const sandbox = createScriptedSandbox((command) => {
      const [exitCode, stderr] = (command.startsWith('mkdir') ? null : left.shift()) ?? [0, '']
      return { exitCode, stderr }
    })
    const clock = createFakeClock()
    const verify = { ...plainVerify, setupCommand }
    const plans = await planDependencies(repositoryOf({}), verify, sandbox.has)
    const done = await prepareDependencies(plans, { folder }, { sandbox, clock })
    return { done, commands: sandbox.commands, sleeps: clock.sleeps }
  }
  const offline = [1, 'npm error code EAI_AGAIN'] as const

  it('for want of a network is tried again, later and later, three times in all', async () => {
    const once = await runs('npm ci', [offline])
    expect(once).toMatchObject({ sleeps: [2], done: { lack: undefined } })
    expect(once.done.tried).toMatchObject([{ type: 'network', strategy: 'back_off', worked: true }])
    const always = await runs('npm ci', [offline, offline, offline, offline])
    expect(always.sleeps).toEqual([2, 8])
    expect(always.commands).toHaveLength(3)
    expect(always.done.lack).toMatchObject({
      ...{ status: 'failed', setup: 'npm ci', error: { type: 'network' } },
      reason: 'npm ci failed: exit code 1. It was tried 3 times.',
      tried: [{ worked: false }, { worked: false }],
    })
  })

  it.each([
    ['a directory', 'sh: 1: cannot create build/out/a.txt: Directory nonexistent', 'build/out'],
    ['one inside', "cp: cannot create regular file '/f/lib/a': No such file or directory", 'lib'],
    ['one elsewhere', 'sh: 1: cannot create /etc/x/a: Directory nonexistent', null],
    ['one above', 'sh: 1: cannot create ../x/a: Directory nonexistent', null],
    ['one of git', 'sh: 1: cannot create .git/hooks/a: Directory nonexistent', null],
    ['one like an option', 'sh: 1: cannot create -p/a: Directory nonexistent', null],
    ['a place at the top', 'sh: 1: cannot create a.txt: Directory nonexistent', null],
  ])('for want of %s gets it inside the folder alone', async (_, stderr, made) => {
    const { done, commands } = await runs('make-it', [[2, stderr]])
    expect(done.lack === undefined).toBe(made !== null)
    const expected = made === null ? [] : [`mkdir -p -- ${made}`, 'make-it']
    expect(commands).toEqual(['make-it', ...expected])
  })

  it('knows of each remedy whether it worked, whatever comes after it', async () => {
    const { done } = await runs('make-it', [
      offline,
      [2, 'sh: 1: cannot create build/out/a.txt: Directory nonexistent'],
      offline,
    ])
    expect(done.lack?.tried).toMatchObject([{ worked: true }, { worked: true }])
  })

  it('for any other reason is not tried again', async () => {
    const { commands } = await runs('make-it', [[1, 'Permission denied'], offline])
    expect(commands).toEqual(['make-it'])
  })
})
