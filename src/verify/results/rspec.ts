import { z } from 'zod'
import type { TestFailure } from '../../core/domain/test-report.ts'
import { parseJson } from '../../core/parse-json.ts'
import { plainText } from '../../text/diagnosis/plain-text.ts'
import { comparedIn } from './compared.ts'
import { framesIn, toTrace } from './frames.ts'
import { inProject, type RunPlace } from './place.ts'
import { type Results, toFailure, toResults } from './results.ts'

const example = z.object({
  description: z.string().catch(''),
  full_description: z.string().catch(''),
  status: z.string(),
  file_path: z.string().catch(''),
  line_number: z.number().nullish().catch(null),
  exception: z
    .object({
      class: z.string().catch(''),
      message: z.string().nullish().catch(''),
      backtrace: z.array(z.string()).nullish().catch([]),
    })
    .nullish()
    .catch(null),
})

const report = z.object({
  examples: z.array(example),
  /** What could not be loaded. */
  messages: z.array(z.string()).catch([]),
  summary: z.object({ example_count: z.number() }),
})

type Example = z.infer<typeof example>

/** `rspec --format json`. `null` when the text is not that. */
export function parseRspec(text: string, place: RunPlace): Results | null {
  const read = report.safeParse(parseJson(text))
  if (!read.success) return null
  const { examples, messages } = read.data
  const number = (status: string) => examples.filter((each) => each.status === status).length
  const failures = examples.filter(({ status }) => status === 'failed')
  const loading = messages.flatMap((message) => describeLoading(plainText(message), place))
  const counts = {
    passed: number('passed'),
    failed: failures.length + loading.length,
    skipped: number('pending'),
  }
  const ran = examples.filter(({ status }) => status !== 'pending')
  return toResults(
    counts,
    [...loading, ...failures.map((each) => describe(each, place))],
    ran.map(({ description }) => description),
  )
}

function describe(found: Example, place: RunPlace): TestFailure {
  const file = inProject(found.file_path, place)
  const frames = framesIn((found.exception?.backtrace ?? []).join('\n'), place)
  const message = plainText(found.exception?.message ?? '').trim()
  const type = found.exception?.class.split('::').at(-1)
  return toFailure(
    {
      test: found.full_description,
      file,
      line: frames.find((frame) => frame.file === file)?.line ?? found.line_number ?? null,
      message,
      ...comparedIn(message),
      errorType: type === 'ExpectationNotMetError' ? 'AssertionError' : type || null,
      trace: toTrace(frames),
    },
    place,
  )
}

/** `An error occurred while loading ./spec/a_spec.rb.`, then `LoadError:` and what it says. */
function describeLoading(text: string, place: RunPlace): readonly TestFailure[] {
  const path = /An error occurred while loading (\S+\.rb)\b/.exec(text)?.[1]
  if (path === undefined) return []
  const file = inProject(path, place)
  const [, errorType = null, said = ''] =
    /^([A-Z]\w*(?:::\w+)*):\n((?:[ \t]+[^\n]*\n?){1,12})/m.exec(text) ?? []
  const frames = framesIn(said, place).concat(framesIn(text, place))
  const message = errorType === null ? text.trim() : `${errorType}: ${said.trim()}`
  const line = frames.find((frame) => frame.file === file)?.line ?? null
  const test = file ?? path
  return [toFailure({ test, file, line, message, errorType, trace: toTrace(frames) }, place)]
}
