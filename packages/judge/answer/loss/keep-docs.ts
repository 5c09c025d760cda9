/** The documentation that a file carries: docstrings of Python, and blocks that begin with two stars elsewhere. */

interface DocBlock {
  /** The line that it documents: above it in Python, below it elsewhere. */
  readonly anchor: string
  readonly lines: readonly string[]
}

const isPython = (path: string): boolean => /\.pyi?$/.test(path)
const starred = /\.(?:[cm]?[jt]sx?|java|kts?|scala|groovy|php|c|cc|cpp|h|hpp|swift)$/
/** The last line of a head in Python: a string below it is its docstring, and no value. */
const head = /^\s*(?:(?:async\s+)?def|class)\b.*:\s*(?:#.*)?$|^\s*\).*:\s*(?:#.*)?$/
const opens = { python: /^\s*[rRuU]?("""|''')/, starred: /^\s*\/\*\*(?!\/)/ }
/** A longer one is text of its own. */
const longest = 200

/** The places of the blocks: from their first line up to the line behind their last. */
function blocksOf(path: string, lines: readonly string[]): readonly (readonly [number, number])[] {
  if (!isPython(path) && !starred.test(path)) return []
  const found: [number, number][] = []
  for (let at = 0; at < lines.length; at += 1) {
    const end = endOf(path, lines, at)
    if (end === null) continue
    if (!isPython(path) || head.test(lines[at - 1] ?? '')) found.push([at, end])
    at = end - 1
  }
  return found
}

function endOf(path: string, lines: readonly string[], at: number): number | null {
  const line = lines[at] ?? ''
  const [opening, quotes = ''] = (isPython(path) ? opens.python : opens.starred).exec(line) ?? []
  if (opening === undefined) return null
  const closing = quotes === '' ? '*/' : quotes
  const isClosed = (text: string) => text.trimEnd().endsWith(closing)
  if (isClosed(line.slice(opening.length))) return at + 1
  const last = lines.slice(at + 1, at + longest).findIndex(isClosed)
  return last < 0 ? null : at + last + 2
}

/** The lines of a file without its documentation. */
export function withoutDocs(path: string, text: string): string {
  const lines = text.split('\n')
  const blocks = blocksOf(path, lines)
  return lines.filter((_, at) => !blocks.some(([from, end]) => from <= at && at < end)).join('\n')
}

/**
 * Puts back the documentation that a file in full leaves out of a declaration which it keeps. A model that rewrites a
 * function often drops its docstring, which is no reason to refuse the function.
 */
export function keepDocs(path: string, before: string, content: string): string {
  const old = before.split('\n')
  const isAbove = isPython(path)
  let kept = content.split('\n')
  for (const [from, end] of blocksOf(path, old)) {
    const block = { lines: old.slice(from, end), anchor: old[isAbove ? from - 1 : end] ?? '' }
    if (isOnce(old, block.anchor)) kept = withBlock(path, kept, block)
  }
  return kept.join('\n')
}

const isOnce = (lines: readonly string[], line: string): boolean =>
  line.trim() !== '' && lines.indexOf(line) === lines.lastIndexOf(line)

const indentOf = (line: string): string => /^\s*/.exec(line)?.[0] ?? ''

function withBlock(path: string, lines: string[], { anchor, lines: block }: DocBlock): string[] {
  const at = lines.indexOf(anchor)
  if (at < 0 || !isOnce(lines, anchor)) return lines
  const documented = new Set(blocksOf(path, lines).flatMap(([from, end]) => [from, end - 1]))
  const place = isPython(path) ? at + 1 : at
  const beside = isPython(path) ? place : at - 1
  const isFitting = !isPython(path) || indentOf(lines[place] ?? '') === indentOf(block[0] ?? '')
  if (documented.has(beside) || !isFitting) return lines
  return [...lines.slice(0, place), ...block, ...lines.slice(place)]
}
