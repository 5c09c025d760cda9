/** Tests with an assertion altered so that it must fail: what stays green then cannot fail at all. */
import { readSyntax } from '../../text/syntax/read-syntax.ts'
import {
  chainOf,
  childNodes,
  descendants,
  isCall,
  isFunction,
  isMember,
  lineOf,
  memberName,
  nodeAt,
  nodesAt,
  type SyntaxNode,
  textAt,
} from '../../text/syntax/syntax-node.ts'
import { declaredInScript } from '../tampering/script-tests.ts'
import { type RangeEdit, replaceRanges } from './range-edits.ts'
import type { Twin } from './twin.ts'
import { makeTypedTwin } from './typed-twins.ts'

/** What makes an assertion fail. */
interface Alteration {
  readonly edits: readonly RangeEdit[]
  /** Of an equality. */
  readonly sides?: readonly SyntaxNode[]
}

interface Site extends Alteration {
  readonly line: number
  /** Everything before it in the test is an assertion, too. */
  readonly isBare: boolean
}

/** An equality that a test asserts. */
export type ExpectedValue = readonly [actual: SyntaxNode, expected: SyntaxNode]

interface TestSites {
  readonly title: string
  /** Where a mark is added to its name. */
  readonly nameEnd: number
  readonly sites: readonly Site[]
}

/** More assertions of one test are not tried. */
const mostTwins = 3
const longestText = 100_000

/**
 * Makes the twins of a test file: the first alters the first assertion of each test, the second the second. An equality
 * compares with another value; any other assertion is negated. Of a test without an assertion that
 * can be altered, there is no twin.
 *
 * @param mark an unguessable word of letters
 */
export async function makeTwins(
  path: string,
  text: string,
  mark: string,
): Promise<readonly Twin[]> {
  const isPython = path.endsWith('.py')
  const typed = text.length > longestText ? null : makeTypedTwin(path, text, mark)
  if (typed !== null) return [typed]
  if (text.length > longestText || (!isPython && !/\.[cm]?[jt]sx?$/.test(path))) return []
  const { tree, error } = await readSyntax(path, text)
  if (tree === null || error !== null) return []
  const tests = isPython ? pythonSites(tree, text) : scriptSites(tree, text)
  const rounds = Math.min(mostTwins, Math.max(0, ...tests.map(({ sites }) => sites.length)))
  return Array.from({ length: rounds }, (_, round) => {
    const chosen = tests.flatMap(({ title, nameEnd, sites }, index) => {
      const site = sites[round]
      const own = `${mark}_${round}_${index}_`
      return site === undefined ? [] : [{ ...site, title, nameEnd, mark: own }]
    })
    const edits = chosen.flatMap(({ edits, nameEnd, mark }) => [
      ...edits,
      { start: nameEnd, end: nameEnd, text: `_${mark}` },
    ])
    const altered = chosen.map(({ mark, title, line }) => ({ mark, title, line }))
    return { text: replaceRanges(text, edits), altered }
  })
}

interface DeclaredTest {
  readonly title: string
  readonly nameEnd: number
  readonly body: SyntaxNode
}

/**
 * Finds what can be altered in a test: assertions that it reaches whenever it runs. One in a loop, a branch or a function
 * may not be reached, or be red thousands of times.
 */
function sitesOf(
  { title, nameEnd, body }: DeclaredTest,
  alter: (node: SyntaxNode) => Alteration | null,
): TestSites {
  const sites: Site[] = []
  let isBare = true
  const look = (node: SyntaxNode): void => {
    if (isFunction(node)) return
    const altered = alter(node)
    if (altered !== null) sites.push({ line: lineOf(node), isBare, ...altered })
    // An assertion in a block that must raise may not be reached.
    else for (const child of childNodes(node)) if (!isExpectedToRaise(node, child)) look(child)
  }
  for (const statement of body.type === 'BlockStatement' ? nodesAt(body, 'body') : [body]) {
    if (branches.test(statement.type) || hasSubtests(statement)) break
    const before = sites.length
    look(statement)
    isBare &&= sites.length > before
  }
  return { title, nameEnd, sites }
}

/** Statements that may end the test, or skip or repeat what they contain. */
const branches = /^(?:If|For\w*|While|DoWhile|Try|Switch|Match|Return|Throw|Raise)Statement$/

const isExpectedToRaise = (node: SyntaxNode, child: SyntaxNode): boolean =>
  node.type === 'WithStatement' &&
  child.type === 'BlockStatement' &&
  [...descendants(node, (each) => each !== child)].some((each) =>
    /raises|assertRaises|warns/i.test(
      textAt(nodeAt(each, 'property'), 'name') ?? textAt(each, 'name') ?? '',
    ),
  )

/** A failure in a subtest leaves its test green in some reports. */
const hasSubtests = (statement: SyntaxNode): boolean =>
  statement.type === 'WithStatement' &&
  [...descendants(statement, (node) => node.type !== 'BlockStatement')].some((node) =>
    /^sub_?tests?$/i.test(textAt(nodeAt(node, 'property'), 'name') ?? textAt(node, 'name') ?? ''),
  )

const hasCall = (node: SyntaxNode): boolean => [...descendants(node)].some(isCall)

/** The side of an equality that is expected: the one that calls nothing, else the last. */
function expectedOf(sides: readonly SyntaxNode[]): SyntaxNode | undefined {
  return sides.findLast((side) => !hasCall(side)) ?? sides.at(-1)
}

const put = ({ start, end }: SyntaxNode, text: string): RangeEdit => ({ start, end, text })

const only = (edit: RangeEdit): Alteration => ({ edits: [edit] })

/** Alters what an equality expects. */
function alterEquality(
  sides: readonly SyntaxNode[],
  alter: (expected: SyntaxNode) => RangeEdit,
): Alteration | null {
  const expected = expectedOf(sides)
  return expected === undefined ? null : { edits: [alter(expected)], sides }
}

const equals = /^(?:is_?|deep_?)?equals?(?:_?to)?$/i

/** Of `a.equals(new Money(3))`: a method that is always true is so of another value, too. */
function alterEqualityCall(
  subject: SyntaxNode | null | undefined,
  textOf: (node: SyntaxNode) => string,
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

/** Tells which side is expected, of each equality that nothing but assertions precedes in its test. */
const valuesIn = (tests: readonly TestSites[]): readonly ExpectedValue[] =>
  tests.flatMap(({ sites }) =>
    sites.flatMap(({ sides = [], isBare }) => {
      if (!isBare) return []
      const expected = expectedOf(sides)
      const actual = sides.find((side) => side !== expected)
      return expected === undefined || actual === undefined ? [] : [[actual, expected] as const]
    }),
  )

export const valuesInPython = (tree: SyntaxNode, text: string): readonly ExpectedValue[] =>
  valuesIn(pythonSites(tree, text))
export const valuesInScript = (tree: SyntaxNode, text: string): readonly ExpectedValue[] =>
  valuesIn(scriptSites(tree, text))

/** Opposites of assertions, both ways. */
const opposites = (pairs: readonly (readonly [string, string])[]): ReadonlyMap<string, string> =>
  new Map(pairs.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]))

const pythonOpposites = opposites([
  ['assertTrue', 'assertFalse'],
  ['assertIn', 'assertNotIn'],
  ['assertIs', 'assertIsNot'],
  ['assertIsNone', 'assertIsNotNone'],
  ['assertIsInstance', 'assertNotIsInstance'],
  ['assertGreater', 'assertLessEqual'],
  ['assertLess', 'assertGreaterEqual'],
  ['assertRegex', 'assertNotRegex'],
])

interface Dialect {
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
function otherValue(
  node: SyntaxNode,
  textOf: (node: SyntaxNode) => string,
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

const pythonValues: Dialect = {
  ...{ sentinel: 'object()', not: 'not ' },
  longer: (list) => (list.startsWith('[') ? `(${list} + [object()])` : 'object()'),
}

function pythonSites(tree: SyntaxNode, text: string): readonly TestSites[] {
  const textOf = ({ start, end }: SyntaxNode) => text.slice(start, end)
  const alter = (node: SyntaxNode): Alteration | null => {
    if (node.type === 'AssertStatement') return alterAssert(nodeAt(node, 'test'), textOf)
    const callee = node.type === 'CallExpression' ? nodeAt(node, 'callee') : null
    if (callee === null) return null
    const called = textOf(callee)
    const given = nodesAt(node, 'arguments')
    const [, name = ''] = /(?:^|\.)(\w+)$/.exec(called) ?? []
    const [first] = given
    if (/^(?:pytest\.raises|self\.assertRaises(?:Regex)?)$/.test(called) && first !== undefined) {
      return only(put(first, 'type("Twin", (Exception,), {})'))
    }
    if (!/^self\.assert\w+$/.test(called)) return null
    const equality = name === 'assertTrue' ? alterEqualityCall(first, textOf, pythonValues) : null
    if (equality !== null) return equality
    const other = pythonOpposites.get(name)
    if (other !== undefined)
      return only({ start: callee.end - name.length, end: callee.end, text: other })
    if (!/^assert\w*Equals?$/.test(name) || /Not/.test(name)) return null
    // A value that is almost equal may be so to a neighbour, too.
    const isExact = !/Almost/.test(name)
    const altered = alterEquality(given.slice(0, 2), (expected) =>
      isExact ? otherValue(expected, textOf, pythonValues) : put(expected, pythonValues.sentinel),
    )
    const isPlain = /^assert(?:List|Dict|Tuple|Set|MultiLine)?Equals?$/.test(name)
    return isPlain ? altered : altered && { edits: altered.edits }
  }
  // pytest and unittest collect no function inside of another.
  const outside = [...descendants(tree, (node) => !isFunction(node))]
  return outside.flatMap((node) => {
    const [id, body] = [nodeAt(node, 'id'), nodeAt(node, 'body')]
    const title = textAt(id, 'name') ?? ''
    const isTest = isFunction(node) && title.startsWith('test') && id !== null && body !== null
    const mayPass = nodesAt(node, 'decorators').some((each) =>
      /skip|xfail|expectedFailure/i.test(textOf(each)),
    )
    return isTest && !mayPass ? sitesOf({ title, nameEnd: id.end, body }, alter) : []
  })
}

function alterAssert(
  test: SyntaxNode | null,
  textOf: (node: SyntaxNode) => string,
): Alteration | null {
  if (test === null) return null
  if (test.type === 'ParenthesizedExpression')
    return alterAssert(nodeAt(test, 'expression'), textOf)
  // `assert (a == 1, "why")` cannot fail: its twin stays as it is, and green.
  if (
    test.type === 'ArrayExpression' &&
    nodesAt(test, 'elements').some(({ type }) => !/Spread|Star/.test(type))
  )
    return { edits: [] }
  const [left, right] = [nodeAt(test, 'left'), nodeAt(test, 'right')]
  if (textAt(test, 'operator') === '==' && left !== null && right !== null) {
    return alterEquality([left, right], (each) => otherValue(each, textOf, pythonValues))
  }
  return alterEqualityCall(test, textOf, pythonValues) ?? only(put(test, `not (${textOf(test)})`))
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

function scriptSites(tree: SyntaxNode, text: string): readonly TestSites[] {
  const textOf = ({ start, end }: SyntaxNode) => text.slice(start, end)
  const declaredBy = (node: SyntaxNode) => (isCall(node) ? declaredInScript(node, text) : null)
  return [...descendants(tree)].flatMap((node) => {
    const found = declaredBy(node)
    const [body] = found?.bodies ?? []
    const inner = body && nodeAt(body, 'body')
    const name = nodesAt(node, 'arguments')[0]
    const isNamed = /^(?:String|Template)Literal$/.test(name?.type ?? '')
    if (found?.kind !== 'test' || found.state !== null || !inner || !name || !isNamed) return []
    const test = { title: found.title, nameEnd: name.end - 1, body: inner }
    return sitesOf(test, (each) => alterScript(each, textOf))
  })
}

function alterScript(node: SyntaxNode, textOf: (node: SyntaxNode) => string): Alteration | null {
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
  textOf: (node: SyntaxNode) => string,
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
