import type { SyntaxProblem } from '../../core/ports/syntax-checker.ts'

/** Maps each opening bracket to its closing one. */
export const closerOf: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

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
