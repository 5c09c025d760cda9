import { maskText } from '../../../text/source/mask.ts'
import { assertionsTooDeep, scriptReadings } from '../../validate/parse-script.ts'
import type { Finding, FindNested } from '../finding.ts'
import { findInCode } from './find-in-code.ts'
import { findInScript } from './find-in-script.ts'

/** Destructive calls of a script; one that no parser accepts is read by its tokens. */
export async function findInScriptText(
  path: string,
  text: string,
  look: FindNested,
): Promise<readonly Finding[]> {
  const { parse } = await import('@babel/parser')
  const typed = !/\.[mc]?jsx?$/i.test(path) || text.includes('@flow')
  const isTooDeep = typed && assertionsTooDeep(maskText(text, 'script'))
  for (const options of isTooDeep ? [] : scriptReadings(path, text)) {
    try {
      return findInScript(parse(text, options).program, text, look)
    } catch (error) {
      // A mistake in the text, or nesting beyond the parser's stack: the next reading, then tokens.
      if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error
    }
  }
  return findInCode('javascript', text, look)
}
