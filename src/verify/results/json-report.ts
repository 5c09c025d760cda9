import { z } from 'zod'
import type { TestFailure } from '../../core/domain/test-report.ts'
import { parseJson } from '../../core/parse-json.ts'
import { plainText } from '../../text/diagnosis/plain-text.ts'
import { beforeFrames, framesIn, toTrace } from './frames.ts'
import { inProject, type RunPlace } from './place.ts'
import { errorTypeOf, type FoundFailure, type Results, toFailure, toResults } from './results.ts'

const assertion = z.object({
  ancestorTitles: z.array(z.string()).catch([]),
  title: z.string().catch(''),
  status: z.string(),
  failureMessages: z.array(z.string()).nullish().catch([]),
  location: z.object({ line: z.number() }).nullish().catch(null),
  /** jest says here what it compared. */
  failureDetails: z.array(z.object({ matcherResult: z.unknown().optional() })).catch([]),
})

const compared = z.object({ expected: z.unknown(), actual: z.unknown() })

const report = z.object({
  testResults: z.array(
    z.object({
      name: z.string().catch(''),
      status: z.string().catch(''),
      message: z.string().nullish().catch(''),
      assertionResults: z.array(assertion).catch([]),
    }),
  ),
})

type Assertion = z.infer<typeof assertion>

/** The JSON report of jest, which vitest writes too. `null` when the text is not one. */
export function parseJsonReport(text: string, place: RunPlace): Results | null {
  const read = report.safeParse(parseJson(text))
  if (!read.success) return null
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const failures: TestFailure[] = []
  const titles: string[] = []
  for (const { name, status, message, assertionResults } of read.data.testResults) {
    const file = inProject(name, place)
    for (const one of assertionResults) {
      if (/^(?:passed|failed)$/.test(one.status)) titles.push(one.title)
      if (one.status === 'passed') counts.passed += 1
      else if (one.status !== 'failed') counts.skipped += 1
      else {
        counts.failed += 1
        failures.push(toFailure(describe(one, file, place), place))
      }
    }
    if (status === 'failed' && !assertionResults.some((one) => one.status === 'failed')) {
      counts.failed += 1
      failures.push(toFailure(describeFile(file ?? name, message ?? '', place), place))
    }
  }
  return toResults(counts, failures, titles)
}

function describe(one: Assertion, file: string | null, place: RunPlace): FoundFailure {
  const text = plainText((one.failureMessages ?? []).join('\n'))
  const frames = framesIn(text, place)
  const matched = compared.safeParse(one.failureDetails[0]?.matcherResult)
  return {
    test: [...one.ancestorTitles, one.title].filter((part) => part !== '').join(' > '),
    file,
    line: frames.find((frame) => frame.file === file)?.line ?? one.location?.line ?? null,
    message: beforeFrames(text.split('\n')),
    ...(matched.success ? toTexts(matched.data) : comparedIn(text)),
    errorType: matched.success ? 'AssertionError' : errorTypeOf(text),
    trace: toTrace(frames),
  }
}

const toTexts = ({ expected, actual }: z.infer<typeof compared>) => ({
  expected: JSON.stringify(expected) ?? null,
  actual: JSON.stringify(actual) ?? null,
})

/** A file that could not be loaded. */
function describeFile(file: string, message: string, place: RunPlace): FoundFailure {
  const text = loadMessage(plainText(message))
  const frames = framesIn(text, place)
  return {
    test: file,
    file,
    line: frames.find((frame) => frame.file === file)?.line ?? null,
    message: beforeFrames(text.split('\n')) || 'The file could not be run.',
    errorType: loadErrorType(text),
    trace: toTrace(frames),
  }
}

/** jest puts general advice before the details; what is left loses its indentation. */
function loadMessage(text: string): string {
  const [, details = text.replace(/^\s*● Test suite failed to run\s*$/m, '')] =
    text.split(/^ +Details:$/m)
  return details.replace(/^ {4}/gm, '').trim()
}

/** vitest leaves out the error's name here. */
function loadErrorType(text: string): string | null {
  if (/^Cannot find (?:module|package) /.test(text)) return 'ERR_MODULE_NOT_FOUND'
  return /PARSE_ERROR/.test(text) ? 'SyntaxError' : errorTypeOf(text)
}

/** vitest: `expected 3 to be 4`, `expected 3 to deeply equal 4`. */
function comparedIn(text: string): { expected: string | null; actual: string | null } {
  const first = text.split('\n', 1)[0]?.replace(/ \/\/ Object\.is equality$/, '') ?? ''
  const said = /: expected (.+?) to (?:be|equal|deeply equal|strictly equal) (.+)$/.exec(first)
  return { expected: said?.[2] ?? null, actual: said?.[1] ?? null }
}
