import { countOf, estimateTokens, splitWords } from '../../text/text.ts'

const CONTROL = /^\s*(?:if|else|for|while|switch|catch|return|do|try|throw|await|super|new)\b/

const SCRIPT_SIGNATURE =
  /^\s{0,4}(?:import\b|export\b|(?:async\s+)?function\b|(?:abstract\s+)?class\b|(?:declare|interface|type|enum|namespace)\s+\w|(?:const|let|var)\s+\w+\s*=\s*(?:async\s*)?(?:function\b|\(|\w+\s*=>)|(?:describe|it|test)\(|(?:(?:public|private|protected|static|async|get|set|override|readonly)\s+)*[\w#$]+\s*(?:<[^>]{0,80}>)?\([^;]{0,200}\{\s*$)/
const PYTHON_SIGNATURE = /^\s*(?:(?:async\s+)?def|class|@\w)|^(?:from|import)\b|^[A-Z_]{2,}\s*[:=]/
const OTHER_SIGNATURE =
  /^\s{0,8}(?:pub|public|private|protected|internal|static|abstract|final|func|fn|fun|function|def|class|struct|enum|trait|impl|interface|module|namespace|type|package|use|using|import|require)\b/
const HEADING = /^#{1,6}\s/
const KEY = /^ {0,2}"?[\w$@./-]+"?\s*[:=]|^\[/

/** Longer lines are data or minified code, of which the beginning is enough. */
const MAX_WIDTH = 160
const LINES_BEFORE = 2
const LINES_AFTER = 6

/**
 * Shortens a long file to its signature lines and the parts with most of the wanted words, in the
 * file's order with gaps marked. Returns `null` when the signatures alone exceed the budget;
 * without signatures, when no part with a wanted word fits.
 */
export function outline(
  path: string,
  text: string,
  words: ReadonlySet<string>,
  budgetTokens: number,
  withSignatures = true,
): string | null {
  const lines = cutLines(text)
  const { shown, add } = selectLines(lines, budgetTokens)
  if (!add(withSignatures ? signatureLines(path, lines) : [])) return null
  for (const centre of linesByWords(lines, words)) {
    if (!add(linesAround(centre, lines.length))) break
  }
  return shown.size === 0 && !withSignatures ? null : render(lines, shown)
}

/** The most that marking a gap costs, spread over the lines that may cause one. */
const gapTokens = 4

/** Lines to show within a budget: `add` returns false when these do not fit beside the reserve. */
export function selectLines(lines: readonly string[], budgetTokens: number) {
  const shown = new Set<number>()
  let left = budgetTokens
  const add = (indexes: readonly number[], reserve = 0): boolean => {
    const fresh = indexes.filter((index) => !shown.has(index))
    const costs = fresh.map((index) => estimateTokens(lines[index] ?? '') + gapTokens)
    const price = costs.reduce((sum, cost) => sum + cost, 0)
    if (price > left - reserve) return false
    left -= price
    for (const index of fresh) shown.add(index)
    return true
  }
  return { shown, add }
}

export const cutLines = (text: string): readonly string[] =>
  text.split(/\r?\n/).map((line) => line.slice(0, MAX_WIDTH))

/** Indexes of the lines that show a file's content: definitions, imports, headings, keys. */
export function signatureLines(path: string, lines: readonly string[]): readonly number[] {
  const signature = signatureOf(path)
  return [...lines.keys()].filter((index) => {
    const line = lines[index] ?? ''
    return signature.test(line) && !CONTROL.test(line)
  })
}

const isImport = /^\s*(?:import|from|use|using|require\w*|include|package|#include)\b/

/** Indexes of the signature lines that import nothing. */
export const declarationLines = (path: string, lines: readonly string[]): readonly number[] =>
  signatureLines(path, lines).filter((index) => !isImport.test(lines[index] ?? ''))

function signatureOf(path: string): RegExp {
  if (/\.([mc]?[jt]sx?|vue|svelte)$/i.test(path)) return SCRIPT_SIGNATURE
  if (/\.pyi?$/i.test(path)) return PYTHON_SIGNATURE
  if (/\.(md|markdown|mdx|rst|txt)$/i.test(path)) return HEADING
  return /\.(json|ya?ml|toml|ini)$/i.test(path) ? KEY : OTHER_SIGNATURE
}

/** Lines with wanted words, those with most of them first. */
function linesByWords(lines: readonly string[], words: ReadonlySet<string>): readonly number[] {
  const scored = lines.map((line, index) => {
    const found = new Set(splitWords(line).filter((word) => words.has(word)))
    return { index, score: found.size }
  })
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .map(({ index }) => index)
}

export function linesAround(centre: number, count: number): readonly number[] {
  const first = Math.max(0, centre - LINES_BEFORE)
  const last = Math.min(count - 1, centre + LINES_AFTER)
  return Array.from({ length: last - first + 1 }, (_, offset) => first + offset)
}

export function render(lines: readonly string[], shown: ReadonlySet<number>): string {
  const parts: string[] = []
  let gap = 0
  const closeGap = () => {
    if (gap > 0) parts.push(`… ${countOf(gap, 'line')} …`)
    gap = 0
  }
  for (const [index, line] of lines.entries()) {
    if (shown.has(index)) {
      closeGap()
      parts.push(line)
    } else gap += 1
  }
  closeGap()
  return parts.join('\n')
}
