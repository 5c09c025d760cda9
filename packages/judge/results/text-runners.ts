import { messageLines } from '../../diagnosis/diagnosis.ts'
import {
  beforeFrames,
  comparedIn,
  errorTypeOf,
  type FoundFailure,
  framesIn,
  inProject,
  type ReadResults,
  type RunPlace,
  toFailure,
} from './results.ts'
import type { TestCounts } from './test-report.ts'

/** Describes what one runner prints for people. */
interface TextRunner {
  /** A run's summary, with words and amounts or the groups `failed` and `total`. */
  readonly summary: RegExp
  /** True when only the last summary counts, because a test may print another. */
  readonly isLast?: true
  readonly failures?: (text: string, place: RunPlace) => readonly FoundFailure[]
  readonly titles?: (text: string) => readonly string[] | undefined
}

const wordsOf: Readonly<Record<keyof TestCounts | 'total', string>> = {
  passed: 'passed pass passing xpassed',
  failed: 'failed fail failing failure failures error errors unexpected_successes',
  skipped:
    'skipped skip skips todo pending pendings xfailed ignored omissions incomplete expected_failures',
  total: 'tests_run tests test examples example runs',
}
const meanings = new Map(
  Object.entries(wordsOf).flatMap(([key, words]) => words.split(' ').map((word) => [word, key])),
)

/** `3 failed`, `Failures: 3`, `failures=3`. */
const numberFirst =
  /(?<!\d)(?<amount>\d{1,9}) (?<word>[a-z]+)\b|(?<name>[a-z][a-z ]*)=(?<number>\d{1,9})/g
const nameFirst = /(?<name>[A-Z][A-Za-z ]*): *(?<number>\d{1,9})/g

function readSummary({ 0: text, groups }: RegExpMatchArray): TestCounts {
  const sums = { passed: 0, failed: 0, skipped: 0, total: 0 }
  const add = (key: string | undefined, amount: string | undefined) => {
    if (key !== undefined && Object.hasOwn(sums, key))
      sums[key as keyof typeof sums] += Number(amount)
  }
  if (groups === undefined) {
    const form = /: *\d+,/.test(text) ? nameFirst : numberFirst
    for (const { groups: found } of text.matchAll(form)) {
      const name = (found?.word ?? found?.name ?? '').trim().replaceAll(' ', '_').toLowerCase()
      add(meanings.get(name), found?.amount ?? found?.number)
    }
  } else for (const [key, amount] of Object.entries(groups)) add(key, amount)
  const { total, failed, skipped } = sums
  return { passed: sums.passed || Math.max(0, total - failed - skipped), failed, skipped }
}

/** Adds up several runs; `null` for none. */
export function sumCounts(all: readonly TestCounts[]): TestCounts | null {
  const sum = (key: keyof TestCounts) => all.reduce((total, counts) => total + counts[key], 0)
  return all.length === 0
    ? null
    : { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
}

const readerOf =
  ({ summary, isLast, failures, titles }: TextRunner): ReadResults =>
  (text, place) => {
    const found = [...text.matchAll(summary)]
    const counts = sumCounts((isLast ? found.slice(-1) : found).map(readSummary))
    if (counts === null) return null
    const part = isLast ? text.slice(0, found.at(-1)?.index) : text
    const red = failures?.(part, place) ?? []
    return {
      counts,
      failures: red.map((each) => toFailure(each, place)),
      titles: titles?.(part),
    }
  }

/** Reads `cargo test`: a summary for each test program, with the failures' output in between. */
export const parseCargo = readerOf({
  summary: /^test result: \w+\. \d{1,9} passed; \d{1,9} failed; \d{1,9} ignored/gm,
  failures(text) {
    const [, ...parts] = text.split(/^---- (\S.{0,400}?) stdout ----$/m)
    const outputs = new Map<string, string>()
    // The first of the tests that share a name.
    for (const [index, name] of parts.entries())
      if (index % 2 === 0 && !outputs.has(name)) outputs.set(name, parts[index + 1] ?? '')
    return [...text.matchAll(/^test (\S.{0,400}?) \.\.\. FAILED$/gm)].map(([, name = '']) => {
      const lines = (outputs.get(name) ?? '').slice(0, 4000).split('\n').slice(1, 12)
      const message = beforeFrames(lines, /^(?:stack backtrace:|note: |----)/)
      const errorType = message.includes(' panicked at ') ? 'panic' : null
      const test = name.split('::')
      return { test, message, ...comparedIn(message), errorType, frames: message }
    })
  },
  titles: (text) =>
    [
      ...text.matchAll(/^test (?:\S{0,400}::)?(\w+)(?: - should panic)? \.\.\. (?:ok|FAILED)$/gm),
    ].map(([, name = '']) => name),
})

/** Reads mocha's default report: `3 passing (5ms)`, `1 failing`, then numbered failures. */
const parseMocha = readerOf({
  summary: /^ {1,4}\d{1,9} passing\b.*(?:\n {1,4}\d{1,9} (?:pending|failing)\b.*){0,2}/gm,
  failures(text) {
    const start = text.search(/^ {1,4}\d{1,9} failing\b/m)
    const sections =
      start < 0
        ? []
        : text
            .slice(start)
            .split(/^ {2}\d{1,6}\) /m)
            .slice(1)
    return sections.map((section) => {
      const lines = section.split('\n')
      // The names of suites and test, one per line, the last with a colon.
      const last = lines.findIndex((line) => line.endsWith(':'))
      const test = lines.slice(0, last + 1).map((line) => line.trim().replace(/:$/, ''))
      const message = beforeFrames(lines.slice(last + 1))
      return { test, message, errorType: errorTypeOf(message), frames: section }
    })
  },
})

/** Reads minitest and test-unit: `4 runs, 1 assertions, 1 failures, …`. */
export const parseMinitest = readerOf({
  summary:
    /^\d{1,9} (?:runs|tests), \d{1,9} assertions, \d{1,9} failures, \d{1,9} errors(?:, \d{1,9} \w+){0,3}/gm,
  /** `  1) Failure:`, the test and its place, then the message, up to an empty line. */
  failures(text) {
    const sections = text.split(/^ {1,5}\d{1,6}\) (?=Failure:$|Error:$)/m).slice(1)
    return sections.map((section) => {
      const [, head = '', ...rest] =
        section.split(/^\d{1,9} (?:runs|tests), /m, 1)[0]?.split('\n') ?? []
      const [, name = head, path = ''] = /^(\S+)(?: \[(.+)\])?:$/.exec(head) ?? []
      const lines = rest.slice(0, 60)
      const message = beforeFrames(lines, /^\s+\S+\.rb:\d+:in /)
      return {
        ...{ test: name.split('#'), message, ...comparedIn(message) },
        errorType: section.startsWith('Error') ? errorTypeOf(message) : 'AssertionError',
        frames: [path, ...lines].join('\n'),
      }
    })
  },
})

/** Reads pytest's final summaries of commands run as written; tox prints one per environment. */
const parsePytestSummary = readerOf({
  summary: /^=* ?(?:\d{1,9} \w+(?:, \d{1,9} \w+){0,9}|no tests ran) in [\d.]+s\b/gm,
  failures(text, place) {
    const frames = framesIn(text, place)
    const failed = /^(?:FAILED|ERROR) ([^\s:]+\.py)(?:::(\S+))?(?: - (.*))?$/
    return messageLines(text).flatMap((line) => {
      const [, file, names = file ?? '', message = 'The test failed.'] = failed.exec(line) ?? []
      if (file === undefined) return []
      const own = frames.findLast((frame) => frame.file === file)
      const errorType = errorTypeOf(message)
      return [{ test: names.split('::'), file, line: own?.line ?? null, message, errorType }]
    })
  },
})

const thinRuler = '-'.repeat(70)

/** Reads the text that Python's unittest writes to standard error. */
export const parseUnittest = readerOf({
  summary: /^Ran \d{1,9} tests? in [\d.]+s(?:\n{1,3}[A-Z]+(?: [A-Z]+)*(?: \([^)\n]{0,200}\))?)?/gm,
  isLast: true,
  failures: (text, place) =>
    text
      .split(`\n${'='.repeat(70)}\n`)
      .slice(1)
      .flatMap((section) => {
        const [head = '', , ...rest] = section.split('\n')
        const test = /^(?:FAIL|ERROR): (.+)$/.exec(head)?.[1]
        const end = rest.indexOf(thinRuler)
        const traceback = (end < 0 ? rest : rest.slice(0, end)).join('\n')
        return test === undefined ? [] : [describeUnittest(test, traceback, place)]
      }),
  /** `test_adds (tests.test_sum.SumTest.test_adds) ... ok`, maybe after a docstring; needs `-v`. */
  titles(text) {
    const matches = [
      ...text.matchAll(
        /^(\w+) \((?!unittest\.loader)[\w.]+\)(?:\n.{0,500}?)? \.\.\. (skipped )?/gm,
      ),
    ]
    const ran = matches.filter(([, , skipped]) => skipped === undefined)
    return matches.length === 0 ? undefined : ran.map(([, name = '']) => name)
  },
})

/** `test_adds (tests.test_sum.SumTest.test_adds) (n=1)`; before Python 3.11 the class only. */
function describeUnittest(head: string, traceback: string, place: RunPlace): FoundFailure {
  const [, name = head, where = '', parameters = ''] =
    /^(\S+) \(([^)]*)\)(?: (.*))?$/.exec(head) ?? []
  const isModule = /^unittest\.loader\._FailedTest/.test(where)
  const frames = framesIn(traceback, place)
  // From the line that names the error to the end: a message may have several lines.
  const error = [...traceback.matchAll(/^[A-Za-z_][\w.]*(?::|$)/gm)].at(-1)
  const message = traceback.slice(error?.index ?? 0).trim()
  const file = isModule
    ? (frames.find(({ file }) => file.endsWith('.py'))?.file ??
      inProject(`${name.replaceAll('.', '/')}.py`, place))
    : (testFile(where, frames) ?? null)
  const classes = where.split('.').filter((part) => /^[A-Z]/.test(part))
  return {
    test: isModule ? (file ?? name) : [...classes, name, parameters],
    ...{ file, message, errorType: errorTypeOf(message) },
    ...comparedIn(message, [
      /^AssertionError: (?<actual>.+?) != (?<expected>.+?)(?: : .*)?(?=\n|$)/,
    ]),
    frames: frames.toReversed(),
  }
}

/** Finds the frame in the file of the test's module; `where` is `tests.test_sum.SumTest…`. */
function testFile(where: string, frames: readonly { readonly file: string }[]): string | undefined {
  const path = where.replaceAll('.', '/')
  const named = frames.find(({ file }) => `${path}/`.includes(`${file.replace(/\.py$/, '')}/`))
  const short = frames.find(({ file }) =>
    where.split('.').some((part) => file.endsWith(`/${part}.py`)),
  )
  return (named ?? short ?? frames[0])?.file
}

/** Readers that also read failures. */
export const textRunners: readonly ReadResults[] = [
  ...[parseUnittest, parsePytestSummary, parseCargo, parseMocha, parseMinitest],
]

/** Counts in the output of a person's own command (`make test`, an npm script). */
const countsOnly = [
  // jest, vitest, Bun
  /^Tests: {2,}\d.{1,200} total$/gm,
  /^ *Tests {2}\S.{1,200} \(\d{1,9}\)$/gm,
  /^ *\d{1,9} pass\n(?: *\d{1,9} [a-z]+\n){0,4}/gm,
  // Maven, RSpec
  /^(?:\[\w+\] )?Tests run: \d{1,9}, Failures: \d{1,9}, Errors: \d{1,9}, Skipped: \d{1,9}$/gm,
  /^\d{1,9} examples?, \d{1,9} failures?(?:, \d{1,9} pending)?/gm,
  // PHPUnit
  /^Tests: \d{1,9}, Assertions: \d{1,9}(?:, [A-Z][A-Za-z ]{2,30}: \d{1,9}){0,9}\.$/gm,
  /^OK \(\d{1,9} tests?, \d{1,9} assertions?\)$/gm,
  // CTest, dotnet, Gradle
  /^\d{1,3}% tests passed, (?<failed>\d{1,9}) tests failed out of (?<total>\d{1,9})$/gm,
  /^(?:Passed|Failed)! +- Failed: +\d{1,9}, Passed: +\d{1,9}, Skipped: +\d{1,9}, Total:/gm,
  /^\d{1,9} tests completed(?:, \d{1,9} failed)?(?:, \d{1,9} skipped)?$/gm,
].map((summary) => readerOf({ summary }))

/** Counts tests by the summaries of runners whose failures are not read. */
export function countTests(text: string, place: RunPlace): TestCounts | null {
  const results = countsOnly.flatMap((read) => read(text, place) ?? [])
  const counts = sumCounts(results.flatMap((each) => each.counts ?? []))
  return counts ?? (saysNothingRan(text) ? { passed: 0, failed: 0, skipped: 0 } : null)
}

/** How each runner says that it found nothing to run. */
const nothingRan =
  /^(?:No tests? (?:suite )?(?:files? )?found|No tests executed!$|No tests were found!!!$|\[INFO\] No tests to run\.$|Error: No test files found|No test is available in |no packages to test$|collected 0 items$)/m

export const saysNothingRan = (text: string): boolean => nothingRan.test(text) || isUpToDate(text)

/** Returns true when make or a similar tool only printed that there is nothing to do. */
function isUpToDate(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const isIdle = (line: string) =>
    /: Nothing to be done for |: ['`‘].+['’] is up to date\.$/.test(line)
  return lines.some(isIdle) && lines.every((line) => isIdle(line) || around.test(line))
}

const around = /^(?:g?make(?:\[\d+\])?: (?:Entering|Leaving) directory|> )/
