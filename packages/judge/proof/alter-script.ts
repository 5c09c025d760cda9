import { chainOf, isCall, isMember, nodeAt, type SyntaxNode } from '../../source/source.ts'
import {
  type Alteration,
  alterEquality,
  alterEqualityCall,
  type Dialect,
  only,
  opposites,
  otherValue,
  put,
  type TextOf,
} from './altered-value.ts'

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
