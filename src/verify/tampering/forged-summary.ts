import { type ChangeSet, contentAfter, contentBefore } from '../../core/domain/change-set.ts'
import { codeFile, isTestFile } from '../../text/source/is-test-file.ts'
import { parseText } from '../results/read-run.ts'

const string = /(["'`])((?:\\[^\n]|(?!\1)[^\\\n]){4,400})\1/g
const words = /\b(?:pass|passed|tests?|ok|examples?|assertions?|failures?)\b/i
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }
const mostStrings = 5000
const nowhere = { folder: '/', directory: '.', sources: [] }

/**
 * Strings that code of a change adds and that would be read as the summary of a test run, were they
 * printed: `20 passed in 0.05s`. With one of these in it, what a run prints proves nothing.
 */
export function findForgedSummaries(changes: ChangeSet): readonly string[] {
  return changes.flatMap((change) => {
    const text = contentAfter(change)
    if (text === undefined || !codeFile.test(change.path) || isTestFile(change.path)) return []
    const before = contentBefore(change) ?? ''
    const found = stringsIn(text).filter((each) => !before.includes(each) && isSummary(each))
    return found.slice(0, 1).map((each) => `${change.path}: ${each.trim()}`)
  })
}

const stringsIn = (text: string): readonly string[] =>
  [...new Set([...text.matchAll(string)].map(([, , inside = '']) => inside))].slice(0, mostStrings)

function isSummary(said: string): boolean {
  if (!/\d/.test(said) || !words.test(said)) return false
  const printed = said.replace(/\\(.)/g, (_, char: string) => escapes[char] ?? char)
  const counts = parseText(`${printed}\n`, nowhere).counts
  return counts !== null && counts.passed > 0
}
