import { findLines } from './find-lines.ts'

/** Where the lines of a file are now, of which edits change some. */
export interface Untouched {
  /** Where lines are now that the file had once, and that no edit has touched; else `null`. */
  readonly find: (search: readonly string[]) => number | null
  readonly follow: (before: readonly string[], after: readonly string[]) => void
}

/**
 * Follows a file through edits. An edit may bring in a copy of lines that a later one looks for: these were
 * copied from the file as it was, where they are there once.
 */
export function trackUntouched(original: readonly string[]): Untouched {
  /** The line of the file that each line is; -1 for those that edits brought in or may have moved. */
  let origins: readonly number[] = original.map((_, index) => index)
  return {
    find(search) {
      const [first, ...others] = findLines(original, search, 2)
      if (first === undefined || others.length > 0) return null
      const start = origins.indexOf(first)
      const isWhole = search.every((_, index) => origins[start + index] === first + index)
      return start >= 0 && isWhole ? start : null
    },
    follow(before, after) {
      const shorter = Math.min(before.length, after.length)
      const head = commonStart(before, after, shorter)
      const tail = commonStart(before.toReversed(), after.toReversed(), shorter)
      // Where lines are like those beside them, nobody can tell which of them came.
      const either = Math.max(0, head + tail - shorter)
      const [kept, end] = [head - either, tail - either]
      origins = [
        ...origins.slice(0, kept),
        ...after.slice(kept, after.length - end).map(() => -1),
        ...origins.slice(before.length - end),
      ]
    },
  }
}

function commonStart(first: readonly string[], second: readonly string[], most: number): number {
  let length = 0
  while (length < most && first[length] === second[length]) length += 1
  return length
}
