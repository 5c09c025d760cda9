import { maskText } from '../../text/source/mask.ts'
import { lineCounter } from '../../text/source/positions.ts'
import {
  type Assertion,
  noOutline,
  normalise,
  splitValues,
  strengthOf,
  type TestFileOutline,
  type TestOutline,
} from './outline.ts'
import { type TestLanguage, testLanguageOf } from './test-languages.ts'

/** Longer arguments are data. */
const longestCall = 2000

interface Found {
  readonly start: number
  readonly end: number
  readonly name: string
}

/**
 * Tests and assertions by their shape, of languages without a parser here: a test reaches to the
 * next one.
 */
export function readMasked(path: string, text: string): TestFileOutline {
  const language = testLanguageOf(path)
  if (language === null) return noOutline
  const masked = maskText(text, language.mask)
  const lineAt = lineCounter(text)
  const declared = [...masked.matchAll(language.test)].map((match): Found => {
    const end = match.index + match[0].length
    const name = match.slice(1).find((group) => group !== undefined) ?? quoted(text, end)
    return { start: headOf(masked, match.index), end, name: normalise(name) || 'unnamed' }
  })
  const first = declared[0]?.start ?? masked.length
  const tests = declared.map((found, index) =>
    readTest(found, declared[index + 1]?.start ?? masked.length, {
      text,
      masked,
      language,
      lineAt,
    }),
  )
  const others = assertionsIn(0, first, { text, masked, language, lineAt })
  return { tests, others, only: [] }
}

interface Source {
  readonly text: string
  readonly masked: string
  readonly language: TestLanguage
  readonly lineAt: (offset: number) => number
}

function readTest({ start, end, name }: Found, next: number, source: Source): TestOutline {
  const { masked, language, lineAt } = source
  const whole = masked.slice(start, next)
  const isTable = language.table.test(whole)
  const assertions = assertionsIn(start, next, source)
  const size = masked
    .slice(end, next)
    .split('\n')
    .filter((line) => /\w/.test(line)).length
  return {
    name,
    title: name,
    line: lineAt(end),
    state: language.skipped.test(whole) ? 'skipped' : 'runs',
    rows: isTable ? null : 1,
    assertions: isTable ? assertions.map((each) => ({ ...each, repeated: true })) : assertions,
    size,
  }
}

/** Attributes on the lines above a test belong to it. */
function headOf(masked: string, start: number): number {
  let head = masked.lastIndexOf('\n', start - 1) + 1
  for (let lines = 0; lines < 20 && head > 0; lines += 1) {
    const above = masked.lastIndexOf('\n', head - 2) + 1
    if (!/^\s*(?:@\w|#\[|\[\w)/.test(masked.slice(above, head))) break
    head = above
  }
  return Math.min(head, start)
}

/** The string that follows: `it "adds" do`. */
function quoted(text: string, from: number): string {
  return /^[\s(]*(["'])(.{0,200}?)\1/.exec(text.slice(from, from + 300))?.[2] ?? ''
}

function assertionsIn(start: number, end: number, source: Source): readonly Assertion[] {
  const { text, masked, language, lineAt } = source
  return [...masked.slice(start, end).matchAll(language.assertion)].map((match) => {
    const at = start + match.index
    const from = at + match[0].length
    const said = match.slice(1).find((group) => group !== undefined) ?? ''
    const args = argumentsAt(masked, from, end)
    const rest = restOfLine(masked, args.end, end)
    const values = [
      ...splitValues(text.slice(args.start, args.end)),
      ...splitValues(text.slice(args.end, rest).replace(/^[)\s;]+/, '')),
    ].filter((value) => /[\w"]/.test(value))
    const isReport = /^(?:Errorf?|Fatalf?|Fail|FailNow|panic|unreachable)$/.test(said)
    const shown = isReport ? [conditionBefore(masked, text, at)] : values
    const name = said === '' ? matcherIn(text.slice(args.end, rest)) : said
    const strength = isReport
      ? 3
      : strengthOf(`${name}`.replace(/^ASSERT_|^EXPECT_|^XCTAssert/, ''), shown)
    return { name, values: shown, strength, repeated: false, line: lineAt(at) }
  })
}

/** `if got != want {` is what a report of a failure asserts. */
function conditionBefore(masked: string, text: string, at: number): string {
  const line = masked.lastIndexOf('\n', at) + 1
  const above = masked.lastIndexOf('\n', line - 2) + 1
  const from = masked.slice(above, at).lastIndexOf('if ')
  return from < 0 ? '' : normalise(text.slice(above + from + 3, line).replace(/\{\s*$/, ''))
}

function argumentsAt(masked: string, from: number, limit: number) {
  const open = /^\s*[([]/.exec(masked.slice(from, from + 20))
  const last = Math.min(limit, from + longestCall)
  if (open === null) {
    return { start: from, end: restOfLine(masked, from, last) }
  }
  const start = from + open[0].length
  let depth = 1
  let at = start
  for (; at < last && depth > 0; at += 1) {
    const char = masked[at] ?? ''
    if ('([{'.includes(char)) depth += 1
    else if (')]}'.includes(char)) depth -= 1
  }
  return { start, end: Math.max(start, at - 1) }
}

function restOfLine(masked: string, from: number, limit: number): number {
  const end = masked.indexOf('\n', from)
  return Math.min(limit, end < 0 ? masked.length : end, from + longestCall)
}

/** `).to eq(3)` → `eq`, `.toBe(…)` → `toBe`. */
function matcherIn(rest: string): string {
  return /(?:\.(?:to|not_to|to_not)\s+|->|\.)(\w+)/.exec(rest)?.[1] ?? 'expect'
}
