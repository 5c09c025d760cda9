import type { SyntaxChecker, SyntaxProblem } from '../../core/ports/syntax-checker.ts'
import { maskCurly } from '../../text/source/mask-curly.ts'
import { positionAt } from '../../text/source/positions.ts'
import { parseInChild } from './parse-in-child.ts'

/** Problems of Go. The formatter that reads it takes fragments too, so the package clause is looked for here. */
export async function checkGo(
  text: string,
  checker: SyntaxChecker,
): Promise<readonly SyntaxProblem[] | 'not checked'> {
  const code = maskCurly(text, 'go')
  if (/^\s*package\s+[\p{L}_]/u.test(code)) return parseInChild('go', text, checker)
  const message = 'A Go file begins with its package clause: `package name`.'
  return [{ message, ...positionAt(text, Math.max(0, code.search(/\S/))) }]
}
