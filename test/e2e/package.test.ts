import {
  chmod,
  cp,
  glob,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { satisfies } from 'semver'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { startModelServer } from '../../packages/github-simulator/model/start-model-server.ts'

const project = join(import.meta.dirname, '../..')
const read = async (path: string) => JSON.parse(await readFile(join(project, path), 'utf8'))

let root = ''
let prefix = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'package-'))
  prefix = join(root, 'prefix')
  const tarball = await pack('.')
  await npm(['install', '--global', '--offline', '--prefix', prefix, tarball])
})
afterAll(() => rm(root, { recursive: true, force: true }))

/** npm with nothing in its cache; scripts are off, for `dist/` is built already. */
const npm = (words: readonly string[]) =>
  execa('npm', [...words, '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: project,
    env: { npm_config_cache: join(root, 'cache'), npm_config_update_notifier: 'false' },
  })

/** The path of what npm would upload. */
async function pack(folder: string): Promise<string> {
  const { stdout } = await npm(['pack', `./${folder}`, '--json', '--pack-destination', root])
  const [packed] = z.array(z.object({ filename: z.string() })).parse(JSON.parse(stdout))
  return join(root, packed?.filename ?? '')
}

/** The command as npm linked it, in an environment that has nothing but git and this Node. */
async function executor(
  words: readonly string[],
  {
    cwd = root,
    node = [],
    variables = {},
  }: {
    readonly cwd?: string
    readonly node?: readonly string[]
    readonly variables?: Readonly<Record<string, string>>
  } = {},
) {
  const path = `${join(process.execPath, '..')}:${process.env.PATH ?? ''}`
  const env = { PATH: path, HOME: root, NODE_OPTIONS: node.join(' '), ...variables }
  const command = join(prefix, 'bin/executor')
  return execa(command, words, { cwd, env, extendEnv: false, reject: false })
}

/** A repository of a newcomer; without files it has no commit. */
async function repositoryOf(name: string, files: Readonly<Record<string, string>>) {
  const cwd = join(root, name)
  await execa('git', ['init', '--quiet', '--initial-branch=main', cwd])
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(cwd, path, '..'), { recursive: true })
    await writeFile(join(cwd, path), text)
  }
  if (Object.keys(files).length > 0) await commitAll(cwd)
  return cwd
}

async function commitAll(cwd: string): Promise<void> {
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org']
  await execa('git', ['add', '--all'], { cwd })
  await execa('git', [...author, 'commit', '--quiet', '--no-verify', '-m', 'start'], { cwd })
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = files.map(async (file) => (await stat(join(file.parentPath, file.name))).size)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/** Repositories in which a newcomer begins, and the files that their sample names. */
const newcomers = [
  {
    name: 'Python',
    files: {
      'pyproject.toml': '[project]\nname = "calc"\n',
      'calc/__init__.py': '',
      'calc/add.py': 'def add(a, b):\n    return a + b\n',
      'tests/test_add.py':
        'from calc.add import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n',
    },
    found: /^language +Python .*\ntests +pytest$/m,
    sample: '`calc/health.py`, `tests/test_health.py`',
  },
  {
    name: 'TypeScript',
    files: {
      'package.json': '{ "scripts": { "test": "node --test" } }\n',
      'tsconfig.json': '{}\n',
      'src/add.ts': 'export const add = (a: number, b: number) => a + b\n',
      'src/add.test.ts': "import { test } from 'node:test'\n\ntest('add', () => {})\n",
    },
    found: /^language +TypeScript .*\ntests +npm test$/m,
    sample: '`src/health.ts`, `src/health.test.ts`',
  },
  {
    name: 'Go',
    files: {
      'go.mod': 'module calc\n',
      'add.go': 'package calc\n',
      'add_test.go': 'package calc\n',
    },
    found: /^language +Go .*\ntests +go test .\/...$/m,
    sample: '`health.go`, `health_test.go`',
  },
  {
    name: 'nothing',
    files: {},
    found: '',
    sample: '`package.json`, `src/health.js`, `test/health.test.js`',
  },
]

describe('the command that npm installs from the tarball, offline', () => {
  it('says its version, and keeps its compiled code where nobody else may enter', async () => {
    const { version } = await read('package.json')
    const compiled = join(prefix, 'lib/node_modules/roadmap-executor/dist/compiled')
    await expect(stat(compiled)).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await executor(['--version'])).toMatchObject({ exitCode: 0, stdout: version })
    expect((await stat(compiled)).mode & 0o777).toBe(0o700)
    expect(await readdir(compiled)).toHaveLength(1)
  })

  it('saves compiled code in an existing cache directory when others may enter the folder beside the program', async () => {
    const compiled = join(prefix, 'lib/node_modules/roadmap-executor/dist/compiled')
    const cache = join(root, '.cache/roadmap-executor')
    await chmod(compiled, 0o755)
    expect(await executor(['--version'])).toMatchObject({ exitCode: 0 })
    await expect(stat(cache)).rejects.toMatchObject({ code: 'ENOENT' })
    await mkdir(cache, { recursive: true })
    expect(await executor(['--version'])).toMatchObject({ exitCode: 0 })
    expect(await readdir(join(cache, 'compiled'))).toHaveLength(1)
    await chmod(compiled, 0o700)
  })

  it('is alone in its prefix, and takes no more than 60 MB', async () => {
    expect(await readdir(join(prefix, 'lib/node_modules'))).toEqual(['roadmap-executor'])
    expect(await sizeOf(prefix)).toBeLessThanOrEqual(60e6)
    const { dependencies, optionalDependencies } = await read('package.json')
    expect([dependencies, optionalDependencies]).toEqual([undefined, undefined])
  })

  it('plays the whole demo', async () => {
    const { exitCode, stderr } = await executor(['demo'])
    expect(stderr).toContain('5 pull requests to review (')
    expect(exitCode).toBe(0)
  })

  it.each(newcomers)(
    'makes a roadmap and plans it: $name',
    async ({ name, files, found, sample }) => {
      const cwd = await repositoryOf(`plan ${name}`, files)
      const begun = await executor(['init'], { cwd })
      expect(begun.exitCode, begun.stderr).toBe(0)
      if (found !== '') expect(begun.stderr).toMatch(found)
      expect(begun.stderr).toContain('export OPENAI_API_KEY=')
      const roadmap = await readFile(join(cwd, 'ROADMAP.md'), 'utf8')
      expect(roadmap).toContain(`Files: ${sample}\n`)
      const { exitCode, stdout, stderr } = await executor(['plan'], { cwd })
      expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/Group 1\n {2}T-1 /)])
      expect(stderr).toContain('ROADMAP.md is not committed yet')
    },
  )

  it('tries out everything with doctor, and names what would stop a run', async () => {
    const script = [{ when: {}, answers: [{ text: 'ok' }] }]
    const server = await startModelServer({ script, models: ['small'], apiKey: 'right-key' })
    onTestFinished(() => server.close())
    const cwd = await repositoryOf('doctor', {
      'package.json': '{ "scripts": { "test": "node --test" } }\n',
    })
    await executor(['init', '--model', 'small', '--base-url', server.url], { cwd })
    await commitAll(cwd)
    const well = await executor(['doctor'], { cwd, variables: { OPENAI_API_KEY: 'right-key' } })
    expect(well.stdout).toMatch(/^✔ writing .*\n(?:.*\n)*✔ model .* answers \(/m)
    expect(well.stdout).toMatch(/^[✔!] sandbox .*a test ran in/m)
    expect([well.exitCode, well.stdout]).toEqual([0, expect.not.stringMatching(/^✖/m)])
    const ill = await executor(['doctor'], { cwd, variables: { OPENAI_API_KEY: 'wrong-key' } })
    expect(ill.stdout).toMatch(/^✖ model .* rejects the key \(401\)\n +Check OPENAI_API_KEY/m)
    expect(ill.exitCode).toBe(2)
  })

  it('names the one line that installs what the App needs', async () => {
    const { exitCode, stdout } = await executor(['app'])
    // Not at a terminal, every line of the App is JSON.
    const { code, message } = JSON.parse(stdout)
    expect(code).toBe('app_not_installed')
    expect(message).toMatch(/^ {2}npm install --global .*pg-boss@\S+ probot@\S+$/m)
    expect(exitCode).toBe(2)
  })

  it.each([
    ['12.22.12', 2],
    ['18.20.8', 2],
    ['22.17.1', 2],
    ['22.18.0', 0],
    ['23.11.1', 2],
    ['24.10.0', 2],
    ['24.11.0', 0],
    ['26.0.0', 0],
  ])('on Node %s exits with %i', async (version, code) => {
    const pretended = join(root, `node-${version}.cjs`)
    const versions = `Object.defineProperty(process.versions, 'node', { value: '${version}' })\n`
    await writeFile(pretended, versions)
    const { exitCode, stderr } = await executor(['--version'], { node: ['--require', pretended] })
    expect(exitCode).toBe(code)
    const sentence = `executor needs Node 22 (22.18 or newer) or Node 24.11 or newer, and this is Node ${version}: install a newer one, for example from https://nodejs.org.`
    expect(stderr).toBe(code === 0 ? '' : sentence)
  })
})

/** What a project may have switched on that reads types. */
const compilers: readonly (readonly [name: string, file: string, options: ts.CompilerOptions])[] = [
  ['node16, ESM', 'example.mts', { module: ts.ModuleKind.Node16 }],
  ['nodenext, CommonJS', 'required.cts', { module: ts.ModuleKind.NodeNext }],
  [
    'bundler',
    'example.mts',
    { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
  ],
  [
    'exact types',
    'own-ports.mts',
    {
      module: ts.ModuleKind.Node16,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
    },
  ],
  ['own ports', 'own-ports.mts', { module: ts.ModuleKind.Node16 }],
]

const required = `import { ExecutorError, runRoadmap, type Report } from 'roadmap-executor'
const report: Promise<Report> = runRoadmap({ tasks: ['T-1'] })
report.catch((error: ExecutorError) => error.next)
`

const ownPorts = `import type { Answer, Model, ModelReply, Person, Question, RunEvent, SettingsFile } from 'roadmap-executor'
export class Mine implements Model {
  async complete({ messages }: Parameters<Model['complete']>[0]): Promise<ModelReply> {
    const usage = { requests: 1, promptTokens: messages.length, completionTokens: 1, dollars: 0 }
    return { status: 'answered', text: '', finish: 'stop', usage }
  }
}
export class Ada implements Person {
  present = true
  async ask({ choices: [first] }: Question): Promise<Answer | null> {
    return first === undefined ? null : { choice: first, by: 'ada', at: null, text: '', tasks: [], sha: null }
  }
}
export const settings: SettingsFile = { limits: { starts: 1 }, 'max-cost': null, prices: { mine: { prompt: 0, completion: 0 } } }
export const spent = (event: RunEvent): number => (event.type === 'step' ? event.tokens : 0)
type Accepts<Value> = Value extends SettingsFile ? true : false
export const accepted: Accepts<{ strategy: 'agent' }> = true
export const refused: Accepts<{ strategy: 'magic' }> = false
`

describe('the library that npm installs from the tarball, offline', () => {
  let cwd = ''
  let example = ''
  beforeAll(async () => {
    cwd = join(root, 'program')
    const [tarball = ''] = (await readdir(root)).filter((name) => name.endsWith('.tgz'))
    await mkdir(cwd)
    await writeFile(join(cwd, 'package.json'), '{}')
    await npm(['install', '--offline', '--prefix', cwd, join(root, tarball)])
    const page = await readFile(join(project, 'docs/library.md'), 'utf8')
    example = /```ts\n([\s\S]*?)^```\n/m.exec(page)?.[1] ?? ''
    const files = { 'example.mts': example, 'required.cts': required, 'own-ports.mts': ownPorts }
    for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text)
  })

  it.each(compilers)('has types that compile in an empty project: %s', (_, file, options) => {
    const strict = { strict: true, skipLibCheck: false, noEmit: true, types: [] }
    const target = ts.ScriptTarget.ES2022
    const program = ts.createProgram([join(cwd, file)], { ...strict, target, ...options })
    const found = ts.getPreEmitDiagnostics(program)
    expect(
      found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
    ).toEqual([])
    expect(
      program.getSourceFiles().some(({ fileName }) => fileName.endsWith('/library.d.cts')),
    ).toBe(true)
  })

  it('does what the documentation shows, in about twenty lines', async () => {
    expect(example.trim().split('\n').length).toBeLessThanOrEqual(24)
    await mkdir(join(cwd, 'my-project'))
    await repositoryOf('program/my-project', {
      'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
      'test/halve.test.js':
        "import assert from 'node:assert/strict'\nimport { test } from 'node:test'\n\ntest('one', () => assert.equal(1, 1))\n",
      'ROADMAP.md': '- [ ] T-1: Halve a number, in `src/halve.js`\n',
    })
    const env = { PATH: process.env.PATH, HOME: root, NODE_NO_WARNINGS: '1' }
    const start = { cwd, env, extendEnv: false }
    const { stdout, stderr } = await execa(process.execPath, ['example.mts'], start)
    expect([stdout, stderr]).toEqual(['T-1 done agent/T-1\n1 done', ''])
    // CommonJS gets the same function, which finds the branch.
    const words =
      "require('roadmap-executor').runRoadmap({ repository: 'my-project', dryRun: true }).then(({ tasks }) => console.log(tasks[0].outcome))"
    expect((await execa(process.execPath, ['-e', words], start)).stdout).toBe('done')
    await expect(
      execa(process.execPath, ['-e', "require('roadmap-executor/dist/main.cjs')"], start),
    ).rejects.toThrow('ERR_PACKAGE_PATH_NOT_EXPORTED')
    const schema =
      "console.log(require('roadmap-executor/schema/events.schema.json').$id, require('roadmap-executor/package.json').name)"
    expect((await execa(process.execPath, ['-e', schema], start)).stdout).toBe(
      'events.schema.json roadmap-executor',
    )
  })
})

describe('the package of the program', () => {
  it('needs the Node that its libraries need', async () => {
    const { engines } = await read('package.json')
    const needed = await Promise.all([...(await importedPackages())].map(enginesOf))
    const isEnough = (node: string) => needed.every((range) => satisfies(node, range))
    const versions = ['20.20.2', '22.17.1', '22.18.0', '23.11.1', '24.10.0', '24.11.0', '26.0.0']
    expect(versions.map((version) => [version, satisfies(version, engines.node)])).toEqual(
      versions.map((version) => [version, isEnough(version)]),
    )
  })

  it('is accepted by npm publish', async () => {
    for (const folder of ['.', 'packages/github-simulator']) {
      const { stdout } = await npm(['publish', `./${folder}`, '--dry-run', '--offline', '--json'])
      const { name, version } = await read(join(folder, 'package.json'))
      expect(stdout).toContain(`"id": "${name}@${version}"`)
    }
  })
})

const isNotShipped = (path: string): boolean =>
  /(?:^|\/)(?:node_modules|test|dist|github-simulator|tsdown\.config\.ts)$/.test(path)

/** What the sources import of node_modules. */
async function importedPackages(): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for await (const path of glob('{src,packages}/**/*.ts', {
    cwd: project,
    exclude: isNotShipped,
  })) {
    const text = await readFile(join(project, path), 'utf8')
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      const [, name] = /^(?!node:)((?:@[^/]+\/)?[^./][^/]*)/.exec(fileName) ?? []
      if (name !== undefined && !builtinModules.includes(name)) found.add(name)
    }
  }
  return found
}

async function enginesOf(name: string): Promise<string> {
  const manifest = await read(join('node_modules', name, 'package.json')).catch(() => ({}))
  return manifest.engines?.node ?? '*'
}

describe('the package of the simulator', () => {
  it('does what its README shows, away from this repository', async () => {
    const cwd = join(root, 'user')
    const home = join(cwd, 'node_modules/@roadmap-executor/github-simulator')
    await mkdir(home, { recursive: true })
    await execa('npm', ['run', '--silent', 'build', '--', '--out-dir', join(root, 'built')], {
      cwd: join(project, 'packages/github-simulator'),
    })
    await cp(join(root, 'built'), join(home, 'dist'), { recursive: true })
    await cp(join(project, 'packages/github-simulator/package.json'), join(home, 'package.json'))
    const { dependencies } = await read('packages/github-simulator/package.json')
    for (const name of Object.keys(dependencies)) {
      await symlink(join(project, 'node_modules', name), join(cwd, 'node_modules', name))
    }
    const readme = await readFile(join(project, 'packages/github-simulator/README.md'), 'utf8')
    const [, example = ''] = /```js\n([\s\S]*?)```/.exec(readme) ?? []
    const tried = example.replace('/tmp/an-empty-folder', join(cwd, 'served')).replace(
      /\/\/ Point an OpenAI.*/,
      () => `
        const answer = await fetch(model.url + '/chat/completions', {
          method: 'POST',
          body: JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'Hello' }] }),
        })
        console.log((await answer.json()).choices[0].message.content)
        const repository = await fetch(github.apiUrl + '/repos/ada/engine', {
          headers: { authorization: 'token bot-token' },
        })
        console.log(repository.status, github.contractViolations.length)`,
    )
    await mkdir(join(cwd, 'served'))
    await writeFile(join(cwd, 'example.mjs'), tried)
    const { stdout } = await execa(process.execPath, ['example.mjs'], { cwd })
    expect(stdout).toBe('The first answer.\n200 0')
  })
})
