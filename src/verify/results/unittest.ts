import type { TestFailure } from '../../domain/test-report.ts'
import { framesIn, toTrace } from './frames.ts'
import { errorTypeOf, type Results, toFailure, toResults } from './results.ts'

const ruler = '='.repeat(70)
const thinRuler = '-'.repeat(70)

/**
 * The text of Python's unittest, which it writes to standard error. `null` without its last line
 * but two, `Ran 3 tests in 0.001s`; the last one counts, since a test may print another.
 */
export function parseUnittest(text: string, folder: string): Results | null {
  const ran = [...text.matchAll(/^Ran (\d{1,9}) tests? in /gm)].at(-1)
  if (ran === undefined) return null
  const total = Number(ran[1])
  const summary = text.slice(ran.index)
  const number = (name: string) =>
    Number(new RegExp(`^[A-Z ]+\\(.*\\b${name}=(\\d{1,9})`, 'm').exec(summary)?.[1] ?? 0)
  const failed = number('failures') + number('errors') + number('unexpected successes')
  const skipped = number('skipped') + number('expected failures')
  const passed = Math.max(0, total - failed - skipped)
  return toResults({ passed, failed, skipped }, readFailures(text.slice(0, ran.index), folder))
}

function readFailures(text: string, folder: string): readonly TestFailure[] {
  return text
    .split(`\n${ruler}\n`)
    .slice(1)
    .flatMap((section) => {
      const [head = '', , ...rest] = section.split('\n')
      const match = /^(?:FAIL|ERROR): (.+)$/.exec(head)
      const end = rest.indexOf(thinRuler)
      const traceback = (end < 0 ? rest : rest.slice(0, end)).join('\n')
      return match === null ? [] : [describe(match[1] ?? '', traceback, folder)]
    })
}

/** `test_adds (tests.test_sum.SumTest.test_adds) (n=1)`; before Python 3.11 without the last name. */
function describe(head: string, traceback: string, folder: string): TestFailure {
  const [, name = head, place = '', parameters = ''] =
    /^(\S+) \(([^)]*)\)(?: (.*))?$/.exec(head) ?? []
  const module = /^unittest\.loader\._FailedTest/.test(place)
  const frames = framesIn(traceback, folder)
  const errors = traceback.split('\n').filter((line) => /^[A-Za-z_][\w.]*(?::|$)/.test(line))
  const message = messageOf(traceback, errors.at(-1) ?? '')
  const file = module
    ? (frames.find(({ file }) => file.endsWith('.py'))?.file ?? `${name.replaceAll('.', '/')}.py`)
    : (testFile(place, frames) ?? null)
  const [, actual = null, expected = null] =
    /^AssertionError: (.+?) != (.+?)(?: : .*)?$/.exec(message.split('\n', 1)[0] ?? '') ?? []
  const classes = place.split('.').filter((part) => /^[A-Z]/.test(part))
  return toFailure(
    {
      test: module ? (file ?? name) : [...classes, name, parameters].filter(Boolean).join(' > '),
      file,
      line: frames.findLast((frame) => frame.file === file)?.line ?? null,
      message,
      expected,
      actual,
      errorType: errorTypeOf(message),
      trace: toTrace(frames.toReversed()),
    },
    folder,
  )
}

/** From the line that names the error to the end: a message may have several lines. */
function messageOf(traceback: string, error: string): string {
  const start = error === '' ? -1 : traceback.lastIndexOf(error)
  return (start < 0 ? traceback : traceback.slice(start)).trim() || 'The test failed.'
}

/** The frame in the file that the test's module names; `place` is `tests.test_sum.SumTest…`. */
function testFile(place: string, frames: readonly { readonly file: string }[]): string | undefined {
  const path = place.replaceAll('.', '/')
  const named = frames.find(({ file }) => `${path}/`.includes(`${file.replace(/\.py$/, '')}/`))
  const short = frames.find(({ file }) =>
    place.split('.').some((part) => file.endsWith(`/${part}.py`)),
  )
  return (named ?? short ?? frames[0])?.file
}
