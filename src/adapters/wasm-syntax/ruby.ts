import { loadPrism } from '@ruby/prism'
import type { SyntaxProblem } from '../../core/ports/syntax-checker.ts'
import { placeOfByte } from './positions.ts'

/** One mistake has many consequences. */
const MOST_PROBLEMS = 10

const parse = await loadPrism()

/** Problems of Ruby, by the parser that Ruby itself uses. */
export function parseRuby(text: string): readonly SyntaxProblem[] {
  const errors = parse(text).errors.slice(0, MOST_PROBLEMS)
  return errors.map(({ message, location }) => {
    return { message, ...placeOfByte(text, location.startOffset) }
  })
}
