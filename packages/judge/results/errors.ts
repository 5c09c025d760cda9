import { longestLine, messageLines, plainText } from '../../diagnosis/diagnosis.ts'
import { parseJson } from '../../text/text.ts'
import { framesIn, inProject, type RunPlace, toFailure } from './results.ts'
import type { TestFailure } from './test-report.ts'

/** Reads what kept a program from running: compiler errors, else crashes of interpreters. */
export function readErrors(plain: string, place: RunPlace): readonly TestFailure[] {
  const errors = readCompilerErrors(plain, place)
  return errors.length > 0 ? errors : readCrashes(plain, place)
}

/** An error or complaint, and the place that it names. */
interface Finding {
  readonly path: string
  /** Empty when unknown. */
  readonly line: number | string
  readonly code: string | null
  readonly message: string
}

function toFailures(
  { path: named, line, code, message }: Finding,
  test: string,
  place: RunPlace,
): readonly TestFailure[] {
  const file = inProject(named, place)
  const at = line === '' ? null : Number(line)
  return file === null ? [] : [toFailure({ test, file, line: at, message, errorType: code }, place)]
}

const path = String.raw`[^\s:()\[\]]+\.\w{1,6}`
const goPath = String.raw`[^\s:()\[\]]+\.go`

/** Patterns of one line each, with the groups path, line, code and message. */
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

/** rustc prints the place on the line after `error[E0432]: …`. */
const rustError = /^error(?:\[(\w+)\])?: (.+)$/
const rustPlace = /^ *--> ([^\s:]+):(\d+):\d+$/

/** Reads compiler and linter errors that name file and line, each once. */
export function readCompilerErrors(text: string, place: RunPlace): readonly TestFailure[] {
  const lines = messageLines(text)
  const found = new Map<string, readonly TestFailure[]>()
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1] ?? ''
    const error = readCompilerLine(line) ?? readRust(line, next)
    if (error === null) continue
    // dotnet appends its project to the message; javac names the symbol on the next line.
    const symbol = /^\s+symbol: +(.+)$/.exec(next)?.[1]
    const plain = error.message.replace(/ \[\S+\.\w+proj\]$/, '')
    const key = `${inProject(error.path, place)} ${error.line} ${plain}`
    if (found.has(key)) continue
    const message = symbol === undefined ? plain : `${plain}: ${symbol}`
    found.set(key, toFailures({ ...error, message }, `${error.code ?? 'error'}: ${message}`, place))
  }
  return [...found.values()].flat()
}

function readCompilerLine(line: string): Finding | null {
  const groups = patterns.map((each) => each.exec(line)?.groups).find((each) => each !== undefined)
  if (groups === undefined) return null
  const { path: named = '', line: number = '', code = null, message = '' } = groups
  return { path: named, line: number, code, message }
}

function readRust(line: string, next: string): Finding | null {
  const [whole, code = null, message = ''] = rustError.exec(line) ?? []
  const [, named, number = ''] = rustPlace.exec(next) ?? []
  return whole === undefined || named === undefined
    ? null
    : { path: named, line: number, code, message }
}

/** How interpreters print an uncaught error: its `message`, and its `type` or else this default. */
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

/** How many lines around an error are searched for its place. */
const reach = 14
/** Beyond this number, crashes mostly repeat. */
const mostCrashes = 1000

/**
 * Reads errors that ended one of the project's programs from output without results. Skips errors
 * without a place in the project.
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
    // Python names the place before the error, others within or after it.
    const below = lines.slice(index, index + reach)
    // Stack frames take precedence: a tool also names the file that it was reading.
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

/**
 * Reads complaints of linters and type checkers as failures with file and line: JSON of eslint,
 * biome, ruff and golangci-lint, or text as `path:line:col: message`, `path(line,col): message`,
 * eslint's list below a path, and a place below or above its message (ruff, biome, rustc). The
 * test's name is rule and message, so a complaint keeps it when lines move.
 */
export function readLint(output: string, place: RunPlace): readonly TestFailure[] {
  const plain = plainText(output)
  const found = (readJson(plain) ?? readText(plain)).flatMap((finding) => {
    const { code, message } = finding
    return toFailures(finding, code === null ? message : `${code}: ${message}`, place)
  })
  return found.length > 0 ? found : readCompilerErrors(plain, place)
}

/** Recognizes entries by their shape, in whichever list they are. */
function readJson(text: string): readonly Finding[] | null {
  const start = text.search(/^[[{]/m)
  if (start < 0) return null
  const end = Math.max(text.lastIndexOf(']'), text.lastIndexOf('}')) + 1
  const value = parseJson(text.slice(start, end))
  if (value === null) return null
  const lists = [value, at(value, 'Issues'), at(value, 'diagnostics'), at(value, 'results')]
  const entries: readonly unknown[] = lists.find(Array.isArray) ?? []
  return entries.flatMap((entry) => {
    const path = textAt(
      entry,
      'filePath filename file Pos.Filename location.path location.path.file',
    )
    const inner = at(entry, 'messages')
    const found: readonly unknown[] = Array.isArray(inner) ? inner : [entry]
    return found.flatMap((each) => {
      const message = textAt(each, 'message Text description')
      if (path === null || message === null || (each !== entry && at(each, 'severity') === 1))
        return []
      const numbers = ['line', 'location.row', 'location.start.line', 'Pos.Line']
      const line = numbers.map((key) => at(each, key)).find((value) => typeof value === 'number')
      const code = textAt(each, 'ruleId code FromLinter category rule')
      return [{ path, line: typeof line === 'number' ? line : 0, code, message }]
    })
  })
}

/** @param keys nested keys, joined by dots */
const at = (value: unknown, keys: string): unknown =>
  keys
    .split('.')
    .reduce<unknown>(
      (inner, key) => (inner instanceof Object ? Reflect.get(inner, key) : undefined),
      value,
    )

/** Returns the first text at one of these keys. */
function textAt(value: unknown, keys: string): string | null {
  const all = keys.split(' ').map((key) => at(value, key))
  return all.find((each): each is string => typeof each === 'string') ?? null
}

const lintedPath = String.raw`(?:[A-Za-z]:)?[^\s:()"'<>|]+\.\w{1,8}`
const onlyPath = new RegExp(`^${lintedPath}$`)
const oneLine = new RegExp(
  String.raw`^\s*(${lintedPath})[:(](\d+)(?:[:,]\d+)?\)?:?\s+(?:- )?(\S.*)$`,
)
const underPath = /^\s+(\d+):\d+\s+(error|warning|info)\s+(.+?)(?:\s{2,}(\S+))?$/
const placeBelow = new RegExp(String.raw`^\s*--> (${lintedPath}):(\d+):\d+`)
const ruled = new RegExp(String.raw`^(${lintedPath}):(\d+):\d+ (\w+(?:\/\w+)+)\b`)
const leadingRule =
  /^(?:(?:error|fatal error)(?:\[(\w+)\])?:?\s+)?(?:([A-Z]{1,8}\d{2,5})\b:?\s*(?:\[\*\] )?)?(.*)$/
const trailingRule = /^(.*?)\s+[[(]([\w@/-]+)[\])]$/

function readText(text: string): readonly Finding[] {
  const lines = messageLines(text)
  const found: Finding[] = []
  let current = ''
  for (const [index, line] of lines.entries()) {
    if (onlyPath.test(line.trim())) current = line.trim()
    const finding =
      readBiome(line, lines, index) ??
      readLine(line) ??
      readUnder(line, current) ??
      readBelow(line, lines[index - 1] ?? '')
    if (finding !== null) found.push(finding)
  }
  return found
}

function readLine(line: string): Finding | null {
  const [, file = '', number = '', rest = ''] = oneLine.exec(line) ?? []
  if (file === '' || /^(?:warning|note|info|hint)\b/i.test(rest) || /^[\w/]+ ━/.test(rest))
    return null
  return { path: file, line: number, ...withRule(rest) }
}

function withRule(text: string): Pick<Finding, 'code' | 'message'> {
  const [, bracket, code, message = text] = leadingRule.exec(text.trim()) ?? []
  const [, short, named] = trailingRule.exec(message) ?? []
  return {
    code: bracket ?? code ?? named ?? null,
    message: (short ?? message).trim() || text.trim(),
  }
}

function readUnder(line: string, current: string): Finding | null {
  const [, number = '', severity, message = '', code = null] = underPath.exec(line) ?? []
  if (current === '' || severity !== 'error') return null
  return { path: current, line: number, code, message }
}

/** Reads the form of ruff and rustc: the message, and its place on the next line. */
function readBelow(line: string, above: string): Finding | null {
  const [, file = '', number = ''] = placeBelow.exec(line) ?? []
  if (file === '' || above.trim() === '' || /^warning\b/.test(above)) return null
  return { path: file, line: number, ...withRule(above) }
}

/** Reads the form of biome: place and rule, and the message a few lines below. */
function readBiome(line: string, lines: readonly string[], index: number): Finding | null {
  const [, file = '', number = '', code = ''] = ruled.exec(line) ?? []
  if (file === '') return null
  const messages = lines
    .slice(index + 1, index + 6)
    .map((each) => /^\s*[×✖!i] (.+)$/.exec(each)?.[1])
  const message = messages.find((each) => each !== undefined)
  return message === undefined ? null : { path: file, line: number, code, message }
}
