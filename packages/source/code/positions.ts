import type { SyntaxProblem } from '../syntax-checker.ts'

/** The problem of a text whose nesting exhausts a parser; it concerns the whole file. */
export const TOO_DEEP: SyntaxProblem = {
  message: 'The code is nested too deeply to be parsed.',
  line: 0,
  column: 0,
}

/** The offset `more` characters after the start of the next mark; the text's end without one. */
export function endOf(text: string, mark: string, from: number, more = 0): number {
  const found = text.indexOf(mark, from)
  return found < 0 ? text.length : found + more
}

/** 1-based line and column of an offset. */
export function positionAt(text: string, offset: number): { line: number; column: number } {
  let line = 1
  let lineStart = 0
  for (let next = text.indexOf('\n'); next >= 0 && next < offset; ) {
    line += 1
    lineStart = next + 1
    next = text.indexOf('\n', lineStart)
  }
  return { line, column: offset - lineStart + 1 }
}

export function lineCounter(text: string): (offset: number) => number {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}

/** The position after the last character that is not white space, where something is missing. */
export const endOfText = (text: string): { line: number; column: number } =>
  positionAt(text, text.trimEnd().length)
