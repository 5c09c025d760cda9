import { messageLines } from '../../text/diagnosis/plain-text.ts'
import { framesIn } from './frames.ts'
import type { RunPlace } from './place.ts'
import { errorTypeOf, type Results, toFailure, toResults } from './results.ts'

const lastLine = /^=* ?(?:\d+ \w+(?:, )?)*(?:no tests ran)? ?in [\d.]+s\b/
const failureLine = /^(?:FAILED|ERROR) ([^\s:]+\.py)(?:::(\S+))?(?: - (.*))?$/

/** What pytest prints at its end, for commands that were run as a person wrote them. */
export function parsePytestSummary(text: string, place: RunPlace): Results | null {
  const lines = messageLines(text)
  // One for each environment of tox or nox.
  const ends = lines.filter((line) => lastLine.test(line))
  if (ends.length === 0) return null
  const number = (name: string) => {
    const amount = new RegExp(`(\\d+) ${name}\\b`)
    return ends.reduce((total, line) => total + Number(amount.exec(line)?.[1] ?? 0), 0)
  }
  const counts = {
    passed: number('passed') + number('xpassed'),
    failed: number('failed') + number('errors?'),
    skipped: number('skipped') + number('xfailed'),
  }
  const frames = framesIn(text, place)
  const failures = lines.flatMap((line) => {
    const [, file, names = '', message = 'The test failed.'] = failureLine.exec(line) ?? []
    if (file === undefined) return []
    const own = frames.findLast((frame) => frame.file === file)
    const test = names === '' ? file : names.replaceAll('::', ' > ')
    const said = { message, errorType: errorTypeOf(message) }
    return [toFailure({ test, file, line: own?.line ?? null, ...said }, place)]
  })
  return toResults(counts, failures)
}
