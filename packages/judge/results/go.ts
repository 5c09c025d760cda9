import { posix } from 'node:path'
import { z } from 'zod'
import { messageLines, plainText } from '../../diagnosis/diagnosis.ts'
import { parseJson } from '../../text/text.ts'
import { readCompilerErrors } from './errors.ts'
import {
  beforeFrames,
  comparedIn,
  type FoundFailure,
  type Frame,
  framesIn,
  namesakes,
  type ReportedTest,
  type Results,
  type RunPlace,
  tally,
  toFailure,
} from './results.ts'
import type { TestCounts } from './test-report.ts'

/** https://pkg.go.dev/cmd/test2json; since Go 1.24 also build events. */
const event = z.object({
  Action: z.string(),
  Package: z.string().catch(''),
  Test: z.string().catch(''),
  Output: z.string().catch(''),
})

interface Test {
  readonly packageName: string
  readonly name: string
  readonly output: string[]
  outcome: keyof TestCounts | 'unfinished'
}

const mostOutputLines = 200

/**
 * Reads `go test -json`; a line that is no event is compiler output. `printed` is the output as a
 * person would have seen it. Returns `null` when there is neither an event nor an error.
 */
export function parseGoJson(text: string, place: RunPlace): (Results & { printed: string }) | null {
  const { tests, printed, isGo } = readEvents(text)
  const errors = readCompilerErrors(plainText(printed), place)
  if (!isGo && errors.length === 0) return null
  const all = [...tests.values()]
  const parents = new Set(all.flatMap(parentKeys))
  const redParents = new Set(all.filter(({ outcome }) => outcome === 'failed').flatMap(parentKeys))
  const reported = [...tests].flatMap(([key, test]): readonly ReportedTest[] => {
    const { name: title, outcome } = test
    if (outcome === 'passed' || outcome === 'skipped')
      return parents.has(key) ? [] : [{ title, outcome }]
    if (parents.has(key) && redParents.has(key) && !hasOwnFailure(test)) return []
    return [{ title, outcome: 'failed', failure: describe(test, place) }]
  })
  const { counts, failures, titles } = tally(reported, place)
  const isUnbuilt = errors.length > 0 && reported.length === 0
  return { counts: isUnbuilt ? null : counts, failures: [...errors, ...failures], titles, printed }
}

const outcomes = new Map<string, Test['outcome']>([
  ['pass', 'passed'],
  ['fail', 'failed'],
  ['skip', 'skipped'],
])

function readEvents(text: string) {
  const tests = new Map<string, Test>()
  const printed: string[] = []
  let isGo = false
  for (const line of text.split('\n')) {
    const read = line.startsWith('{') ? event.safeParse(parseJson(line)) : null
    if (read === null || !read.success) {
      printed.push(line, '\n')
      continue
    }
    isGo = true
    const { Action, Package, Test, Output } = read.data
    if (Output !== '') printed.push(Output)
    if (Test === '') continue
    const key = `${Package} ${Test}`
    const known = tests.get(key)
    const test: Test = known ?? {
      ...{ packageName: Package, name: Test, output: [], outcome: 'unfinished' },
    }
    if (known === undefined) tests.set(key, test)
    if (Output !== '' && test.output.length < mostOutputLines) test.output.push(Output)
    test.outcome = outcomes.get(Action) ?? test.outcome
  }
  return { tests, printed: printed.join(''), isGo }
}

function parentKeys({ packageName, name }: Test): readonly string[] {
  const end = name.lastIndexOf('/')
  return end < 0 ? [] : [`${packageName} ${name.slice(0, end)}`]
}

/** A parent fails because of a child, or for a reason of its own, which it prints. */
const hasOwnFailure = (test: Test): boolean =>
  ownLines(test).some((line) => /^\s+\S+\.go:\d+: |^panic: /.test(line))

const ownLines = ({ output }: Test): readonly string[] =>
  messageLines(plainText(output.join(''))).filter((line) => !/^\s*(?:=== |--- |FAIL\b)/.test(line))

function describe(test: Test, place: RunPlace): FoundFailure {
  const lines = ownLines(test)
  const frames = framesIn(lines.join('\n'), place).map((frame) =>
    inPackage(frame, test.packageName, place),
  )
  const message = beforeFrames(
    lines.map((line) => line.replace(/^ {4}/, '')),
    /^goroutine \d+/,
  )
  const own = frames.find(({ file }) => file.endsWith('_test.go')) ?? frames[0]
  return {
    test: test.name.split('/'),
    file: own?.file ?? null,
    message: message || (test.outcome === 'failed' ? '' : 'It did not end.'),
    ...comparedIn(message),
    errorType: lines.some((line) => line.startsWith('panic: ')) ? 'panic' : null,
    frames,
  }
}

/** Go names a test's file without folder: picks the folder that best matches the package name. */
function inPackage(frame: Frame, packageName: string, place: RunPlace): Frame {
  if (place.sources.includes(frame.file)) return frame
  const [best] = namesakes(posix.basename(frame.file), place)
    .map((file) => ({ file, shared: sharedEnd(posix.dirname(file), packageName) }))
    .sort((one, other) => other.shared - one.shared || one.file.length - other.file.length)
  return { ...frame, file: best?.file ?? frame.file }
}

/** Counts the path segments at the end that both share. */
function sharedEnd(one: string, other: string): number {
  const [left, right] = [one.split('/').reverse(), other.split('/').reverse()]
  const end = left.findIndex((part, index) => part !== right[index])
  return end < 0 ? left.length : end
}

const packageLine = /^(?:ok|FAIL)\s+\S+\s+(?:\(cached\)|[\d.]+s|\[)/
const longestMessage = 20

/** Reads plain `go test`, which names failures but counts only packages; no test files is zero. */
export function parseGoText(text: string, place: RunPlace): Results | null {
  const lines = messageLines(text)
  const isTested = lines.some((line) => packageLine.test(line) || line.startsWith('--- FAIL: '))
  const isUntested = lines.some((line) => /^\?\s.*\[no test files\]/.test(line))
  if (!isTested) return isUntested ? tally([], place) : null
  const failures = lines.flatMap((line, index) => {
    const name = /^--- FAIL: (\S+)/.exec(line)?.[1]
    if (name === undefined) return []
    const message = beforeFrames(lines.slice(index + 1, index + 1 + longestMessage), /^(?!\s)/)
    const frames = framesIn(message, place).map((frame) => inPackage(frame, '', place))
    return [toFailure({ test: name, message, frames }, place)]
  })
  const isBroken = lines.some((line) => /\[(?:build|setup) failed\]/.test(line))
  const errors = isBroken ? readCompilerErrors(text, place) : []
  return { counts: null, failures: [...errors, ...failures] }
}
