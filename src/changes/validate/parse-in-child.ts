import type {
  SyntaxChecker,
  SyntaxLanguage,
  SyntaxProblem,
} from '../../core/ports/syntax-checker.ts'
import { nameOpenBracket } from '../../text/source/brackets.ts'
import { maskText } from '../../text/source/mask.ts'
import { maskCurly } from '../../text/source/mask-curly.ts'

/** Problems of one text from the parser behind the port, the first with the bracket that caused it. */
export async function parseInChild(
  language: SyntaxLanguage,
  text: string,
  checker: SyntaxChecker,
): Promise<readonly SyntaxProblem[] | 'not checked'> {
  const answer = await checker.check(language, text)
  if (answer.status === 'unavailable') return 'not checked'
  const [first, ...others] = answer.problems
  if (!first) return []
  const masked = mask(language, text)
  return masked === null ? answer.problems : [...nameOpenBracket(first, masked), ...others]
}

/** `null` where blocks end with words, or the parser itself says where they began. */
function mask(language: SyntaxLanguage, text: string): string | null {
  if (language === 'python') return maskText(text, 'python')
  if (language === 'ruby' || language === 'shell' || language === 'sql') return null
  return maskCurly(text, language)
}
