/** The calls of a test, as a program that no test runner starts: nothing in it shows the code that it is tested. */
import { posix } from 'node:path'
import { importStatements } from '../../text/imports/import-statements.ts'
import { resolveImport } from '../../text/imports/imports.ts'
import { closingBracket, splitAtCommas } from '../../text/source/brackets.ts'
import { maskCurly, maskText } from '../../text/source/mask.ts'
import { isTestFile } from '../../text/source/test-files.ts'
import { readSyntax } from '../../text/syntax/read-syntax.ts'
import {
  childNodes,
  descendants,
  isCall,
  isFunction,
  isMember,
  nodeAt,
  nodesAt,
  type SyntaxNode,
  textAt,
} from '../../text/syntax/syntax-node.ts'
import type { TestText } from './choose-tests.ts'
import { type ExpectedValue, valuesInPython, valuesInScript } from './twin-text.ts'
import { leadingAssertions } from './typed-twins.ts'

/** A program that makes calls and compares what they return. */
export interface PlainCalls {
  readonly path: string
  readonly text: string
  readonly argv: readonly string[]
  /** It prints `<mark>:<index>` for a call that returns another value, and `<mark>:end`. */
  readonly calls: readonly PlainCall[]
}

/** As the test has them: `add(1, 2)`, `3`. */
export type PlainCall = readonly [actual: string, expected: string]

export interface PlainPlace {
  readonly exists: (path: string) => boolean
  readonly read: (path: string) => Promise<string | undefined>
}

type Names = readonly [name: string, mark: string]

/** More calls of one file are not made. */
const mostCalls = 20
/** What a test sets up outside of the call decides what it returns, and a skipped test expects nothing. */
const sets =
  /mock|patch|stub|spy|fake|environ|fixture|freeze|travel|nock|override|settings|timers|SystemTime|Setenv|set_var|chdir|skip|xfail|\b(?:before|after)(?:Each|All)?\b|set_?up|process\.env|TestMain|GOOS|\bcfg\((?!test\b)|#\[ignore/i

/**
 * Writes the program for a test file: of calls whose arguments and expected values are written out. `null` where there is
 * none, where the file prepares something for them, and in languages other than JavaScript, TypeScript, Python, Go and
 * Rust.
 *
 * @param names two unguessable words of letters
 */
export async function writePlainCalls(
  { path, text }: TestText,
  place: PlainPlace,
  names: Names,
): Promise<PlainCalls | null> {
  const isPython = path.endsWith('.py')
  if (sets.test(maskText(text, isPython ? 'python' : 'script'))) return null
  if (isPython) return pythonCalls(path, text, place, names)
  if (path.endsWith('_test.go')) return goCalls(path, text, place, names)
  if (path.endsWith('.rs')) return rustCalls(path, text, place, names)
  return /\.[cm]?[jt]s$/.test(path) ? scriptCalls(path, text, place, names) : null
}

/** True for an expression of these names and of values that are written out. */
function isPlain(node: SyntaxNode, known: ReadonlySet<string>): boolean {
  if (/^TS|^This|Template|Regex/.test(node.type)) return false
  if (node.type === 'Identifier') return known.has(textAt(node, 'name') ?? '')
  const isNamed = isMember(node) && Reflect.get(node, 'computed') !== true
  const key = isNamed ? nodeAt(node, 'property') : nodeAt(node, 'key')
  return childNodes(node).every((child) => child === key || isPlain(child, known))
}

const chooseCalls = (
  values: readonly ExpectedValue[],
  imported: ReadonlySet<string>,
  builtIn: readonly string[],
  textOf: (node: SyntaxNode) => string,
): readonly PlainCall[] => {
  const known = new Set([...imported, ...builtIn])
  const calls = values.flatMap(([actual, expected]) => {
    const isOfProject = [...descendants(actual)].some(
      (node) => isCall(node) && imported.has(rootOf(node)),
    )
    const isWritten = isOfProject && isPlain(actual, known) && isPlain(expected, known)
    // A path is relative to the folder in which the tests run.
    return isWritten && !/["'`][^"'`]*[/\\]/.test(textOf(actual))
      ? [[textOf(actual), textOf(expected)] as const]
      : []
  })
  return calls.slice(0, mostCalls)
}

/** Names of parameters and of variables in functions: a fixture, a local one of the same name. */
function boundInside(tree: SyntaxNode): readonly string[] {
  const functions = [...descendants(tree)].filter(isFunction)
  const patterns = functions.flatMap((fn) => [
    ...nodesAt(fn, 'params'),
    ...[...descendants(nodeAt(fn, 'body') ?? fn)].flatMap((node) =>
      /^(?:VariableDeclarator|AssignmentExpression|AssignmentStatement)$/.test(node.type)
        ? [
            ...[nodeAt(node, 'id') ?? nodeAt(node, 'left')].filter((each) => each !== null),
            ...nodesAt(node, 'targets'),
          ]
        : [],
    ),
  ])
  return patterns.flatMap((pattern) =>
    [...descendants(pattern)].flatMap((node) => textAt(node, 'name') ?? []),
  )
}

/** True where one of these files, in a folder above, matches. */
async function isAbove(
  path: string,
  names: readonly string[],
  found: RegExp,
  read: PlainPlace['read'],
): Promise<boolean> {
  const folders = path.split('/').map((_, depth, all) => all.slice(0, depth).join('/'))
  const paths = folders.flatMap((each) => names.map((name) => posix.join(each, name)))
  const texts = await Promise.all(paths.map(read))
  return texts.some((each) => each !== undefined && found.test(each))
}

/** The name that a chain of calls and members starts with. */
function rootOf(node: SyntaxNode): string {
  const inner = nodeAt(node, 'callee') ?? nodeAt(node, 'object')
  return inner === null ? (textAt(node, 'name') ?? '') : rootOf(inner)
}

/** A manifest whose tests run in another surrounding: a simulated browser, variables, files that load first. */
const surrounds =
  /"(?:jsdom|happy-dom|jest-environment-[\w-]+|@vitest\/browser)"|"test[\w:]*"\s*:\s*"[^"]*(?:\b[A-Z_]+=|--(?:import|require)\b|\s-r\s)|setupFiles|globalSetup/
const manifests = [
  'package.json',
  'vitest.config.ts',
  'vitest.config.js',
  'vite.config.ts',
  'jest.config.js',
]

async function scriptCalls(
  path: string,
  text: string,
  { exists, read }: PlainPlace,
  [name, mark]: Names,
): Promise<PlainCalls | null> {
  if (await isAbove(path, manifests, surrounds, read)) return null
  const { tree, error } = await readSyntax(path, text)
  if (tree === null || error !== null) return null
  const textOf = ({ start, end }: SyntaxNode) => text.slice(start, end)
  /** Replaces the specifier by the file, as Node.js resolves no extension and the program is in another folder. */
  const imports = nodesAt(nodeAt(tree, 'program') ?? tree, 'body').flatMap((statement) => {
    const [declared] = nodesAt(statement, 'declarations')
    const init = nodeAt(declared, 'init')
    const isRequired = init !== null && isCall(init) && rootOf(init) === 'require'
    const source = isRequired ? nodesAt(init, 'arguments')[0] : nodeAt(statement, 'source')
    const isImport = isRequired || statement.type === 'ImportDeclaration'
    if (!isImport || !source || textAt(statement, 'importKind') === 'type') return []
    const target = resolveImport(path, textAt(source, 'value') ?? '', exists)
    if (target === null || isTestFile(target)) return []
    const specifier = JSON.stringify(`./${target}`)
    const line = text.slice(statement.start, source.start) + specifier
    const names = [...nodesAt(statement, 'specifiers'), ...(declared ? [declared] : [])]
    const bound = names.flatMap((each) => namesBoundBy(nodeAt(each, 'local') ?? nodeAt(each, 'id')))
    return [{ line: line + text.slice(source.end, statement.end), bound }]
  })
  const imported = new Set(imports.flatMap(({ bound }) => bound))
  for (const name of boundInside(tree)) imported.delete(name)
  const values = valuesInScript(tree, text)
  const calls = chooseCalls(values, imported, ['undefined', 'NaN', 'Infinity'], textOf)
  if (calls.length === 0) return null
  const lines = [
    "import { createRequire as zzCreate } from 'node:module'",
    "import { writeSync as zzWrite } from 'node:fs'",
    "import zzAssert from 'node:assert'",
    "import { isDeepStrictEqual as zzEqual } from 'node:util'",
    'const require = zzCreate(import.meta.url)',
    ...imports.map(({ line }) => line),
    'const zzSorted = (_, it) => it && typeof it === "object" && !Array.isArray(it) ? Object.fromEntries(Object.entries(it).sort()) : it',
    'const zzText = (it) => it && typeof it === "object" ? JSON.stringify(it, zzSorted) : it',
    'const zzLoose = (a, b) => { try { zzAssert.deepEqual(a, b); return true } catch { return false } }',
    'const zzSame = (a, b) => zzEqual(a, b) || zzText(a) == zzText(b) || zzLoose(a, b)',
    ...calls.map(
      ([actual, expected], index) =>
        `try { if (!zzSame(await (${actual}), (${expected}))) zzWrite(1, '${mark}:${index}\\n') } catch {}`,
    ),
    `zzWrite(1, '${mark}:end\\n')`,
    'process.exit(0)',
  ]
  // As runners of tests set it.
  const argv = ['env', 'NODE_ENV=test', 'node', `${name}.mjs`]
  return { path: `${name}.mjs`, ...program(lines, calls), argv }
}

/** Of `a`, `{ a, b: c }`. */
function namesBoundBy(pattern: SyntaxNode | null): readonly string[] {
  if (pattern === null) return []
  const inner = nodesAt(pattern, 'properties').map((each) => nodeAt(each, 'value'))
  return inner.length > 0 ? inner.flatMap(namesBoundBy) : [textAt(pattern, 'name') ?? '']
}

const program = (lines: readonly string[], calls: readonly PlainCall[]) => ({
  ...{ text: `${lines.join('\n')}\n`, calls },
})

const pythonBuiltIn = 'list tuple set dict str int float bool len sorted round sum min max abs'

async function pythonCalls(
  path: string,
  text: string,
  { exists, read }: PlainPlace,
  [name, mark]: Names,
): Promise<PlainCalls | null> {
  if (await isAbove(path, ['conftest.py'], /autouse|environ|setlocale|pytest_configure/, read))
    return null
  const { tree, error } = await readSyntax(path, text)
  if (tree === null || error !== null) return null
  const written = text.split('\n')
  const imports = importStatements(path, text).flatMap(({ specifier, names, whole, line }) => {
    const isOutside = /^\S/.test(written[line - 1] ?? '') && !specifier.startsWith('.')
    if (!isOutside || resolveImport(path, specifier, exists) === null) return []
    if (names.length > 0)
      return [{ line: `from ${specifier} import ${names.join(', ')}`, bound: names }]
    const isAlias = whole !== undefined && whole !== specifier
    const bound = whole?.split('.').slice(0, 1) ?? []
    return [{ line: `import ${specifier}${isAlias ? ` as ${whole}` : ''}`, bound }]
  })
  const imported = new Set(imports.flatMap(({ bound }) => bound))
  for (const name of boundInside(tree)) imported.delete(name)
  const textOf = ({ start, end }: SyntaxNode) => text.slice(start, end)
  const values = valuesInPython(tree, text)
  const calls = chooseCalls(values, imported, pythonBuiltIn.split(' '), textOf)
  if (calls.length === 0) return null
  const lines = [
    `import sys\nsys.path[:0] = [${JSON.stringify(posix.dirname(path))}, ".", "src"]`,
    ...imports.map(({ line }) => line),
    ...calls.map(
      ([actual, expected], index) =>
        `try:\n    if not ((${actual}) == (${expected})): print("${mark}:${index}", flush=True)\nexcept BaseException: pass`,
    ),
    `print("${mark}:end", flush=True)\n__import__("os")._exit(0)`,
  ]
  return { path: `${name}.py`, ...program(lines, calls), argv: ['python3', `${name}.py`] }
}

const value = /^-?(?:\d[\d_]*(?:\.\d+)?\w*|"(?:[^"\\\n/]|\\.)*"|true|false)$/
const longestAssertion = 300

/** A call of a function with values that are written out, without one of these names before it. */
function callIn(written: string, owners: readonly string[]): string | null {
  const text = written.trim()
  const [opening, qualifier = ''] = /^((?:\w{1,80}(?:\.|::)){0,5})\w{1,80}\(/.exec(text) ?? []
  if (opening === undefined || (qualifier !== '' && !owners.includes(qualifier))) return null
  const isWhole = closingBracket(maskCurly(text, ''), opening.length - 1) === text.length - 1
  const given = splitAtCommas(text.slice(opening.length, -1)).map((each) => each.trim())
  return isWhole && given.every((each) => each === '' || value.test(each))
    ? text.slice(qualifier.length)
    : null
}

/** A call and a value, on whichever side they stand, of the assertions that a test begins with. */
function pairsIn(
  path: string,
  text: string,
  owners: readonly string[],
  sidesOf: (assertion: string) => readonly string[],
): readonly PlainCall[] {
  const assertions = leadingAssertions(path, text).filter(
    ({ length }) => length <= longestAssertion,
  )
  const pairs = assertions.flatMap((assertion) => {
    const [one = '', other = ''] = sidesOf(assertion)
    return [[one, other] as const, [other, one] as const].flatMap(([call, expected]) => {
      const actual = callIn(call, owners)
      const isValue = value.test(expected.trim())
      return actual !== null && isValue ? [[actual, expected.trim()] as const] : []
    })
  })
  return pairs.slice(0, mostCalls)
}

/** Of `if got := Add(1); got != 3 {`, `if Add(1) != 3 {`, `assert.Equal(t, 3, Add(1))`. */
function sidesInGo(assertion: string): readonly string[] {
  const called = /^(?:assert|require)\.Equal\(t,(.*)\)$/s.exec(assertion.trim())?.[1]
  if (called !== undefined) return splitAtCommas(called)
  const head = /^if ([^{}\n]*)\{/.exec(assertion)?.[1] ?? ''
  const [, name, set] = /^(\w+) := ([^;]*);/.exec(head) ?? []
  const [left = '', right = '', ...more] = head.slice(head.indexOf(';') + 1).split('!=')
  if (more.length > 0 || (name !== undefined && left.trim() !== name)) return []
  return [set ?? left, right]
}

async function goCalls(
  path: string,
  text: string,
  { read }: PlainPlace,
  [name, mark]: Names,
): Promise<PlainCalls | null> {
  const module = /^module[ \t]+"?([^\s"]+)/m.exec((await read('go.mod')) ?? '')?.[1]
  const own = /^package[ \t]+(\w+?)(?:_test)?[ \t]*$/m.exec(text)?.[1] ?? ''
  const calls = pairsIn(path, text, [`${own}.`], sidesInGo).filter(([call]) => /^[A-Z]/.test(call))
  if (module === undefined || calls.length === 0) return null
  const lines = [
    `package main\n\nimport (\n\t"os"\n\n\tzz ${JSON.stringify(posix.join(module, posix.dirname(path)))}\n)\n`,
    'func main() {',
    ...calls.map(
      ([actual, expected], index) =>
        `\tfunc() {\n\t\tdefer func() { recover() }()\n\t\tif zz.${actual} != ${expected} {\n\t\t\tos.Stdout.WriteString("${mark}:${index}\\n")\n\t\t}\n\t}()`,
    ),
    `\tos.Stdout.WriteString("${mark}:end\\n")\n}`,
  ]
  const folder = `zz${name}`
  return {
    ...{ path: `${folder}/main.go`, ...program(lines, calls), argv: ['go', 'run', `./${folder}`] },
  }
}

const sidesInRust = (assertion: string): readonly string[] =>
  splitAtCommas(/^assert_eq!\((.*)\);?$/s.exec(assertion.trim())?.[1] ?? '')

/** The name of the library that a manifest describes. */
function crateOf(manifest: string): string | undefined {
  const sections = manifest.split(/^(?=\[)/m)
  const nameIn = (section: string) =>
    /^name[ \t]{0,8}=[ \t]{0,8}"([\w-]+)"/m.exec(
      sections.find((each) => each.startsWith(`[${section}]`)) ?? '',
    )?.[1]
  return nameIn('lib') ?? nameIn('package')
}

async function rustCalls(
  path: string,
  text: string,
  { read }: PlainPlace,
  [name, mark]: Names,
): Promise<PlainCalls | null> {
  const named = crateOf((await read('Cargo.toml')) ?? '')
  const calls = pairsIn(path, text, ['super::', 'crate::'], sidesInRust)
  if (named === undefined || calls.length === 0) return null
  const crate = named.replaceAll('-', '_')
  const own = /^src\/(.*?)(?:\/?(?:lib|mod))?\.rs$/.exec(path)?.[1]?.replaceAll('/', '::')
  const uses =
    own === undefined
      ? [...text.matchAll(/^use [^;\n]{1,200};$/gm)]
          .map(([line]) => line)
          .filter((each) => each.includes(crate))
      : [`use ${[crate, ...(own === '' ? [] : [own])].join('::')}::*;`]
  const lines = [
    '#![allow(unused_imports)]\nuse std::io::Write as ZzWrite;',
    ...uses,
    'fn zz(text: &str) {\n    let _ = std::io::stdout().write_all(text.as_bytes());\n}\n',
    'fn main() {',
    ...calls.map(
      ([actual, expected], index) =>
        `    let _ = std::panic::catch_unwind(|| {\n        if ${actual} != ${expected} {\n            zz("${mark}:${index}\\n");\n        }\n    });`,
    ),
    `    zz("${mark}:end\\n");\n}`,
  ]
  const argv = ['cargo', 'run', '--quiet', '--offline', '--example', `zz_${name}`]
  return { path: `examples/zz_${name}.rs`, ...program(lines, calls), argv }
}
