import type { SyntaxChecker, SyntaxProblem } from '../../core/ports/syntax-checker.ts'
import { parseInChild } from './parse-in-child.ts'

/** How PHP code begins when its opening tag was forgotten; without the tag it is only text. */
const CODE =
  /^\s*(?:namespace\s+[\w\\]+\s*;|use\s+[\w\\]+(?:\s+as\s+\w+)?\s*;|declare\s*\(|(?:require|include)(?:_once)?\b.*;|(?:(?:abstract|final|readonly)\s+)*(?:class|interface|trait|enum)\s+\w+[^<>]*\{|function\s+\w+\s*\([^<>]*\{|\$\w+\s*=[^=].*;)/

const NO_TAG: SyntaxProblem = {
  message: 'PHP code begins with `<?php`; without it this file is plain text.',
  line: 1,
  column: 1,
}

/** Problems of PHP. */
export async function parsePhp(
  text: string,
  checker: SyntaxChecker,
): Promise<readonly SyntaxProblem[] | 'not checked'> {
  if (!text.includes('<?') && CODE.test(withoutComments(text))) return [NO_TAG]
  return parseInChild('php', text, checker)
}

/** Comments before the first line of code. */
function withoutComments(text: string): string {
  return text.replace(/^(?:\s|\/\/[^\n]*\n|\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\/)*/, '')
}
