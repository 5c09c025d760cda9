import {
  descendants,
  endOfText,
  maskText,
  nameOpenBracket,
  positionAt,
  readSyntax,
  type SyntaxLanguage,
  type SyntaxNode,
  type SyntaxProblem,
  TOO_DEEP,
  textAt,
} from '../../source/source.ts'
import type { JudgePorts } from '../judging.ts'
import { parseCss, parseDockerfile, parseHtml, parseToml, parseYaml } from './parse-formats.ts'
import { parseInChild } from './parse-in-child.ts'
import { checkJson } from './parse-json.ts'
import { checkSql, isCertainSql } from './parse-sql.ts'
import { readings } from './readings.ts'

/**
 * A parser's verdict on a text. `sure`: it rejects only faulty texts. `doubtful`: it also rejects
 * real files, so it counts only against a change to a text that it could read. `never`: it makes no
 * file invalid.
 */
interface SyntaxReading {
  readonly trust: 'sure' | 'doubtful' | 'never'
  readonly problems: readonly SyntaxProblem[]
}

type Found = readonly SyntaxProblem[] | 'not checked'
type Checker = JudgePorts['syntax']

interface Parser {
  readonly trust: SyntaxReading['trust'] | ((text: string) => SyntaxReading['trust'])
  readonly parse: (text: string, syntax: Checker, path: string) => Found | Promise<Found>
}

const sure = (parse: Parser['parse']): Parser => ({ trust: 'sure', parse })
const child = (language: SyntaxLanguage): Parser =>
  sure((text, syntax) => parseInChild(language, text, syntax))
const doubtful = (language: SyntaxLanguage): Parser => ({
  trust: 'doubtful',
  parse: (text, syntax) => parseInReadings(language, text, syntax),
})

const script = sure((text, _syntax, path) => checkScript(path, text))

const parsers: Readonly<Record<string, Parser>> = {
  javascript: script,
  jsx: script,
  typescript: script,
  tsx: script,
  json: sure((text) => checkJson(text, false)),
  jsonc: sure((text) => checkJson(text, true)),
  yaml: sure(parseYaml),
  toml: sure(parseToml),
  css: sure(parseCss),
  dockerfile: sure(parseDockerfile),
  html: { trust: 'never', parse: parseHtml },
  python: child('python'),
  java: child('java'),
  ruby: child('ruby'),
  shell: child('shell'),
  go: child('go'),
  php: child('php'),
  rust: { ...doubtful('rust'), trust: 'sure' },
  sql: { trust: (text) => (isCertainSql(text) ? 'sure' : 'doubtful'), parse: checkSql },
  c: { trust: 'doubtful', parse: parseC },
  cpp: doubtful('cpp'),
  csharp: doubtful('csharp'),
  kotlin: doubtful('kotlin'),
  swift: doubtful('swift'),
}

export const isParsed = (language: string): boolean => Object.hasOwn(parsers, language)

/** Reads a text, without its byte order mark, by its language; `not checked` without a parser. */
export async function checkText(
  file: { readonly path: string; readonly text: string; readonly language: string },
  syntax: Checker,
): Promise<SyntaxReading | 'not checked'> {
  const { path, text, language } = file
  const parser = Object.hasOwn(parsers, language) ? parsers[language] : undefined
  const problems = await (parser?.parse(text, syntax, path) ?? 'not checked')
  if (parser === undefined || problems === 'not checked') return 'not checked'
  const { trust } = parser
  return { trust: typeof trust === 'string' ? trust : trust(text), problems }
}

/** A header may be C or C++; Objective-C has no grammar here. */
async function parseC(text: string, syntax: Checker, path: string): Promise<Found> {
  if (/^[ \t]*(?:@(?:interface|protocol|class|import|end)\b|#[ \t]*import\b)/m.test(text))
    return 'not checked'
  const asC = await parseInReadings('c', text, syntax)
  if (asC.length === 0 || asC === 'not checked' || !/\.h$/i.test(path)) return asC
  const asCpp = await parseInReadings('cpp', text, syntax)
  return asCpp.length === 0 ? asCpp : asC
}

/**
 * Tries every reading. If each has problems, returns those of the unchanged text; for Rust, where
 * each reading is sound, those that are left.
 */
async function parseInReadings(
  language: SyntaxLanguage,
  text: string,
  syntax: Checker,
): Promise<Found> {
  let first: Found = []
  for (const reading of readings(language, text)) {
    const problems = await parseInChild(language, reading, syntax)
    if (problems === 'not checked' || problems.length === 0) return problems
    if (first.length === 0 || language === 'rust') first = problems
  }
  return first
}

export async function checkScript(path: string, text: string): Promise<readonly SyntaxProblem[]> {
  const { tree, error } = await readSyntax(path, text)
  if (error !== null) return explain(error, text)
  const problem = tree && findBadPattern(text, tree)
  return problem === null ? [] : [problem]
}

function explain(error: unknown, text: string): readonly SyntaxProblem[] {
  if (error instanceof RangeError) return [TOO_DEEP]
  if (!isParseError(error)) throw error
  const atEnd = error.loc.index >= text.trimEnd().length
  const place = atEnd ? endOfText(text) : { line: error.loc.line, column: error.loc.column + 1 }
  const wording = error.message
    .replace(/\.? \(\d+:\d+\)$/, '.')
    .replace(/^This experimental syntax requires.*: /, 'This syntax is not part of the language: ')
  const message = atEnd ? 'Unexpected end of file.' : wording
  return nameOpenBracket({ message, ...place }, maskText(text, 'script'))
}

const isParseError = (
  error: unknown,
): error is SyntaxError & { loc: { line: number; column: number; index: number } } =>
  error instanceof SyntaxError && 'loc' in error

/**
 * Finds the first pattern literal of a parsed script that no engine compiles: the whole file fails
 * to load, but the parser leaves this to the engine. `null` when all compile. Visits only nodes
 * with a slash in them: visiting every node takes half as long as parsing.
 */
function findBadPattern(text: string, tree: SyntaxNode): SyntaxProblem | null {
  const slashes = Array.from(text.matchAll(/\/(?![/*])/g), ({ index }) => index)
  for (const node of descendants(tree, (each) => holdsOne(slashes, each))) {
    const message = node.type === 'RegExpLiteral' ? whyBad(node) : null
    if (message !== null) return { message, ...positionAt(text, node.start) }
  }
  return null
}

/** Returns true when one of the sorted places is in the node. */
function holdsOne(places: readonly number[], { start, end }: SyntaxNode): boolean {
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((places[middle] ?? 0) < start) low = middle + 1
    else high = middle
  }
  return (places[low] ?? end) < end
}

/** Limits of the engine, which say nothing about the pattern. */
const ownLimit = /too large|too many|stack/i

function whyBad(literal: SyntaxNode): string | null {
  const pattern = textAt(literal, 'pattern') ?? ''
  try {
    new RegExp(pattern, textAt(literal, 'flags') ?? '')
    return null
  } catch (error) {
    if (!(error instanceof SyntaxError) || ownLimit.test(error.message)) return null
    return mayBeNewer(pattern) ? null : `${error.message}.`
  }
}

/** Syntax that the oldest supported Node does not know: `(?i:a)`, and two groups of one name. */
function mayBeNewer(pattern: string): boolean {
  const names = Array.from(pattern.matchAll(/\(\?<(\w+)>/g), ([, name]) => name)
  return /\(\?[a-z-]+:/.test(pattern) || new Set(names).size < names.length
}
