import { parser } from '@lezer/python'
import { isNestedTooDeeply } from '../../text/syntax/parse-python.ts'
import { findInCode } from './code/find-in-code.ts'
import { findInPython } from './code/find-in-python.ts'
import type { Finding, FindNested, ScriptLanguage } from './finding.ts'
import { findInShell } from './shell/find-in-shell.ts'
import { findInSql } from './sql/find-in-sql.ts'

/** Commands inside commands beyond this are not looked into; no person writes so many. */
const MAX_NESTING = 6

/** Looks into texts that programs are given to run, each a level deeper. */
export function createLook(depth = 0): FindNested {
  return (language, text) =>
    depth >= MAX_NESTING ? [] : findInText(language, text, createLook(depth + 1))
}

function findInText(language: ScriptLanguage, text: string, look: FindNested): readonly Finding[] {
  switch (language) {
    case 'shell':
      return findInShell(text, look)
    case 'sql':
      return findInSql(text)
    case 'python':
      return findInPythonText(text, look)
    default:
      return findInCode(language, text, look)
  }
}

/** By the syntax tree; a text that is too much for the parser is read by its tokens. */
function findInPythonText(text: string, look: FindNested): readonly Finding[] {
  if (isNestedTooDeeply(text)) return findInCode('python', text, look)
  try {
    return findInPython(parser.parse(text), text, look)
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error
    return findInCode('python', text, look)
  }
}
