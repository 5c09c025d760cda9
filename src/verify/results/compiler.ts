import type { TestFailure } from '../../core/domain/test-report.ts'
import { messageLines } from '../../text/diagnosis/plain-text.ts'
import { inProject, type RunPlace } from './place.ts'
import { toFailure } from './results.ts'

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
