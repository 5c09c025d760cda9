import type { TestFailure } from '../../core/domain/test-report.ts'
import { framesIn, toTrace } from './frames.ts'
import { inProject, type RunPlace } from './place.ts'
import { errorTypeOf, type Results, toFailure, toResults } from './results.ts'

const ruler = '='.repeat(70)
const thinRuler = '-'.repeat(70)

/**
 * The text of Python's unittest, which it writes to standard error. `null` without its last line
 * but two, `Ran 3 tests in 0.001s`; the last one counts, since a test may print another.
 */
export function parseUnittest(text: string, place: RunPlace): Results | null {
  const ran = [...text.matchAll(/^Ran (\d{1,9}) tests? in /gm)].at(-1)
  if (ran === undefined) return null
  const total = Number(ran[1])
  const summary = text.slice(ran.index)
  const number = (name: string) =>
    Number(new RegExp(`^[A-Z ]+\\(.*\\b${name}=(\\d{1,9})`, 'm').exec(summary)?.[1] ?? 0)
  const failed = number('failures') + number('errors') + number('unexpected successes')
  const skipped = number('skipped') + number('expected failures')
  const passed = Math.max(0, total - failed - skipped)
  const said = text.slice(0, ran.index)
  return toResults({ passed, failed, skipped }, readFailures(said, place), titlesIn(said))
}

/** `test_adds (tests.test_sum.SumTest.test_adds) ... ok`, a line of the test's own in between; only with `-v`. */
function titlesIn(text: string): readonly string[] | undefined {
  const told = [
    ...text.matchAll(/^(\w+) \((?!unittest\.loader)[\w.]+\)(?:\n.{0,500}?)? \.\.\. (skipped )?/gm),
  ]
  const ran = told.filter(([, , skipped]) => skipped === undefined)
  return told.length === 0 ? undefined : ran.map(([, name = '']) => name)
}

function readFailures(text: string, place: RunPlace): readonly TestFailure[] {
  return text
    .split(`\n${ruler}\n`)
    .slice(1)
    .flatMap((section) => {
      const [head = '', , ...rest] = section.split('\n')
      const match = /^(?:FAIL|ERROR): (.+)$/.exec(head)
      const end = rest.indexOf(thinRuler)
      const traceback = (end < 0 ? rest : rest.slice(0, end)).join('\n')
      return match === null ? [] : [describe(match[1] ?? '', traceback, place)]
    })
}

/** `test_adds (tests.test_sum.SumTest.test_adds) (n=1)`; before Python 3.11 without the last name. */
function describe(head: string, traceback: string, place: RunPlace): TestFailure {
  const [, name = head, where = '', parameters = ''] =
    /^(\S+) \(([^)]*)\)(?: (.*))?$/.exec(head) ?? []
  const module = /^unittest\.loader\._FailedTest/.test(where)
  const frames = framesIn(traceback, place)
  const errors = traceback.split('\n').filter((line) => /^[A-Za-z_][\w.]*(?::|$)/.test(line))
  const message = messageOf(traceback, errors.at(-1) ?? '')
  const file = module
    ? (frames.find(({ file }) => file.endsWith('.py'))?.file ??
      inProject(`${name.replaceAll('.', '/')}.py`, place))
    : (testFile(where, frames) ?? null)
  const [, actual = null, expected = null] =
    /^AssertionError: (.+?) != (.+?)(?: : .*)?$/.exec(message.split('\n', 1)[0] ?? '') ?? []
  const classes = where.split('.').filter((part) => /^[A-Z]/.test(part))
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
    place,
  )
}

/** From the line that names the error to the end: a message may have several lines. */
function messageOf(traceback: string, error: string): string {
  const start = error === '' ? -1 : traceback.lastIndexOf(error)
  return (start < 0 ? traceback : traceback.slice(start)).trim()
}

/** The frame in the file that the test's module names; `where` is `tests.test_sum.SumTest…`. */
function testFile(where: string, frames: readonly { readonly file: string }[]): string | undefined {
  const path = where.replaceAll('.', '/')
  const named = frames.find(({ file }) => `${path}/`.includes(`${file.replace(/\.py$/, '')}/`))
  const short = frames.find(({ file }) =>
    where.split('.').some((part) => file.endsWith(`/${part}.py`)),
  )
  return (named ?? short ?? frames[0])?.file
}
