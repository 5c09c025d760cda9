import { lineCounter } from '../../text/source/positions.ts'
import { readSyntax } from '../../text/syntax/read-syntax.ts'
import { descendants, isFunction, nodeAt } from '../../text/syntax/syntax-node.ts'

const python = /\.py$/

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
  const { tree, error } = await readSyntax(path, text)
  const isPython = python.test(path)
  if (tree === null || (isPython && error !== null)) return null
  const lineAt = lineCounter(text)
  const bodies = [...descendants(tree)]
    .filter((node) => isFunction(node) && !(isPython && node.type === 'ArrowFunctionExpression'))
    .flatMap((node) => nodeAt(node, 'body') ?? [])
    .map(({ start, end }) => ({ start, end: start + text.slice(start, end).trimEnd().length }))
    .filter(({ start, end }) => {
      const [first, last] = [lineAt(start), lineAt(end - 1)]
      return lines === null || [...lines].some((line) => line >= first && line <= last)
    })
  const throws = isPython ? ': raise RuntimeError()' : '{ throw new Error() }'
  let [thrown, at] = ['', 0]
  for (const { start, end } of bodies.sort((a, b) => a.start - b.start)) {
    // Skips functions nested in another one.
    if (start < at) continue
    thrown += text.slice(at, start) + throws
    at = end
  }
  return bodies.length === 0 ? null : thrown + text.slice(at)
}
