import type { SyntaxProblem } from '../../core/ports/syntax-checker.ts'

/** Problems of a style sheet: the first one, where the parser stopped. */
export async function parseCss(text: string): Promise<readonly SyntaxProblem[]> {
  const { parse, CssSyntaxError } = await import('postcss')
  try {
    parse(text)
    return []
  } catch (error) {
    if (!(error instanceof CssSyntaxError)) throw error
    return [{ message: `${error.reason}.`, line: error.line ?? 1, column: error.column ?? 1 }]
  }
}
