import type { TestFailure } from '../../core/domain/test-report.ts'
import { parseJson } from '../../core/parse-json.ts'
import { messageLines, plainText } from '../../text/diagnosis/plain-text.ts'
import { readCompilerErrors } from '../results/errors.ts'
import { inProject, type RunPlace } from '../results/place.ts'
import { type FoundFailure, toFailure } from '../results/results.ts'

interface Finding {
  readonly path: string
  readonly line: number
  readonly rule: string | null
  readonly message: string
}

/**
 * What a linter or type checker complains about, as failures with file and line: JSON of eslint,
 * biome, ruff and golangci-lint, or text, in the forms `path:line:col: message`,
 * `path(line,col): message`, eslint's list below a path, and a place below or above its message
 * (ruff, biome, rustc). The test's name is rule and message: the same complaint keeps it when lines
 * move.
 */
export function readLint(output: string, place: RunPlace): readonly TestFailure[] {
  const plain = plainText(output)
  const findings = readJson(plain) ?? readText(plain)
  const found = findings.flatMap((finding) => toLintFailure(finding, place))
  return found.length > 0 ? found : readCompilerErrors(plain, place)
}

function toLintFailure(
  { path, line, rule, message }: Finding,
  place: RunPlace,
): readonly TestFailure[] {
  const file = inProject(path, place)
  if (file === null) return []
  const test = rule === null ? message : `${rule}: ${message}`
  const found: FoundFailure = { test, file, line, message, errorType: rule }
  return [toFailure(found, place)]
}

// ---------------------------------------------------------------- JSON

function readJson(text: string): readonly Finding[] | null {
  const start = text.search(/^[[{]/m)
  if (start < 0) return null
  const end = Math.max(text.lastIndexOf(']'), text.lastIndexOf('}')) + 1
  const value = parseJson(text.slice(start, end))
  return value === null ? null : findingsIn(value)
}

/** By the shape of the entries, whichever list they are in. */
function findingsIn(value: unknown): readonly Finding[] {
  const lists = [value, at(value, 'Issues'), at(value, 'diagnostics'), at(value, 'results')]
  const entries = lists.find(Array.isArray) ?? []
  return entries.flatMap((entry: unknown) => {
    const messages = at(entry, 'messages')
    const path =
      textAt(entry, 'filePath', 'filename', 'file') ?? textAt(at(entry, 'Pos'), 'Filename')
    if (Array.isArray(messages) && path !== null) {
      return messages
        .filter((each) => at(each, 'severity') !== 1)
        .flatMap((each) => toFinding(each, path))
    }
    const biome = at(at(entry, 'location'), 'path')
    return toFinding(entry, path ?? (typeof biome === 'string' ? biome : textAt(biome, 'file')))
  })
}

function toFinding(entry: unknown, path: string | null): readonly Finding[] {
  const message = textAt(entry, 'message', 'Text', 'description')
  if (path === null || message === null) return []
  const location = at(entry, 'location')
  const line = [
    at(entry, 'line'),
    at(location, 'row'),
    at(at(location, 'start'), 'line'),
    at(at(entry, 'Pos'), 'Line'),
  ].find((each) => typeof each === 'number')
  const rule = textAt(entry, 'ruleId', 'code', 'FromLinter', 'category', 'rule')
  return [{ path, line: typeof line === 'number' ? line : 0, rule, message }]
}

const at = (value: unknown, key: string): unknown =>
  value instanceof Object ? Reflect.get(value, key) : undefined

function textAt(value: unknown, ...keys: readonly string[]): string | null {
  const found = keys.map((key) => at(value, key)).find((each) => typeof each === 'string')
  return typeof found === 'string' ? found : null
}

// ---------------------------------------------------------------- text

const path = String.raw`(?:[A-Za-z]:)?[^\s:()"'<>|]+\.\w{1,8}`
const oneLine = new RegExp(
  String.raw`^\s*(${path})(?::(\d+)(?::\d+)?:?|\((\d+)(?:,\d+)?\):?)\s+(?:- )?(\S.*)$`,
)
const underPath = /^\s+(\d+):\d+\s+(error|warning|info)\s+(.+?)(?:\s{2,}(\S+))?$/
const placeBelow = new RegExp(String.raw`^\s*--> (${path}):(\d+):\d+`)
const ruled = new RegExp(String.raw`^(${path}):(\d+):\d+ (\w+(?:\/\w+)+)\b`)
const leadingRule =
  /^(?:(?:error|fatal error)(?:\[(\w+)\])?:?\s+)?(?:([A-Z]{1,8}\d{2,5})\b:?\s*(?:\[\*\] )?)?(.*)$/
const trailingRule = /^(.*?)\s+[[(]([\w@/-]+)[\])]$/

function readText(text: string): readonly Finding[] {
  const lines = messageLines(text)
  const found: Finding[] = []
  let current = ''
  for (const [index, line] of lines.entries()) {
    if (new RegExp(`^${path}$`).test(line.trim())) current = line.trim()
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
  const [, file = '', colon, brackets, rest = ''] = oneLine.exec(line) ?? []
  if (file === '' || /^(?:warning|note|info|hint)\b/i.test(rest) || /^[\w/]+ ━/.test(rest))
    return null
  return { path: file, line: Number(colon ?? brackets), ...withRule(rest) }
}

function withRule(text: string): Pick<Finding, 'rule' | 'message'> {
  const [, bracket, code, message = text] = leadingRule.exec(text.trim()) ?? []
  const [, short, named] = trailingRule.exec(message) ?? []
  return {
    rule: bracket ?? code ?? named ?? null,
    message: (short ?? message).trim() || text.trim(),
  }
}

function readUnder(line: string, current: string): Finding | null {
  const [, number = '', severity, message = '', rule = null] = underPath.exec(line) ?? []
  if (current === '' || severity !== 'error') return null
  return { path: current, line: Number(number), rule, message }
}

/** ruff and rustc: the message, and on the next line where. */
function readBelow(line: string, above: string): Finding | null {
  const [, file = '', number = ''] = placeBelow.exec(line) ?? []
  if (file === '' || above.trim() === '' || /^warning\b/.test(above)) return null
  return { path: file, line: Number(number), ...withRule(above) }
}

/** biome: place and rule, and some lines below what is wrong. */
function readBiome(line: string, lines: readonly string[], index: number): Finding | null {
  const [, file = '', number = '', rule = ''] = ruled.exec(line) ?? []
  if (file === '') return null
  const said = lines.slice(index + 1, index + 6).map((each) => /^\s*[×✖!i] (.+)$/.exec(each)?.[1])
  const message = said.find((each) => each !== undefined)
  return message === undefined ? null : { path: file, line: Number(number), rule, message }
}
