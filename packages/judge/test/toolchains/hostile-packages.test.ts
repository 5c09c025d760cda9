import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { changeState } from '../../../../src/core/domain/change-state.ts'
import { validateCode } from '../../../../src/graph/nodes/attempt/validate-code.ts'
import { fakePorts } from '../../../../test/fakes/facts.ts'
import { createFakeClock } from '../../../../test/fakes/fake-clock.ts'
import { createScriptedSandbox } from '../../../../test/fakes/scripted-sandbox.ts'
import { aDraft, attemptAfter, taskUnderWay } from '../../../../test/graph/nodes/bench.ts'
import type { ChangeSet } from '../../../change/change-set.ts'
import { planDependencies } from '../../prepare/plan-dependencies.ts'
import { prepareDependencies } from '../../prepare/prepare-dependencies.ts'
import {
  plainVerify,
  realSandbox,
  repositoryOf,
  temporaryFolder,
  writeProject,
} from '../temporary-project.ts'
import { has, type Texts } from './toolchain.ts'

const run = promisify(execFile)

interface Place {
  /** A folder outside the project, with the hostile package in it. */
  readonly outside: string
  readonly canary: string
}

interface Attack {
  readonly name: string
  readonly program: string
  readonly start: Texts
  /** The files that the model changes. */
  readonly change: (place: Place) => Promise<Texts>
  /** True when the installer runs its code; then only a person's approval prevents that. */
  readonly runs: boolean
  /** The installer ends with an error. */
  readonly fails?: true
}

/** An archive by Python's rules that needs no build tool. */
async function sdist({ outside, canary }: Place): Promise<string> {
  const backend = `open(${JSON.stringify(canary)}, 'w').close()\ndef build_wheel(*_, **__): raise SystemExit('no')\n`
  const files = {
    'pyproject.toml':
      '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n',
    'backend.py': backend,
    'PKG-INFO': 'Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n',
  }
  for (const [name, text] of Object.entries(files)) await put(join(outside, 'evil-1.0', name), text)
  await run('tar', ['-czf', 'evil-1.0.tar.gz', 'evil-1.0'], { cwd: outside })
  return join(outside, 'evil-1.0.tar.gz')
}

async function npmPackage({ outside, canary }: Place): Promise<string> {
  const touch = `node -e "require('fs').writeFileSync('${canary}', '')"`
  const scripts = Object.fromEntries(
    ['preinstall', 'install', 'postinstall', 'prepare', 'prepack'].map((name) => [name, touch]),
  )
  const manifest = JSON.stringify({ name: 'evil', version: '1.0.0', scripts })
  await put(join(outside, 'evil', 'package.json'), manifest)
  return join(outside, 'evil')
}

async function gitRepository(folder: string): Promise<string> {
  const git = (...words: readonly string[]) =>
    run('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], { cwd: folder })
  await git('init', '--quiet')
  await git('add', '--all')
  await git('commit', '--quiet', '--message', 'evil')
  return pathToFileURL(folder).href
}

const withCrate = (dependency: string): string =>
  `[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\n${dependency}`

async function crate({ outside, canary }: Place): Promise<string> {
  await put(join(outside, 'evil', 'Cargo.toml'), withCrate('').replace('"x"', '"evil"'))
  await put(join(outside, 'evil', 'src/lib.rs'), '')
  const script = `fn main() { std::fs::write(${JSON.stringify(canary)}, "").unwrap(); }\n`
  await put(join(outside, 'evil', 'build.rs'), script)
  return join(outside, 'evil')
}

/** A module whose package runs code when a program starts. */
async function goModule({ outside, canary }: Place): Promise<string> {
  await put(join(outside, 'evil', 'go.mod'), 'module example.com/evil\n\ngo 1.19\n')
  const code = `package evil\nimport "os"\nfunc init() { os.Create(${JSON.stringify(canary)}) }\n`
  await put(join(outside, 'evil', 'evil.go'), code)
  return join(outside, 'evil')
}

/** Runs a task of Ant, which touches the canary. */
const antrun = (canary: string): string =>
  `<plugin><artifactId>maven-antrun-plugin</artifactId><version>3.1.0</version><executions><execution><phase>generate-sources</phase><goals><goal>run</goal></goals><configuration><target><touch file="${canary}"/></target></configuration></execution></executions></plugin>`

const pom = (inside: string): string =>
  `<project><modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>x</artifactId><version>1</version>${inside}</project>`

const poetry = (lines: string): string =>
  `[tool.poetry]\nname = "x"\nversion = "1"\n\n[tool.poetry.dependencies]\npython = "^3.8"\n${lines}`

const nodeStart = { 'package.json': '{ "name": "x", "dependencies": {} }\n' }
const nodeWith = (spec: string) => ({
  'package.json': JSON.stringify({ name: 'x', dependencies: { evil: spec } }),
})
const rustStart = { 'Cargo.toml': withCrate(''), 'src/lib.rs': '' }

const attacks: readonly Attack[] = [
  ...(['-r', '@'] as const).map((way) => ({
    ...{ name: way === '@' ? 'an address by name' : 'an address', program: 'python3', runs: true },
    start: { 'requirements.txt': '# none\n' },
    change: async (place: Place) => {
      const address = pathToFileURL(await sdist(place)).href
      return { 'requirements.txt': way === '@' ? `evil @ ${address}\n` : `${address}\n` }
    },
  })),
  {
    ...{ name: 'a path in pyproject.toml', program: 'python3', runs: false },
    start: { 'pyproject.toml': '[project]\nname = "x"\nversion = "1"\ndependencies = []\n' },
    change: async (place) => ({
      'pyproject.toml': `[project]\nname = "x"\nversion = "1"\ndependencies = ["evil @ ${pathToFileURL(await sdist(place)).href}"]\n`,
    }),
  },
  {
    ...{ name: 'a folder outside', program: 'npm', start: nodeStart, runs: false },
    change: async (place) => nodeWith(`file:${await npmPackage(place)}`),
  },
  {
    ...{ name: 'an archive', program: 'npm', start: nodeStart, runs: false },
    change: async (place) => {
      await npmPackage(place)
      await run('tar', ['-czf', 'evil.tgz', 'evil'], { cwd: place.outside })
      return nodeWith(`file:${join(place.outside, 'evil.tgz')}`)
    },
  },
  {
    ...{ name: 'a git repository', program: 'npm', start: nodeStart, runs: false },
    change: async (place) => nodeWith(`git+${await gitRepository(await npmPackage(place))}`),
  },
  {
    ...{ name: 'a git repository', program: 'cargo', start: rustStart, runs: false },
    change: async (place) => ({
      'Cargo.toml': withCrate(`evil = { git = "${await gitRepository(await crate(place))}" }\n`),
    }),
  },
  {
    ...{ name: 'another module', program: 'go', runs: false },
    start: { 'go.mod': 'module example.com/x\n\ngo 1.19\n', 'x.go': 'package x\n' },
    change: async (place) => {
      const folder = await goModule(place)
      return {
        'go.mod': `module example.com/x\n\ngo 1.19\n\nrequire example.com/evil v1.0.0\nreplace example.com/evil => ${folder}\n`,
      }
    },
  },
  {
    ...{ name: 'a plugin with a task to run', program: 'mvn', runs: true },
    start: { 'pom.xml': pom('') },
    change: async ({ canary }) => ({
      'pom.xml': pom(`<build><plugins>${antrun(canary)}</plugins></build>`),
    }),
  },
  {
    ...{ name: 'a plugin of a profile', program: 'mvn', runs: true },
    start: { 'pom.xml': pom('') },
    change: async ({ canary }) => ({
      'pom.xml': pom(
        `<profiles><profile><id>x</id><activation><activeByDefault>true</activeByDefault></activation><build><plugins>${antrun(canary)}</plugins></build></profile></profiles>`,
      ),
    }),
  },
  {
    ...{ name: 'a plugin of a parent in the repository', program: 'mvn', runs: true },
    start: { 'pom.xml': pom('') },
    change: async ({ canary }) => ({
      'pom.xml': pom('').replace(
        '<groupId>',
        '<parent><groupId>x</groupId><artifactId>up</artifactId><version>1</version><relativePath>up/pom.xml</relativePath></parent><groupId>',
      ),
      'up/pom.xml': pom(
        `<packaging>pom</packaging><build><plugins>${antrun(canary)}</plugins></build>`,
      ).replace('<artifactId>x', '<artifactId>up'),
    }),
  },
  {
    ...{ name: 'a folder that can be edited', program: 'python3', runs: false },
    start: { 'requirements.txt': '# none\n' },
    change: async (place) => {
      await sdist(place)
      return { 'requirements.txt': `-e ${join(place.outside, 'evil-1.0')}\n` }
    },
  },
  {
    ...{ name: 'options in the list', program: 'python3', runs: true },
    start: { 'requirements.txt': '# none\n' },
    change: async (place) => {
      const folder = pathToFileURL(dirname(await sdist(place))).href
      const options = `--no-index\n--find-links ${folder}\n--no-binary=evil\n`
      return { 'requirements.txt': `${options}evil==1.0\n` }
    },
  },
  ...(['version', 'key'] as const).map((where) => ({
    ...{ name: `options in a ${where} of Poetry`, program: 'python3', runs: false },
    start: { 'pyproject.toml': poetry('') },
    change: async (place: Place) => {
      const folder = pathToFileURL(dirname(await sdist(place))).href
      const options = `\\n--no-index\\n--find-links ${folder}\\n--no-binary=:all:\\n`
      const line =
        where === 'key' ? `"evil${options}" = "1.0"` : `evil = { version = "==1.0${options}" }`
      return { 'pyproject.toml': poetry(`${line}\n`) }
    },
  })),
  ...(['devDependencies', 'optionalDependencies'] as const).map((kind) => ({
    ...{ name: `a folder among ${kind}`, program: 'npm', start: nodeStart, runs: false },
    change: async (place: Place) => ({
      'package.json': JSON.stringify({
        name: 'x',
        [kind]: { evil: `file:${await npmPackage(place)}` },
      }),
    }),
  })),
  {
    ...{ name: 'a folder outside', program: 'cargo', start: rustStart, runs: false },
    change: async (place) => ({
      'Cargo.toml': withCrate(`evil = { path = "${await crate(place)}" }\n`),
    }),
  },
  {
    ...{ name: 'a git repository to build with', program: 'cargo', start: rustStart, runs: false },
    change: async (place) => ({
      'Cargo.toml': withCrate(
        `[target.'cfg(unix)'.build-dependencies]\nevil = { git = "${await gitRepository(await crate(place))}" }\n`,
      ),
    }),
  },
  {
    ...{ name: 'a workspace with a folder outside', program: 'go', runs: false },
    start: {
      'go.mod': 'module example.com/x\n\ngo 1.19\n',
      'x.go': 'package x\n',
      'go.work': 'go 1.19\n\nuse .\n',
    },
    change: async (place) => {
      const folder = await goModule(place)
      return { 'go.work': `go 1.19\n\nuse (\n\t.\n\t${folder}\n)\n` }
    },
  },
  ...(
    [
      ['a file of further requirements', 'more.txt', '-r more.txt'],
      ['a file of constraints', 'limits.txt', '-c limits.txt\nevil'],
    ] as const
  ).map(([name, file, line]) => ({
    ...{ name, program: 'python3', start: { 'requirements.txt': '# none\n' }, runs: false },
    // A list that only names another list has no requirement of its own.
    ...(file === 'limits.txt' && { fails: true as const }),
    change: async (place: Place) => ({
      'requirements.txt': `${line}\n`,
      [file]: `evil @ ${pathToFileURL(await sdist(place)).href}\n`,
    }),
  })),
  {
    ...{ name: 'an address with a marker and a hash', program: 'python3', runs: true },
    start: { 'requirements.txt': '# none\n' },
    change: async (place) => ({
      'requirements.txt': `evil @ ${pathToFileURL(await sdist(place)).href}#egg=evil ; python_version > "2" \n`,
    }),
  },
  {
    ...{ name: 'a line that continues in the next', program: 'python3', runs: true },
    start: { 'requirements.txt': '# none\n' },
    change: async (place) => ({
      'requirements.txt': `evil \\\n  @ ${pathToFileURL(await sdist(place)).href}\n`,
    }),
  },
  {
    ...{ name: 'an archive in another format', program: 'python3', runs: true },
    start: { 'requirements.txt': '# none\n' },
    change: async (place) => {
      await sdist(place)
      const zip = "import shutil; shutil.make_archive('evil-1.0', 'zip', '.', 'evil-1.0')"
      await run('python3', ['-c', zip], { cwd: place.outside })
      return { 'requirements.txt': `${join(place.outside, 'evil-1.0.zip')}\n` }
    },
  },
  {
    ...{ name: 'a git repository', program: 'python3', runs: true },
    start: { 'requirements.txt': '# none\n' },
    change: async (place) => {
      await sdist(place)
      const address = await gitRepository(join(place.outside, 'evil-1.0'))
      return { 'requirements.txt': `git+${address}\n` }
    },
  },
  ...(['optional', 'groups'] as const).map((kind) => ({
    ...{ name: `a path in ${kind === 'groups' ? 'a group' : 'an extra'}`, program: 'python3' },
    ...{ start: { 'pyproject.toml': '[project]\nname = "x"\nversion = "1"\n' }, runs: false },
    change: async (place: Place) => {
      const table = kind === 'groups' ? 'dependency-groups' : 'project.optional-dependencies'
      const address = pathToFileURL(await sdist(place)).href
      return {
        'pyproject.toml': `[project]\nname = "x"\nversion = "1"\n[${table}]\ntest = ["evil @ ${address}"]\n`,
      }
    },
  })),
  {
    ...{ name: 'a link to a folder', program: 'npm', start: nodeStart, runs: false },
    fails: true,
    change: async (place) => nodeWith(`link:${await npmPackage(place)}`),
  },
  {
    ...{ name: 'a folder without its kind', program: 'npm', start: nodeStart, runs: false },
    change: async (place) => nodeWith(await npmPackage(place)),
  },
  {
    ...{ name: 'a folder in place of another package', program: 'npm', runs: false },
    start: { 'package.json': '{ "name": "x", "dependencies": { "is-odd": "3.0.1" } }\n' },
    change: async (place) => ({
      'package.json': JSON.stringify({
        ...{ name: 'x', dependencies: { 'is-odd': '3.0.1' } },
        overrides: { 'is-number': `file:${await npmPackage(place)}` },
      }),
    }),
  },
  {
    ...{ name: 'a folder in place of a crate', program: 'cargo', runs: false },
    start: { ...rustStart, 'Cargo.toml': withCrate('cfg-if = "1"\n') },
    change: async (place) => {
      const folder = await crate(place)
      const manifest = join(folder, 'Cargo.toml')
      const renamed = withCrate('').replace('"x"', '"cfg-if"').replace('0.1.0', '1.0.0')
      await put(manifest, renamed)
      return {
        'Cargo.toml': `${withCrate('cfg-if = "1"\n')}[patch.crates-io]\ncfg-if = { path = "${folder}" }\n`,
      }
    },
  },
  {
    ...{ name: 'a folder to test with', program: 'cargo', start: rustStart, runs: false },
    change: async (place) => ({
      'Cargo.toml': withCrate(`[dev-dependencies.evil]\npath = "${await crate(place)}"\n`),
    }),
  },
  {
    ...{ name: 'a git repository by the key of a table', program: 'cargo', start: rustStart },
    runs: false,
    change: async (place) => ({
      'Cargo.toml': withCrate(
        `[dependencies.evil]\n"git" = '${await gitRepository(await crate(place))}'\n`,
      ),
    }),
  },
  {
    ...{ name: 'a folder outside in a block', program: 'go', runs: false },
    start: { 'go.mod': 'module example.com/x\n\ngo 1.19\n', 'x.go': 'package x\n' },
    change: async (place) => {
      const folder = await goModule(place)
      return {
        'go.mod': `module example.com/x\n\ngo 1.19\n\nrequire (\n\texample.com/evil v1.0.0 // indirect\n)\n\nreplace (\n\texample.com/evil v1.0.0 => ${folder} // ours\n)\n`,
      }
    },
  },
  {
    ...{ name: 'a plugin that other modules may use', program: 'mvn', runs: false, fails: true },
    start: { 'pom.xml': pom('') },
    change: async ({ canary }) => ({
      'pom.xml': pom(
        `<build><pluginManagement><plugins>${antrun(canary)}</plugins></pluginManagement></build>`,
      ),
    }),
  },
  {
    ...{ name: 'a plugin behind a comment', program: 'mvn', runs: true },
    start: { 'pom.xml': pom('') },
    change: async ({ canary }) => ({
      'pom.xml': `<?xml version="1.0"?>\n<!-- </project> -->${pom(`<build><plugins>${antrun(canary)}</plugins></build>`)}`,
    }),
  },
]

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

/** The result of `validate_code` for the change, and the commands run by then. */
async function ask(start: Texts, changed: Texts) {
  const changes: ChangeSet = Object.entries(changed).map(([path, content]) => ({
    ...(start[path] === undefined
      ? { action: 'create' as const, path, content }
      : { action: 'modify' as const, path, content, before: start[path] }),
  }))
  const given = await taskUnderWay({ files: start, attempt: { draft: aDraft({ changes }) } })
  const task = { ...given.attempt.task, files: [] }
  const state = changeState(given.state, { attempt: { ...given.attempt, task } })
  const sandbox = createScriptedSandbox()
  const syntax = { check: async () => ({ status: 'unavailable', reason: '' }) as const }
  const step = await validateCode(state, fakePorts({ workspace: given.workspace, sandbox, syntax }))
  return { step, commands: sandbox.commands }
}

/** Installs as after an approval, on a machine without a sandbox; returns why that failed. */
async function install(texts: Texts, installScripts = false): Promise<string | undefined> {
  const sandbox = await realSandbox()
  const settings = { ...plainVerify, installScripts }
  const plans = await planDependencies(repositoryOf(texts), settings, (name) => sandbox.has(name))
  const ports = { sandbox, clock: createFakeClock() }
  return (await prepareDependencies(plans, { folder: await writeProject(texts) }, ports)).lack
    ?.output
}

describe('a package from elsewhere', () => {
  let tried = 0
  const held: Record<string, number> = {}
  const there = attacks.filter(({ program }) => has(program))
  afterAll(() =>
    console.info(
      `packages from elsewhere: ${tried} tried, ${Object.keys(held).length} waited for a person`,
    ),
  )

  it.for(there)(
    '$program: $name',
    { timeout: 180_000 },
    async ({ program, name, start, change, runs, fails }, { task }) => {
      tried += 1
      const outside = await temporaryFolder()
      const place = { outside, canary: join(outside, 'canary') }
      const changed = await change(place)
      const { step, commands } = await ask(start, changed)
      expect(step.outcome).toBe('destructive')
      expect(attemptAfter(step).destructive[0]?.category).toBe('packages')
      expect(commands).toEqual([])
      expect(existsSync(place.canary)).toBe(false)
      held[`${program}: ${name}`] = runs ? 2 : 1
      task.file.meta.cases = held
      const lacks = await install({ ...start, ...changed })
      expect(existsSync(place.canary)).toBe(runs)
      if (fails) expect(lacks).toBeDefined()
      else if (!runs) expect(lacks).toBeUndefined()
      if (program !== 'npm' || fails) return
      // The installed package's scripts do run when scripts are enabled.
      await install({ ...start, ...changed }, true)
      expect(existsSync(place.canary)).toBe(true)
    },
  )
})
