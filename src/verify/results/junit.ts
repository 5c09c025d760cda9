import type { TestFailure } from '../../core/domain/test-report.ts'
import { type Element, elements } from '../../text/source/xml.ts'
import { comparedIn } from './compared.ts'
import { type Frame, framesIn, toTrace } from './frames.ts'
import { inProject, type RunPlace, sourceEnding } from './place.ts'
import { errorTypeOf, type Results, toFailure, toResults } from './results.ts'

/**
 * JUnit XML, as pytest, Surefire, Gradle, PHPUnit, CTest and Bun write it; several reports one
 * after the other are read as one. `null` when there is no test suite in it; half a file counts
 * for what it holds.
 */
export function parseJunit(text: string, place: RunPlace): Results | null {
  if (!text.includes('<testsuite')) return null
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const failures: TestFailure[] = []
  const titles: string[] = []
  let test: Element | null = null
  let outcome: Element | null = null
  let output = ''
  const finish = () => {
    if (test === null) return
    if (outcome?.name !== 'skipped') titles.push(test.attributes.get('name') ?? '')
    if (outcome === null) counts.passed += 1
    else if (outcome.name === 'skipped') counts.skipped += 1
    else {
      counts.failed += 1
      failures.push(describe(test, outcome, output, place))
    }
    test = null
    outcome = null
    output = ''
  }
  for (const element of elements(text)) {
    if (element.name === 'testcase') {
      finish()
      test = isNotice(element) ? null : element
    } else if (['failure', 'error', 'skipped'].includes(element.name)) outcome ??= element
    else if (element.name === 'system-out' && output === '') output = element.text
  }
  finish()
  return toResults(counts, failures, titles)
}

/** PHPUnit 9 tells as a test of this name that a class has none. */
const isNotice = ({ attributes }: Element): boolean =>
  attributes.get('name') === 'Warning' && !attributes.has('line')

function describe(test: Element, outcome: Element, output: string, place: RunPlace): TestFailure {
  const path = test.attributes.get('file')
  const isPython = path?.endsWith('.py') || outcome.attributes.get('message') === collectionFailure
  return isPython
    ? describePython(test, outcome, place)
    : describePlain(test, outcome, output.slice(-longestOutput), place)
}

/** CTest tells why a test failed only by what it printed; the end says it. */
const longestOutput = 8000

function describePlain(
  test: Element,
  outcome: Element,
  output: string,
  place: RunPlace,
): TestFailure {
  const body = outcome.text.trim() === '' ? output : outcome.text
  const frames = framesIn(body, place)
  const path = test.attributes.get('file')
  const named = path === undefined ? null : inProject(path, place)
  const file = named ?? classFile(test, frames, place) ?? frames[0]?.file ?? null
  const own: Frame | undefined = frames.find((frame) => frame.file === file)
  const declared = Number(test.attributes.get('line') ?? Number.NaN)
  const said = outcome.attributes.get('message') ?? ''
  const message = said.trim() === '' ? withoutFrames(test, body) : said
  const type = outcome.attributes.get('type')?.split(/[.\\]/).at(-1)
  return toFailure(
    {
      test: [...outerNames(test), test.attributes.get('name') ?? ''].join(' > '),
      file,
      line: own?.line ?? (Number.isSafeInteger(declared) ? declared : null),
      message,
      ...comparedIn(message),
      errorType: type || errorTypeOf(body),
      trace: toTrace(frames),
    },
    place,
  )
}

/** `com.acme.SumTest$Inner` → `SumTest`, `Inner`; nothing that the name itself says again. */
function outerNames(test: Element): readonly string[] {
  const name = test.attributes.get('classname') ?? ''
  if (name === test.attributes.get('name')) return []
  const plain = /^[\w.$\\]+$/.test(name) ? (name.split(/[.\\]/).at(-1) ?? '') : name
  return plain.split(/\$| > /).filter((part) => part !== '')
}

/** Java and its kin name the class only. */
function classFile(test: Element, frames: readonly Frame[], place: RunPlace): string | null {
  const name = test.attributes.get('classname')?.split('$', 1)[0] ?? ''
  if (!/^[\w.]+$/.test(name)) return null
  const path = name.replaceAll('.', '/')
  const found = ['java', 'kt', 'groovy', 'scala'].flatMap(
    (extension) => sourceEnding(`${path}.${extension}`, place) ?? [],
  )
  return found.find((each) => frames.some(({ file }) => file === each)) ?? found[0] ?? null
}

/** PHPUnit says the test's name above the message and the place below it; Java appends a stack. */
function withoutFrames(test: Element, body: string): string {
  const name = test.attributes.get('name') ?? ''
  const lines = body.trim().split('\n')
  const start = name !== '' && lines[0]?.includes(`::${name}`) ? 1 : 0
  const end = lines.findIndex((line, index) => index >= start && /^\s+at |^\/\S+:\d+$/.test(line))
  return lines
    .slice(start, end < 0 ? undefined : end)
    .join('\n')
    .trim()
}

const collectionFailure = 'collection failure'

/** pytest (`-o junit_family=xunit1`, which knows file and line; lines are counted from 0). */
function describePython(test: Element, outcome: Element, place: RunPlace): TestFailure {
  const path = test.attributes.get('file')
  const title = test.attributes.get('name') ?? ''
  const said = outcome.attributes.get('message') ?? ''
  const frames = framesIn(outcome.text, place)
  const collected = said === collectionFailure
  const named = path ?? fileOfModule(title)
  const file = collected && path === undefined ? frames[0]?.file : inProject(named, place)
  const inner = /^failed on \w+ with "(.*)"$/s.exec(said)?.[1] ?? said
  const message = collected ? lastError(outcome.text) || outcome.text : inner || outcome.text
  const own = frames.findLast((frame) => frame.file === file)
  const declared = test.attributes.get('line')
  const [, actual = null, expected = null] =
    /^(?:AssertionError: )?assert (.+) == (.+)$/.exec(message.split('\n', 1)[0] ?? '') ?? []
  return toFailure(
    {
      test: collected ? (file ?? title) : [...classesOf(test, path), title].join(' > '),
      file: file ?? (collected ? inProject(named, place) : null),
      line: own?.line ?? (declared === undefined ? null : Number(declared) + 1),
      message,
      expected,
      actual,
      errorType: errorTypeOf(message) ?? (message.startsWith('assert ') ? 'AssertionError' : null),
      trace: toTrace(frames.toReversed()),
    },
    place,
  )
}

/** `tests.test_user.TestName` beside `tests/test_user.py` → `TestName`. */
function classesOf(test: Element, file: string | undefined): readonly string[] {
  const name = test.attributes.get('classname') ?? ''
  const module = file?.replace(/\.py$/, '').replaceAll('/', '.') ?? ''
  const rest = name.startsWith(module) ? name.slice(module.length) : name
  return rest.split('.').filter((part) => part !== '')
}

const fileOfModule = (module: string): string =>
  module.endsWith('.py') ? module : `${module.replaceAll('.', '/')}.py`

/** pytest marks the lines of the error itself with `E`. */
function lastError(text: string): string {
  const lines = text.split('\n').filter((line) => /^E {2,}/.test(line))
  return lines.map((line) => line.replace(/^E +/, '')).at(-1) ?? ''
}
