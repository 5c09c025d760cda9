import { existsSync, globSync, readFileSync } from 'node:fs'
import { chmod, copyFile, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { defineConfig, type Rolldown, type UserConfig } from 'tsdown'
import { nameBeside, wasmFiles, wasmFilesOfPackages } from './packages/source/wasm-syntax/files.ts'

const require = createRequire(import.meta.url)

/** Files that are read at run time, found beside the module that reads them. */
const besides = [
  ...[...Object.values(wasmFiles), ...wasmFilesOfPackages].map((file) => ({
    from: require.resolve(file),
    name: nameBeside(file),
  })),
  {
    from: join(import.meta.dirname, 'packages/github-simulator/github/contract.json'),
    name: 'contract.json',
  },
  { from: join(import.meta.dirname, 'src/entry/executor.cjs'), name: 'executor.cjs' },
  { from: join(import.meta.dirname, 'app.yml'), name: 'app.yml' },
]

/**
 * Left in node_modules, where the App's image has them: an embedded database with its data, and what
 * neither the Action nor another command of the CLI ever loads.
 */
const ofTheAppOnly = [/^probot$/, /^pg-boss$/, /^@electric-sql\/pglite$/]

/** These packages come twice; only the one of ES modules can be cut down to what is used: of OpenTelemetry, a fifth. */
const asModules: Rolldown.Plugin = {
  name: 'as-modules',
  resolveId: {
    filter: { id: /^(?:@opentelemetry\/|graphql$)/ },
    async handler(source, importer) {
      const found = await this.resolve(source, importer, { skipSelf: true })
      const id = found?.id
        .replace('/build/src/', '/build/esm/')
        .replace(/\/graphql\/index\.js$/, '/graphql/index.mjs')
      return id !== undefined && existsSync(id) ? { id } : found
    },
  },
}

/** Of OpenAI's API only chat completions are called; its other resources are two thirds of the client, and are left empty. */
const openAiChatOnly: Rolldown.Plugin = {
  name: 'openai-chat-only',
  transform: {
    filter: { id: /\/openai\/resources\/(?!chat\/|chat\.|index\.)/ },
    handler: (code) => ({
      code: [...code.matchAll(/^export class (\w+)/gm)]
        .map(([, name]) => `export class ${name} {}`)
        .concat([...code.matchAll(/^export (?:\*|\{[^}]*\}) from .*$/gm)].map(([line]) => line))
        .join('\n'),
      map: null,
    }),
  },
}

/**
 * Zod writes a function for each schema that it reads with, which pays from the hundredth value on; a run reads a few with
 * each. Without it, a run needs less time, and no `eval`.
 */
const zodWithoutEval: Rolldown.Plugin = {
  name: 'zod-without-eval',
  transform: {
    filter: { id: /\/zod\/v4\/core\/schemas\.js$/ },
    handler(code) {
      const parts = code.split('!core.globalConfig.jitless')
      if (parts.length !== 2) throw new Error('zod decides elsewhere whether it writes functions.')
      return { code: parts.join('false'), map: null }
    },
  },
}

/**
 * Modules that nothing here calls, with what is imported of them: the Action's clients for HTTP with all of undici; of the
 * MCP SDK, the schemas of Zod 3 and a validator of JSON Schema, which compiles with `eval`.
 */
const neverCalled: Readonly<Record<string, readonly string[]>> = {
  '@actions/core/lib/oidc-utils.js': ['OidcClient'],
  '@actions/github/lib/utils.js': ['GitHub', 'getOctokitOptions'],
  '@modelcontextprotocol/sdk/dist/esm/validation/ajv-provider.js': ['AjvJsonSchemaValidator'],
  'zod/v3/index.js': ['object'],
  'zod-to-json-schema/dist/esm/index.js': ['zodToJsonSchema'],
}

const leaveOut: Rolldown.Plugin = {
  name: 'leave-out',
  load: {
    filter: { id: Object.keys(neverCalled).map((path) => `**/node_modules/${path}`) },
    handler(id) {
      const [, path = ''] = id.split(/\/node_modules\/(?!.*\/node_modules\/)/)
      return (neverCalled[path] ?? []).map((name) => `export function ${name}() {}`).join('\n')
    },
  },
}

const door = /^(.*\/packages\/(\w+))\/\2\.ts$/

/** The file of a package that has each name of its door. */
const behind = new Map<string, ReadonlyMap<string, string>>()

function readDoor(path: string): ReadonlyMap<string, string> {
  const known = behind.get(path)
  if (known !== undefined) return known
  const exports = readFileSync(path, 'utf8').matchAll(/^export \{([^}]*)\} from '(.*)'$/gm)
  const files = new Map<string, string>()
  for (const [, names = '', file = ''] of exports) {
    for (const name of names.split(',')) files.set(name.trim(), join(dirname(path), file))
  }
  behind.set(path, files)
  return files
}

/** Resolves the names of a door to the files behind it; through the door, a stage would load the whole package. */
const throughDoors: Rolldown.Plugin = {
  name: 'through-doors',
  transform: {
    filter: { id: /\/(?:src|packages)\/.*\.ts$/, code: /packages|\.\.\/\w+\/\w+\.ts/ },
    handler: (code, id) =>
      code.replace(
        /^import \{([^}]*)\} from '(\..*)'$/gm,
        (statement, names: string, from: string) => {
          const path = join(dirname(id), from)
          if (!door.test(path)) return statement
          const files = readDoor(path)
          return names
            .split(',')
            .map((name) => name.trim())
            .filter((name) => name !== '' && !name.startsWith('type '))
            .map(
              (name) => `import { ${name} } from '${files.get(name.split(' ')[0] ?? '') ?? path}'`,
            )
            .join(';')
        },
      ),
  },
}

const filesAt = (pattern: string): readonly string[] =>
  globSync(pattern, { cwd: import.meta.dirname })

/**
 * Chunks by when they are needed: what looks at a repository, what works until the model is asked, and what its answer
 * is read with. Left to itself, the bundler writes a file for each way in which modules are shared: three times as many,
 * and each costs a run a third of a millisecond.
 */
const stages: readonly (readonly [name: string | null, starts: readonly string[]])[] = [
  // Each of these files stays small: `--help` and `--version` need no other.
  [null, ['src/entry/cli.ts', 'src/entry/cli/main.ts', 'src/entry/cli/program.ts']],
  ['look', filesAt('src/entry/cli/{load-settings,commands/lint,commands/roadmap}.ts')],
  ['ask', ['src/entry/cli/run-here.ts', 'packages/judge/run/baseline.ts']],
  [
    'answered',
    [
      ...filesAt('src/graph/nodes/*/*.ts'),
      ...filesAt(
        'packages/judge/{answer/read-draft,answer/read-tool-calls,prepare/project-packages,run/guard-tests}.ts',
      ),
      ...filesAt('packages/judge/verdict/{find-problems,verify-change}.ts'),
    ],
  ],
]

/** Puts each module into the first stage that imports it, however far away. */
function stageOf(id: string, graph: Rolldown.ChunkingContext): string | null {
  return stages.find(([, starts]) => reaches(starts, id, graph))?.[0] ?? null
}

const closures = new Map<readonly string[], Set<string>>()

function reaches(starts: readonly string[], id: string, graph: Rolldown.ChunkingContext): boolean {
  const known = closures.get(starts)
  if (known !== undefined) return known.has(id)
  const closure = new Set<string>()
  const waiting = starts.map((path) => join(import.meta.dirname, path))
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (closure.has(next)) continue
    closure.add(next)
    waiting.push(...(graph.getModuleInfo(next)?.importedIds ?? []))
  }
  closures.set(starts, closure)
  return closure.has(id)
}

/**
 * Writes a chunk's characters beyond ASCII as escapes. One of them beyond Latin-1 makes V8 keep the whole source in two
 * bytes a character, which takes longer to read and twice the memory.
 */
const escaped = (code: string): string =>
  code.replace(
    /(\\*)([^\0-\x7f])/g,
    (_, slashes: string, character: string) =>
      // A slash before such a character escapes it already.
      `${slashes.slice(slashes.length % 2)}\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const common = {
  platform: 'node',
  target: 'node22',
  fixedExtension: true,
  deps: { neverBundle: ofTheAppOnly, alwaysBundle: [/.*/], onlyBundle: false },
  // This package says that importing its Go runtime does nothing.
  treeshake: { moduleSideEffects: [{ test: /sh-syntax/, sideEffects: true }] },
  dts: false,
  minify: true,
} satisfies UserConfig

// What a stage holds is loaded with it, also where a module imports it only when it is needed.
const checks = { ineffectiveDynamicImport: false }

async function escapeAll(directory: string, pattern: string): Promise<void> {
  for (const name of globSync(pattern, { cwd: directory })) {
    const path = join(directory, name)
    await writeFile(path, escaped(await readFile(path, 'utf8')))
  }
}

/** What a user's machine runs: everything inside, split so that each command loads only its part. */
const program = defineConfig({
  ...common,
  entry: {
    cli: 'src/entry/cli.ts',
    main: 'src/entry/cli/main.ts',
    action: 'src/entry/action.ts',
    library: 'src/entry/library.ts',
  },
  format: 'cjs',
  outputOptions: {
    strict: true,
    // A script of src/entry/compiled-code.ts cannot import: in vm, that is experimental.
    dynamicImportInCjs: false,
    codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: stageOf }] },
  },
  inputOptions: { checks, preserveEntrySignatures: 'allow-extension' },
  plugins: [throughDoors, asModules, openAiChatOnly, zodWithoutEval, leaveOut],
  hooks: {
    'build:done': async ({ options }) => {
      await escapeAll(options.outDir, '*.cjs')
      for (const { from, name } of besides) await copyFile(from, join(options.outDir, name))
      await chmod(join(options.outDir, 'executor.cjs'), 0o755)
    },
  },
})

/** Programs of their own. Of the forwarder, a sandbox shows nothing but the one file. */
const others = defineConfig({
  ...common,
  entry: {
    'wasm-syntax-child': 'packages/source/wasm-syntax-child.ts',
    'sandbox-forwarder': 'packages/sandbox/sandbox-forwarder.ts',
  },
  format: 'esm',
  // CommonJS packages inside an ES module.
  define: { __dirname: 'import.meta.dirname', __filename: 'import.meta.filename' },
  // The loader of the grammars has an `eval` for a feature that is not used.
  inputOptions: { checks: { eval: false } },
  hooks: { 'build:done': ({ options }) => escapeAll(options.outDir, '*.mjs') },
})

export default [program, others]
