/**
 * The calls of a test, as a program that no test runner starts: nothing in it shows the code that it is tested. Here for
 * JavaScript, TypeScript and Python.
 */
import { posix } from 'node:path'
import {
  childNodes,
  descendants,
  isCall,
  isMember,
  isTestFile,
  keyName,
  type LexicalScope,
  lookUp,
  maskText,
  nodeAt,
  nodesAt,
  placeNodes,
  readSyntax,
  resolveImport,
  type SyntaxNode,
  textAt,
} from '../../source/source.ts'
import {
  mostCalls,
  type PlainCall,
  type PlainCalls,
  type PlainNames,
  type TestInTree,
} from './plain-call.ts'
import { testModules } from './rust-tests.ts'
import { expectedValues } from './twin-text.ts'
import { goCalls, rustCalls } from './typed-calls.ts'

interface ParsedLanguage {
  /** Files above a test that may say that it runs in other surroundings, and how they say so. */
  readonly settings: readonly string[]
  readonly surrounds: RegExp
  /** Names that need no import. */
  readonly builtIn: ReadonlySet<string>
  /** Writes a statement that imports a file of the project. */
  readonly writeImport: (statement: string, source: string, target: string) => string
  readonly write: (
    calls: readonly PlainCall[],
    mark: string,
    folder: string,
  ) => {
    readonly head: string
    readonly body: readonly string[]
  }
  readonly ending: string
  readonly argv: readonly string[]
}

const script: ParsedLanguage = {
  settings: [
    'package.json',
    ...['vitest', 'vite', 'jest'].flatMap((tool) =>
      ['ts', 'js', 'mts', 'mjs', 'cjs'].map((ending) => `${tool}.config.${ending}`),
    ),
  ],
  // A simulated browser, variables, files that load first.
  surrounds:
    /["'](?:jsdom|happy-dom|jest-environment-[\w-]+|@vitest\/browser)["']|"test[\w:]*"\s*:\s*"[^"]*(?:\b[A-Z_]+=|--(?:import|require)\b|\s-r\s)|setupFiles|globalSetup|\benv\s*:/,
  builtIn: new Set(['undefined', 'NaN', 'Infinity']),
  // Node.js resolves no extension, and the program is in another folder.
  writeImport: (statement, source, target) =>
    statement.replace(source, () => JSON.stringify(`./${target}`)),
  write: (calls, mark) => ({
    head: [
      "import { createRequire as zzCreate } from 'node:module'",
      "import zzAssert from 'node:assert'",
      "import { isDeepStrictEqual as zzEqual } from 'node:util'",
      'const require = zzCreate(import.meta.url)',
      'const zzWrite = process.stdout.write.bind(process.stdout)',
      'const zzSorted = (_, it) => it && typeof it === "object" && !Array.isArray(it) ? Object.fromEntries(Object.entries(it).sort()) : it',
      'const zzText = (it) => it && typeof it === "object" ? JSON.stringify(it, zzSorted) : it',
      'const zzLoose = (a, b) => { try { zzAssert.deepEqual(a, b); return true } catch { return false } }',
      'const zzSame = (a, b) => zzEqual(a, b) || zzText(a) == zzText(b) || zzLoose(a, b)',
    ].join('\n'),
    body: [
      ...calls.map(
        ([actual, expected], index) =>
          `try { if (!zzSame(await (${actual}), (${expected}))) zzWrite('${mark}:${index}\\n') } catch {}`,
      ),
      `zzWrite('${mark}:end\\n', () => process.exit(0))`,
    ],
  }),
  ending: '.mjs',
  // As runners of tests set it.
  argv: ['env', 'NODE_ENV=test', 'node'],
}

const python: ParsedLanguage = {
  settings: ['conftest.py', 'pytest.ini', 'pyproject.toml', 'setup.cfg', 'tox.ini'],
  surrounds: /autouse|environ|setlocale|pytest_configure|^env\s*=/m,
  builtIn: new Set(
    'list tuple set dict str int float bool len sorted round sum min max abs'.split(' '),
  ),
  writeImport: (statement) => statement,
  write: (calls, mark, folder) => ({
    head: `import sys\nsys.path[:0] = [${JSON.stringify(folder)}, ".", "src"]`,
    body: [
      ...calls.map(
        ([actual, expected], index) =>
          `try:\n    if not ((${actual}) == (${expected})): print("${mark}:${index}", flush=True)\nexcept BaseException: pass`,
      ),
      `print("${mark}:end", flush=True)\n__import__("os")._exit(0)`,
    ],
  }),
  ending: '.py',
  argv: ['python3'],
}

async function parsedCalls(test: TestInTree, [name, mark]: PlainNames): Promise<PlainCalls | null> {
  const { path, text, exists } = test
  const language = path.endsWith('.py') ? python : script
  if (await hasSurroundings(test, language)) return null
  const { tree, error } = await readSyntax(path, text)
  if (tree === null || error !== null) return null
  const scopes = new Map(placeNodes(tree).map(({ node, scope }) => [node, scope]))
  const targetOf = (specifier: string): string | null => {
    const target = resolveImport(path, specifier, exists)
    return target === null || isTestFile(target) ? null : target
  }
  const isOurs = (node: SyntaxNode): boolean => {
    const module = moduleOf(keyName(node), scopes.get(node))
    return module !== null && targetOf(module) !== null
  }
  const isPlain = (node: SyntaxNode): boolean => {
    if (/^TS|^This|Template|Regex/.test(node.type)) return false
    if (node.type === 'Identifier') {
      return language.builtIn.has(keyName(node)) || isOurs(node)
    }
    const isNamed = isMember(node) && Reflect.get(node, 'computed') !== true
    const key = isNamed ? nodeAt(node, 'property') : nodeAt(node, 'key')
    return childNodes(node).every((child) => child === key || isPlain(child))
  }
  const textOf = ({ start, end }: SyntaxNode) => text.slice(start, end)
  const calls = expectedValues(path, tree, text)
    .filter(([actual, expected]) => isPlain(actual) && isPlain(expected))
    .filter(([actual]) =>
      [...descendants(actual)].some((node) => isCall(node) && isOurs(rootOf(node))),
    )
    .map(([actual, expected]) => [textOf(actual), textOf(expected)] as const)
    // A path is relative to the folder in which the tests run.
    .filter(([actual]) => !/["'`][^"'`]*[/\\]/.test(actual))
    .slice(0, mostCalls)
  if (calls.length === 0) return null
  const imports = nodesAt(tree, 'body').flatMap((statement) =>
    sourcesIn(statement).flatMap((source) => {
      const target = targetOf(textAt(source, 'value') ?? '')
      return target === null ? [] : language.writeImport(textOf(statement), textOf(source), target)
    }),
  )
  const { head, body } = language.write(calls, mark, posix.dirname(path))
  const file = `${name}${language.ending}`
  return {
    ...{ path: file, calls, argv: [...language.argv, file] },
    text: `${[head, ...new Set(imports), ...body].join('\n')}\n`,
  }
}

/** The module that a name comes from: by an import, or by `const { name } = require(module)`. */
function moduleOf(name: string, scope: LexicalScope | undefined): string | null {
  const binding = scope === undefined ? null : lookUp(scope, name)
  if (binding?.kind === 'import') return binding.module
  if (binding?.kind !== 'value' || binding.isReassigned) return null
  return textAt(requiredBy(binding.init), 'value')
}

/** The argument of `require('./a')`. */
function requiredBy(node: SyntaxNode | null): SyntaxNode | null {
  const isRequire = node !== null && isCall(node) && keyName(nodeAt(node, 'callee')) === 'require'
  return isRequire ? (nodesAt(node, 'arguments')[0] ?? null) : null
}

/** The modules that a statement imports: their names, as written. */
function sourcesIn(statement: SyntaxNode): readonly SyntaxNode[] {
  if (textAt(statement, 'importKind') === 'type') return []
  const declared = nodesAt(statement, 'declarations')
  const found = [
    ...(/^Import/.test(statement.type)
      ? [...descendants(statement)].map((node) => nodeAt(node, 'source'))
      : []),
    ...declared.map((each) => requiredBy(nodeAt(each, 'init'))),
  ]
  return found.filter((each) => each !== null)
}

/** What a chain of calls and members starts with. */
function rootOf(node: SyntaxNode): SyntaxNode {
  const inner = nodeAt(node, 'callee') ?? nodeAt(node, 'object')
  return inner === null ? node : rootOf(inner)
}

/** True where a file above the test sets up what a program of its own has not. */
async function hasSurroundings(
  { path, read }: TestInTree,
  { settings, surrounds }: ParsedLanguage,
): Promise<boolean> {
  const folders = path.split('/').map((_, depth, all) => all.slice(0, depth).join('/'))
  const paths = folders.flatMap((each) => settings.map((name) => posix.join(each, name)))
  const texts = await Promise.all(paths.map(read))
  return texts.some((each) => each !== undefined && surrounds.test(each))
}

/** What a test sets up outside of the call decides what it returns, and a skipped test expects nothing. */
const sets =
  /mock|patch|stub|spy|fake|environ|fixture|freeze|travel|nock|override|settings|timers|SystemTime|Setenv|set_var|chdir|skip|xfail|\b(?:before|after)(?:Each|All)?\b|set_?up|process\.env|TestMain|GOOS|#\[ignore/i

/**
 * Writes the program for a test file: of calls whose arguments and expected values are written out. `null` where there is
 * none, where the file prepares something for them, and in languages other than JavaScript, TypeScript, Python, Go and
 * Rust.
 */
export async function writePlainCalls(
  test: TestInTree,
  names: PlainNames,
): Promise<PlainCalls | null> {
  const { path } = test
  const isPython = path.endsWith('.py')
  if (sets.test(maskText(preparing(test), isPython ? 'python' : 'script'))) return null
  if (path.endsWith('_test.go')) return goCalls(test, names)
  if (path.endsWith('.rs')) return rustCalls(test, names)
  return isPython || /\.[cm]?[jt]s$/.test(path) ? parsedCalls(test, names) : null
}

/** The text that could prepare something for the calls: beside unit tests of Rust stands the code that they test. */
function preparing({ path, text }: Pick<TestInTree, 'path' | 'text'>): string {
  const modules = path.endsWith('.rs') ? testModules(text) : []
  return modules.length === 0
    ? text
    : modules.map(([start, end]) => text.slice(start, end)).join('\n')
}
