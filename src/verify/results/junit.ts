import type { TestFailure } from '../../domain/test-report.ts'
import { framesIn, inProject, toTrace } from './frames.ts'
import { errorTypeOf, type Results, toFailure, toResults } from './results.ts'

interface Element {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  /** Text directly inside, for a leaf. */
  text: string
}

/**
 * The JUnit XML that pytest writes (`-o junit_family=xunit1`, which knows file and line). `null`
 * when there is no test suite in it; half a file counts for what it holds.
 */
export function parseJunit(text: string, folder: string): Results | null {
  if (!text.includes('<testsuite')) return null
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const failures: TestFailure[] = []
  let test: Element | null = null
  let outcome: Element | null = null
  const finish = () => {
    if (test === null) return
    if (outcome === null) counts.passed += 1
    else if (outcome.name === 'skipped') counts.skipped += 1
    else {
      counts.failed += 1
      failures.push(describe(test, outcome, folder))
    }
    test = null
    outcome = null
  }
  for (const element of elements(text)) {
    if (element.name === 'testcase') {
      finish()
      test = element
    } else if (['failure', 'error', 'skipped'].includes(element.name)) outcome ??= element
  }
  finish()
  return toResults(counts, failures)
}

/** Start tags in order, each with the text up to the next tag. Linear, and content with anything. */
function* elements(xml: string): Generator<Element> {
  let at = xml.indexOf('<')
  while (at >= 0) {
    const end = endOfTag(xml, at)
    if (end < 0) return
    const next = xml.indexOf('<', end)
    const name = /^[A-Za-z]+/.exec(xml.slice(at + 1, at + 20))?.[0]
    if (name !== undefined) {
      const cdata = xml.startsWith('<![CDATA[', next)
      const close = cdata ? xml.indexOf(']]>', next) : -1
      const raw = cdata
        ? xml.slice(next + '<![CDATA['.length, close < 0 ? undefined : close)
        : decode(xml.slice(end + 1, next < 0 ? undefined : next))
      yield { name, attributes: readAttributes(xml.slice(at + 1 + name.length, end)), text: raw }
    }
    at = next
  }
}

/** The `>` that ends a tag; one inside quotes does not. */
function endOfTag(xml: string, start: number): number {
  if (xml.startsWith('<![CDATA[', start)) return xml.indexOf(']]>', start) + 2
  let quote = ''
  for (let index = start; index < xml.length; index += 1) {
    const character = xml[index] ?? ''
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '"' || character === "'") quote = character
    else if (character === '>') return index
  }
  return -1
}

function readAttributes(text: string): ReadonlyMap<string, string> {
  const found = text.matchAll(/([\w:-]+)="([^"]*)"/g)
  return new Map([...found].map(([, name = '', value = '']) => [name, decode(value)]))
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  gt: '>',
  lt: '<',
  quot: '"',
}

function decode(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|([a-z]{2,4}));/g, (whole, ...groups) => {
    const [decimal, hex, name] = groups as (string | undefined)[]
    if (name !== undefined) return entities[name] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

function describe(test: Element, outcome: Element, folder: string): TestFailure {
  const path = test.attributes.get('file')
  const title = test.attributes.get('name') ?? ''
  const said = outcome.attributes.get('message') ?? ''
  const frames = framesIn(outcome.text, folder)
  const collected = said === 'collection failure'
  const file = path ?? (collected ? fileOfModule(title, frames[0]?.file) : null)
  const inner = /^failed on \w+ with "(.*)"$/s.exec(said)?.[1] ?? said
  const message = collected ? lastError(outcome.text) || outcome.text : inner || outcome.text
  const own = frames.findLast((frame) => frame.file === file)
  const declared = test.attributes.get('line')
  const [, actual = null, expected = null] =
    /^(?:AssertionError: )?assert (.+) == (.+)$/.exec(message.split('\n', 1)[0] ?? '') ?? []
  return toFailure(
    {
      test: collected ? (file ?? title) : [...classesOf(test, path), title].join(' > '),
      file: file === null ? null : inProject(file, folder),
      line: own?.line ?? (declared === undefined ? null : Number(declared) + 1),
      message,
      expected,
      actual,
      errorType: errorTypeOf(message) ?? (message.startsWith('assert ') ? 'AssertionError' : null),
      trace: toTrace(frames.toReversed()),
    },
    folder,
  )
}

/** `tests.test_user.TestName` beside `tests/test_user.py` → `TestName`. */
function classesOf(test: Element, file: string | undefined): readonly string[] {
  const name = test.attributes.get('classname') ?? ''
  const module = file?.replace(/\.py$/, '').replaceAll('/', '.') ?? ''
  const rest = name.startsWith(module) ? name.slice(module.length) : name
  return rest.split('.').filter((part) => part !== '')
}

const fileOfModule = (module: string, first: string | undefined): string =>
  first ?? (module.endsWith('.py') ? module : `${module.replaceAll('.', '/')}.py`)

/** pytest marks the lines of the error itself with `E`. */
function lastError(text: string): string {
  const lines = text.split('\n').filter((line) => /^E {2,}/.test(line))
  return lines.map((line) => line.replace(/^E +/, '')).at(-1) ?? ''
}
