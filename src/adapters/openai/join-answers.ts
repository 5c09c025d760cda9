/** No model repeats more than this when it goes on. */
const longestOverlap = 2000

/** Shorter repetitions are taken for meant: code is full of them. */
const shortestOverlap = 20

/** A model that begins the broken line anew repeats little, but from the line's start. */
const shortestLine = 4

/**
 * Joins an answer that was cut with its continuation. Models asked to go on often repeat the last
 * lines, or the line they stopped in; that repetition is kept once.
 */
export function joinAnswers(start: string, continuation: string): string {
  const most = Math.min(start.length, continuation.length, longestOverlap)
  for (let length = most; length >= shortestLine; length--) {
    const repeated = continuation.slice(0, length)
    const startsLine = length === start.length || start.at(-length - 1) === '\n'
    if (length < shortestOverlap && !startsLine) continue
    if (start.endsWith(repeated) && isDistinct(repeated)) {
      return start + continuation.slice(length)
    }
  }
  return start + continuation
}

/** A rule of dashes or an indentation may well go on with itself. */
const isDistinct = (text: string): boolean => new Set(text.replace(/\s/g, '')).size >= 4
