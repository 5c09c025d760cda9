import { readSyntax } from '../../text/syntax/read-syntax.ts'
import { descendants, isFunction, nodeAt } from '../../text/syntax/syntax-node.ts'

/** Where a function's body stands. */
interface Body {
  readonly start: number
  readonly end: number
}

/**
 * The text with the bodies of its functions replaced by a throw: of those that have one of these lines in them,
 * or of all. `null` for a text without any, that does not parse, or of another language.
 *
 * @param lines 1-based; `null` is all of them
 */
export async function withThrowingBodies(
  path: string,
  text: string,
  lines: ReadonlySet<number> | null,
): Promise<string | null> {
  const found = await bodiesIn(path, text)
  const starts = [...text.matchAll(/^/gm)].map(({ index }) => index)
  const has = ({ start, end }: Body): boolean =>
    lines === null ||
    [...lines].some((line) => {
      const [from = 0, to = text.length] = [starts[line - 1], starts[line]]
      return from < end && to > start
    })
  const wanted = outermost(found.filter(has))
  if (wanted.length === 0) return null
  let thrown = text
  const throws = python.test(path) ? ': raise RuntimeError()' : '{ throw new Error() }'
  for (const { start, end } of wanted.toReversed()) {
    thrown = thrown.slice(0, start) + throws + thrown.slice(end)
  }
  return thrown
}

/** In the order of the text, without those inside another one. */
function outermost(bodies: readonly Body[]): readonly Body[] {
  const ordered = [...bodies].sort((a, b) => a.start - b.start)
  let last = -1
  return ordered.filter(({ start, end }) => {
    if (start < last) return false
    last = end
    return true
  })
}

const python = /\.py$/

async function bodiesIn(path: string, text: string): Promise<readonly Body[]> {
  const { tree, error } = await readSyntax(path, text)
  const isPython = python.test(path)
  if (tree === null || (isPython && error !== null)) return []
  const functions = [...descendants(tree)].filter(
    (node) => isFunction(node) && !(isPython && node.type === 'ArrowFunctionExpression'),
  )
  return functions.flatMap((node) => {
    const body = nodeAt(node, 'body')
    if (body === null) return []
    return {
      start: body.start,
      end: body.start + text.slice(body.start, body.end).trimEnd().length,
    }
  })
}
