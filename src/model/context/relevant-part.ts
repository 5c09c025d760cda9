import type { ContextFile } from '../../core/domain/attempt.ts'
import { estimateTokens } from '../../text/words/estimate-tokens.ts'

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
  const middle = line ?? lineOfRarestWord(lines, hint)
  for (let around = linesAround; ; around -= 2) {
    const part = excerpt(lines, middle, around)
    if (around <= linesAround / 3 || estimateTokens(part) <= mostTokens) {
      return { path, text: part, whole: false }
    }
  }
}

/** The lines around a 1-based line, unchanged. */
export function excerpt(lines: readonly string[], line: number, around: number): string {
  return lines.slice(Math.max(0, line - 1 - around), line + around).join('\n')
}

function lineOfRarestWord(lines: readonly string[], hint: string): number {
  const wanted = new Set(hint.match(/[\p{L}_$][\p{L}\p{N}_$]{2,}/gu) ?? [])
  const found = new Map<string, { count: number; readonly line: number }>()
  for (const [index, text] of lines.entries()) {
    for (const word of text.match(/[\p{L}_$][\p{L}\p{N}_$]{2,}/gu) ?? []) {
      if (!wanted.has(word)) continue
      const known = found.get(word)
      if (known === undefined) found.set(word, { count: 1, line: index + 1 })
      else known.count += 1
    }
  }
  const [rarest] = [...found.values()].sort((a, b) => a.count - b.count)
  return rarest?.line ?? 1
}
