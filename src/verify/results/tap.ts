import {
  beforeFrames,
  errorTypeOf,
  type FoundFailure,
  type ReportedTest,
  type Results,
  type RunPlace,
  tally,
} from './results.ts'

/** A line `ok` or `not ok`, with the block of details below it and the subtests above it. */
interface Point {
  readonly name: string
  readonly ok: boolean
  readonly isSkipped: boolean
  readonly details: ReadonlyMap<string, string>
  readonly children: readonly Point[]
  /** What the file printed before it: the only place where its crash is told. */
  readonly comments: readonly string[]
}

const pointLine = /^(not )?ok\b(?: \d+)?(?: -)? ?(.*)$/
const directive = /(?:^| )# (SKIP|TODO)\b.*$/i
const sourceFile = /\.[cm]?[jt]sx?$/
const mostComments = 100

/**
 * TAP 14 as `node --test` writes it (and plain TAP of other tools): subtests are indented by four
 * spaces and come before their parent. A suite that fails only because a subtest did is no failure
 * of its own. `null` when the text is not TAP.
 */
export function parseTap(text: string, place: RunPlace): Results | null {
  if (!/^TAP version 1[34]\s*$/m.test(text)) return null
  const tests = readPoints(text).flatMap((point) => testsOf(point, [point.name]))
  return tally(tests, place)
}

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

/** Tools without a `failureType` fail a parent for its children alone. */
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

/** The lines between `---` and `...` that follow, without their indentation. */
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

/** `key: value` lines; a block or a nested value below a key is kept as its text. */
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

/** Node says `location: 'a.js:3:1'`, tap `at:` with two lines below it. */
function placeOf(details: Point['details']): readonly [path: string, line: string] {
  const [, path = '', line = ''] = /^(.*):(\d+):\d+$/.exec(details.get('location') ?? '') ?? []
  if (path !== '') return [path, line]
  const at = details.get('at') ?? ''
  const name = /^ *fileName: (\S+)$/m.exec(at)?.[1] ?? ''
  return [name, /^ *lineNumber: (\d+)$/m.exec(at)?.[1] ?? '']
}

/** Node says `error`, tap `diff`, ava `message` and what it compared below `details`, until version 3 `values`. */
function messageOf(details: Point['details']): string {
  const parts = ['error', 'message', 'diff', 'details', 'values'].map(
    (key) => details.get(key) ?? '',
  )
  const said = parts.filter((part) => part.trim() !== '').join('\n')
  return details.get('error') || said
}

/** A file that could not be loaded, or whose process died: the reason is in what it printed. */
function describeCrash(point: Point, names: readonly string[], path: string): FoundFailure {
  const start = point.comments.findIndex((line) =>
    /^(?:Uncaught )?(?:[A-Z]\w*)?(?:Error|Exception)\b/.test(line),
  )
  const told = start < 0 ? point.comments.slice(-20) : point.comments.slice(start)
  const message = beforeFrames(told)
  const [exitCode, signal] = [point.details.get('exitCode'), point.details.get('signal')]
  const ending = signal !== undefined && signal !== '~' ? `signal ${signal}` : `code ${exitCode}`
  return {
    ...{ test: names, isFile: true, path },
    message: message === '' ? `The file ended with ${ending}.` : message,
    errorType: start < 0 ? null : crashType(message, told),
    frames: point.comments.join('\n'),
  }
}

/** A plain `Error` tells its kind by the code that Node prints below it. */
function crashType(message: string, told: readonly string[]): string | null {
  const name = errorTypeOf(message)
  if (name !== 'Error') return name
  const codes = told.flatMap((line) => /^\s*code: '(\w+)'/.exec(line)?.[1] ?? [])
  return codes[0] ?? name
}
