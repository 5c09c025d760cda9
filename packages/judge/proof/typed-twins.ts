/** Twins of tests in Go, Rust and Java, read by their structure. */
import { posix } from 'node:path'
import {
  closingBracket,
  lineCounter,
  maskCurly,
  splitAtCommas,
  testLanguages,
} from '../../source/source.ts'
import { type RangeEdit, replaceRanges } from './altered-value.ts'
import type { AlteredTest, Twin } from './twin.ts'
import { bodyAfter } from './typed-results.ts'

/** A statement of a test, and the text without comments and strings. */
interface Statement {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly masked: string
}

interface TwinLanguage {
  /** Statements that may end the test, or skip or repeat what they contain. */
  readonly branch: RegExp
  readonly alter: (statement: Statement) => RangeEdit | null
  /** A line's end also ends a statement. */
  readonly endsAtLines: boolean
}

interface Argument {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A part of a text without the white space around it. */
function argumentOf(from: number, written: string): Argument {
  const start = from + (written.length - written.trimStart().length)
  const text = written.trim()
  return { start, end: start + text.length, text }
}

/** The arguments in the brackets that open at this offset. */
function argumentsAt(open: number, { text, masked }: Statement): readonly Argument[] {
  let at = open + 1
  return splitAtCommas(text.slice(at, Math.max(at, closingBracket(masked, open)))).map((each) => {
    const argument = argumentOf(at, each)
    at += each.length + 1
    return argument
  })
}

const literal =
  /(?<![\w.])-?\d[\d_]*(?:\.\d+)?(?:[a-z]\w*|[LlFfDd])?(?![\w.])|"(?:[^"\\\n]|\\.)*"|`[^`]*`|\b(?:true|false)\b/
/** Ends with the bracket that opens a value's parts: `Money::new(3)`, `&Cart{items: 3}`, `List.of(1)`, `vec![1]`. */
const holder =
  /^(?:&|new\s+)?(?:(?:\w+(?:::|\.))*(?:[A-Z]\w*|new|of|from|asList)(?:<[^()]*>)?\s*[({]|\[\]\w+\{|(?:vec!\s*)?\[)/
const owned = /^"[^"\n]*"\.(?:to_string|to_owned|into)\(\)$/

/** Another literal of the same type. */
function otherLiteral(written: string): string {
  if (/^["`]/.test(written)) return `${written.slice(0, -1)}~${written.at(-1)}`
  if (written === 'true' || written === 'false') return String(written !== 'true')
  const isFloat = /^-?[\d_]+\.\d|f(?:32|64)$|[FfDd]$/.test(written) && !/^-?0x/.test(written)
  return `(${written} + ${isFloat ? '1.5' : '1'})`
}

/** A literal that is far from this one: what limits or normalizes its parts may take a neighbour for the same. */
function farLiteral(written: string): string {
  if (/^["`]/.test(written)) return '"zz~zz"'
  return /\d/.test(written)
    ? written.replace(/^-?[\d_]+/, (digits) => (/[1-9]/.test(digits) ? '0' : '1'))
    : otherLiteral(written)
}

/** Returns true for an expression that is a value with its parts, and nothing behind it. */
function isHolder(text: string): boolean {
  const opening = holder.exec(text)?.[0]
  if (opening === undefined) return owned.test(text)
  return closingBracket(maskCurly(text, ''), opening.length - 1) === text.length - 1
}

/** An expected value with its first literal altered; `null` where it is none, or has none. */
function alterValue({ start, text }: Argument): RangeEdit | null {
  const found = literal.exec(text)
  if (found === null || (found[0] !== text && !isHolder(text))) return null
  const at = start + found.index
  const other = found[0] === text ? otherLiteral(found[0]) : farLiteral(found[0])
  return { start: at, end: at + found[0].length, text: other }
}

/** Alters the one of these that is expected: the last with a literal value. */
const alterExpected = (sides: readonly Argument[]): RangeEdit | null =>
  sides.map(alterValue).findLast((edit) => edit !== null) ?? null

const negate = ({ start, end, text }: Argument): RangeEdit => ({ start, end, text: `!(${text})` })

const rename = (at: number, name: string, other: string): RangeEdit => ({
  ...{ start: at, end: at + name.length, text: other },
})

function alterRust(statement: Statement): RangeEdit | null {
  const { start, end, masked } = statement
  const found = /^(assert(?:_eq|_ne)?)!\s*(?=[([{])/.exec(masked.slice(start, end))
  const [whole = '', name = ''] = found ?? []
  if (found === null) return null
  const [first, second] = argumentsAt(start + whole.length, statement)
  if (name === 'assert') return first === undefined ? null : negate(first)
  if (first === undefined || second === undefined) return null
  const isEqual = name === 'assert_eq'
  const other = rename(start, name, isEqual ? 'assert_ne' : 'assert_eq')
  return (isEqual ? alterExpected([first, second]) : null) ?? other
}

function alterJava(statement: Statement): RangeEdit | null {
  const { start, end, text, masked } = statement
  const own = masked.slice(start, end)
  const equal = /^assertThat\s*\(.*\)\s*\.isEqualTo\s*(?=\()/s.exec(own)
  if (equal !== null) return alterExpected(argumentsAt(start + equal[0].length, statement))
  const found = /^(?:[A-Z]\w*\.)?(assert(?:Equals|ArrayEquals|True|False))\s*(?=\()/.exec(own)
  if (found === null) return null
  const given = argumentsAt(start + found[0].length, statement)
  // JUnit 4 takes its message first.
  const isOlder = /\borg\.junit\.Assert\b/.test(text)
  const isEquality = /Equals$/.test(found[1] ?? '')
  const hasMessage =
    isOlder && given.length > (isEquality ? 2 : 1) && /^"/.test(given[0]?.text ?? '')
  const [first, second, third] = hasMessage ? given.slice(1) : given
  if (first === undefined || first.text.includes('->')) return null
  const compared = found[1] === 'assertTrue' ? alterCompared(first, statement) : null
  if (!isEquality) return compared ?? negate(first)
  // A number behind them says how far apart they may be.
  const isExact = third === undefined || /^"|->/.test(third.text)
  return second === undefined || !isExact ? null : alterExpected([first, second])
}

const longestCondition = 500

/** Of `a.equals(new Money(3))`: a method that is always true is so of another value, too. */
function alterCompared({ start, end }: Argument, statement: Statement): RangeEdit | null {
  const { masked } = statement
  const written = masked.slice(start, end)
  if (written.length > longestCondition) return null
  for (const found of written.matchAll(/\b(?:[eE]quals?|DeepEqual)(?=\()/g)) {
    const open = start + found.index + found[0].length
    if (closingBracket(masked, open) !== end - 1) continue
    const given = argumentsAt(open, statement)
    // What follows the values is a tolerance.
    const last = given[found[0] === 'DeepEqual' ? 1 : 0]
    return last !== undefined && given.at(-1) === last ? alterValue(last) : null
  }
  return null
}

const goOpposites = [
  ['True', 'False'],
  ['NoError', 'Error'],
  ['Nil', 'NotNil'],
] as const
const reports = /\bt\.(?:Errorf?|Fatalf?|Fail|FailNow)\s*\(/

function alterGo(statement: Statement): RangeEdit | null {
  const { start, end, masked } = statement
  const own = masked.slice(start, end)
  if (/^if\b/.test(own)) return alterCondition(statement)
  const [whole, name = ''] = /^(?:assert|require)\.(\w+)\s*(?=\()/.exec(own) ?? []
  if (whole === undefined) return null
  const [, ...given] = argumentsAt(start + whole.length, statement)
  if (/^(?:Equal|EqualValues|Exactly)$/.test(name)) return alterExpected(given.slice(0, 2))
  const pair = goOpposites.find((names) => names.some((each) => each === name))
  const other = pair?.find((each) => each !== name)
  return other === undefined ? null : rename(start + own.indexOf(name), name, other)
}

/** The bracket that opens the block of a statement's head: not one in its arguments. */
function blockAfter(masked: string, start: number, end: number): number {
  for (let at = start; at >= 0 && at < end; at += 1) {
    if (masked[at] === '{') return at
    if (masked[at] === '(' || masked[at] === '[') at = closingBracket(masked, at)
    if (at < 0) return -1
  }
  return -1
}

/** Of `if got := Add(1, 2); got != 3 {`, which reports a failure. */
function alterCondition(statement: Statement): RangeEdit | null {
  const { start, end, text, masked } = statement
  const open = blockAfter(masked, start, end)
  const close = open < 0 ? -1 : closingBracket(masked, open)
  if (close < 0 || close + 1 < end) return null
  // A failure that is reported only in some cases may not be.
  const always = masked.slice(open + 1, close).replace(/\{[\s\S]*\}/, '')
  if (!reports.test(always)) return null
  const from = masked.lastIndexOf(';', open) > start ? masked.lastIndexOf(';', open) + 1 : start + 2
  const condition = argumentOf(from, text.slice(from, open))
  const [, right] =
    /^[^&|<>=]*!=([^&|<>=]*)$/.exec(masked.slice(condition.start, condition.end)) ?? []
  const at = condition.end - (right?.length ?? 0)
  const expected = right === undefined ? null : argumentOf(at, text.slice(at, condition.end))
  const compared = condition.text.startsWith('!') ? alterCompared(condition, statement) : null
  return (expected && alterExpected([expected])) ?? compared ?? negate(condition)
}

const languages: Readonly<Record<string, TwinLanguage>> = {
  '.go': {
    branch: /^(?:for|if|switch|select|return|goto|defer|t\.Run)\b/,
    ...{ alter: alterGo, endsAtLines: true },
  },
  '.rs': {
    branch: /^(?:for|if|while|loop|match|return|unsafe|fn)\b|^\{/,
    ...{ alter: alterRust, endsAtLines: false },
  },
  '.java': {
    branch: /^(?:for|if|while|do|switch|return|throw|try|synchronized)\b|^\{/,
    ...{ alter: alterJava, endsAtLines: false },
  },
}

interface TypedTest {
  readonly title: string
  /** Where its name ends. */
  readonly nameEnd: number
  /** Offsets of its body's brackets. */
  readonly open: number
  readonly close: number
}

function typedTests(path: string, masked: string): readonly TypedTest[] {
  const tests = testLanguages.find(({ files }) => files.test(path))
  const found: TypedTest[] = []
  let last = 0
  for (const match of tests === undefined ? [] : masked.matchAll(tests.test)) {
    const title = match[1] ?? ''
    const end = match.index + match[0].length
    const open = bodyAfter(masked, masked[end - 1] === '(' ? end - 1 : end)
    const close = open < 0 ? -1 : closingBracket(masked, open)
    if (close < 0) break
    const whole = masked.slice(last, close)
    last = close
    const isOdd = /#\[should_panic|@Test\([^)]*\bexpected\s*=/.test(whole)
    if (isOdd || tests?.skipped.test(whole)) continue
    found.push({ title, nameEnd: masked.lastIndexOf(title, end) + title.length, open, close })
  }
  return found
}

/** The assertions that tests of Go, Rust and Java begin with, as written: nothing else precedes them. */
export function leadingAssertions(path: string, text: string): readonly string[] {
  const language = languages[posix.extname(path)]
  if (language === undefined) return []
  const masked = maskCurly(text, posix.extname(path).slice(1))
  return typedTests(path, masked).flatMap(({ open, close }) => {
    const found: string[] = []
    for (let at = open + 1; at < close; ) {
      const start = at + (/^[\s;]*/.exec(masked.slice(at, close))?.[0].length ?? 0)
      if (start >= close) break
      at = endOfStatement(masked, start, close, language.endsAtLines)
      if (language.alter({ start, end: at, text, masked }) === null) break
      found.push(text.slice(start, at))
    }
    return found
  })
}

/**
 * Alters the first assertion of each test that it reaches whenever it runs: an equality compares with another value of the
 * same type, any other assertion is negated. `null` where there is none.
 *
 * @param mark an unguessable word of letters
 */
export function makeTypedTwin(path: string, text: string, mark: string): Twin | null {
  const extension = posix.extname(path)
  const language = languages[extension]
  if (language === undefined) return null
  const masked = maskCurly(text, extension.slice(1))
  const lineAt = lineCounter(text)
  const altered: AlteredTest[] = []
  const edits: RangeEdit[] = []
  for (const { title, nameEnd, open, close } of typedTests(path, masked)) {
    const edit = firstAltered(open, close, { text, masked }, language)
    if (edit === null) continue
    const own = `${mark}_${altered.length}_`
    altered.push({ mark: own, title, line: lineAt(edit.start) })
    edits.push(edit, { start: nameEnd, end: nameEnd, text: `_${own}` })
  }
  return altered.length === 0 ? null : { text: replaceRanges(text, edits), altered }
}

function firstAltered(
  open: number,
  close: number,
  { text, masked }: Pick<Statement, 'text' | 'masked'>,
  { branch, alter, endsAtLines }: TwinLanguage,
): RangeEdit | null {
  let at = open + 1
  while (at < close) {
    const start = at + (/^[\s;]*/.exec(masked.slice(at, close))?.[0].length ?? 0)
    if (start >= close) return null
    const end = endOfStatement(masked, start, close, endsAtLines)
    const edit = alter({ start, end, text, masked })
    if (edit !== null) return edit
    if (branch.test(masked.slice(start, end))) return null
    at = end
  }
  return null
}

/** Behind the statement: at a semicolon, behind a block, or at a line's end. */
function endOfStatement(masked: string, start: number, limit: number, atLines: boolean): number {
  for (let at = start; at < limit; at += 1) {
    const char = masked[at] ?? ''
    if (char === ';' && !/^if\b/.test(masked.slice(start, start + 3))) return at + 1
    if (atLines && char === '\n') return at
    if (!'([{'.includes(char)) continue
    const close = closingBracket(masked, at)
    if (close < 0 || close >= limit) return limit
    at = close
    if (char === '{' && /^\s*(?:\n|$)/.test(masked.slice(at + 1, at + 200))) return at + 1
  }
  return limit
}
