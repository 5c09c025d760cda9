import { descendants, isFunction, nodeAt, type SyntaxNode } from '../../text/syntax/syntax-node.ts'
import { unchecked } from './canary-text.ts'
import { changedFunctions } from './changed-functions.ts'

/** Makes another value of the same type; throws for a type without one that differs in any comparison. */
const other = {
  python: (value: string) =>
    `(lambda it: (not it) if isinstance(it, bool) else it * -2 - 1 if isinstance(it, (int, float)) else it + "~" if isinstance(it, str) else it + [object()] if isinstance(it, list) else object() if it is None else (_ for _ in ()).throw(RuntimeError()))((${value}))`,
  script: (value: string) =>
    `((it) => { switch (it === null || Array.isArray(it) ? String(it === null) : typeof it) { case 'boolean': return !it; case 'number': return it * -2 - 1; case 'string': return it + '~'; case 'undefined': case 'true': return Symbol(); case 'false': return [...it, Symbol()]; default: throw new Error() } })((${value}))`,
} as const

/**
 * Alters what functions return: of those that contain one of these lines, or of all. A test that stays green then does
 * not look at their result. Returns `null` for a text whose functions return nothing, that does not parse, or in
 * another language. Functions inside of others are left alone.
 *
 * @param lines 1-based; `null` selects all
 */
export async function withOtherResults(
  path: string,
  text: string,
  lines: ReadonlySet<number> | null,
): Promise<string | null> {
  const functions = (await changedFunctions(path, text, lines)) ?? []
  const alter = path.endsWith('.py') ? other.python : other.script
  const values = functions.flatMap(resultsOf).sort((a, b) => b.start - a.start)
  const altered = values.reduce((changed, { start, end }) => {
    const value = text.slice(start, end)
    return changed.slice(0, start) + alter(value) + changed.slice(end)
  }, text)
  return values.length === 0 ? null : unchecked(path, altered)
}

function resultsOf(fn: SyntaxNode): readonly SyntaxNode[] {
  const body = nodeAt(fn, 'body')
  if (body === null) return []
  if (body.type !== 'BlockStatement') return [body]
  return [...descendants(body, (node) => !isFunction(node))].flatMap((node) =>
    node.type === 'ReturnStatement' ? (nodeAt(node, 'argument') ?? []) : [],
  )
}
