import { findLines, type Lines, shorten } from './text-lines.ts'

/** A line that occurs more often does not identify a place. */
const mostOccurrences = 50
const margin = 2

/**
 * The part of a file that is most like lines that were not found in it, for a model to copy; empty
 * when nothing is alike.
 */
export function closestLines(file: Lines, search: Lines): string {
  const start = closestStart(file, search)
  if (start === null) return ''
  const from = Math.max(0, start - margin)
  return shorten(file.slice(from, Math.max(start, 0) + search.length + margin))
}

/**
 * Returns true when a replacement was already made: its lines are in the file, where the replaced
 * ones must have been, because no other part is more like those. Lines removed at an edge without a
 * replacement leave no trace and may only have been copied wrong.
 */
export function isReplaced(file: Lines, search: Lines, replace: Lines): boolean {
  const [first, second] = findLines(file.map(trim), replace.map(trim), 2)
  const telling = replace.some((line) => line.trim().length > 2)
  if (!telling || first === undefined || second !== undefined) return false
  // White space removed from line ends may still be there.
  const isSo = (line: string, at: number) => {
    const real = file[first + at] ?? ''
    return line === real || line.trimEnd() !== real.trimEnd() || search.includes(line)
  }
  if (!replace.every(isSo)) return false
  if (losesStart(search, replace) || losesStart(search.toReversed(), replace.toReversed()))
    return false
  const closest = closestStart(file, search)
  return closest === null || (closest < first + replace.length && first < closest + search.length)
}

/** The replacement starts inside the search, whose first lines are then removed. */
const losesStart = (search: Lines, replace: Lines): boolean =>
  search.map(trim).indexOf(replace[0]?.trim() ?? '') > 0

const trim = (line: string): string => line.trim()

const closestStart = (file: Lines, search: Lines): number | null =>
  bestOffset(file, search) ?? mostAlike(file, search)

/** Describes several places where lines fit, with the lines before each to tell them apart. */
export function severalPlaces(file: Lines, starts: readonly number[]) {
  const numbers = starts.slice(0, 3).map((start) => start + 1)
  const excerpt = () => {
    const shown = starts.slice(0, 2).flatMap((start) => {
      const from = Math.max(0, start - 3)
      const lines = file.slice(from, start + 2)
      return [`lines ${from + 1} to ${from + lines.length}:`, ...lines]
    })
    return shorten(shown)
  }
  return { where: `in more than one place (lines ${numbers.join(', ')}…)`, excerpt }
}

/** Every line that both have votes for the offset that it implies. */
function bestOffset(file: Lines, search: Lines): number | null {
  const places = Map.groupBy(file.keys(), (index) => (file[index] ?? '').trim())
  const votes = new Map<number, number>()
  for (const [index, line] of search.entries()) {
    const found = places.get(line.trim()) ?? []
    if (line.trim().length < 2 || found.length > mostOccurrences) continue
    for (const place of found) votes.set(place - index, (votes.get(place - index) ?? 0) + 1)
  }
  let best: number | null = null
  for (const [offset, count] of votes) {
    if (best === null || count > (votes.get(best) ?? 0)) best = offset
  }
  return best
}

/** The line that shares most words with the longest line of the search, at least half of them. */
function mostAlike(file: Lines, search: Lines): number | null {
  const longest = search.reduce((long, line) => (line.length > long.length ? line : long), '')
  const [index, wanted] = [Math.max(0, search.indexOf(longest)), wordsOf(longest)]
  let best = -1
  let bestShare = 0.5
  for (const [at, line] of file.entries()) {
    const words = wordsOf(line)
    const shared = [...wanted].filter((word) => words.has(word)).length
    const share = (2 * shared) / (wanted.size + words.size)
    if (share > bestShare) [best, bestShare] = [at, share]
  }
  return best < 0 ? null : best - index
}

const wordsOf = (line: string): ReadonlySet<string> =>
  new Set(line.slice(0, 500).match(/[\p{L}\p{N}_]+/gu) ?? [])
