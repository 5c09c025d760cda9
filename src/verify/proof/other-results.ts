import {
  descendants,
  isFunction,
  nodeAt,
  type SyntaxNode,
  textAt,
} from '../../text/syntax/syntax-node.ts'
import { unchecked } from './canary-text.ts'
import { changedFunctions } from './changed-functions.ts'
import { replaceRanges } from './range-edits.ts'
import { bodyThat } from './throwing-bodies.ts'
import { withOtherTypedResults } from './typed-results.ts'

/** Makes another value of the same type; throws for a type without one that differs in any comparison. */
const other = {
  python: (value: string) =>
    `(lambda it: (not it) if isinstance(it, bool) else it * -2 - 1 if isinstance(it, (int, float)) else it + "~" if isinstance(it, str) else it + [object()] if isinstance(it, list) else object() if it is None else (_ for _ in ()).throw(RuntimeError()))((${value}))`,
  script: (value: string) =>
    `((it) => { switch (it === null || Array.isArray(it) ? String(it === null) : typeof it) { case 'boolean': return !it; case 'number': return it * -2 - 1; case 'string': return it + '~'; case 'undefined': case 'true': return Symbol(); case 'false': return [...it, Symbol()]; default: throw new Error() } })((${value}))`,
} as const

/**
 * Alters the results of functions: of those that contain one of these lines, or of all. Functions without a result do
 * nothing. A test that then stays green does not check their results. Returns `null` for a text whose functions have no
 * results, that does not parse, or in a language other than JavaScript, TypeScript, Python, Go, Rust and Java. Leaves
 * nested functions alone.
 *
 * @param lines 1-based; `null` selects all
 */
export async function withOtherResults(
  path: string,
  text: string,
  lines: ReadonlySet<number> | null,
): Promise<string | null> {
  const typed = withOtherTypedResults(path, text, lines)
  if (typed !== null) return typed
  const functions = (await changedFunctions(path, text, lines)) ?? []
  const alter = path.endsWith('.py') ? other.python : other.script
  const found = functions.map((fn) => ({ fn, results: resultsOf(fn) }))
  if (found.every(({ results }) => results.length === 0)) return null
  const edits = found.flatMap(({ fn, results }) => {
    if (results.length === 0 && !isConstructor(fn)) return bodyThat('returns', fn, path, text)
    return results.map(({ start, end }) => ({ start, end, text: alter(text.slice(start, end)) }))
  })
  return unchecked(path, replaceRanges(text, edits))
}

const isConstructor = (fn: SyntaxNode): boolean =>
  textAt(fn, 'kind') === 'constructor' || textAt(nodeAt(fn, 'id'), 'name') === '__init__'

function resultsOf(fn: SyntaxNode): readonly SyntaxNode[] {
  const body = nodeAt(fn, 'body')
  if (body === null) return []
  if (body.type !== 'BlockStatement') return [body]
  return [...descendants(body, (node) => !isFunction(node))].flatMap((node) =>
    node.type === 'ReturnStatement' ? (nodeAt(node, 'argument') ?? []) : [],
  )
}
