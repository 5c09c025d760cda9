import { plainText } from '../../text/diagnosis/plain-text.ts'
import { parseCargo } from './cargo.ts'
import { readCompilerErrors } from './compiler.ts'
import { readCrashes } from './crash.ts'
import { parseGoText } from './go.ts'
import { parseMinitest } from './minitest.ts'
import { parseMocha } from './mocha.ts'
import type { RunPlace } from './place.ts'
import { parsePytestSummary } from './pytest-summary.ts'
import { type Results, toResults } from './results.ts'
import { readSummary, sumCounts } from './summaries.ts'
import { parseTap } from './tap.ts'
import { parseUnittest } from './unittest.ts'

const readers = [
  parseTap,
  parseUnittest,
  parsePytestSummary,
  parseGoText,
  parseCargo,
  parseMocha,
  parseMinitest,
]

/**
 * Output of a command that nobody could ask for a report; counts are `null` if it tells none. A script
 * may start several runners, one after the other: all of them count.
 */
export function parseText(text: string, place: RunPlace): Results {
  const plain = plainText(text)
  const found = readers.flatMap((read) => read(plain, place) ?? [])
  const summary = readSummary(plain)
  if (found.length === 0) return toResults(summary, readErrors(plain, place))
  const told = [...found.map(({ counts }) => counts), summary]
  const failures = found.flatMap((results) => results.failures)
  return toResults(sumCounts(told.filter((counts) => counts !== null)), failures)
}

/** What kept a program from running at all: errors of compilers first, then of interpreters. */
export function readErrors(plain: string, place: RunPlace): Results['failures'] {
  const errors = readCompilerErrors(plain, place)
  return errors.length > 0 ? errors : readCrashes(plain, place)
}
