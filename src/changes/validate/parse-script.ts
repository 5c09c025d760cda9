import type { SyntaxProblem } from '../../core/ports/syntax-checker.ts'
import { nameOpenBracket } from '../../text/source/brackets.ts'
import { maskText } from '../../text/source/mask.ts'
import { endOfText, TOO_DEEP } from '../../text/source/positions.ts'
import { readSyntax } from '../../text/syntax/read-syntax.ts'
import { findBadPattern } from './check-patterns.ts'

/** Problems of JavaScript, TypeScript, JSX or TSX. */
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
