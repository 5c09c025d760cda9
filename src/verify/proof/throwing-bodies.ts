import { readSyntax } from '../../text/syntax/read-syntax.ts'
import { descendants, isFunction, nodeAt } from '../../text/syntax/syntax-node.ts'
import { readPythonTree } from '../tampering/read-python.ts'

/** Where a function's body stands, and what throws in its place. */
interface Body {
  readonly start: number
  readonly end: number
  readonly thrown: string
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
  const found = path.endsWith('.py') ? await pythonBodies(text) : await scriptBodies(path, text)
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
  for (const { start, end, thrown: by } of wanted.toReversed()) {
    thrown = thrown.slice(0, start) + by + thrown.slice(end)
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

async function scriptBodies(path: string, text: string): Promise<readonly Body[]> {
  const { tree } = await readSyntax(path, text)
  return [...(tree ? descendants(tree) : [])].flatMap((node) => {
    const body = isFunction(node) ? nodeAt(node, 'body') : null
    return body ? [{ start: body.start, end: body.end, thrown: '{ throw new Error() }' }] : []
  })
}

async function pythonBodies(text: string): Promise<readonly Body[]> {
  const tree = await readPythonTree(text)
  const found: Body[] = []
  tree?.cursor().iterate(({ name, from, to, node }) => {
    if (name !== 'Body' || node.parent?.name !== 'FunctionDefinition') return
    const end = from + text.slice(from, to).trimEnd().length
    found.push({ start: from, end, thrown: ': raise RuntimeError()' })
  })
  return found
}
