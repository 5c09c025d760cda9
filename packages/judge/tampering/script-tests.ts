import {
  type Chain,
  chainOf,
  descendants,
  isCall,
  isFunction,
  isMember,
  lineOf,
  nodeAt,
  nodesAt,
  type SyntaxNode,
  textAt,
} from '../../source/source.ts'
import { type Assertion, normalise, strengthOf, type TestFileOutline } from './outline.ts'
import { type DeclaredTests, walkTests } from './walk-tests.ts'

export function scriptTests(tree: SyntaxNode, text: string): TestFileOutline {
  const helpers = helpersIn(tree)
  return walkTests(tree, {
    declared: (node) => (isCall(node) ? declaredInScript(node, text) : null),
    assertion: (node) => assertionAt(node, text, helpers),
    isSkip,
    isLoop(node) {
      const last = isCall(node) ? textAt(nodeAt(nodeAt(node, 'callee'), 'property'), 'name') : null
      return last !== null && /^(?:forEach|map|every|some|assert)$/.test(last)
    },
  })
}

/** The file's functions that assert something: calling one counts as an assertion. */
function helpersIn(tree: SyntaxNode): ReadonlySet<string> {
  const nodes = [...descendants(tree)]
  const asserting = nodes.filter((node) => assertionAt(node, '', new Set()) !== null)
  const helpers = nodes.flatMap((node) => {
    const value = node.type === 'VariableDeclarator' ? nodeAt(node, 'init') : node
    const isNamed = value !== null && isFunction(value) && /Decl/.test(node.type)
    const name = isNamed ? textAt(nodeAt(node, 'id'), 'name') : null
    const asserts = ({ start }: SyntaxNode) => start >= node.start && start < node.end
    return name !== null && asserting.some(asserts) ? name : []
  })
  return new Set(helpers)
}

/** `t.skip()`, `this.skip()`, `ctx.todo()`. */
function isSkip(node: SyntaxNode): boolean {
  const chain =
    node.type === 'ExpressionStatement' ? chainOf(nodeAt(node, 'expression') ?? node) : null
  return (
    chain?.calls.length === 1 &&
    /^(?:t|this|ctx|context|test|task)\.(?:skip|todo)$/.test([chain.root, ...chain.names].join('.'))
  )
}

const tests = /^(?:[xf]?(?:it|test|specify)|scenario)$/
const suites = /^[xf]?(?:describe|suite|context|feature)$/
/** `QUnit.test`, `Deno.test`, `t.test`. */
const owners = /^(?:t|ctx|QUnit|Deno)$/
const modifiers =
  /^(?:skip|only|todo|each|for|concurrent|sequential|serial|parallel|shuffle|fails|failing|skipIf|runIf|extend|describe|test|it|fixme|slow|step|if|prop)$/

/** Reads the test or suite that a call declares in a JavaScript runner; `null` for other calls. */
export function declaredInScript(node: SyntaxNode, text: string): DeclaredTests | null {
  const chain = chainOf(node)
  if (chain === null) return null
  const [first = '', ...more] = owners.test(chain.root) ? chain.names : [chain.root, ...chain.names]
  const isTest = tests.test(first)
  if (!isTest && !suites.test(first)) return null
  const last = chain.calls.at(-1)
  if (last?.at !== chain.names.length - 1 || !more.every((name) => modifiers.test(name)))
    return null
  const { given } = last
  const bodies = given.filter(isFunction)
  const has = (name: string) => more.includes(name) || isSetIn(given, name, text)
  const isSkipped = /^x/.test(first) || ['skip', 'todo', 'fixme'].some(has)
  const mayFail = ['fails', 'failing'].some(has)
  // `it('works', body)`
  const isNamed = given.length > 1 && /^(?:String|Template)Literal$/.test(given[0]?.type ?? '')
  const isOther = given.length === 0 || !(isSkipped || mayFail || isNamed)
  if (bodies.length === 0 && isOther) return null
  return {
    kind: isTest && !more.includes('describe') ? 'test' : 'suite',
    title: titleOf(given[0], text),
    state: isSkipped ? 'skipped' : mayFail ? 'may fail' : null,
    isOnly: /^f(?:it|test|describe)/.test(first) || has('only'),
    rows: rowsOf(chain, more),
    bodies,
    line: lineOf(node),
  }
}

/** Finds `{ skip: true }` among the arguments. */
const isSetIn = (given: readonly SyntaxNode[], name: string, text: string): boolean =>
  given
    .filter(({ type }) => type === 'ObjectExpression')
    .flatMap((object) => nodesAt(object, 'properties'))
    .some(({ start, end }) =>
      new RegExp(`^${name}:(?!false|undefined)`).test(normalise(text.slice(start, end))),
    )

function titleOf(node: SyntaxNode | undefined, text: string): string {
  if (node === undefined) return ''
  const value =
    textAt(node, 'value') ?? (isFunction(node) ? textAt(nodeAt(node, 'id'), 'name') : null)
  return value ?? text.slice(node.start, Math.min(node.end, node.start + 200)).replace(/^`|`$/g, '')
}

function rowsOf(chain: Chain, more: readonly string[]): number | null {
  if (chain.template !== null) return null
  if (!more.includes('each') && !more.includes('for')) return 1
  const table = chain.calls.at(-2)?.given[0]
  return table?.type === 'ArrayExpression' ? nodesAt(table, 'elements').length : null
}

/** Words in chai's chains that check nothing themselves. */
const fillers =
  /^(?:to|be|been|is|that|which|and|has|have|with|at|of|same|but|does|still|also|a|an|resolves|rejects|soft|poll|eventually)$/
const ava =
  /^(?:is|not|deepEqual|notDeepEqual|truthy|falsy|true|false|like|regex|throws|throwsAsync|notThrows|snapshot|pass|fail|equal|same|match|ok|strictSame|assert)$/
/** `expect.anything()`, `expect.assertions(1)`. */
const setsUp = /^(?:assertions|hasAssertions|extend|unreachable|any\w*|\w+Containing|closeTo)$/

/**
 * Reads a node as an assertion: `expect(a).toBe(b)`, `assert.equal(a, b)`, `a.should.equal(b)`,
 * `t.is(a, b)`, a call of an asserting function in the file, or a `throw`; `null` for any other.
 */
function assertionAt(
  node: SyntaxNode,
  text: string,
  helpers: ReadonlySet<string>,
): Omit<Assertion, 'repeated'> | null {
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

/** Returns the assertion's name, and its compared values if these are more than its arguments. */
function readChain(
  { root, names, calls }: Chain,
  given: readonly string[],
  helpers: ReadonlySet<string>,
): readonly [name: string, values?: readonly string[]] | null {
  const last = names.at(-1) ?? ''
  const joined = (words: readonly string[]) => words.filter((word) => !fillers.test(word)).join('.')
  if (root === 'expect') {
    const isAsked = calls.length > 0 && !setsUp.test(names[0] ?? '')
    if (isAsked && joined(names) !== '') return [joined(names)]
  } else if (root === 'assert' || (root === 'sinon' && names[0] === 'assert')) {
    if (calls.length > 0) return [last || 'assert']
  } else if (root === 't' && (ava.test(last) || names[0] === 'assert') && calls.length === 1) {
    return [last]
  }
  const should = names.indexOf('should')
  if (should >= 0) {
    const subject = [root, ...names.slice(0, should)].join('.')
    return [joined(names.slice(should + 1)) || given[0] || 'should', [subject, ...given]]
  }
  if (calls.at(-1)?.at !== names.length - 1) return null
  if (names.includes('expect')) return ['expectEqual', [root, ...given]]
  const isHelper = names.length === 0 && helpers.has(root)
  const called = last || root
  return isHelper || /^(?:assert|expect)[A-Z_]\w*$/.test(called) ? [`${called}Equal`] : null
}
