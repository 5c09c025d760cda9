/** Ways to make an assertion fail: another expected value, for any language that is parsed. */
import {
  chainOf,
  descendants,
  isCall,
  isMember,
  memberName,
  nodeAt,
  nodesAt,
  type SyntaxNode,
  textAt,
} from '../../source/source.ts'

/** What makes an assertion fail. */
export interface Alteration {
  readonly edits: readonly RangeEdit[]
  /** Of an equality. */
  readonly sides?: readonly SyntaxNode[]
}

export type TextOf = (node: SyntaxNode) => string

const hasCall = (node: SyntaxNode): boolean => [...descendants(node)].some(isCall)

/** The side of an equality that is expected: the one that calls nothing, else the last. */
export function expectedOf(sides: readonly SyntaxNode[]): SyntaxNode | undefined {
  return sides.findLast((side) => !hasCall(side)) ?? sides.at(-1)
}

export const put = ({ start, end }: SyntaxNode, text: string): RangeEdit => ({ start, end, text })

export const only = (edit: RangeEdit): Alteration => ({ edits: [edit] })

/** Alters what an equality expects. */
export function alterEquality(
  sides: readonly SyntaxNode[],
  alter: (expected: SyntaxNode) => RangeEdit,
): Alteration | null {
  const expected = expectedOf(sides)
  return expected === undefined ? null : { edits: [alter(expected)], sides }
}

const equals = /^(?:is_?|deep_?)?equals?(?:_?to)?$/i

/** Of `a.equals(new Money(3))`: a method that is always true is so of another value, too. */
export function alterEqualityCall(
  subject: SyntaxNode | null | undefined,
  textOf: TextOf,
  dialect: Dialect,
): Alteration | null {
  const callee = subject && isCall(subject) ? nodeAt(subject, 'callee') : null
  if (!subject || callee === null) return null
  const name = isMember(callee) ? memberName(callee) : (textAt(callee, 'name') ?? '')
  const given = nodesAt(subject, 'arguments')
  const other = given.at(-1)
  // What follows the values is an option or a tolerance.
  const isPair = given.length === (isMember(callee) ? 1 : 2)
  const isNamed = other !== undefined && /^\w+\s*=[^=>]/.test(textOf(other))
  return equals.test(name) && isPair && other && !isNamed
    ? only(otherValue(other, textOf, dialect))
    : null
}

/** Opposites of assertions, both ways. */
export const opposites = (
  pairs: readonly (readonly [string, string])[],
): ReadonlyMap<string, string> =>
  new Map(pairs.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]))

export interface Dialect {
  /** What nothing else equals, unless it equals everything. */
  readonly sentinel: string
  readonly not: string
  /** A list with one element more. */
  readonly longer: (list: string) => string
}

const literals = /^(?:Numeric|String|Template|Boolean)Literal$/

/** The first argument of `Money(3)`, which equals no `Money(0)`, unless it equals every one; `max(1, 2)` may be the same. */
function heldBy(node: SyntaxNode, written: string): SyntaxNode | null {
  const isOfClass = /^(?:new\s+)?(?:\w+\.)*[A-Z]\w*\(/.test(written)
  const [first] = isOfClass ? nodesAt(node, 'arguments') : []
  return first !== undefined && literals.test(first.type) ? first : null
}

/** A value that is far from this one: what limits or normalizes its parts may take a neighbour for the same. */
function farValue(written: string, not: string): string {
  if (/^\d/.test(written)) return /[1-9]/.test(written) ? '0' : '1'
  return /^["'`]/.test(written) ? '"zz~zz"' : `(${not}(${written}))`
}

/**
 * Another value in place of an expected one: a neighbour of its type, which also shows what equals everything of that
 * type; else the sentinel. No number is its own double, less one, with the other sign.
 */
export function otherValue(
  node: SyntaxNode,
  textOf: TextOf,
  { sentinel, not, longer }: Dialect,
): RangeEdit {
  const written = textOf(node)
  switch (node.type === 'UnaryExpression' ? nodeAt(node, 'argument')?.type : node.type) {
    case 'NumericLiteral':
      return put(node, `((${written}) * -2 - 1)`)
    case 'StringLiteral':
    case 'TemplateLiteral':
      return put(node, `(${written} + "~")`)
    case 'BooleanLiteral':
      return put(node, `(${not}(${written}))`)
    case 'ArrayExpression':
      return put(node, longer(written))
    case 'CallExpression':
    case 'NewExpression': {
      const held = heldBy(node, written)
      return held === null ? put(node, sentinel) : put(held, farValue(textOf(held), not))
    }
    default:
      return put(node, sentinel)
  }
}

const scriptOpposites = opposites([
  ['notEqual', 'equal'],
  ['notStrictEqual', 'strictEqual'],
  ['notDeepEqual', 'deepEqual'],
  ['notDeepStrictEqual', 'deepStrictEqual'],
  ['throws', 'doesNotThrow'],
  ['rejects', 'doesNotReject'],
  ['match', 'doesNotMatch'],
  ['truthy', 'falsy'],
  ['true', 'false'],
  ['isTrue', 'isFalse'],
])
const equalities =
  /^(?:equals?|strictEqual|deepEqual|deepStrictEqual|is|eql|same|strictSame|assertEquals?|assertStrictEquals?)$/
const matchers = /^(?:toBe|toEqual|toStrictEqual|equals?|eql?|eqls)$/

const scriptValues: Dialect = {
  ...{ sentinel: 'Symbol()', not: '!' },
  longer: (list) => `[...${list}, Symbol()]`,
}

/** Alters `expect(a).toBe(1)`, `assert.equal(a, 1)`; `null` for what asserts nothing that it knows. */
export function alterScript(node: SyntaxNode, textOf: TextOf): Alteration | null {
  const chain = isCall(node) || isMember(node) ? chainOf(node) : null
  if (chain === null) return null
  const { root, names, calls } = chain
  const last = names.at(-1) ?? ''
  const given = calls.at(-1)?.at === names.length - 1 ? (calls.at(-1)?.given ?? []) : []
  if (root === 'expect') {
    if (names.length === 0 || calls[0]?.at !== -1) return null
    return alterExpectation(node, calls[0].given[0], last, given, names, textOf)
  }
  const isAsserting =
    /^(?:assert\w*|t)$/.test(root) || (names.length === 0 && equalities.test(root))
  if (!isAsserting || calls.length !== 1 || given.length === 0) return null
  const name = last || root
  const callee = nodeAt(node, 'callee')
  if (equalities.test(name) && given.length > 1) {
    return alterEquality(given.slice(0, 2), (each) => otherValue(each, textOf, scriptValues))
  }
  const isTruth = /^(?:assert|ok|isTrue|true|truthy)$/.test(name)
  const equality = isTruth ? alterEqualityCall(given[0], textOf, scriptValues) : null
  if (equality !== null) return equality
  const other = scriptOpposites.get(name)
  if (other !== undefined && callee !== null && names.length > 0) {
    return only({ start: callee.end - name.length, end: callee.end, text: other })
  }
  const [first] = given
  if (!/^(?:assert|ok)$/.test(name) || first === undefined) return null
  return only(put(first, `!(${textOf(first)})`))
}

/** Words before a matcher that change neither side. */
const plainWords = /^(?:to|be|deep|is|that|and|resolves)$/

/** Of `expect(a).not.toBe(b)`, `expect(a).to.be.true`. */
function alterExpectation(
  node: SyntaxNode,
  actual: SyntaxNode | undefined,
  last: string,
  given: readonly SyntaxNode[],
  names: readonly string[],
  textOf: TextOf,
): Alteration | null {
  const member = isCall(node) ? nodeAt(node, 'callee') : node
  const property = nodeAt(member, 'property')
  if (member === null || property === null || !isMember(member)) return null
  const [expected] = given
  const written = textOf(member)
  if (names.includes('not')) {
    const at = written.lastIndexOf('.not.')
    return at < 0 ? null : only({ start: member.start + at, end: member.start + at + 4, text: '' })
  }
  const isTruth =
    expected === undefined ? /^(?:toBeTruthy|true|ok)$/.test(last) : textOf(expected) === 'true'
  const equality = isTruth ? alterEqualityCall(actual, textOf, scriptValues) : null
  if (equality !== null) return equality
  if (matchers.test(last) && expected !== undefined) {
    const { edits } = only(otherValue(expected, textOf, scriptValues))
    const isPlain = names.slice(0, -1).every((name) => plainWords.test(name))
    return actual === undefined || !isPlain ? { edits } : { edits, sides: [actual, expected] }
  }
  const isMatcher = /^to[A-Z]\w*$/.test(last) && isCall(node) && !/Snapshot/.test(last)
  const isProperty = /^(?:true|false|null|undefined|ok|exist|empty)$/.test(last) && !isCall(node)
  if (!isMatcher && !isProperty) return null
  return only({ start: property.start, end: property.start, text: 'not.' })
}

/** Another text for a part of one. */
export interface RangeEdit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Applies edits that do not overlap. */
export function replaceRanges(text: string, edits: readonly RangeEdit[]): string {
  let changed = text
  for (const { start, end, text: put } of edits.toSorted((a, b) => b.start - a.start)) {
    changed = changed.slice(0, start) + put + changed.slice(end)
  }
  return changed
}
