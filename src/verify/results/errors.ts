import type { TestFailure } from '../../core/domain/test-report.ts'
import { longestLine, messageLines } from '../../text/diagnosis/plain-text.ts'
import { framesIn, inProject, type RunPlace } from './place.ts'
import { toFailure } from './results.ts'

/** What kept a program from running at all: errors of compilers first, then of interpreters. */
export function readErrors(plain: string, place: RunPlace): readonly TestFailure[] {
  const errors = readCompilerErrors(plain, place)
  return errors.length > 0 ? errors : readCrashes(plain, place)
}

interface CompilerError {
  readonly path: string
  readonly line: string
  readonly code: string | null
  readonly message: string
}

const path = String.raw`[^\s:()\[\]]+\.\w{1,6}`
const goPath = String.raw`[^\s:()\[\]]+\.go`

/** One line each, with the groups path, line, code and message. */
const patterns: readonly RegExp[] = [
  // tsc, gcc, clang, javac, dotnet, mypy: `src/a.ts(3,5): error TS2307: …`, `src/a.c:3:5: error: …`
  String.raw`^\s*(?<path>${path})(?:\(|:)(?<line>\d+)(?:[,:]\d+)?\)?(?: -|:) (?:fatal )?error:? ?(?<code>[A-Z]+\d+)?:? (?<message>.+)$`,
  // Maven: `[ERROR] /a/B.java:[4,3] cannot find symbol`
  String.raw`^\[ERROR\] (?<path>${path}):\[(?<line>\d+),\d+\] (?:error: )?(?<message>.+)$`,
  // Kotlin: `e: file:///a/B.kt:3:5 Unresolved reference: x`, `e: /a/B.kt: (3, 5): …`
  String.raw`^e: (?:file://)?(?<path>${path}):(?: \()?(?<line>\d+)(?:, |:)\d+\)?:? (?<message>.+)$`,
  // Go: `internal/a.go:3:5: undefined: b`, `vet: a.go:2:26: …`
  String.raw`^(?:vet: )?(?<path>${goPath}):(?<line>\d+)(?::\d+)?: (?<message>.+)$`,
  // Linkers: `sum.c:(.text+0x1a): undefined reference to 'add'`
  String.raw`(?:^|: )(?<path>${path}):\(\.text[^)]*\): (?<message>undefined reference to .+)$`,
].map((text) => new RegExp(text))

/** rustc says the place on the line after `error[E0432]: …`. */
const rustError = /^error(?:\[(\w+)\])?: (.+)$/
const rustPlace = /^ *--> ([^\s:]+):(\d+):\d+$/

/** Errors of compilers and linters that name file and line, each once. */
export function readCompilerErrors(text: string, place: RunPlace): readonly TestFailure[] {
  const lines = messageLines(text)
  const found = new Map<string, TestFailure>()
  for (const [index, line] of lines.entries()) {
    const error = readLine(line) ?? readRust(line, lines[index + 1] ?? '')
    const file = error === null ? null : inProject(error.path, place)
    if (error === null || file === null) continue
    const { code } = error
    // dotnet names its project behind the message; javac says which symbol on the next line.
    const symbol = /^\s+symbol: +(.+)$/.exec(lines[index + 1] ?? '')?.[1]
    const plain = error.message.replace(/ \[\S+\.\w+proj\]$/, '')
    const message = symbol === undefined ? plain : `${plain}: ${symbol}`
    const test = `${code ?? 'error'}: ${message}`
    const number = error.line === '' ? null : Number(error.line)
    const key = `${file} ${error.line} ${plain}`
    if (found.has(key)) continue
    found.set(key, toFailure({ test, file, line: number, message, errorType: code }, place))
  }
  return [...found.values()]
}

function readLine(line: string): CompilerError | null {
  for (const pattern of patterns) {
    const groups = pattern.exec(line)?.groups
    if (groups === undefined) continue
    const { path: named = '', line: number = '', code = null, message = '' } = groups
    return { path: named, line: number, code, message }
  }
  return null
}

function readRust(line: string, next: string): CompilerError | null {
  const [whole, code = null, message = ''] = rustError.exec(line) ?? []
  const [, named, number = ''] = rustPlace.exec(next) ?? []
  return whole === undefined || named === undefined
    ? null
    : { path: named, line: number, code, message }
}

/**
 * What interpreters say when a program ends by an error that nobody caught: its `message`, and its
 * `type` or else the one that such a message has.
 */
const crashes: readonly (readonly [line: RegExp, errorType: string])[] = [
  // PHP: `PHP Fatal error:  Uncaught ParseError: Unclosed '{' on line 1 in /a/b.php:2`
  ...(['Parse', 'Fatal'] as const).map(
    (kind) =>
      [
        new RegExp(
          String.raw`^(?:PHP )?${kind} error: {1,2}(?:Uncaught )?(?:(?<type>\w+(?:\\\w+)*): )?(?<message>\S.{0,900}?)(?: in \/\S+?(?::\d+| on line \d+))?$`,
        ),
        kind === 'Parse' ? 'ParseError' : 'Error',
      ] as const,
  ),
  // Ruby: `b.rb:1:in 'require': cannot load such file -- x (LoadError)`, `b.rb:1: syntax error, …`
  [
    /:\d{1,7}:in [`'][^`']{0,200}': (?<message>.{1,900}?) \((?<type>[A-Z]\w*(?:::\w+)*)\)$/,
    'Error',
  ],
  [/\.rb:\d{1,7}: (?<message>syntax errors? .{1,900}?)(?: \(SyntaxError\))?$/, 'SyntaxError'],
  // Python and Node: `ModuleNotFoundError: No module named 'x'`, `Error: Cannot find module './x'`
  [
    /^(?:\s?Exception during run: |Uncaught )?(?<type>(?:[A-Z]\w{0,60})?(?:Error|Exception|Exit))(?: \[(?<code>\w+)\])?: (?<message>.{1,900})$/,
    'Error',
  ],
  [/^error: (?<message>Cannot find (?:module|package) '.{1,900})$/, 'Error'],
]

/** Lines around the error in which its place is looked for. */
const reach = 14
/** Of more, most would be the same or of nobody's interest. */
const mostCrashes = 1000

/**
 * Errors that ended a program of the project, of what a runner printed instead of results. Only
 * those whose place is in the project.
 */
function readCrashes(text: string, place: RunPlace): readonly TestFailure[] {
  const found = new Map<string, TestFailure>()
  const lines = text.split('\n')
  let count = 0
  for (const [index, line] of lines.entries()) {
    if (count >= mostCrashes) break
    const crash = readCrash(line)
    if (crash === null) continue
    count += 1
    // Python tells the place before the error, the others in it or after it.
    const below = lines.slice(index, index + reach)
    // Frames count only from the stack: a tool also names the file it was reading.
    const stack = below.filter((each) => /^\s+at /.test(each))
    const after = framesIn((stack.length > 0 ? stack : below).join('\n'), place)
    const before = framesIn(lines.slice(Math.max(0, index - reach), index).join('\n'), place)
    const isAbove = /^\s+File "/.test(lines[index - 2] ?? '') || after.length === 0
    const frames = isAbove ? before.toReversed() : after
    const [own] = frames
    const key = `${own?.file} ${crash.message}`
    if (own === undefined || found.has(key)) continue
    found.set(key, toFailure({ ...crash, test: own.file, line: own.line, frames }, place))
  }
  return [...found.values()]
}

function readCrash(line: string): Pick<TestFailure, 'errorType' | 'message'> | null {
  if (line.length > longestLine) return null
  for (const [pattern, otherwise] of crashes) {
    const { type = otherwise, code, message } = pattern.exec(line)?.groups ?? {}
    if (message === undefined) continue
    const isMissing = type === 'Error' && /^Cannot find (?:module|package) /.test(message)
    return { errorType: code ?? (isMissing ? 'MODULE_NOT_FOUND' : type), message }
  }
  return null
}
