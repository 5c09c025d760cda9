import { nodeAt } from '../../text/syntax/syntax-node.ts'
import { changedFunctions } from './changed-functions.ts'

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
  const isPython = path.endsWith('.py')
  const functions = (await changedFunctions(path, text, lines)) ?? []
  const bodies = functions
    .filter(({ type }) => !(isPython && type === 'ArrowFunctionExpression'))
    .flatMap((node) => nodeAt(node, 'body') ?? [])
    .map(({ start, end }) => ({ start, end: start + text.slice(start, end).trimEnd().length }))
  const throws = isPython ? ': raise RuntimeError()' : '{ throw new Error() }'
  const thrown = bodies
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (changed, { start, end }) => changed.slice(0, start) + throws + changed.slice(end),
      text,
    )
  return bodies.length === 0 ? null : thrown
}
