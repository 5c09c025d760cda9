import ruff from '@astral-sh/ruff-wasm-nodejs'
import type { SyntaxProblem } from '../../core/ports/syntax-checker.ts'

/** What CPython itself refuses to compile, beyond bare syntax: F70 (return, break, … outside), F62, F4, PLE. */
const RULES = ['F70', 'F404', 'F407', 'F621', 'F622', 'PLE0115', 'PLE0117', 'PLE0118', 'PLE1142']

const workspace = new ruff.Workspace(
  { 'target-version': 'py314', lint: { select: RULES } },
  ruff.PositionEncoding.Utf16,
)

export function parsePython(text: string): readonly SyntaxProblem[] {
  const found: ruff.Diagnostic[] = workspace.check(text)
  return found.map(({ message, start_location: { row, column } }) => {
    return { message, line: row, column }
  })
}
