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
import { unchecked } from './canary-text.ts'
import { withOtherTypedResults, withZeroResults } from './typed-results.ts'

/** Deeper values of an object stay as they are. */
const deepest = 3

/** A function's text, at the end of a script, where it counts for all of it: other values, of the same types. */
const scriptOther = `
function zzOther(it, at) {
  if (Array.isArray(it)) return [...it, Symbol()]
  switch (it === null ? 'undefined' : typeof it) {
    case 'boolean': return !it
    case 'number': return it * -2 - 1
    case 'string': return it + '~'
    case 'undefined': return at ? it : Symbol()
    case 'object': break
    default: if (at) return it; throw new Error()
  }
  if (typeof it.then === 'function') return it.then((is) => zzOther(is, at))
  const all = Object.getOwnPropertyDescriptors(it)
  let isOther = false
  for (const own of Object.values(all)) {
    const is = own.enumerable && at < ${deepest} ? zzOther(own.value, at + 1) : own.value
    if (is === own.value) continue
    own.value = is
    isOther = true
  }
  if (!isOther) { if (at) return it; throw new Error() }
  return Object.create(Object.getPrototypeOf(it), all)
}
`

const refused = '(_ for _ in ()).throw(RuntimeError())'
const pythonObjects = `
{**{key: zz_other(it[key], at + 1) for key in it}, **({} if it else {"~": object()})} if type(it) is dict and at < ${deepest}
else (tuple(zz_other(each, at + 1) for each in it) or (object(),)) if type(it) is tuple and at < ${deepest}
else it | {object()} if isinstance(it, (set, frozenset))
else (lambda copy: (vars(copy).update({key: zz_other(value, at + 1) for key, value in vars(it).items()}), copy)[1])(__import__("copy").copy(it)) if getattr(it, "__dict__", None) and not callable(it) and at < ${deepest}
else it if at else ${refused}`

/** The same as an expression: the end of a module of Python may run after its functions are called. */
const pythonOther = `(zz_other := lambda it, at=0: (not it) if isinstance(it, bool)
else it * -2 - 1 if isinstance(it, (int, float))
else it + "~" if isinstance(it, str)
else it + [object()] if isinstance(it, list)
else (it if at else object()) if it is None
else ${pythonObjects.trim()})`

/**
 * Alters the results of functions: of those that contain one of these lines, or of all. Functions without a result do
 * nothing. A test that then stays green does not check their results. Returns `null` for a text whose functions have no
 * results, that does not parse, or in a language other than JavaScript, TypeScript, Python, Go, Rust and Java. Leaves
 * nested functions alone. In Rust and Java, objects are refused.
 *
 * @param lines 1-based; `null` selects all
 */
export async function withOtherResults(
  path: string,
  text: string,
  lines: ReadonlySet<number> | null,
): Promise<string | null> {
  const typed = /\.(?:go|rs|java)$/.test(path) ? withOtherTypedResults(path, text, lines) : null
  if (typed !== null) return typed
  const functions = (await changedFunctions(path, text, lines)) ?? []
  const isPython = path.endsWith('.py')
  const other = isPython ? pythonOther : 'zzOther'
  const found = functions.map((fn) => ({ fn, results: resultsOf(fn) }))
  if (found.every(({ results }) => results.length === 0)) return null
  const edits = found.flatMap(({ fn, results }) => {
    if (results.length === 0 && !isConstructor(fn)) return bodyThat('returns', fn, path, text)
    return results.map(({ start, end }) => {
      return { start, end, text: `${other}((${text.slice(start, end)}), 0)` }
    })
  })
  const altered = replaceRanges(text, edits)
  return unchecked(path, isPython ? altered : `${altered}${scriptOther}`)
}

function resultsOf(fn: SyntaxNode): readonly SyntaxNode[] {
  const body = nodeAt(fn, 'body')
  if (body === null) return []
  if (body.type !== 'BlockStatement') return [body]
  return [...descendants(body, (node) => !isFunction(node))].flatMap((node) =>
    node.type === 'ReturnStatement' ? (nodeAt(node, 'argument') ?? []) : [],
  )
}

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
function bodyThat(what: BodyEnd, fn: SyntaxNode, path: string, text: string): readonly RangeEdit[] {
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
async function changedFunctions(
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

const isConstructor = (fn: SyntaxNode): boolean =>
  textAt(fn, 'kind') === 'constructor' || textAt(nodeAt(fn, 'id'), 'name') === '__init__'
