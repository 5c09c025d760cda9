import {
  descendants,
  isFunction,
  lineCounter,
  nodeAt,
  readSyntax,
  type SyntaxNode,
  textAt,
} from '../../source/source.ts'
import { type RangeEdit, replaceRanges } from './altered-value.ts'
import { withZeroResults } from './typed-results.ts'

/**
 * Replaces the bodies of functions with a throw, or with a return of nothing: of those that contain one of these lines,
 * or of all. Returns `null` for a text without functions, that does not parse, or in another language.
 *
 * @param lines 1-based; `null` selects all
 */
const withBodiesThat =
  (what: BodyEnd) =>
  async (path: string, text: string, lines: ReadonlySet<number> | null): Promise<string | null> => {
    const functions = (await changedFunctions(path, text, lines)) ?? []
    const edits = functions.flatMap((fn) =>
      what === 'returns' && isConstructor(fn) ? [] : bodyThat(what, fn, path, text),
    )
    if (edits.length > 0) return replaceRanges(text, edits)
    return what === 'returns' ? withZeroResults(path, text, lines) : null
  }

export const withThrowingBodies = withBodiesThat('throws')
export const withEmptyBodies = withBodiesThat('returns')

type BodyEnd = 'throws' | 'returns'

/** Replaces a function's body with one that does nothing else; nothing for an expression of Python. */
export function bodyThat(
  what: BodyEnd,
  fn: SyntaxNode,
  path: string,
  text: string,
): readonly RangeEdit[] {
  const isPython = path.endsWith('.py')
  const body = nodeAt(fn, 'body')
  if (body === null || (isPython && fn.type === 'ArrowFunctionExpression')) return []
  if (body.type !== 'BlockStatement' && !isPython) {
    const value = what === 'throws' ? '(() => { throw new Error() })()' : 'void 0'
    return [{ start: body.start, end: body.end, text: value }]
  }
  const end = body.start + text.slice(body.start, body.end).trimEnd().length
  const [python, script] = {
    throws: [': raise RuntimeError()', '{ throw new Error() }'] as const,
    returns: [': return', '{}'] as const,
  }[what]
  return [{ start: body.start, end, text: isPython ? python : script }]
}

/**
 * The outermost functions of a text that contain one of these lines. `null` for a text that does not parse, or in a
 * language other than JavaScript, TypeScript and Python.
 *
 * @param lines 1-based; `null` selects all
 */
export async function changedFunctions(
  path: string,
  text: string,
  lines: ReadonlySet<number> | null,
): Promise<readonly SyntaxNode[] | null> {
  const { tree, error } = await readSyntax(path, text)
  if (tree === null || (path.endsWith('.py') && error !== null)) return null
  const lineAt = lineCounter(text)
  const isChanged = ({ start, end }: SyntaxNode): boolean => {
    const [first, last] = [lineAt(start), lineAt(end - 1)]
    return lines === null || [...lines].some((line) => line >= first && line <= last)
  }
  const outside = [...descendants(tree, (node) => !isFunction(node))]
  return outside.filter((node) => isFunction(node) && isChanged(node))
}

export const isConstructor = (fn: SyntaxNode): boolean =>
  textAt(fn, 'kind') === 'constructor' || textAt(nodeAt(fn, 'id'), 'name') === '__init__'
