import { nodeAt, type SyntaxNode } from '../../text/syntax/syntax-node.ts'
import { changedFunctions } from './changed-functions.ts'
import { type RangeEdit, replaceRanges } from './range-edits.ts'

/**
 * Replaces the bodies of functions with a throw: of those that contain one of these lines, or of
 * all. Returns `null` for a text without functions, that does not parse, or in another language.
 *
 * @param lines 1-based; `null` selects all
 */
export async function withThrowingBodies(
  path: string,
  text: string,
  lines: ReadonlySet<number> | null,
): Promise<string | null> {
  const functions = (await changedFunctions(path, text, lines)) ?? []
  const edits = functions.flatMap((fn) => bodyThat('throws', fn, path, text))
  return edits.length === 0 ? null : replaceRanges(text, edits)
}

/** Replaces a function's body with one that does nothing else; nothing for an expression of Python. */
export function bodyThat(
  what: 'throws' | 'returns',
  fn: SyntaxNode,
  path: string,
  text: string,
): readonly RangeEdit[] {
  const isPython = path.endsWith('.py')
  const body = nodeAt(fn, 'body')
  if (body === null || (isPython && fn.type === 'ArrowFunctionExpression')) return []
  const end = body.start + text.slice(body.start, body.end).trimEnd().length
  const [python, script] = {
    throws: [': raise RuntimeError()', '{ throw new Error() }'] as const,
    returns: [': return', '{}'] as const,
  }[what]
  return [{ start: body.start, end, text: isPython ? python : script }]
}
