import { messageLines } from '../../text/diagnosis/plain-text.ts'
import { readCompilerErrors } from './compiler.ts'
import { beforeFrames, framesIn, toTrace } from './frames.ts'
import { namesakes, type RunPlace } from './place.ts'
import { type Results, toFailure, toResults } from './results.ts'

const packageLine = /^(?:ok|FAIL)\s+\S+\s+(?:\(cached\)|[\d.]+s|\[)/
const longestMessage = 20

/**
 * `go test` as a person runs it: it names what fails but counts only packages; no test files at
 * all is zero.
 */
export function parseGoText(text: string, place: RunPlace): Results | null {
  const lines = messageLines(text)
  const isTested = lines.some((line) => packageLine.test(line) || line.startsWith('--- FAIL: '))
  const isUntested = lines.some((line) => /^\?\s.*\[no test files\]/.test(line))
  if (!isTested) return isUntested ? toResults({ passed: 0, failed: 0, skipped: 0 }, []) : null
  const failures = lines.flatMap((line, index) => {
    const name = /^--- FAIL: (\S+)/.exec(line)?.[1]
    if (name === undefined) return []
    const message = beforeFrames(lines.slice(index + 1, index + 1 + longestMessage), /^(?!\s)/)
    const frames = framesIn(message, place).map((frame) => ({
      ...frame,
      file: place.sources.includes(frame.file)
        ? frame.file
        : (namesakes(frame.file, place)[0] ?? frame.file),
    }))
    return [toFailure({ test: name, ...frames[0], message, trace: toTrace(frames) }, place)]
  })
  const isBroken = lines.some((line) => /\[(?:build|setup) failed\]/.test(line))
  return toResults(null, isBroken ? [...readCompilerErrors(text, place), ...failures] : failures)
}
