import { parseCargo } from './cargo.ts'
import { readCompilerErrors } from './compiler.ts'
import { parseGo } from './go.ts'
import { parseMocha } from './mocha.ts'
import { plainText } from './plain-text.ts'
import { parsePytestSummary } from './pytest-summary.ts'
import { type Results, toResults } from './results.ts'
import { parseTap } from './tap.ts'
import { parseUnittest } from './unittest.ts'

const readers = [parseTap, parseUnittest, parsePytestSummary, parseGo, parseCargo, parseMocha]

/** Output of a command that nobody could ask for a report; counts are `null` if it tells none. */
export function parseText(text: string, folder: string): Results {
  const plain = plainText(text)
  for (const read of readers) {
    const results = read(plain, folder)
    if (results !== null) return results
  }
  return toResults(null, readCompilerErrors(plain, folder))
}
