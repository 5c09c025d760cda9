import {
  type Chain,
  chainOf,
  isCall,
  isMember,
  lineOf,
  type SyntaxNode,
} from '../../text/syntax/syntax-node.ts'
import { type Assertion, normalise, strengthOf } from './outline.ts'

type Found = Omit<Assertion, 'repeated'>

/** Words of chai's chains that ask for nothing themselves. */
const fillers =
  /^(?:to|be|been|is|that|which|and|has|have|with|at|of|same|but|does|still|also|a|an|resolves|rejects|soft|poll|eventually)$/
const ava =
  /^(?:is|not|deepEqual|notDeepEqual|truthy|falsy|true|false|like|regex|throws|throwsAsync|notThrows|snapshot|pass|fail|equal|same|match|ok|strictSame|assert)$/
/** `expect.anything()`, `expect.assertions(1)`. */
const setsUp = /^(?:assertions|hasAssertions|extend|unreachable|any\w*|\w+Containing|closeTo)$/

/**
 * The assertion that a node is: `expect(a).toBe(b)`, `assert.equal(a, b)`, `a.should.equal(b)`,
 * `t.is(a, b)`, a call of one of the file's own asserting functions, a `throw`. `null` for any other.
 */
export function scriptAssertion(
  node: SyntaxNode,
  text: string,
  helpers: ReadonlySet<string>,
): Found | null {
  const line = lineOf(node)
  const shown = ({ start, end }: SyntaxNode) => normalise(text.slice(start, end))
  if (node.type === 'ThrowStatement') {
    return { name: 'throw', values: [shown(node)], strength: 2, line }
  }
  const chain = isCall(node) || isMember(node) ? chainOf(node) : null
  if (chain === null) return null
  const given = chain.calls.flatMap((call) => call.given).map(shown)
  const found = readChain(chain, given, helpers)
  if (found === null) return null
  const [name, values = given] = found
  return { name, values, strength: strengthOf(name, values), line }
}

/** The assertion's name, and what it compares where that is more than what it is given. */
function readChain(
  { root, names, calls }: Chain,
  given: readonly string[],
  helpers: ReadonlySet<string>,
): readonly [name: string, values?: readonly string[]] | null {
  const last = names.at(-1) ?? ''
  const asked = (words: readonly string[]) => words.filter((word) => !fillers.test(word)).join('.')
  if (root === 'expect') {
    const isAsked = calls.length > 0 && !setsUp.test(names[0] ?? '')
    if (isAsked && asked(names) !== '') return [asked(names)]
  } else if (root === 'assert' || (root === 'sinon' && names[0] === 'assert')) {
    if (calls.length > 0) return [last || 'assert']
  } else if (root === 't' && (ava.test(last) || names[0] === 'assert') && calls.length === 1) {
    return [last]
  }
  const should = names.indexOf('should')
  if (should >= 0) {
    const subject = [root, ...names.slice(0, should)].join('.')
    return [asked(names.slice(should + 1)) || given[0] || 'should', [subject, ...given]]
  }
  if (calls.at(-1)?.at !== names.length - 1) return null
  if (names.includes('expect')) return ['expectEqual', [root, ...given]]
  const isHelper = names.length === 0 && helpers.has(root)
  const called = last || root
  return isHelper || /^(?:assert|expect)[A-Z_]\w*$/.test(called) ? [`${called}Equal`] : null
}
