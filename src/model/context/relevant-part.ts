import { estimateTokens, identifiersIn } from '../../../packages/text/text.ts'
import type { ContextFile } from '../../core/domain/attempt.ts'

/** Characters up to which a file is shown whole, and lines on each side of an excerpt. */
const wholeFile = 2_000
const linesAround = 12

/**
 * Returns a file as a repair shows it: a short one whole, a long one around the line in question. Without a line it
 * uses the first occurrence of the rarest word of `hint`, because the failing test names the functions it calls.
 *
 * @param line 1-based, `null` when no trace names one
 * @param mostTokens of an excerpt, which shrinks to a third of its lines and no further
 */
export function relevantPart(
  path: string,
  text: string,
  line: number | null,
  hint: string,
  mostTokens = wholeFile,
): ContextFile {
  if (text.length <= Math.min(wholeFile, mostTokens * 4)) return { path, text, whole: true }
  const lines = text.split('\n')
  const middle = line ?? rarestWord(lines, hint) ?? 1
  for (let around = linesAround; ; around -= 2) {
    const part = excerpt(lines, middle, around)
    if (around <= linesAround / 3 || estimateTokens(part) <= mostTokens) {
      return { path, text: part, whole: false }
    }
  }
}

/** Lines above quoted ones that tell where they stand, and how many of a quote have to be there. */
const linesAbove = 20
const quotedLines = 3

/**
 * Returns a file from a little above quoted lines on, within a limit in tokens: what a model has to read that edits
 * code it was not shown. A short file is whole; `null` where the lines are not there.
 */
export function partFrom(
  path: string,
  text: string,
  quoted: string,
  mostTokens: number,
): ContextFile | null {
  if (estimateTokens(text) <= mostTokens) return { path, text, whole: true }
  const lines = text.split('\n')
  const wanted = quoted.split('\n').slice(0, quotedLines)
  const found = lines.findIndex((_, at) =>
    wanted.every((line, below) => line === lines[at + below]),
  )
  if (found < 0) return null
  const above = within(
    mostTokens / 2,
    lines.slice(Math.max(0, found - linesAbove), found).reverse(),
  )
  const part = within(mostTokens, [...above.toReversed(), ...lines.slice(found)])
  return { path, text: part.join('\n'), whole: false }
}

/** The first lines that fit in this many tokens. */
function within(tokens: number, lines: readonly string[]): readonly string[] {
  let left = tokens
  return lines.filter((line) => {
    left -= estimateTokens(`${line}\n`)
    return left >= 0
  })
}

/** The lines around a 1-based line, unchanged. */
export const excerpt = (lines: readonly string[], line: number, around: number): string =>
  lines.slice(Math.max(0, line - 1 - around), line + around).join('\n')

/**
 * The line of a change that a failure is most likely about: with the rarest word of `hint`, else where the longest run of
 * changed lines starts; `null` without changed lines. Lines are 1-based.
 */
export function tellingLine(
  text: string,
  changed: ReadonlySet<number>,
  hint: string,
): number | null {
  const named = rarestWord(text.split('\n'), hint, (line) => changed.has(line))
  if (named !== null) return named
  const starts = [...changed].filter((line) => !changed.has(line - 1))
  const runs = starts.map((line) => {
    let length = 1
    while (changed.has(line + length)) length += 1
    return { line, length }
  })
  return runs.toSorted((a, b) => b.length - a.length)[0]?.line ?? null
}

/** The first acceptable line with the word of `hint` that the file has least often. */
function rarestWord(
  lines: readonly string[],
  hint: string,
  accepts: (line: number) => boolean = () => true,
): number | null {
  const wanted = new Set(identifiersIn(hint).filter(({ length }) => length > 2))
  const found = new Map<string, { count: number; line: number | null }>()
  for (const [index, text] of lines.entries()) {
    for (const word of identifiersIn(text)) {
      if (!wanted.has(word)) continue
      const known = found.get(word) ?? { count: 0, line: null }
      const line = known.line ?? (accepts(index + 1) ? index + 1 : null)
      found.set(word, { count: known.count + 1, line })
    }
  }
  const placed = [...found.values()].filter(({ line }) => line !== null)
  return placed.toSorted((a, b) => a.count - b.count)[0]?.line ?? null
}
