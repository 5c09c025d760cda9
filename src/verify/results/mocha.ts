import type { TestFailure } from '../../core/domain/test-report.ts'
import { beforeFrames, framesIn, toTrace } from './frames.ts'
import type { RunPlace } from './place.ts'
import { errorTypeOf, type Results, toFailure, toResults } from './results.ts'

const countLine = (name: string) => new RegExp(`^ {1,4}(\\d{1,9}) ${name}\\b`, 'gm')

/** mocha's default report: `3 passing (5ms)`, `1 failing`, then the failures by number. */
export function parseMocha(text: string, place: RunPlace): Results | null {
  const number = (name: string) =>
    [...text.matchAll(countLine(name))].reduce((total, found) => total + Number(found[1]), 0)
  if (!countLine('passing').test(text)) return null
  const told = countLine('failing').exec(text)
  const sections =
    told === null
      ? []
      : text
          .slice(told.index)
          .split(/^ {2}\d{1,6}\) /m)
          .slice(1)
  return toResults(
    { passed: number('passing'), failed: number('failing'), skipped: number('pending') },
    sections.map((section) => describe(section, place)),
  )
}

/** The names of suites and test, each on a line of its own, the last with a colon; then the error. */
function describe(section: string, place: RunPlace): TestFailure {
  const lines = section.split('\n')
  const last = lines.findIndex((line) => line.endsWith(':'))
  const names = lines.slice(0, last + 1).map((line) => line.trim().replace(/:$/, ''))
  const message = beforeFrames(lines.slice(last + 1))
  const frames = framesIn(section, place)
  return toFailure(
    {
      test: names.join(' > '),
      ...frames[0],
      message,
      errorType: errorTypeOf(message),
      trace: toTrace(frames),
    },
    place,
  )
}
