/** The calls of a test, as a program that no test runner starts: nothing in it shows the code that it is tested. */
import { posix } from 'node:path'
import { importStatements } from '../../text/imports/import-statements.ts'
import { resolveImport } from '../../text/imports/imports.ts'
import { closingBracket, splitAtCommas } from '../../text/source/brackets.ts'
import { maskCurly } from '../../text/source/mask.ts'
import { isTestFile } from '../../text/source/test-files.ts'
import { readSyntax } from '../../text/syntax/read-syntax.ts'
import {
  childNodes,
  descendants,
  isCall,
  isMember,
  nodeAt,
  nodesAt,
  type SyntaxNode,
  textAt,
} from '../../text/syntax/syntax-node.ts'
import type { TestText } from './choose-tests.ts'
import { type ExpectedValue, valuesInPython, valuesInScript } from './twin-text.ts'

/** A program that makes calls and compares what they return. */
export interface PlainCalls {
  readonly path: string
  readonly text: string
  readonly argv: readonly string[]
  /** The calls as the test has them. It prints `<mark>:<index>` for one that returns another value, and `<mark>:end`. */
  readonly calls: readonly string[]
}

export interface PlainPlace {
  readonly exists: (path: string) => boolean
  readonly read: (path: string) => Promise<string | undefined>
}

type Names = readonly [name: string, mark: string]

/** More calls of one file are not made. */
const mostCalls = 20
/** What a test sets up outside of the call decides what it returns. */
const sets =
  /\b(?:mock|patch|stub|spy|fake|monkeypatch|environ|before(?:Each|All)?|set_?up\w*|fixture|chdir|process\.env)\b|setUp/i

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
  if (sets.test(text)) return null
  if (path.endsWith('.py')) return pythonCalls(path, text, place, names)
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
): readonly (readonly [actual: string, expected: string])[] => {
  const known = new Set([...imported, ...builtIn])
  const calls = values.flatMap(([actual, expected]) => {
    const isOfProject = [...descendants(actual)].some(
      (node) => isCall(node) && imported.has(rootOf(node)),
    )
    const isWritten = isOfProject && isPlain(actual, known) && isPlain(expected, known)
    return isWritten ? [[textOf(actual), textOf(expected)] as const] : []
  })
  return calls.slice(0, mostCalls)
}

/** The name that a chain of calls and members starts with. */
function rootOf(node: SyntaxNode): string {
  const inner = nodeAt(node, 'callee') ?? nodeAt(node, 'object')
  return inner === null ? (textAt(node, 'name') ?? '') : rootOf(inner)
}

async function scriptCalls(
  path: string,
  text: string,
  { exists }: PlainPlace,
  [name, mark]: Names,
): Promise<PlainCalls | null> {
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
  const values = valuesInScript(tree, text)
  const calls = chooseCalls(values, imported, ['undefined', 'NaN', 'Infinity'], textOf)
  if (calls.length === 0) return null
  const lines = [
    "import { createRequire as zzCreate } from 'node:module'",
    "import { writeSync as zzWrite } from 'node:fs'",
    ...imports.map(({ line }) => line),
    'const require = zzCreate(import.meta.url)',
    'const zzSorted = (_, it) => it && typeof it === "object" && !Array.isArray(it) ? Object.fromEntries(Object.entries(it).sort()) : it',
    'const zzText = (it) => it && typeof it === "object" ? JSON.stringify(it, zzSorted) : it',
    'const zzSame = (a, b) => zzText(a) == zzText(b) || (a !== a && b !== b)',
    ...calls.map(
      ([actual, expected], index) =>
        `try { if (!zzSame(await (${actual}), (${expected}))) zzWrite(1, '${mark}:${index}\\n') } catch {}`,
    ),
    `zzWrite(1, '${mark}:end\\n')`,
  ]
  return { path: `${name}.mjs`, ...program(lines, calls), argv: ['node', `${name}.mjs`] }
}

/** Of `a`, `{ a, b: c }`. */
function namesBoundBy(pattern: SyntaxNode | null): readonly string[] {
  if (pattern === null) return []
  const inner = nodesAt(pattern, 'properties').map((each) => nodeAt(each, 'value'))
  return inner.length > 0 ? inner.flatMap(namesBoundBy) : [textAt(pattern, 'name') ?? '']
}

const program = (
  lines: readonly string[],
  calls: readonly (readonly [actual: string, expected: string])[],
) => ({ text: `${lines.join('\n')}\n`, calls: calls.map(([actual]) => actual) })

const pythonBuiltIn = 'list tuple set dict str int float bool len sorted round sum min max abs'

async function pythonCalls(
  path: string,
  text: string,
  { exists }: PlainPlace,
  [name, mark]: Names,
): Promise<PlainCalls | null> {
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
    `print("${mark}:end", flush=True)`,
  ]
  return { path: `${name}.py`, ...program(lines, calls), argv: ['python3', `${name}.py`] }
}

const value = /^-?(?:\d[\d_]*(?:\.\d+)?\w*|"(?:[^"\\\n]|\\.)*"|true|false)$/
/** `Add(1, "a")`, `sum::add(1)`. */
const plainCall = /^((?:\w+(?:\.|::))*)(\w+)\(/

/** A call of a function with values that are written out, without what qualifies it. */
function callIn(written: string): string | null {
  const text = written.trim()
  const [opening, qualifier = ''] = plainCall.exec(text) ?? []
  if (opening === undefined) return null
  const isWhole = closingBracket(maskCurly(text, ''), opening.length - 1) === text.length - 1
  const given = splitAtCommas(text.slice(opening.length, -1)).map((each) => each.trim())
  return isWhole && given.every((each) => each === '' || value.test(each))
    ? text.slice(qualifier.length)
    : null
}

/** Pairs with a call, on whichever side it stands, and a value. */
const pairsOf = (sides: readonly (readonly string[])[]) =>
  sides
    .flatMap(([one = '', other = '']) =>
      [[one, other] as const, [other, one] as const].flatMap(([call, expected]) => {
        const actual = callIn(call)
        const isValue = value.test(expected.trim())
        return actual !== null && isValue ? [[actual, expected.trim()] as const] : []
      }),
    )
    .slice(0, mostCalls)

const goConditions =
  /\bif[ \t]+(?:(\w+)[ \t]*:=[ \t]*([^;{}\n]{1,200});[ \t]*\1|([^;{}\n=]{1,200}?))[ \t]*!=[ \t]*([^{}\n]{1,200}?)[ \t]*\{/g
const goAssertions = /\b(?:assert|require)\.Equal\(\s*t,([^\n]{1,300})\)[ \t]*$/gm

async function goCalls(
  path: string,
  text: string,
  { read }: PlainPlace,
  [name, mark]: Names,
): Promise<PlainCalls | null> {
  const module = /^module[ \t]+"?([^\s"]+)/m.exec((await read('go.mod')) ?? '')?.[1]
  const conditions = [...text.matchAll(goConditions)].map(([, , set, plain, expected]) => [
    ...[set ?? plain ?? '', expected ?? ''],
  ])
  const assertions = [...text.matchAll(goAssertions)].map(([, given = '']) => splitAtCommas(given))
  const calls = pairsOf([...conditions, ...assertions]).filter(([actual]) => /^[A-Z]/.test(actual))
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

const rustAssertions = /\bassert_eq!\(([^;]{1,300})\)\s*;/g

async function rustCalls(
  path: string,
  text: string,
  { read }: PlainPlace,
  [name, mark]: Names,
): Promise<PlainCalls | null> {
  const manifest = (await read('Cargo.toml')) ?? ''
  const section = (of: string) =>
    new RegExp(`^\\[${of}\\]\\s*\\n(?:(?!\\[)[^\\n]*\\n)*?name\\s*=\\s*"([\\w-]+)"`, 'm')
  const named = section('lib').exec(manifest)?.[1] ?? section('package').exec(manifest)?.[1]
  const calls = pairsOf(
    [...text.matchAll(rustAssertions)].map(([, all = '']) => splitAtCommas(all)),
  )
  if (named === undefined || calls.length === 0) return null
  const crate = named.replaceAll('-', '_')
  const own = /^src\/(.*?)(?:\/?(?:lib|mod))?\.rs$/.exec(path)?.[1]?.replaceAll('/', '::')
  const uses =
    own === undefined
      ? [...text.matchAll(/^use\s[^;]+;/gm)]
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
