import { parsePythonText } from '../../source/source.ts'
import { findInCode } from './code/find-in-code.ts'
import { findInSyntax } from './code/find-in-tree.ts'
import type { Finding, FindNested, ScriptLanguage } from './finding.ts'
import { findInShell } from './shell/find-in-shell.ts'
import { findInSql } from './sql/find-in-sql.ts'

/** Commands nested deeper are not read; no person nests them that deep. */
const MAX_NESTING = 6

/** Reads texts that programs are given to run, each one level deeper. */
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
      return findInSyntax('python', parsePythonText(text), text, look)
    default:
      return findInCode(language, text, look)
  }
}
