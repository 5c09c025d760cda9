import { z } from 'zod'
import { plainText } from '../../diagnosis/diagnosis.ts'
import { parseJson } from '../../text/text.ts'
import {
  beforeFrames,
  comparedIn,
  errorTypeOf,
  type FoundFailure,
  type ReportedTest,
  type Results,
  type RunPlace,
  tally,
  toFailure,
} from './results.ts'

const string = z.string().catch('')
const strings = z.array(z.string()).nullish().catch([])

const jestTest = z.object({
  ancestorTitles: z.array(z.string()).catch([]),
  title: string,
  status: z.string(),
  failureMessages: strings,
  location: z.object({ line: z.number() }).nullish().catch(null),
  /** jest's record of what it compared. */
  failureDetails: z.array(z.object({ matcherResult: z.unknown().optional() })).catch([]),
})

const jestReport = z.object({
  testResults: z.array(
    z.object({
      name: string,
      status: string,
      message: z.string().nullish().catch(''),
      assertionResults: z.array(jestTest).catch([]),
    }),
  ),
})

const matcherResult = z.object({ expected: z.unknown(), actual: z.unknown() })

/** Reads the JSON report of jest, which vitest also writes; `null` for any other text. */
export function parseJsonReport(text: string, place: RunPlace): Results | null {
  const read = jestReport.safeParse(parseJson(text))
  if (!read.success) return null
  const tests = read.data.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const tests = assertionResults.map((one) => readJestTest(one, name))
    const isUnloaded = status === 'failed' && tests.every(({ outcome }) => outcome !== 'failed')
    if (!isUnloaded) return tests
    return [...tests, unloaded(name, message ?? '')]
  })
  return tally(tests, place)
}

function readJestTest(one: z.infer<typeof jestTest>, path: string): ReportedTest {
  const { title, status } = one
  if (status !== 'failed') return { title, outcome: status === 'passed' ? 'passed' : 'skipped' }
  const text = plainText((one.failureMessages ?? []).join('\n'))
  const matched = matcherResult.safeParse(one.failureDetails[0]?.matcherResult)
  const failure: FoundFailure = {
    test: [...one.ancestorTitles, title],
    path,
    declared: one.location?.line ?? null,
    message: beforeFrames(text.split('\n')),
    ...(matched.success ? toTexts(matched.data) : comparedIn(text, vitestAssertion)),
    errorType: matched.success ? 'AssertionError' : errorTypeOf(text),
    frames: text,
  }
  return { title, outcome: 'failed', failure }
}

const toTexts = ({ expected, actual }: z.infer<typeof matcherResult>) => ({
  expected: JSON.stringify(expected) ?? null,
  actual: JSON.stringify(actual) ?? null,
})

/** `expected 3 to be 4`, `expected 3 to deeply equal 4`. */
const vitestAssertion = [
  /^.*?: expected (?<actual>.+?) to (?:be|equal|deeply equal|strictly equal) (?<expected>.+?)(?: \/\/ Object\.is equality)?(?=\n|$)/,
]

/** A file that failed to load. */
function unloaded(path: string, message: string): ReportedTest {
  const text = loadMessage(plainText(message))
  const failure: FoundFailure = {
    ...{ test: path, isFile: true, path },
    message: beforeFrames(text.split('\n')) || 'The file could not be run.',
    errorType: loadErrorType(text),
    frames: text,
  }
  return { outcome: 'failed', failure }
}

/** Drops jest's general advice before the details and unindents the rest. */
function loadMessage(text: string): string {
  const [, details = text.replace(/^\s*● Test suite failed to run\s*$/m, '')] =
    text.split(/^ +Details:$/m)
  return details.replace(/^ {4}/gm, '').trim()
}

/** vitest omits the error's name here. */
function loadErrorType(text: string): string | null {
  if (/^Cannot find (?:module|package) /.test(text)) return 'ERR_MODULE_NOT_FOUND'
  return /PARSE_ERROR/.test(text) ? 'SyntaxError' : errorTypeOf(text)
}

const optional = z.string().nullish().catch(null)
const amount = z.number().int().nonnegative()

const mochaFailure = z.object({
  title: string,
  fullTitle: string,
  file: optional,
  err: z
    .object({
      ...{ message: optional, stack: optional, name: optional },
      ...{ code: optional, expected: optional, actual: optional },
    })
    .catch({}),
})

const mochaReport = z.object({
  stats: z.object({ passes: amount, pending: amount, failures: amount }),
  passes: z.array(z.object({ title: z.string() })).catch([]),
  failures: z.array(mochaFailure),
})

/** Reads the report of mocha's `--reporter json`; `null` for any other text. */
export function parseMochaJson(json: string, place: RunPlace): Results | null {
  const read = mochaReport.safeParse(parseJson(json))
  if (!read.success) return null
  const { stats, failures, passes } = read.data
  return {
    counts: { passed: stats.passes, failed: stats.failures, skipped: stats.pending },
    failures: failures.map((each) => toFailure(readMochaFailure(each), place)),
    titles: [...passes, ...failures].map(({ title }) => title),
  }
}

/** Separates the title from the suites' titles, which mocha joins by spaces. */
function readMochaFailure(found: z.infer<typeof mochaFailure>): FoundFailure {
  const { err, title, fullTitle, file: path } = found
  const outer = fullTitle.endsWith(title) ? fullTitle.slice(0, -title.length).trim() : ''
  return {
    test: [outer, title],
    path,
    message: err.message ?? '',
    expected: err.expected ?? null,
    actual: err.actual ?? null,
    errorType: err.name ?? errorTypeOf(err.stack ?? ''),
    frames: plainText(err.stack ?? ''),
  }
}

const rspecExample = z.object({
  description: string,
  full_description: string,
  status: z.string(),
  file_path: string,
  line_number: z.number().nullish().catch(null),
  exception: z
    .object({ class: string, message: z.string().nullish().catch(''), backtrace: strings })
    .nullish()
    .catch(null),
})

const rspecReport = z.object({
  examples: z.array(rspecExample),
  /** Errors while loading files. */
  messages: z.array(z.string()).catch([]),
  summary: z.object({ example_count: z.number() }),
})

/** Reads the report of `rspec --format json`; `null` for any other text. */
export function parseRspec(text: string, place: RunPlace): Results | null {
  const read = rspecReport.safeParse(parseJson(text))
  if (!read.success) return null
  const { examples, messages } = read.data
  const loading = messages.flatMap((message) => readLoading(plainText(message)))
  return tally([...loading, ...examples.map(readExample)], place)
}

function readExample(found: z.infer<typeof rspecExample>): ReportedTest {
  const { description: title, status, exception } = found
  if (status === 'passed') return { title, outcome: 'passed' }
  if (status !== 'failed') return { title, outcome: 'skipped' }
  const message = plainText(exception?.message ?? '').trim()
  const type = exception?.class.split('::').at(-1)
  const failure: FoundFailure = {
    test: found.full_description,
    path: found.file_path,
    declared: found.line_number ?? null,
    message,
    ...comparedIn(message),
    errorType: type === 'ExpectationNotMetError' ? 'AssertionError' : type || null,
    frames: (exception?.backtrace ?? []).join('\n'),
  }
  return { title, outcome: 'failed', failure }
}

/** Reads `An error occurred while loading ./spec/a_spec.rb.`, then `LoadError:` and its message. */
function readLoading(text: string): readonly ReportedTest[] {
  const path = /An error occurred while loading (\S+\.rb)\b/.exec(text)?.[1]
  if (path === undefined) return []
  const [, errorType = null, details = ''] =
    /^([A-Z]\w*(?:::\w+)*):\n((?:[ \t]+[^\n]*\n?){1,12})/m.exec(text) ?? []
  const frames = `${details}\n${text}`
  const message = errorType === null ? text.trim() : `${errorType}: ${details.trim()}`
  return [
    { outcome: 'failed', failure: { test: path, isFile: true, path, message, errorType, frames } },
  ]
}
