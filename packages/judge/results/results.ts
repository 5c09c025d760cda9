import { posix } from 'node:path'
import { longestLine, plainText } from '../../diagnosis/diagnosis.ts'
import { isInstalled } from '../detect/suite.ts'
import type { TestCounts, TestFailure } from './test-report.ts'

/** The results of one command. `counts` is `null` when the number of tests is unknown. */
export interface Results {
  readonly counts: TestCounts | null
  readonly failures: readonly TestFailure[]
  /** Names of the tests that ran, without their suites, if reported. */
  readonly titles?: readonly string[] | undefined
}

/** Reads a report or output; `null` for another format. */
export type ReadResults = (text: string, place: RunPlace) => Results | null

/** A failure as a runner reports it; its frames supply omitted values. */
export interface FoundFailure {
  /** Its name, or its parts with the outer suites first. */
  readonly test: string | readonly string[]
  readonly message: string
  /** Innermost first: frames, or a text that contains them. */
  readonly frames?: string | readonly Frame[]
  /** True for a file that failed to run; its path in the project is its name. */
  readonly isFile?: boolean
  /** As the runner writes it. */
  readonly path?: string | null | undefined
  /** Relative to the project's root. */
  readonly file?: string | null
  readonly line?: number | null
  /** The line where the test starts, used when no frame is in its file. */
  readonly declared?: number | null
  readonly expected?: string | null
  readonly actual?: string | null
  readonly errorType?: string | null
}

/** One test of a report. A file that cannot be loaded is a failure without a title. */
export interface ReportedTest {
  /** Without its suites. */
  readonly title?: string
  readonly outcome: keyof TestCounts
  readonly failure?: FoundFailure
}

const longestMessage = 2000
const longestValue = 500
const longestTrace = 8

/** Collects the results of a report that lists each test. */
export function tally(tests: Iterable<ReportedTest>, place: RunPlace): Results {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const failures: TestFailure[] = []
  const titles: string[] = []
  for (const { title, outcome, failure } of tests) {
    counts[outcome] += 1
    if (failure !== undefined) failures.push(toFailure(failure, place))
    if (title !== undefined && outcome !== 'skipped') titles.push(title)
  }
  return { counts, failures, titles }
}

/** Prepares a failure for display and storage: plain, short, with paths relative to the project. */
export function toFailure(found: FoundFailure, place: RunPlace): TestFailure {
  const tidy = (text: string, limit: number) => {
    const plain = reproducibleText(plainText(text), place.folder).trim()
    return plain.length <= limit ? plain : `${plain.slice(0, limit)}…`
  }
  const value = (text: string | null | undefined) =>
    text === null || text === undefined ? null : tidy(text, longestValue)
  const { test, path, isFile, declared = null } = found
  const frames =
    typeof found.frames === 'string' ? framesIn(found.frames, place) : (found.frames ?? [])
  const named = path ? inProject(path, place) : null
  const { file = named ?? frames[0]?.file ?? null } = found
  const { line = frames.find((frame) => frame.file === file)?.line ?? declared } = found
  const parts = isFile && named !== null ? [named] : [test].flat()
  const name = parts.filter((part) => part !== '').join(' > ')
  return {
    test: tidy(name, longestValue) || '(unnamed)',
    file,
    line,
    message: withLimits(tidy(found.message, longestMessage) || 'The test failed.'),
    expected: value(found.expected),
    actual: value(found.actual),
    errorType: found.errorType ?? null,
    trace: [...new Set(frames.map((frame) => `${frame.file}:${frame.line}`))].slice(
      0,
      longestTrace,
    ),
  }
}

/** How git ends outside a repository, in its words or in those of a program that started it. */
const needsGit =
  /\bnot a git repository\b|\bgit\b[^\n]{0,200}\b(?:exit (?:status|code)|status|code) 128\b/

/** Says where a failure is due to the folder in which tests run, and not to the code. */
const withLimits = (message: string): string =>
  needsGit.test(message)
    ? `Tests run in a folder without .git: what needs a repository has to make one of its own.\n${message}`
    : message

/** Node prints the absolute paths of both files of a failed import. */
const failedImport = /Cannot find module '(\/[^'\n]+)' imported from (\/\S+)/g

/** The digits of Python's `<f at 0x7f…>`, Ruby's `#<F:0x000…>`, Go's `(*F)(0xc0…)` and Java's `a.F@1b2c3d`. */
const objectAddress =
  /(?<=<[^<>\n]{1,220} at 0x)[\da-f]{6,16}(?=[ >])|(?<=#<[\w:]{1,220}:0x)[\da-f]{16}\b|(?<=\)\(0x)c[\da-f]{9}\b|(?<=\b[a-z]\w*\.[\w.$]{0,200}[A-Z][\w$]{0,80}(?:\[\])?@)[\da-f]{5,8}\b/g

/**
 * Hides what differs from run to run: addresses of objects and the project's folder, whose paths
 * become `./…`. A failed import is shown as it was written.
 */
export function reproducibleText(text: string, folder: string): string {
  return text
    .replace(objectAddress, '…')
    .replace(failedImport, (whole, wanted: string, from: string) => {
      if (!wanted.startsWith(`${folder}/`)) return whole
      const path = posix.relative(posix.dirname(from), wanted)
      return `Cannot find module '${path.startsWith('.') ? path : `./${path}`}' imported from ${from}`
    })
    .replaceAll(`file://${folder}/`, './')
    .replaceAll(`${folder}/`, './')
}

/** `AssertionError: …` yields its name; `Error [ERR_X]: …` yields the code, which says more. */
export function errorTypeOf(text: string): string | null {
  const match = /^[ \t]*(?:Uncaught )?((?:[\w$]+\.)*[A-Z][\w$]*)(?: \[(\w+)\])?(?::|$)/m.exec(text)
  const [, name = null, code = null] = match ?? []
  return code ?? name
}

/** How assertion libraries print two values; the first match wins. Each is anchored or bounded. */
const comparisons: readonly RegExp[] = [
  // JUnit 4 and 5, TestNG
  /expected: ?<(?<expected>[^\n]{0,400}?)> but was: ?<(?<actual>[^\n]{0,400}?)>/,
  // AssertJ, NUnit, Hamcrest
  /^\s*expected: ?(?<expected>[^\n]+)\n\s*but(?: was)?:\s?(?<actual>[^\n]+)/im,
  // RSpec, minitest, Jest, Bun, xUnit, testify
  /^\s*expected: ?(?<expected>[^\n]+)\n\s*(?:got|actual|received) *: *(?<actual>[^\n]+)/im,
  // MSTest
  /Expected:<(?<expected>[^\n]{0,400}?)>\. Actual:<(?<actual>[^\n]{0,400}?)>/,
  // PHPUnit
  /Failed asserting that (?<actual>.{1,400}?) is identical to (?<expected>.{1,400})\.$/m,
  /Failed asserting that (?<actual>.{1,400}?) (?:matches expected|is equal to) (?<expected>.{1,400})\.$/m,
  // Rust
  /^\s*left: (?<actual>[^\n]+)\n\s*right: (?<expected>[^\n]+)/m,
  // Go, by convention
  /\bgot:? (?<actual>[^\n,;]{1,200})[,;] (?:want|expected):? (?<expected>[^\n]{1,200})/i,
  /\b(?:want|expected):? (?<expected>[^\n,;]{1,200})[,;] (?:but )?got:? (?<actual>[^\n]{1,200})/i,
]

/** Extracts the compared values as printed; both are `null` when no form matches. */
export function comparedIn(
  message: string,
  forms = comparisons,
): Pick<TestFailure, 'expected' | 'actual'> {
  for (const form of forms) {
    const { expected, actual } = form.exec(message)?.groups ?? {}
    if (expected !== undefined && actual !== undefined)
      return { expected: expected.trim(), actual: actual.trim() }
  }
  return { expected: null, actual: null }
}

/** Where a command ran, to translate the paths in its output. */
export interface RunPlace {
  /** Absolute path of the project's root. */
  readonly folder: string
  /** Relative to the root (`.`): where relative paths in the output start. */
  readonly directory: string
  /** Source paths, for runners (Java, Go) that print only the end of a path. */
  readonly sources: readonly string[]
}

/** Returns the path inside the project; `null` when it is elsewhere or in installed packages. */
export function inProject(path: string, { folder, directory }: RunPlace): string | null {
  const plain = path.startsWith('file://') ? path.slice('file://'.length) : path
  if (plain.startsWith('node:')) return null
  const relative = plain.startsWith('/')
    ? plain.startsWith(`${folder}/`) && posix.normalize(plain.slice(folder.length + 1))
    : posix.join(directory, plain)
  if (relative === false || relative.startsWith('..')) return null
  return isInstalled(relative) ? null : relative
}

const indexes = new WeakMap<readonly string[], ReadonlyMap<string, readonly string[]>>()

/** Finds the project's paths with this file name. */
export function namesakes(name: string, { sources }: RunPlace): readonly string[] {
  const known = indexes.get(sources) ?? Map.groupBy(sources, (path) => posix.basename(path))
  indexes.set(sources, known)
  return known.get(name) ?? []
}

/**
 * Finds the project's path that ends with this (`com/acme/Sum.java`), preferring one inside the
 * directory where the command ran.
 */
export function sourceEnding(end: string, place: RunPlace): string | null {
  const found = namesakes(posix.basename(end), place).filter(
    (path) => path === end || path.endsWith(`/${end}`),
  )
  const { directory } = place
  const own = found.find((path) => directory === '.' || path.startsWith(`${directory}/`))
  return own ?? found[0] ?? null
}

/** A place in the project; `file` is relative to its root. */
export interface Frame {
  readonly file: string
  readonly line: number
}

/** JavaScript (`at f (file:///a/b.js:3:1)`, `❯ b.ts:3:1`), pytest, Ruby, Go, PHP and .NET. */
const colonFrame =
  /(?<![^\s():'"<>[])((?:file:\/\/)?[^\s():'"<>[\]]+\.[A-Za-z]{1,6}):(?:line )?(\d{1,7})(?::\d{1,7})?(?![\w.])/

/** Python: `File "/a/b.py", line 3`. */
const pythonFrame = /File "([^"]+)", line (\d{1,7})/

/** PHP: `in /a/b.php on line 3`, `#0 /a/b.php(3): f()`. */
const phpFrame = /(?: in |^#\d{1,4} )(\/[^\s():'"]+\.php)(?: on line |\()(\d{1,7})\b/

/** JVM languages: `at com.acme.SumTest$Inner.adds(SumTest.java:6)`. */
const javaFrame =
  /^\s*at (?:[\w.@-]{0,80}\/{1,2})?((?:[\w$-]+\.)*)[\w$-]+\.[\w$<>-]+\(([\w-]+\.(?:java|kt|scala|groovy)):(\d{1,7})\)/

/** Finds the frames inside the project, in the order of the text. */
export function framesIn(text: string, place: RunPlace): readonly Frame[] {
  return text.split('\n').flatMap((line) => {
    if (line.length > longestLine) return []
    const java = javaFrame.exec(line)
    if (java !== null) {
      const [, packages = '', name = '', number = ''] = java
      const file = sourceEnding(packages.replaceAll('.', '/') + name, place)
      return file === null ? [] : [{ file, line: Number(number) }]
    }
    const [, path = '', number = ''] =
      pythonFrame.exec(line) ?? phpFrame.exec(line) ?? colonFrame.exec(line) ?? []
    const file = path === '' ? null : inProject(path, place)
    return file === null ? [] : [{ file, line: Number(number) }]
  })
}

/** Returns the message before the frames that follow it. */
export function beforeFrames(lines: readonly string[], stack = /^\s+at /): string {
  const end = lines.findIndex((line) => stack.test(line))
  return (end < 0 ? lines : lines.slice(0, end)).join('\n').trim()
}
