import { parser } from '@lezer/python'
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

/** Brackets inside each other beyond this are no code, and the parser's tree grows with every one. */
const MOST_BRACKETS = 300

/** By the syntax tree; a text that is too much for the parser is read by its tokens. */
function findInPythonText(text: string, look: FindNested): readonly Finding[] {
  if (bracketDepth(text) > MOST_BRACKETS) return findInCode('python', text, look)
  try {
    return findInPython(parser.parse(text), text, look)
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error
    return findInCode('python', text, look)
  }
}

function bracketDepth(text: string): number {
  let depth = 0
  let deepest = 0
  for (const [bracket] of text.matchAll(/[([{}\])]/g)) {
    depth = Math.max(0, depth + (/[([{]/.test(bracket) ? 1 : -1))
    deepest = Math.max(deepest, depth)
  }
  return deepest
}
