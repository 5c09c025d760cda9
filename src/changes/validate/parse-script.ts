import type { SyntaxProblem } from '../../core/ports/syntax-checker.ts'
import { nameOpenBracket } from '../../text/source/brackets.ts'
import { maskText } from '../../text/source/mask.ts'
import { endOfText, TOO_DEEP } from '../../text/source/positions.ts'
import { readSyntax } from '../../text/syntax/read-syntax.ts'
import type { SyntaxNode } from '../../text/syntax/syntax-node.ts'

/** Problems of JavaScript, TypeScript, JSX or TSX. */
export async function checkScript(path: string, text: string): Promise<readonly SyntaxProblem[]> {
  const { tree, error } = await readSyntax(path, text)
  if (error !== null) return explain(error, text)
  const problem = tree && findBadPattern(text, tree)
  return problem === null ? [] : [problem]
}

function explain(error: unknown, text: string): readonly SyntaxProblem[] {
  if (error instanceof RangeError) return [TOO_DEEP]
  if (!isParseError(error)) throw error
  const atEnd = error.loc.index >= text.trimEnd().length
  const place = atEnd ? endOfText(text) : { line: error.loc.line, column: error.loc.column + 1 }
  const said = error.message
    .replace(/\.? \(\d+:\d+\)$/, '.')
    .replace(/^This experimental syntax requires.*: /, 'This syntax is not part of the language: ')
  const message = atEnd ? 'Unexpected end of file.' : said
  return nameOpenBracket({ message, ...place }, maskText(text, 'script'))
}

function isParseError(
  error: unknown,
): error is SyntaxError & { loc: { line: number; column: number; index: number } } {
  return error instanceof SyntaxError && 'loc' in error
}

/** Past these an engine gives up for its own sake, not for the pattern's. */
const ownLimit = /too large|too many|stack/i

/**
 * The first pattern literal of a parsed script that no engine compiles: an error of the whole file
 * the moment it is loaded, which the parser leaves to the engine. `null` when there is none. Looks
 * only into what has a slash in it: to visit every node takes half as long as to parse.
 */
function findBadPattern(text: string, tree: SyntaxNode): SyntaxProblem | null {
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
