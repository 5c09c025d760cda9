import { type Element, elements } from '../../source/source.ts'
import {
  comparedIn,
  errorTypeOf,
  type FoundFailure,
  type Frame,
  framesIn,
  inProject,
  type ReportedTest,
  type Results,
  type RunPlace,
  sourceEnding,
  tally,
} from './results.ts'

/** A test's element and the elements inside it. */
interface TestElement {
  readonly test: Element
  readonly inside: readonly Element[]
}

/** Elements of one name, each with those up to the next one, so that a truncated file counts. */
function testsIn(text: string, name: string): readonly TestElement[] {
  const found: { test: Element; inside: Element[] }[] = []
  for (const element of elements(text)) {
    if (element.name === name) found.push({ test: element, inside: [] })
    else found.at(-1)?.inside.push(element)
  }
  return found
}

const attribute = (element: Element, name: string): string => element.attributes.get(name) ?? ''
const textOf = (inside: readonly Element[], name: string): string =>
  inside.find((each) => each.name === name && each.text !== '')?.text ?? ''

/**
 * Reads JUnit XML as pytest, Surefire, Gradle, PHPUnit, CTest and Bun write it, or several reports
 * joined together. `null` when it contains no test suite.
 */
export function parseJunit(text: string, place: RunPlace): Results | null {
  if (!text.includes('<testsuite')) return null
  const tests = testsIn(text, 'testcase').filter(({ test }) => !isNotice(test))
  return tally(
    tests.map((each) => readTestCase(each, place)),
    place,
  )
}

/** PHPUnit 9 reports a class without tests as a test of this name. */
const isNotice = (test: Element): boolean =>
  attribute(test, 'name') === 'Warning' && !test.attributes.has('line')

function readTestCase({ test, inside }: TestElement, place: RunPlace): ReportedTest {
  const title = attribute(test, 'name')
  const outcome = inside.find(({ name }) => ['failure', 'error', 'skipped'].includes(name))
  if (outcome === undefined) return { title, outcome: 'passed' }
  if (outcome.name === 'skipped') return { title, outcome: 'skipped' }
  const isPython =
    attribute(test, 'file').endsWith('.py') || attribute(outcome, 'message') === collectionFailure
  const failure = isPython
    ? describePython(test, outcome, place)
    : describePlain(test, outcome, textOf(inside, 'system-out').slice(-longestOutput), place)
  return { title, outcome: 'failed', failure }
}

/** CTest explains a failure only by the test's output, of which the end matters. */
const longestOutput = 8000

function describePlain(
  test: Element,
  outcome: Element,
  output: string,
  place: RunPlace,
): FoundFailure {
  const body = outcome.text.trim() === '' ? output : outcome.text
  const frames = framesIn(body, place)
  const path = test.attributes.get('file')
  const named = path === undefined ? null : inProject(path, place)
  const declared = Number(test.attributes.get('line') ?? Number.NaN)
  const summary = attribute(outcome, 'message')
  const message = summary.trim() === '' ? withoutFrames(test, body) : summary
  const type = attribute(outcome, 'type').split(/[.\\]/).at(-1)
  return {
    test: [...outerNames(test), attribute(test, 'name')],
    file: named ?? classFile(test, frames, place) ?? frames[0]?.file ?? null,
    declared: Number.isSafeInteger(declared) ? declared : null,
    message,
    ...comparedIn(message),
    errorType: type || errorTypeOf(body),
    frames,
  }
}

/** `com.acme.SumTest$Inner` → `SumTest`, `Inner`; nothing when it only repeats the name. */
function outerNames(test: Element): readonly string[] {
  const name = attribute(test, 'classname')
  if (name === attribute(test, 'name')) return []
  const plain = /^[\w.$\\]+$/.test(name) ? (name.split(/[.\\]/).at(-1) ?? '') : name
  return plain.split(/\$| > /)
}

/** JVM languages report only the class. */
function classFile(test: Element, frames: readonly Frame[], place: RunPlace): string | null {
  const [name = ''] = attribute(test, 'classname').split('$', 1)
  if (!/^[\w.]+$/.test(name)) return null
  const path = name.replaceAll('.', '/')
  const found = ['java', 'kt', 'groovy', 'scala'].flatMap(
    (extension) => sourceEnding(`${path}.${extension}`, place) ?? [],
  )
  return found.find((each) => frames.some(({ file }) => file === each)) ?? found[0] ?? null
}

/** PHPUnit prints the test's name above the message and the place below; Java appends a stack. */
function withoutFrames(test: Element, body: string): string {
  const name = attribute(test, 'name')
  const lines = body.trim().split('\n')
  const start = name !== '' && lines[0]?.includes(`::${name}`) ? 1 : 0
  const end = lines.findIndex((line, index) => index >= start && /^\s+at |^\/\S+:\d+$/.test(line))
  return lines.slice(start, end < 0 ? undefined : end).join('\n')
}

const collectionFailure = 'collection failure'
const pytestAssertion = [/^(?:AssertionError: )?assert (?<actual>.+) == (?<expected>.+)/]

/** Reads pytest's `-o junit_family=xunit1`, which has file and line (counted from 0). */
function describePython(test: Element, outcome: Element, place: RunPlace): FoundFailure {
  const path = test.attributes.get('file')
  const title = attribute(test, 'name')
  const summary = attribute(outcome, 'message')
  // Python prints the innermost frame last.
  const frames = framesIn(outcome.text, place).toReversed()
  const isCollected = summary === collectionFailure
  const named = inProject(path ?? fileOfModule(title), place)
  const file = (isCollected && path === undefined ? frames.at(-1)?.file : null) ?? named
  const inner = /^failed on \w+ with "(.*)"$/s.exec(summary)?.[1] ?? summary
  const message = isCollected ? lastError(outcome.text) || outcome.text : inner || outcome.text
  const declared = test.attributes.get('line')
  return {
    test: isCollected ? (file ?? title) : [...classesOf(test, path), title],
    file,
    declared: declared === undefined ? null : Number(declared) + 1,
    message,
    ...comparedIn(message, pytestAssertion),
    errorType: errorTypeOf(message) ?? (message.startsWith('assert ') ? 'AssertionError' : null),
    frames,
  }
}

/** `tests.test_user.TestName` beside `tests/test_user.py` → `TestName`. */
function classesOf(test: Element, file: string | undefined): readonly string[] {
  const name = attribute(test, 'classname')
  const module = file?.replace(/\.py$/, '').replaceAll('/', '.') ?? ''
  return (name.startsWith(module) ? name.slice(module.length) : name).split('.')
}

const fileOfModule = (module: string): string =>
  module.endsWith('.py') ? module : `${module.replaceAll('.', '/')}.py`

/** pytest marks the lines of the error itself with `E`. */
const lastError = (text: string): string =>
  [...text.matchAll(/^E {2,}(.*)$/gm)].at(-1)?.[1]?.trimStart() ?? ''

/** Reads the TRX file of `dotnet test --logger trx` (vstst.xsd); `null` for any other text. */
export function parseTrx(text: string, place: RunPlace): Results | null {
  if (!text.includes('<TestRun')) return null
  return tally(
    testsIn(text, 'UnitTestResult').map((each) => readUnitTest(each, place)),
    place,
  )
}

/** `Acme.Tests.SumTest.Adds(n: 2)`: the class and the method, without the namespace. */
function readUnitTest({ test, inside }: TestElement, place: RunPlace): ReportedTest {
  const [, path = '', given = ''] = /^([^(]*)(.*)$/s.exec(attribute(test, 'testName')) ?? []
  const names = path.split('.').slice(-2)
  const title = names.at(-1) ?? ''
  const outcome = attribute(test, 'outcome')
  if (outcome === 'Passed') return { title, outcome: 'passed' }
  if (!/^(?:Failed|Error|Timeout|Aborted)$/.test(outcome)) return { title, outcome: 'skipped' }
  const message = textOf(inside, 'Message')
  const frames = framesIn(textOf(inside, 'StackTrace'), place)
  // The project's outermost frame is the test itself.
  const failure: FoundFailure = {
    test: names.join(' > ') + given,
    ...frames.at(-1),
    message,
    ...comparedIn(message),
    errorType: typeOfDotnet(message),
    frames,
  }
  return { title, outcome: 'failed', failure }
}

/** `System.ArgumentException : bad`, `Assert.Equal() Failure`, `Assert.AreEqual failed.` */
function typeOfDotnet(message: string): string | null {
  if (/^\s*(?:Assert\.|Shouldly\.|Expected )/.test(message)) return 'AssertionError'
  return /(?:^|\.)(\w{1,80}Exception) ?:/.exec(message.trim().slice(0, 400))?.[1] ?? null
}
