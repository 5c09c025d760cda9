import type { SyntaxChecker, SyntaxProblem } from '../ports.ts'
import { nameOpenBracket } from './brackets.ts'
import { maskText } from './mask.ts'

/** Problems of Python, from the parser behind the port. */
export async function parsePython(
  text: string,
  checker: SyntaxChecker,
): Promise<readonly SyntaxProblem[] | 'not checked'> {
  const answer = await checker.check('python', text)
  if (answer.status === 'unavailable') return 'not checked'
  const [first, ...others] = answer.problems
  if (!first) return []
  return [...nameOpenBracket(first, maskText(text, 'python')), ...others]
}
