import {
  type Chain,
  chainOf,
  descendants,
  isCall,
  isFunction,
  lineOf,
  nodeAt,
  nodesAt,
  type SyntaxNode,
  textAt,
} from '../../text/syntax/syntax-node.ts'
import { normalise, type TestFileOutline } from './outline.ts'
import { scriptAssertion } from './script-assertions.ts'
import { type DeclaredTests, walkTests } from './walk-tests.ts'

/** Tests and assertions of JavaScript or TypeScript. */
export function scriptTests(tree: SyntaxNode, text: string): TestFileOutline {
  const helpers = helpersIn(tree)
  return walkTests(tree, {
    declared: (node) => (isCall(node) ? declaredBy(node, text) : null),
    assertion: (node) => scriptAssertion(node, text, helpers),
    isSkip,
    isLoop(node) {
      const last = isCall(node) ? textAt(nodeAt(nodeAt(node, 'callee'), 'property'), 'name') : null
      return last !== null && /^(?:forEach|map|every|some|assert)$/.test(last)
    },
  })
}

/** Functions of the file that assert something: a call of one is an assertion, too. */
function helpersIn(tree: SyntaxNode): ReadonlySet<string> {
  const nodes = [...descendants(tree)]
  const asserting = nodes.filter((node) => scriptAssertion(node, '', new Set()) !== null)
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

/** The test or suite that a call declares, in the words of the JavaScript test runners; `null` for any other. */
function declaredBy(node: SyntaxNode, text: string): DeclaredTests | null {
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
  const says = (name: string) => more.includes(name) || isSetIn(given, name, text)
  const isSkipped = /^x/.test(first) || ['skip', 'todo', 'fixme'].some(says)
  const mayFail = ['fails', 'failing'].some(says)
  // `it('works', body)`
  const isNamed = given.length > 1 && /^(?:String|Template)Literal$/.test(given[0]?.type ?? '')
  const isOther = given.length === 0 || !(isSkipped || mayFail || isNamed)
  if (bodies.length === 0 && isOther) return null
  return {
    kind: isTest && !more.includes('describe') ? 'test' : 'suite',
    title: titleOf(given[0], text),
    state: isSkipped ? 'skipped' : mayFail ? 'may fail' : null,
    isOnly: /^f(?:it|test|describe)/.test(first) || says('only'),
    rows: rowsOf(chain, more),
    bodies,
    line: lineOf(node),
  }
}

/** `{ skip: true }` among the arguments. */
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
