import {
  beforeFrames,
  errorTypeOf,
  type FoundFailure,
  type ReportedTest,
  type Results,
  type RunPlace,
  tally,
} from './results.ts'

/** An `ok` or `not ok` line, with the details below it and the subtests above it. */
interface Point {
  readonly name: string
  readonly ok: boolean
  readonly isSkipped: boolean
  readonly details: ReadonlyMap<string, string>
  readonly children: readonly Point[]
  /** What the file printed before it, which is the only record of a crash. */
  readonly comments: readonly string[]
}

const pointLine = /^(not )?ok\b(?: \d+)?(?: -)? ?(.*)$/
const directive = /(?:^| )# (SKIP|TODO)\b.*$/i
const sourceFile = /\.[cm]?[jt]sx?$/
const mostComments = 100

/**
 * Reads TAP 14 as `node --test` writes it, and plain TAP of other tools. Subtests are indented by
 * four spaces and precede their parent. A suite that fails only because of a subtest is no failure
 * of its own. `null` when the text is not TAP.
 */
export function parseTap(text: string, place: RunPlace): Results | null {
  if (!/^TAP version 1[34]\s*$/m.test(text)) return null
  const nameIn = isNodes(text) ? (name: string) => name : withoutFile
  const tests = readPoints(text).flatMap((point) => {
    const name = nameIn(point.name)
    return testsOf({ ...point, name }, [name])
  })
  return tally(tests, place)
}

/** Node.js announces each test; other tools do not. */
const isNodes = (text: string): boolean => /^ *# Subtest: /m.test(text)

/** AVA puts the file before a title when it runs several files: `folder › file › title`. */
const withoutFile = (name: string): string => name.split(' › ').at(-1) ?? name

function testsOf(point: Point, names: readonly string[]): readonly ReportedTest[] {
  const { name: title, ok, isSkipped, details, children } = point
  const inside = children.flatMap((child) => testsOf(child, [...names, child.name]))
  const type = details.get('failureType')
  const isOuter = type === 'subtestsFailed' || (type === undefined && hasRed(point))
  if (!ok && !isSkipped && !isOuter)
    return [...inside, { title, outcome: 'failed', failure: describe(point, names) }]
  if (children.length > 0 || details.get('type') === 'suite') return inside
  if (isSkipped) return [{ title, outcome: 'skipped' }]
  return sourceFile.test(title) ? [] : [{ title, outcome: 'passed' }]
}

/** Tools without `failureType` fail a parent only because of its children. */
const hasRed = ({ children, details }: Point): boolean =>
  !details.has('error') && children.some(({ ok, isSkipped }) => !ok && !isSkipped)

function readPoints(text: string): readonly Point[] {
  const levels: Point[][] = [[]]
  let comments: string[] = []
  const lines = text.split('\n')
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    const indent = line.length - line.trimStart().length
    const content = line.slice(indent).trimEnd()
    if (content.startsWith('# ')) {
      if (comments.push(content.slice(2)) > mostComments) comments.shift()
      continue
    }
    const match = pointLine.exec(content)
    if (match === null || indent % 4 !== 0) continue
    const depth = indent / 4
    const block = readBlock(lines, index + 1, indent + 2)
    index = block.end
    const point = {
      name: nameOf(match[2] ?? ''),
      ok: match[1] === undefined,
      isSkipped: directive.test(content),
      details: readDetails(block.lines),
      children: levels[depth + 1] ?? [],
      comments,
    }
    levels.length = Math.min(levels.length, depth + 1)
    for (let level = levels.length; level <= depth; level += 1) levels.push([])
    levels[depth]?.push(point)
    if (depth === 0) comments = []
  }
  return levels[0] ?? []
}

const nameOf = (text: string): string =>
  text
    .replace(directive, '')
    .replace(/ # time=[\d.]+m?s$/, '')
    .replaceAll('\\#', '#')
    .replaceAll('\\\\', '\\')
    .trim()

/** Returns the lines between the following `---` and `...`, unindented. */
function readBlock(
  lines: readonly string[],
  start: number,
  indent: number,
): { readonly lines: readonly string[]; readonly end: number } {
  const margin = ' '.repeat(indent)
  if (lines[start]?.trimEnd() !== `${margin}---`) return { lines: [], end: start - 1 }
  let end = start + 1
  while (end < lines.length && lines[end]?.trimEnd() !== `${margin}...`) end += 1
  const first = lines[start + 1] ?? ''
  const inner = Math.max(indent, first.length - first.trimStart().length)
  return { lines: lines.slice(start + 1, end).map((line) => line.slice(inner)), end }
}

/** Reads `key: value` lines; keeps a block or nested value below a key as text. */
function readDetails(lines: readonly string[]): ReadonlyMap<string, string> {
  const details = new Map<string, string>()
  for (let index = 0; index < lines.length; index += 1) {
    const [, key, value = ''] = /^(\w+):(?: (.*))?$/.exec(lines[index] ?? '') ?? []
    if (key === undefined) continue
    const below: string[] = []
    while (index + 1 < lines.length && !/^\S/.test(lines[index + 1] ?? '')) {
      index += 1
      below.push((lines[index] ?? '').slice(2))
    }
    details.set(key, below.length > 0 ? below.join('\n').trimEnd() : unquote(value))
  }
  return details
}

const unquote = (value: string): string =>
  /^'.*'$/.test(value) ? value.slice(1, -1).replaceAll("''", "'") : value

function describe(point: Point, names: readonly string[]): FoundFailure {
  const { details } = point
  const [path, line] = placeOf(details)
  if (details.has('exitCode')) return describeCrash(point, names, path)
  const name = details.get('name') ?? null
  const code = details.get('code')
  return {
    test: names,
    path,
    declared: line === '' ? null : Number(line),
    message: messageOf(details),
    expected: details.get('expected') ?? null,
    actual: details.get('actual') ?? null,
    errorType: (name === null || name === 'Error') && code?.startsWith('ERR_MODULE') ? code : name,
    frames: details.get('stack') ?? details.get('at') ?? '',
  }
}

/** Node writes `location: 'a.js:3:1'`, tap `at:` with two lines below it. */
function placeOf(details: Point['details']): readonly [path: string, line: string] {
  const [, path = '', line = ''] = /^(.*):(\d+):\d+$/.exec(details.get('location') ?? '') ?? []
  if (path !== '') return [path, line]
  const at = details.get('at') ?? ''
  const name = /^ *fileName: (\S+)$/m.exec(at)?.[1] ?? ''
  return [name, /^ *lineNumber: (\d+)$/m.exec(at)?.[1] ?? '']
}

/** `'Difference (- actual, + expected):': |-` */
const quotedLabel = /^ *'([^'\n]*:)':(?: \|\d?-?$)?/gm

/** Node writes `error`, tap `diff`, ava `message` and `details` (`values` before version 3). */
function messageOf(details: Point['details']): string {
  const parts = ['error', 'message', 'diff', 'details', 'values'].map(
    (key) => details.get(key) ?? '',
  )
  const joined = parts.filter((part) => part.trim() !== '').join('\n')
  return details.get('error') || joined.replaceAll(quotedLabel, '$1')
}

/** Describes a file that failed to load, or whose process died, by what it printed. */
function describeCrash(point: Point, names: readonly string[], path: string): FoundFailure {
  const start = point.comments.findIndex((line) =>
    /^(?:Uncaught )?(?:[A-Z]\w*)?(?:Error|Exception)\b/.test(line),
  )
  const lines = start < 0 ? point.comments.slice(-20) : point.comments.slice(start)
  const message = beforeFrames(lines)
  const [exitCode, signal] = [point.details.get('exitCode'), point.details.get('signal')]
  const ending = signal !== undefined && signal !== '~' ? `signal ${signal}` : `code ${exitCode}`
  return {
    ...{ test: names, isFile: true, path },
    message: message === '' ? `The file ended with ${ending}.` : message,
    errorType: start < 0 ? null : crashType(message, lines),
    frames: point.comments.join('\n'),
  }
}

/** The kind of a plain `Error` is the code that Node prints below it. */
function crashType(message: string, lines: readonly string[]): string | null {
  const name = errorTypeOf(message)
  if (name !== 'Error') return name
  const codes = lines.flatMap((line) => /^\s*code: '(\w+)'/.exec(line)?.[1] ?? [])
  return codes[0] ?? name
}
