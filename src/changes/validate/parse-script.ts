import type { ParserOptions } from '@babel/parser'
import type { SyntaxProblem } from '../../core/ports/syntax-checker.ts'
import { nameOpenBracket } from '../../text/source/brackets.ts'
import { maskText } from '../../text/source/mask.ts'
import { endOfText, TOO_DEEP } from '../../text/source/positions.ts'
import { findBadPattern } from './check-patterns.ts'

type SourceType = 'module' | 'commonjs'

/** Type assertions inside each other beyond this make the parser's time explode (× 2 for each). */
const MAX_NESTED_ASSERTIONS = 12

/**
 * Problems of JavaScript, TypeScript, JSX or TSX, by the path's extension. Every reading a tool could
 * rightly choose is tried (module or CommonJS, old or new decorators); the first that parses will do.
 */
export async function checkScript(path: string, text: string): Promise<readonly SyntaxProblem[]> {
  const typed = !/\.[mc]?jsx?$/i.test(path) || text.includes('@flow')
  if (typed && assertionsTooDeep(maskText(text, 'script'))) return [TOO_DEEP]
  const { parse } = await import('@babel/parser')
  let first: unknown
  for (const options of scriptReadings(path, text)) {
    try {
      const file = parse(text, options)
      const error = file.errors?.find(({ reasonCode }) => reasonCode !== 'VarRedeclaration')
      if (error) throw error
      const problem = findBadPattern(text, file)
      return problem === null ? [] : [problem]
    } catch (error) {
      first ??= error
    }
  }
  return explain(first, text)
}

/** Every reading a tool could rightly choose, the likelier ones first. */
export function scriptReadings(path: string, text: string): ParserOptions[] {
  const decorators = text.includes('@')
    ? (['decorators', 'decorators-legacy'] as const)
    : (['decorators'] as const)
  return sourceTypes(path, text).flatMap((sourceType) =>
    decorators.map((decorator) => ({
      sourceType,
      attachComment: false,
      // Declarations may be given in parts that the parser takes for two of one name.
      errorRecovery: isDeclarations(path),
      // What a declaration file exports may be declared elsewhere; in JavaScript it is an error.
      allowUndeclaredExports: /\.[mc]?tsx?$/i.test(path),
      plugins: [
        ...dialect(path, text),
        decorator,
        'decoratorAutoAccessors',
        'deferredImportEvaluation',
        'sourcePhaseImports',
      ],
    })),
  )
}

/** The likelier one first: its error is the one that is told. */
function sourceTypes(path: string, text: string): readonly SourceType[] {
  if (/\.m[jt]s$/i.test(path)) return ['module']
  if (/\.cjs$/i.test(path)) return ['commonjs']
  return /^[ \t]*(import|export)\b/m.test(text) ? ['module', 'commonjs'] : ['commonjs', 'module']
}

function dialect(path: string, text: string): NonNullable<ParserOptions['plugins']> {
  if (isDeclarations(path)) return [['typescript', { dts: true }]]
  if (/\.[mc]?ts$/i.test(path)) return ['typescript']
  if (/\.tsx$/i.test(path)) return ['typescript', 'jsx']
  return /^(\s*\/[/*][\s\S]{0,2000}?)?@flow\b/.test(text)
    ? [['flow', { all: true }], 'jsx']
    : ['jsx']
}

function isDeclarations(path: string): boolean {
  return /\.d(\.[^./]+)?\.[mc]?ts$/i.test(path)
}

function explain(error: unknown, text: string): readonly SyntaxProblem[] {
  if (error instanceof RangeError) return [TOO_DEEP]
  if (!isParseError(error)) throw error
  const atEnd = error.loc.index >= text.trimEnd().length
  const place = atEnd ? endOfText(text) : { line: error.loc.line, column: error.loc.column + 1 }
  const said = error.message
    .replace(/\.? \(\d+:\d+\)$/, '.')
    .replace(/^This experimental syntax requires.*: /, 'This syntax is not part of the language: ')
  const message = atEnd ? 'Unexpected end of file.' : said
  return nameOpenBracket({ message, ...place }, maskText(text, 'script'))
}

function isParseError(
  error: unknown,
): error is SyntaxError & { loc: { line: number; column: number; index: number } } {
  return error instanceof SyntaxError && 'loc' in error
}

/** Counts `<T>` in the place of an expression, each inside what the one before left open. */
export function assertionsTooDeep(masked: string): boolean {
  const open: number[] = []
  let depth = 0
  const marks = /[()[\]{};,\n]|(?<![\w$)\]>.\s])\s{0,20}<[\w$.[\]\s,|&]{1,80}>/g
  for (const [mark] of masked.matchAll(marks)) {
    if ('([{'.includes(mark)) depth += 1
    else if (mark.endsWith('>')) open.push(depth)
    else {
      if (')]}'.includes(mark)) depth -= 1
      const least = ')]}'.includes(mark) ? depth + 1 : depth
      while ((open.at(-1) ?? Number.NEGATIVE_INFINITY) >= least) open.pop()
    }
    if (open.length > MAX_NESTED_ASSERTIONS) return true
  }
  return false
}
