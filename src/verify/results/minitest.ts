import type { TestFailure } from '../../core/domain/test-report.ts'
import { comparedIn } from './compared.ts'
import { beforeFrames, framesIn, toTrace } from './frames.ts'
import type { RunPlace } from './place.ts'
import { errorTypeOf, type Results, toFailure, toResults } from './results.ts'

const summary =
  /^(\d{1,9}) (?:runs|tests), \d{1,9} assertions, (\d{1,9}) failures, (\d{1,9}) errors(?:, (\d{1,9}) (?:skips|pendings))?(?:, (\d{1,9}) omissions)?/gm

/** minitest and test-unit. `null` without the last line, `4 runs, 1 assertions, 1 failures, …`. */
export function parseMinitest(text: string, place: RunPlace): Results | null {
  const found = [...text.matchAll(summary)]
  if (found.length === 0) return null
  const sum = (group: number) =>
    found.reduce((total, match) => total + Number(match[group] ?? 0), 0)
  const failed = sum(2) + sum(3)
  const skipped = sum(4) + sum(5)
  const passed = Math.max(0, sum(1) - failed - skipped)
  return toResults({ passed, failed, skipped }, readFailures(text, place))
}

/** `  1) Failure:`, the test with its place, and what it says up to an empty line before the next. */
function readFailures(text: string, place: RunPlace): readonly TestFailure[] {
  const sections = text.split(/^ {1,5}\d{1,6}\) (?=Failure:$|Error:$)/m).slice(1)
  return sections.map((section) => {
    const [, head = '', ...rest] =
      section.split(/^\d{1,9} (?:runs|tests), /m, 1)[0]?.split('\n') ?? []
    const [, name = head, path = ''] = /^(\S+)(?: \[(.+)\])?:$/.exec(head) ?? []
    const lines = rest.slice(0, 60)
    const message = beforeFrames(lines, /^\s+\S+\.rb:\d+:in /)
    const frames = framesIn([path, ...lines].join('\n'), place)
    const isError = section.startsWith('Error')
    return toFailure(
      {
        test: name.replace('#', ' > '),
        ...frames[0],
        message,
        ...comparedIn(message),
        errorType: isError ? errorTypeOf(message) : 'AssertionError',
        trace: toTrace(frames),
      },
      place,
    )
  })
}
