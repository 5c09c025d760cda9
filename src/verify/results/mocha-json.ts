import { z } from 'zod'
import type { TestFailure } from '../../core/domain/test-report.ts'
import { parseJson } from '../../core/parse-json.ts'
import { plainText } from '../../text/diagnosis/plain-text.ts'
import { framesIn, toTrace } from './frames.ts'
import { inProject, type RunPlace } from './place.ts'
import { errorTypeOf, type Results, toFailure, toResults } from './results.ts'

const text = z.string().nullish().catch(null)

const failure = z.object({
  title: z.string().catch(''),
  fullTitle: z.string().catch(''),
  file: text,
  err: z
    .object({ message: text, stack: text, name: text, code: text, expected: text, actual: text })
    .catch({ message: '', stack: '', name: null, code: null, expected: null, actual: null }),
})

const report = z.object({
  stats: z.object({
    passes: z.number().int().nonnegative(),
    pending: z.number().int().nonnegative(),
    failures: z.number().int().nonnegative(),
  }),
  passes: z.array(z.object({ title: z.string() })).catch([]),
  failures: z.array(failure),
})

/** mocha's `--reporter json`. `null` when the text is not that. */
export function parseMochaJson(json: string, place: RunPlace): Results | null {
  const read = report.safeParse(parseJson(json))
  if (!read.success) return null
  const { stats, failures, passes } = read.data
  return toResults(
    { passed: stats.passes, failed: stats.failures, skipped: stats.pending },
    failures.map((each) => describe(each, place)),
    [...passes, ...failures].map(({ title }) => title),
  )
}

/** The titles of suites and test come joined by spaces; the last is known by itself. */
function describe(found: z.infer<typeof failure>, place: RunPlace): TestFailure {
  const { err, title, fullTitle } = found
  const outer = fullTitle.endsWith(title) ? fullTitle.slice(0, -title.length).trim() : ''
  const frames = framesIn(plainText(err.stack ?? ''), place)
  const file = typeof found.file === 'string' ? inProject(found.file, place) : null
  const own = frames.find((frame) => frame.file === file) ?? frames[0]
  return toFailure(
    {
      test: [outer, title].filter((part) => part !== '').join(' > '),
      file: file ?? own?.file ?? null,
      line: own?.line ?? null,
      message: err.message ?? '',
      expected: err.expected ?? null,
      actual: err.actual ?? null,
      errorType: err.name ?? errorTypeOf(err.stack ?? ''),
      trace: toTrace(frames),
    },
    place,
  )
}
