import {
  descendants,
  isFunction,
  lineCounter,
  nodeAt,
  readSyntax,
  type SyntaxNode,
  textAt,
} from '../../source/source.ts'

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
