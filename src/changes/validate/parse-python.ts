import type { SyntaxChecker, SyntaxProblem } from '../../core/ports/syntax-checker.ts'
import { maskText } from '../../text/source/mask.ts'
import { positionAt } from '../../text/source/positions.ts'
import { parseInChild } from './parse-in-child.ts'

/** Since 3.14 this catches two classes; under these names the second is what Python 2 bound. */
const OLD_EXCEPT =
  /^[ \t]*except[ \t]+(?:\([^()\n]*\)|[\w.]+)[ \t]*(,)[ \t]*(?:e|ex|exc|err|error|exception|inst|why|msg)[ \t]*:/dm

/** Problems of Python. */
export async function checkPython(
  text: string,
  checker: SyntaxChecker,
): Promise<readonly SyntaxProblem[] | 'not checked'> {
  const problems = await parseInChild('python', text, checker)
  if (problems.length > 0) return problems
  const at = OLD_EXCEPT.exec(maskText(text, 'python'))?.indices?.[1]?.[0]
  if (at === undefined) return []
  const message = 'Python 3 names what was caught with `as`: `except Error as error:`.'
  return [{ message, ...positionAt(text, at) }]
}
