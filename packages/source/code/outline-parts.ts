import { splitWords } from '../../text/text.ts'
import { cutLines, declarationLines, linesAround, render, selectLines } from './outline.ts'

/** A part of a text, 1-based and inclusive, and how much it is about the question. */
export interface WeighedPart {
  readonly first: number
  readonly last: number
  readonly score: number
}

/** The share of the budget for declarations, of which the reader sees what else there is. */
const shareOfNames = 0.5
const wordWeight = 3
const partWeight = 0.1
const nameWeight = 5

/**
 * Shortens a long file to the lines with most of the wanted words, each under its declaration, and to as many other
 * declarations as fit, those of the best parts first. Gaps are marked.
 *
 * @param weights of the wanted words: a rare word weighs more
 */
export function outlineParts(
  path: string,
  text: string,
  weights: ReadonlyMap<string, number>,
  parts: readonly WeighedPart[],
  budgetTokens: number,
): string {
  const lines = cutLines(text)
  const byWord = lines.map((line) => {
    const words = new Set(splitWords(line))
    return [...weights].reduce((sum, [word, weight]) => sum + (words.has(word) ? weight : 0), 0)
  })
  const byPart = spread(parts, lines.length)
  const names = declarationLines(path, lines)
  const { shown, add } = selectLines(lines, budgetTokens)
  const scoreOf = (index: number, weight: number) => (byWord[index] ?? 0) * weight
  const rank = (indexes: readonly number[], weight: number, share: number) => {
    const score = (index: number) => scoreOf(index, weight) + (byPart[index] ?? 0) * share
    return indexes.filter((index) => score(index) > 0).sort((a, b) => score(b) - score(a) || a - b)
  }
  for (const centre of rank([...lines.keys()], wordWeight, partWeight)) {
    if (shown.has(centre)) continue
    const around = names.findLast((index) => index <= centre) ?? centre
    if (!add([around, ...linesAround(centre, lines.length)], budgetTokens * shareOfNames)) break
  }
  const others = new Set([...rank(names, nameWeight, 1), ...names])
  for (const index of others) if (!add([index])) break
  return render(lines, shown)
}

function spread(parts: readonly WeighedPart[], count: number): Float64Array {
  const scores = new Float64Array(count)
  for (const { first, last, score } of parts) {
    for (let line = first; line <= Math.min(last, count); line += 1) {
      scores[line - 1] = (scores[line - 1] ?? 0) + score
    }
  }
  return scores
}
