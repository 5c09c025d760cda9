import type { SyntaxProblem } from '../../core/ports/syntax-checker.ts'
import type { SyntaxNode } from '../../text/syntax/syntax-node.ts'

/** Past these an engine gives up for its own sake, not for the pattern's. */
const ownLimit = /too large|too many|stack/i

/**
 * The first pattern literal of a parsed script that no engine compiles: an error of the whole file
 * the moment it is loaded, which the parser leaves to the engine. `null` when there is none. Looks
 * only into what has a slash in it: to visit every node takes half as long as to parse.
 */
export function findBadPattern(text: string, tree: SyntaxNode): SyntaxProblem | null {
  const slashes = Array.from(text.matchAll(/\/(?![/*])/g), ({ index }) => index)
  const open: unknown[] = slashes.length === 0 ? [] : [tree]
  let first: Pattern | null = null
  while (open.length > 0) {
    const node = open.pop()
    if (typeof node !== 'object' || node === null || !mayHold(node, slashes)) continue
    if (isPattern(node)) {
      if (whyBad(node) !== null && node.start < (first?.start ?? Number.POSITIVE_INFINITY))
        first = node
    } else {
      for (const key in node) {
        const inner = (node as Readonly<Record<string, unknown>>)[key]
        if (typeof inner === 'object' && inner !== null && key !== 'loc') open.push(inner)
      }
    }
  }
  return first === null ? null : { message: whyBad(first) ?? '', ...placeOf(first) }
}

/** False for a node that begins after the last slash before its end; lists have no place. */
function mayHold(node: object, slashes: readonly number[]): boolean {
  const { start, end } = node as { readonly start?: unknown; readonly end?: unknown }
  if (typeof start !== 'number' || typeof end !== 'number') return true
  let [low, high] = [0, slashes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((slashes[middle] ?? 0) < start) low = middle + 1
    else high = middle
  }
  return (slashes[low] ?? end) < end
}

interface Pattern {
  readonly pattern: string
  readonly flags: string
  readonly start: number
  readonly loc: { readonly start: { readonly line: number; readonly column: number } }
}

function isPattern(node: object): node is Pattern {
  return (node as { readonly type?: unknown }).type === 'RegExpLiteral'
}

function placeOf({ loc: { start } }: Pattern): { line: number; column: number } {
  return { line: start.line, column: start.column + 1 }
}

function whyBad({ pattern, flags }: Pattern): string | null {
  try {
    new RegExp(pattern, flags)
    return null
  } catch (error) {
    if (!(error instanceof SyntaxError) || ownLimit.test(error.message)) return null
    return mayBeNewer(pattern) ? null : `${error.message}.`
  }
}

/** What the oldest Node that runs this does not know yet: `(?i:a)`, and two groups of one name. */
function mayBeNewer(pattern: string): boolean {
  const names = Array.from(pattern.matchAll(/\(\?<(\w+)>/g), ([, name]) => name)
  return /\(\?[a-z-]+:/.test(pattern) || new Set(names).size < names.length
}
