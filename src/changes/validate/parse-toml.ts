import type { SyntaxProblem } from '../../core/ports/syntax-checker.ts'

/** Problems of TOML: the first one, where the parser stopped. */
export async function parseToml(text: string): Promise<readonly SyntaxProblem[]> {
  const { parse, TomlError } = await import('smol-toml')
  try {
    parse(text)
    return []
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const [first = ''] = error.message.split('\n', 1)
    const message = first.replace(/^Invalid TOML document: /, '')
    return [{ message, line: error.line, column: error.column }]
  }
}
