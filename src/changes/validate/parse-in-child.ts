import type {
  SyntaxChecker,
  SyntaxLanguage,
  SyntaxProblem,
} from '../../core/ports/syntax-checker.ts'
import { nameOpenBracket } from '../../text/source/brackets.ts'
import { maskCurly, maskText } from '../../text/source/mask.ts'
import { positionAt } from '../../text/source/positions.ts'

/**
 * Problems of one text from the parser behind the port, the first with the bracket that caused it;
 * and what the language refuses and that parser takes.
 */
export async function parseInChild(
  language: SyntaxLanguage,
  text: string,
  checker: SyntaxChecker,
): Promise<readonly SyntaxProblem[] | 'not checked'> {
  const fragment = language === 'go' || language === 'php' ? beginnings[language](text) : null
  if (fragment !== null) return [fragment]
  const answer = await checker.check(language, text)
  if (answer.status === 'unavailable') return 'not checked'
  const [first, ...others] = answer.problems
  if (!first) return language === 'python' ? findOldExcept(text) : []
  const masked = mask(language, text)
  return masked === null ? answer.problems : [...nameOpenBracket(first, masked), ...others]
}

/** `null` where blocks end with words, or the parser itself says where they began. */
function mask(language: SyntaxLanguage, text: string): string | null {
  if (language === 'python') return maskText(text, 'python')
  if (language === 'ruby' || language === 'shell' || language === 'sql') return null
  return maskCurly(text, language)
}

/** How PHP code begins when its opening tag was forgotten; without the tag it is only text. */
const phpCode =
  /^\s*(?:namespace\s+[\w\\]+\s*;|use\s+[\w\\]+(?:\s+as\s+\w+)?\s*;|declare\s*\(|(?:require|include)(?:_once)?\b.*;|(?:(?:abstract|final|readonly)\s+)*(?:class|interface|trait|enum)\s+\w+[^<>]*\{|function\s+\w+\s*\([^<>]*\{|\$\w+\s*=[^=].*;)/
const commentsAtStart = /^(?:\s|\/\/[^\n]*\n|\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\/)*/

/** How a file has to begin where the parser takes fragments as well. */
const beginnings: Readonly<Record<'go' | 'php', (text: string) => SyntaxProblem | null>> = {
  go(text) {
    const code = maskCurly(text, 'go')
    if (/^\s*package\s+[\p{L}_]/u.test(code)) return null
    const message = 'A Go file begins with its package clause: `package name`.'
    return { message, ...positionAt(text, Math.max(0, code.search(/\S/))) }
  },
  php(text) {
    if (text.includes('<?') || !phpCode.test(text.replace(commentsAtStart, ''))) return null
    const message = 'PHP code begins with `<?php`; without it this file is plain text.'
    return { message, line: 1, column: 1 }
  },
}

/** Since 3.14 this catches two classes; under these names the second is what Python 2 bound. */
const oldExcept =
  /^[ \t]*except[ \t]+(?:\([^()\n]*\)|[\w.]+)[ \t]*(,)[ \t]*(?:e|ex|exc|err|error|exception|inst|why|msg)[ \t]*:/dm

function findOldExcept(text: string): readonly SyntaxProblem[] {
  const at = oldExcept.exec(maskText(text, 'python'))?.indices?.[1]?.[0]
  if (at === undefined) return []
  const message = 'Python 3 names what was caught with `as`: `except Error as error:`.'
  return [{ message, ...positionAt(text, at) }]
}
