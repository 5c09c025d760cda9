import { loadPrism } from '@ruby/prism'
import type { SyntaxProblem } from '../../ports.ts'
import { placeOfByte } from './positions.ts'

const parse = await loadPrism()

/** Problems of Ruby, by the parser that Ruby itself uses. */
export function parseRuby(text: string): readonly SyntaxProblem[] {
  return parse(text).errors.map(({ message, location }) => {
    return { message, ...placeOfByte(text, location.startOffset) }
  })
}
