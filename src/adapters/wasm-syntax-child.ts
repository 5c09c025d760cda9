import ruff from '@astral-sh/ruff-wasm-nodejs'
import type { SyntaxProblem } from '../ports.ts'

/** What the parent asks: one text at a time. */
export interface SyntaxQuestion {
  readonly id: number
  readonly text: string
}

export interface SyntaxAnswer {
  readonly id: number
  readonly problems: readonly SyntaxProblem[]
}

/** What CPython itself refuses to compile, beyond bare syntax: F70 (return, break, … outside), F62, F4, PLE. */
const RULES = ['F70', 'F404', 'F407', 'F621', 'F622', 'PLE0115', 'PLE0117', 'PLE0118', 'PLE1142']

const TOO_DEEP = { message: 'The code is nested too deeply to be parsed.', line: 0, column: 0 }

const workspace = new ruff.Workspace(
  { 'target-version': 'py314', lint: { select: RULES } },
  ruff.PositionEncoding.Utf16,
)

process.on('message', ({ id, text }: SyntaxQuestion) => {
  const problems = problemsOf(text)
  const answer: SyntaxAnswer = { id, problems: problems ?? [TOO_DEEP] }
  // A wasm module that ran out of stack is left in disorder: answer, and make room for a fresh one.
  process.send?.(answer, () => {
    if (problems === null) process.exit()
  })
})

/** `null` when the parser's stack was exhausted. */
function problemsOf(text: string): readonly SyntaxProblem[] | null {
  try {
    const found: ruff.Diagnostic[] = workspace.check(text)
    return found.map(({ message, start_location: { row, column } }) => {
      return { message, line: row, column }
    })
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
