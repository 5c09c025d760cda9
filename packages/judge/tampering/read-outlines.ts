import {
  lineCounter,
  maskText,
  readSyntax,
  type TestLanguage,
  testLanguages,
} from '../../source/source.ts'
import {
  type Assertion,
  noOutline,
  normalise,
  splitValues,
  strengthOf,
  type TestFileOutline,
  type TestOutline,
} from './outline.ts'
import { pythonTests } from './python-tests.ts'
import { scriptTests } from './script-tests.ts'

/** A longer file is data. */
const longestFile = 1_000_000

/** Reads a file's texts all in one way: by syntax, or by patterns when one cannot be parsed. */
export async function readOutlines(
  path: string,
  texts: readonly string[],
): Promise<readonly TestFileOutline[]> {
  if (texts.some((text) => text.length > longestFile)) return texts.map(() => noOutline)
  const found = await Promise.all(texts.map((text) => readTree(path, text)))
  const whole = found.filter((each) => each !== null)
  return whole.length === texts.length ? whole : texts.map((text) => readMasked(path, text))
}

export async function readOutline(path: string, text: string): Promise<TestFileOutline> {
  const [outline = noOutline] = await readOutlines(path, [text])
  return outline
}

/** Reads by syntax; `null` when patterns must do, as Python is misread after a syntax error. */
async function readTree(path: string, text: string): Promise<TestFileOutline | null> {
  const isScript = /\.[cm]?[jt]sx?$/i.test(path)
  if (!isScript && !/\.pyi?$/i.test(path)) return null
  const { tree, error } = await readSyntax(path, text)
  if (isScript) return tree === null ? noOutline : scriptTests(tree, text)
  return tree === null || error !== null ? null : pythonTests(tree, text)
}

/** Longer arguments are data. */
const longestCall = 2000

interface MaskedSource {
  readonly text: string
  readonly masked: string
  readonly language: TestLanguage
  readonly lineAt: (offset: number) => number
}

/** Reads by patterns, for languages without a parser here: a test extends to the next one. */
function readMasked(path: string, text: string): TestFileOutline {
  const language = testLanguages.find(({ files }) => files.test(path))
  if (language === undefined) return noOutline
  const masked = maskText(text, language.mask)
  const source = { text, masked, language, lineAt: lineCounter(text) }
  const declared = [...masked.matchAll(language.test)]
  const heads = declared.map(({ index }) => headOf(masked, index))
  const endOf = (index: number) => heads[index] ?? masked.length
  const tests = declared.map((match, index) =>
    readTest(match, endOf(index), endOf(index + 1), source),
  )
  return { tests, others: assertionsIn(0, endOf(0), source), only: [] }
}

function readTest(
  match: RegExpExecArray,
  start: number,
  next: number,
  source: MaskedSource,
): TestOutline {
  const { text, masked, language, lineAt } = source
  const end = match.index + match[0].length
  const name = normalise(firstGroup(match) ?? quoted(text, end)) || 'unnamed'
  const whole = masked.slice(start, next)
  const isTable = language.table.test(whole)
  const assertions = assertionsIn(start, next, source)
  const lines = masked.slice(end, next).split('\n')
  return {
    ...{ name, title: name, line: lineAt(end) },
    state: language.skipped.test(whole) ? 'skipped' : 'runs',
    rows: isTable ? null : 1,
    assertions: isTable ? assertions.map((each) => ({ ...each, repeated: true })) : assertions,
    size: lines.filter((line) => /\w/.test(line)).length,
  }
}

const firstGroup = (match: RegExpExecArray): string | undefined =>
  match.slice(1).find((group) => group !== undefined)

/** Starts a test at the attributes on the lines above it. */
function headOf(masked: string, start: number): number {
  let head = masked.lastIndexOf('\n', start - 1) + 1
  for (let lines = 0; lines < 20 && head > 0; lines += 1) {
    const above = masked.lastIndexOf('\n', head - 2) + 1
    if (!/^\s*(?:@\w|#\[|\[\w)/.test(masked.slice(above, head))) break
    head = above
  }
  return Math.min(head, start)
}

/** Returns the string that follows: `it "adds" do`. */
const quoted = (text: string, from: number): string =>
  /^[\s(]*(["'])(.{0,200}?)\1/.exec(text.slice(from, from + 300))?.[2] ?? ''

function assertionsIn(start: number, end: number, source: MaskedSource): readonly Assertion[] {
  const { text, masked, language, lineAt } = source
  return [...masked.slice(start, end).matchAll(language.assertion)].map((match) => {
    const at = start + match.index
    const named = firstGroup(match) ?? ''
    const line = { repeated: false, line: lineAt(at) }
    if (/^(?:Errorf?|Fatalf?|Fail|FailNow|panic|unreachable)$/.test(named))
      return { name: named, values: [conditionBefore(masked, text, at)], strength: 3, ...line }
    const given = argumentsAt(masked, at + match[0].length, end)
    const behind = text.slice(given.end, restOfLine(masked, given.end, end))
    const values = [
      ...splitValues(text.slice(given.start, given.end)),
      ...splitValues(behind.replace(/^[)\s;]+/, '')),
    ].filter((value) => /[\w"]/.test(value))
    // `).to eq(3)` → `eq`, `.toBe(…)` → `toBe`
    const matcher = /(?:\.(?:to|not_to|to_not)\s+|->|\.)(\w+)/.exec(behind)?.[1] ?? 'expect'
    const name = named === '' ? matcher : named
    const strength = strengthOf(name.replace(/^ASSERT_|^EXPECT_|^XCTAssert/, ''), values)
    return { name, values, strength, ...line }
  })
}

/** A reported failure asserts the condition above it: `if got != want {`. */
function conditionBefore(masked: string, text: string, at: number): string {
  const line = masked.lastIndexOf('\n', at) + 1
  const above = masked.lastIndexOf('\n', line - 2) + 1
  const from = masked.slice(above, at).lastIndexOf('if ')
  return from < 0 ? '' : normalise(text.slice(above + from + 3, line).replace(/\{\s*$/, ''))
}

function argumentsAt(masked: string, from: number, limit: number) {
  const open = /^\s*[([]/.exec(masked.slice(from, from + 20))
  const last = Math.min(limit, from + longestCall)
  if (open === null) return { start: from, end: restOfLine(masked, from, last) }
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
