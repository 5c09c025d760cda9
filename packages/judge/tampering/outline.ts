import { splitAtCommas } from '../../source/source.ts'

/** One check that a test makes, in any language. */
export interface Assertion {
  /** `toEqual`, `not.toBe`, `assertEqual`, `==`. */
  readonly name: string
  /** The subject and its expectation, as written except for white space. */
  readonly values: readonly string[]
  /** See `strengthOf`; 0 can never fail. */
  readonly strength: number
  /** Inside a loop, so that it may replace several. */
  readonly repeated: boolean
  readonly line: number
}

export const assertionText = ({ name, values }: Assertion): string => `${name}(${values.join()})`

export interface TestOutline {
  /** Outer suites first, joined by ` > `. */
  readonly name: string
  readonly title: string
  readonly line: number
  readonly state: 'runs' | 'skipped' | 'may fail'
  /** How often a table-driven test runs; `null` when unknown. */
  readonly rows: number | null
  readonly assertions: readonly Assertion[]
  /** Statements or lines of the body, without comments; 0 for an empty one. */
  readonly size: number
}

/** A file's tests, and its assertions outside of tests. */
export interface TestFileOutline {
  readonly tests: readonly TestOutline[]
  readonly others: readonly Assertion[]
  /** Lines with `.only` or the like, which disable every other test. */
  readonly only: readonly number[]
}

export const noOutline: TestFileOutline = { tests: [], others: [], only: [] }

/** Longer values are compared only up to this length. */
export const longestValue = 400

/** Removes meaningless differences: white space, kinds of quotes, trailing commas. */
export function normalise(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/["'`]/g, '"')
    .replace(/ ?([()[\]{},.:]) ?/g, '$1')
    .replace(/,([)\]}])/g, '$1')
    .replace(/^await /, '')
    .replace(/;$/, '')
    .trim()
    .slice(0, longestValue)
}

const exact =
  /(?:equals?|eql|deepequal|same|is|tobe|throws?(?:exactly)?|calledwith|identical|close(?:to)?|snapshot|length|count|size|status)$|^(?:==|!=|===|eq|ne|assert_eq|assert_ne|is not|has(?:length|size))$|equal|eq$/i
const faint =
  /^(?:not\.)?(?:tobetruthy|tobedefined|tobefalsy|tobeinstanceof|tobenull|tobeundefined|tohavebeencalled|ok|exist|isok|exists|defined|truthy|assert|asserttrue|assertfalse|true|false|assertnotnull|assertnotnil|notnull|notnil|isnotnone|assertisnotnone|assertisinstance|isinstanceof|instanceof|isdefined|noerror|called|tothrow|notthrow|doesnotthrow|require|expect|be_truthy|is_some|is_ok|value)$/i

/**
 * Rates what an assertion demands: 3 an exact value, 2 part of it or a bound, 1 that something
 * exists, 0 nothing that can fail. Knows the names of vitest, jest, chai, node:assert, ava,
 * unittest, pytest, testify, JUnit, AssertJ, minitest, RSpec, PHPUnit and Rust's macros.
 */
export function strengthOf(name: string, values: readonly string[]): number {
  if (isTrivial(values)) return 0
  if (/^(?:doesnot|not|assertdoesnot|assertnot)_?(?:throw|raise|reject)s?$/i.test(name)) return 1
  const plain = name.replaceAll('.', '').replace(/^not/, '')
  const expected = values.slice(1).join()
  if (/\b(?:anything|ANY|any)\b\(?\)?$/.test(expected)) return 1
  if (faint.test(name) || faint.test(plain))
    return /throw/i.test(plain) && values.length > 1 ? 2 : 1
  return exact.test(plain) && !/matchobject/i.test(plain) ? 3 : 2
}

const literal =
  /^(?:-?[\d._]+[a-zA-Z]?|"+[^"]*"+|true|false|null|undefined|nil|None|True|False|\[\]|\{\})$/

export const isLiteral = (value: string): boolean => literal.test(value)

/** Compares a thing with itself, or only literals. */
function isTrivial(values: readonly string[]): boolean {
  if (values.length === 0) return false
  if (values.length > 1 && values[0] === values[1]) return true
  if (values.some((value) => /\|\|\s?true$|\bor True$/.test(value))) return true
  return values.every(isLiteral)
}
const mostValues = 50

/** Splits an argument list at the commas outside brackets and strings. */
export const splitValues = (list: string): readonly string[] =>
  splitAtCommas(list, mostValues)
    .map(normalise)
    .filter((value) => value !== '')
