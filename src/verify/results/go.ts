import { framesIn, toTrace } from './frames.ts'
import { linesOf } from './plain-text.ts'
import { type Results, toFailure, toResults } from './results.ts'

const packageLine = /^(?:ok|FAIL)\s+\S+\s+(?:\(cached\)|[\d.]+s|\[)/
const longestMessage = 20

/** `go test` names what fails but counts only packages; no test files at all is zero. */
export function parseGo(text: string, folder: string): Results | null {
  const lines = linesOf(text)
  const isTested = lines.some((line) => packageLine.test(line) || line.startsWith('--- FAIL: '))
  const isUntested = lines.some((line) => /^\?\s.*\[no test files\]/.test(line))
  if (!isTested) return isUntested ? toResults({ passed: 0, failed: 0, skipped: 0 }, []) : null
  const failures = lines.flatMap((line, index) => {
    const name = /^--- FAIL: (\S+)/.exec(line)?.[1]
    if (name === undefined) return []
    const said = lines.slice(index + 1, index + 1 + longestMessage)
    const end = said.findIndex((each) => !/^\s/.test(each))
    const message = (end < 0 ? said : said.slice(0, end)).join('\n') || 'The test failed.'
    const frames = framesIn(message, folder)
    const place = { file: frames[0]?.file ?? null, line: frames[0]?.line ?? null }
    return [toFailure({ test: name, ...place, message, trace: toTrace(frames) }, folder)]
  })
  return failures.length === 0 && lines.some((line) => /\[build failed\]/.test(line))
    ? null
    : toResults(null, failures)
}
