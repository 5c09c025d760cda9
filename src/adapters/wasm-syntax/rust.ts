import { parser } from '@lezer/rust'
import type { SyntaxProblem } from '../../core/ports/syntax-checker.ts'
import { findForbidden, parseWithGrammar } from './tree-sitter.ts'

/** Problems of Rust. Each of two grammars rejects some real files: only what both reject counts. */
export async function parseRust(text: string): Promise<readonly SyntaxProblem[]> {
  const problems = await parseWithGrammar('rust', text)
  if (problems.length === 0) return findForbidden('rust', text)
  return rejects(text) ? problems : []
}

function rejects(text: string): boolean {
  let found = false
  parser.parse(text).iterate({
    enter({ type }) {
      found ||= type.isError
      return !found
    },
  })
  return found
}
