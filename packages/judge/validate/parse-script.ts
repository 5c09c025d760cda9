import {
  descendants,
  endOfText,
  maskText,
  nameOpenBracket,
  positionAt,
  readSyntax,
  type SyntaxNode,
  type SyntaxProblem,
  TOO_DEEP,
  textAt,
} from '../../source/source.ts'

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
  const wording = error.message
    .replace(/\.? \(\d+:\d+\)$/, '.')
    .replace(/^This experimental syntax requires.*: /, 'This syntax is not part of the language: ')
  const message = atEnd ? 'Unexpected end of file.' : wording
  return nameOpenBracket({ message, ...place }, maskText(text, 'script'))
}

const isParseError = (
  error: unknown,
): error is SyntaxError & { loc: { line: number; column: number; index: number } } =>
  error instanceof SyntaxError && 'loc' in error

/**
 * Finds the first pattern literal of a parsed script that no engine compiles: the whole file fails
 * to load, but the parser leaves this to the engine. `null` when all compile. Visits only nodes
 * with a slash in them: visiting every node takes half as long as parsing.
 */
function findBadPattern(text: string, tree: SyntaxNode): SyntaxProblem | null {
  const slashes = Array.from(text.matchAll(/\/(?![/*])/g), ({ index }) => index)
  for (const node of descendants(tree, (each) => holdsOne(slashes, each))) {
    const message = node.type === 'RegExpLiteral' ? whyBad(node) : null
    if (message !== null) return { message, ...positionAt(text, node.start) }
  }
  return null
}

/** Returns true when one of the sorted places is in the node. */
function holdsOne(places: readonly number[], { start, end }: SyntaxNode): boolean {
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((places[middle] ?? 0) < start) low = middle + 1
    else high = middle
  }
  return (places[low] ?? end) < end
}

/** Limits of the engine, which say nothing about the pattern. */
const ownLimit = /too large|too many|stack/i

function whyBad(literal: SyntaxNode): string | null {
  const pattern = textAt(literal, 'pattern') ?? ''
  try {
    new RegExp(pattern, textAt(literal, 'flags') ?? '')
    return null
  } catch (error) {
    if (!(error instanceof SyntaxError) || ownLimit.test(error.message)) return null
    return mayBeNewer(pattern) ? null : `${error.message}.`
  }
}

/** Syntax that the oldest supported Node does not know: `(?i:a)`, and two groups of one name. */
function mayBeNewer(pattern: string): boolean {
  const names = Array.from(pattern.matchAll(/\(\?<(\w+)>/g), ([, name]) => name)
  return /\(\?[a-z-]+:/.test(pattern) || new Set(names).size < names.length
}
