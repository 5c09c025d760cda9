import { parse } from 'java-parser'
import { endOfText } from '../code/positions.ts'
import type { SyntaxProblem } from '../syntax-checker.ts'
import { findForbidden } from './tree-sitter.ts'

/** Finds Java problems: the first one, where the parser stopped, or what it wrongly accepts. */
export async function parseJava(text: string): Promise<readonly SyntaxProblem[]> {
  const problems = readJava(text)
  return problems.length > 0 ? problems : findForbidden('java', text)
}

function readJava(text: string): readonly SyntaxProblem[] {
  try {
    parse(text)
    return []
  } catch (error) {
    const said = error instanceof Error && !(error instanceof RangeError) ? error.message : ''
    const found = /detected in line: (\d+|NaN), column: (\d+|NaN)!\n([\s\S]*?)(?:!\n\t->|$)/.exec(
      said,
    )
    if (!found) throw error
    const [, line = '', column = '', complaint = ''] = found
    const place = line === 'NaN' ? endOfText(text) : { line: Number(line), column: Number(column) }
    return [{ message: explain(complaint), ...place }]
  }
}

/** Replaces the generator's token sequences with what was found. */
function explain(complaint: string): string {
  const expected = /^Expecting --> '?([\s\S]*?)'? <-- but found --> '([\s\S]*?)' <--/.exec(
    complaint,
  )
  if (expected) return `expected \`${expected[1]}\`, found ${quote(expected[2])}`
  const found = /but found: '([\s\S]*?)'(?:\n|$)/.exec(complaint)
  if (found) return `unexpected ${quote(found[1])}`
  const character = /^unexpected character: ->([\s\S]*?)<-/.exec(complaint)
  if (character) return `unexpected character \`${character[1]}\``
  const redundant = /^Redundant input, expecting EOF but found: ([\s\S]*)$/.exec(complaint)
  if (redundant) return `unexpected ${quote(redundant[1])}: the class is already complete`
  return complaint.split('\n', 1)[0] ?? ''
}

const quote = (found = ''): string => (found === '' ? 'the end of the file' : `\`${found}\``)
