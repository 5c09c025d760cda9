import {
  maskCurly,
  maskText,
  nameOpenBracket,
  positionAt,
  type SyntaxChecker,
  type SyntaxLanguage,
  type SyntaxProblem,
} from '../../source/source.ts'

/**
 * Finds problems of one text with the parser behind the port, the first with the bracket that
 * caused it, and faults that the language refuses but that parser accepts.
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

/** Returns `null` where blocks end with words, or where the parser itself says how they started. */
function mask(language: SyntaxLanguage, text: string): string | null {
  if (language === 'python') return maskText(text, 'python')
  if (language === 'ruby' || language === 'shell' || language === 'sql') return null
  return maskCurly(text, language)
}

/** How PHP code starts when its opening tag was forgotten; without the tag it is only text. */
const phpCode =
  /^\s*(?:namespace\s+[\w\\]+\s*;|use\s+[\w\\]+(?:\s+as\s+\w+)?\s*;|declare\s*\(|(?:require|include)(?:_once)?\b.*;|(?:(?:abstract|final|readonly)\s+)*(?:class|interface|trait|enum)\s+\w+[^<>]*\{|function\s+\w+\s*\([^<>]*\{|\$\w+\s*=[^=].*;)/
const commentsAtStart = /^(?:\s|\/\/[^\n]*\n|\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\/)*/

/** How a file must start, where the parser also accepts fragments. */
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

/** Python 3.14 catches two classes here; with these names, the second is a variable of Python 2. */
const oldExcept =
  /^[ \t]*except[ \t]+(?:\([^()\n]*\)|[\w.]+)[ \t]*(,)[ \t]*(?:e|ex|exc|err|error|exception|inst|why|msg)[ \t]*:/dm

function findOldExcept(text: string): readonly SyntaxProblem[] {
  const at = oldExcept.exec(maskText(text, 'python'))?.indices?.[1]?.[0]
  if (at === undefined) return []
  const message = 'Python 3 names what was caught with `as`: `except Error as error:`.'
  return [{ message, ...positionAt(text, at) }]
}
