import { plainText } from '../../text/diagnosis/plain-text.ts'
import { readErrors } from './errors.ts'
import { parseGoText } from './go.ts'
import type { RunPlace } from './place.ts'
import type { Results } from './results.ts'
import { parseTap } from './tap.ts'
import { countTests, sumCounts, textRunners } from './text-runners.ts'

const readers = [parseTap, parseGoText, ...textRunners]

/**
 * Output of a command that nobody could ask for a report; counts are `null` if it tells none. A script
 * may start several runners, one after the other: all of them count.
 */
export function parseText(text: string, place: RunPlace): Results {
  const plain = plainText(text)
  const found = readers.flatMap((read) => read(plain, place) ?? [])
  const counts = countTests(plain, place)
  if (found.length === 0) return { counts, failures: readErrors(plain, place) }
  return {
    counts: sumCounts(
      [...found.map((each) => each.counts), counts].filter((each) => each !== null),
    ),
    failures: found.flatMap(({ failures }) => failures),
  }
}
