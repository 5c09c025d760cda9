import { hiddenCharacters, paddedText } from '../../text/hidden/characters.ts'
import { splitSource } from '../document/source-lines.ts'
import type { RuleMatch } from './finding.ts'

/** Lines that are named; more say nothing new. */
const mostFindings = 20

/** What a document holds that nobody sees, the first of each line. It is cut out of every prompt. */
export function findHidden(text: string): readonly RuleMatch[] {
  const { starts } = splitSource(text)
  const cuts = [...hiddenCharacters(text), ...paddedText(text)].sort((a, b) => a.start - b.start)
  const findings: RuleMatch[] = []
  let index = 0
  let last = -1
  for (const { start, channel } of cuts) {
    if (findings.length === mostFindings) break
    while ((starts[index + 1] ?? Number.POSITIVE_INFINITY) <= start) index += 1
    if (index === last) continue
    last = index
    findings.push({
      line: index + 1,
      column: start - (starts[index] ?? 0) + 1,
      message: `Line ${index + 1} has what people do not see: ${channel}. It is not shown to the model.`,
      fix: 'Take it out, or write what is meant.',
    })
  }
  return findings
}
