import type { SyntaxProblem } from '../syntax-checker.ts'

/** Maps each opening bracket to its closing one. */
export const closerOf: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** The offset of the bracket that closes the one at `open` of a masked text; -1 where it stays open. */
export function closingBracket(masked: string, open: number): number {
  let depth = 0
  for (let at = open; at < masked.length; at += 1) {
    const char = masked[at] ?? ''
    if ('([{'.includes(char)) depth += 1
    else if (')]}'.includes(char)) depth -= 1
    if (depth === 0) return at
  }
  return -1
}

/** Splits a list as it is written, at the commas outside brackets and strings. */
export function splitAtCommas(list: string, most = Infinity): readonly string[] {
  const values: string[] = []
  let depth = 0
  let quote = ''
  let start = 0
  for (let at = 0; at < list.length && values.length < most; at += 1) {
    const char = list[at] ?? ''
    if (quote !== '') {
      if (char === '\\') at += 1
      else if (char === quote) quote = ''
    } else if (char === '"' || char === '`' || (char === "'" && !/\w/.test(list[at - 1] ?? '')))
      quote = char
    else if ('([{'.includes(char)) depth += 1
    else if (')]}'.includes(char)) depth -= 1
    else if (char === ',' && depth === 0) {
      values.push(list.slice(start, at))
      start = at + 1
    }
  }
  return [...values, list.slice(start)]
}

interface Opener {
  readonly bracket: string
  readonly line: number
  readonly column: number
  /** Leading spaces of its line. */
  readonly indent: number
}

/** Names the bracket that caused a parser's complaint, if any, also as a separate problem. */
export function nameOpenBracket(problem: SyntaxProblem, masked: string): readonly SyntaxProblem[] {
  const bracket = findUnbalanced(masked)
  if (!bracket) return [problem]
  const { line, column } = bracket
  const here = line === problem.line
  const where = here ? '' : `Line ${line}, column ${column}: `
  const message = `${problem.message.replace(/[.]?$/, '.')} ${where}${bracket.message}`
  return here ? [{ ...problem, message }] : [{ ...problem, message }, bracket]
}

/**
 * Finds the bracket that makes a masked text unbalanced, or `null`. A parser reports where it gave
 * up, often the end of the file; this finds the bracket that was left open. When indentation shows
 * that an inner block lacks its bracket, returns that one instead of the outermost.
 */
function findUnbalanced(masked: string): SyntaxProblem | null {
  const stack: Opener[] = []
  let suspect: Opener | null = null
  let line = 1
  let lineStart = 0
  let indent = indentAt(masked, 0)
  for (const { 0: char, index } of masked.matchAll(/[()[\]{}\n]/g)) {
    const column = index - lineStart + 1
    if (char === '\n') {
      line += 1
      lineStart = index + 1
      indent = indentAt(masked, lineStart)
    } else if (char in closerOf) stack.push({ bracket: char, line, column, indent })
    else {
      const opener = stack.pop()
      if (!opener) return { message: `This \`${char}\` closes nothing.`, line, column }
      const wanted = closerOf[opener.bracket]
      if (wanted !== char) {
        const message = `This \`${opener.bracket}\` is not closed by \`${wanted}\`: \`${char}\` comes first, at line ${line}.`
        return { message, line: opener.line, column: opener.column }
      }
      if (column === indent + 1 && opener.indent > indent) suspect ??= opener
    }
  }
  const open = stack.length === 0 ? null : (suspect ?? stack.at(-1) ?? null)
  return (
    open && {
      message: `This \`${open.bracket}\` is never closed.`,
      ...{ line: open.line, column: open.column },
    }
  )
}

function indentAt(text: string, lineStart: number): number {
  let end = lineStart
  while (text[end] === ' ' || text[end] === '\t') end += 1
  return end - lineStart
}
