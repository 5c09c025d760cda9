import { loadModule, parse, SqlError } from 'libpg-query'
import type { SyntaxProblem } from '../../core/ports/syntax-checker.ts'
import { placeOfCharacter } from './positions.ts'

await loadModule()

/** Problems of PostgreSQL's SQL, by PostgreSQL's own parser: the first one. */
export async function parseSql(text: string): Promise<readonly SyntaxProblem[]> {
  if (text.trim() === '') return []
  try {
    await parse(text)
    return []
  } catch (error) {
    if (!(error instanceof SqlError)) throw error
    const { cursorPosition = 0 } = error.sqlDetails ?? {}
    return [{ message: error.message, ...placeOfCharacter(text, cursorPosition) }]
  }
}
