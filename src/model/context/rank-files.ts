import { splitWords } from '../../text/words/words.ts'

export interface Ranked {
  readonly path: string
  readonly score: number
  /** How many of the wanted words it holds. */
  readonly matched: number
}

/** BM25's usual constants: how soon repetition stops counting, how much length counts against. */
const SATURATION = 1.2
const LENGTH_WEIGHT = 0.75
/** A word in a path says more than one in a file. */
const PATH_WEIGHT = 4

/**
 * Files by how much they speak of the wanted words (BM25, path words weighted), best first, without
 * those that hold none. `text` may be empty when only the path is known.
 */
export function rankFiles(
  wanted: readonly string[],
  files: readonly { readonly path: string; readonly text: string }[],
): readonly Ranked[] {
  const query = new Set(wanted)
  const counted = files.map(({ path, text }) => count(path, text, query))
  const average = counted.reduce((sum, file) => sum + file.length, 0) / (counted.length || 1) || 1
  const weights = new Map(
    [...query].map((word) => {
      const holding = counted.filter(({ found }) => found.has(word)).length
      return [word, Math.log(1 + (counted.length - holding + 0.5) / (holding + 0.5))]
    }),
  )
  const scored = counted.map(({ path, length, found }) => {
    const norm = SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * length) / average)
    let score = 0
    for (const [word, times] of found) {
      score += ((weights.get(word) ?? 0) * times * (SATURATION + 1)) / (times + norm)
    }
    return { path, score, matched: found.size }
  })
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
}

function count(path: string, text: string, query: ReadonlySet<string>) {
  const found = new Map<string, number>()
  const words = splitWords(text)
  const add = (word: string, times: number) => {
    if (query.has(word)) found.set(word, (found.get(word) ?? 0) + times)
  }
  for (const word of words) add(word, 1)
  for (const word of splitWords(path)) add(word, PATH_WEIGHT)
  return { path, length: words.length + 10, found }
}
