import { z } from 'zod'
import type { TestFailure } from '../../core/domain/test-report.ts'
import { parseJson } from '../../core/parse-json.ts'
import { messageLines, plainText } from '../../text/diagnosis/plain-text.ts'
import { comparedIn } from './compared.ts'
import { readCompilerErrors } from './compiler.ts'
import { beforeFrames, type Frame, framesIn, toTrace } from './frames.ts'
import { namesakes, type RunPlace } from './place.ts'
import { type Results, toFailure, toResults } from './results.ts'

/** https://pkg.go.dev/cmd/test2json, and since Go 1.24 the events of the build. */
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
  outcome: string
}

const mostOutputLines = 200

/**
 * What `go test -json` says; anything that is no event is what the compiler prints. `said` is the
 * same output as a person would have seen it. `null` when there is neither an event nor an error.
 */
export function parseGoJson(text: string, place: RunPlace): (Results & { said: string }) | null {
  const { tests, said, isGo } = readEvents(text)
  const errors = readCompilerErrors(plainText(said), place)
  if (!isGo && errors.length === 0) return null
  const all = [...tests.values()]
  const parents = new Set(all.flatMap(parentKeys))
  const redParents = new Set(all.filter(({ outcome }) => outcome === 'fail').flatMap(parentKeys))
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const failures: TestFailure[] = [...errors]
  const titles: string[] = []
  for (const [key, test] of tests) {
    const isRed = test.outcome !== 'pass' && test.outcome !== 'skip'
    if (parents.has(key) && !(isRed && (!redParents.has(key) || hasOwnFailure(test)))) continue
    if (test.outcome !== 'skip') titles.push(test.name)
    if (test.outcome === 'pass') counts.passed += 1
    else if (test.outcome === 'skip') counts.skipped += 1
    else {
      counts.failed += 1
      failures.push(describe(test, place))
    }
  }
  const isUnbuilt = errors.length > 0 && counts.passed + counts.failed + counts.skipped === 0
  return { ...toResults(isUnbuilt ? null : counts, failures, titles), said }
}

function readEvents(text: string) {
  const tests = new Map<string, Test>()
  const said: string[] = []
  let isGo = false
  for (const line of text.split('\n')) {
    const read = line.startsWith('{') ? event.safeParse(parseJson(line)) : null
    if (read === null || !read.success) {
      said.push(line, '\n')
      continue
    }
    isGo = true
    const { Action, Package, Test, Output } = read.data
    if (Output !== '') said.push(Output)
    if (Test === '') continue
    const key = `${Package} ${Test}`
    const known = tests.get(key)
    const test = known ?? { packageName: Package, name: Test, output: [], outcome: 'unfinished' }
    if (known === undefined) tests.set(key, test)
    if (Output !== '' && test.output.length < mostOutputLines) test.output.push(Output)
    if (['pass', 'fail', 'skip'].includes(Action)) test.outcome = Action
  }
  return { tests, said: said.join(''), isGo }
}

function parentKeys({ packageName, name }: Test): readonly string[] {
  const end = name.lastIndexOf('/')
  return end < 0 ? [] : [`${packageName} ${name.slice(0, end)}`]
}

/** A parent fails because a child does, or for a reason of its own, which it prints. */
const hasOwnFailure = (test: Test): boolean =>
  ownLines(test).some((line) => /^\s+\S+\.go:\d+: |^panic: /.test(line))

const ownLines = ({ output }: Test): readonly string[] =>
  messageLines(plainText(output.join(''))).filter((line) => !/^\s*(?:=== |--- |FAIL\b)/.test(line))

function describe(test: Test, place: RunPlace): TestFailure {
  const lines = ownLines(test)
  const said = lines.join('\n').trim()
  const panic = lines.find((line) => line.startsWith('panic: '))
  const frames = framesIn(said, place).map((frame) => inPackage(frame, test.packageName, place))
  const message = beforeFrames(
    lines.map((line) => line.replace(/^ {4}/, '')),
    /^goroutine \d+/,
  )
  const own = frames.find(({ file }) => file.endsWith('_test.go')) ?? frames[0]
  return toFailure(
    {
      test: test.name.replaceAll('/', ' > '),
      ...own,
      message: message || (test.outcome === 'fail' ? '' : 'It did not end.'),
      ...comparedIn(message),
      errorType: panic === undefined ? null : 'panic',
      trace: toTrace(frames),
    },
    place,
  )
}

/** A test names its file without a folder: the folder is the one that the package's name ends with. */
function inPackage(frame: Frame, packageName: string, place: RunPlace): Frame {
  const name = frame.file.split('/').at(-1) ?? frame.file
  if (place.sources.length === 0 || place.sources.includes(frame.file)) return frame
  const folders = namesakes(name, place).map((path) =>
    path.slice(0, -name.length).replace(/\/$/, ''),
  )
  const fitting = folders
    .map((folder) => ({ folder, shared: sharedEnd(folder, packageName) }))
    .sort((one, other) => other.shared - one.shared || one.folder.length - other.folder.length)
  const [best] = fitting
  return best === undefined
    ? frame
    : { ...frame, file: [best.folder, name].filter(Boolean).join('/') }
}

/** How many path parts at the end of both are the same. */
function sharedEnd(one: string, other: string): number {
  const [left, right] = [one.split('/').reverse(), other.split('/').reverse()]
  const end = left.findIndex((part, index) => part !== right[index])
  return end < 0 ? left.length : end
}
