import { readSyntax } from '../../text/syntax/read-syntax.ts'
import {
  type Chain,
  chainOf,
  childNodes,
  isCall,
  isFunction,
  lineOf,
  nodeAt,
  nodesAt,
  type SyntaxNode,
  textAt,
} from '../../text/syntax/syntax-node.ts'
import { noOutline, normalise, type TestFileOutline } from './outline.ts'
import { scriptAssertion } from './script-assertions.ts'
import { type DeclaredTests, type TestSyntax, walkTests } from './walk-tests.ts'

/** Tests and assertions of JavaScript or TypeScript; nothing of a text that does not parse. */
export async function readScript(path: string, text: string): Promise<TestFileOutline> {
  const file = (await readSyntax(path, text)).tree
  if (file === null) return noOutline
  try {
    return walkTests(file, scriptSyntax(text, helpersIn(file)))
  } catch (error) {
    if (error instanceof RangeError) return noOutline
    throw error
  }
}

/** Functions of the file that assert something: a call of one is an assertion, too. */
function helpersIn(file: SyntaxNode): ReadonlySet<string> {
  const found = new Set<string>()
  const look = (node: SyntaxNode): boolean => {
    let asserts = scriptAssertion(node, '', new Set()) !== null
    for (const child of childNodes(node)) asserts = look(child) || asserts
    const name = nameOfFunction(node)
    if (asserts && name !== null) found.add(name)
    return asserts
  }
  look(file)
  return found
}

function nameOfFunction(node: SyntaxNode): string | null {
  if (node.type === 'FunctionDeclaration') return textAt(nodeAt(node, 'id'), 'name')
  const value = node.type === 'VariableDeclarator' ? nodeAt(node, 'init') : null
  return value !== null && isFunction(value) ? textAt(nodeAt(node, 'id'), 'name') : null
}

const scriptSyntax = (text: string, helpers: ReadonlySet<string>): TestSyntax<SyntaxNode> => ({
  childrenOf: childNodes,
  declared: (node) => (isCall(node) ? declaredBy(node, text) : null),
  assertion: (node) => scriptAssertion(node, text, helpers),
  functionsIn: (node) =>
    (chainOf(node)?.calls ?? []).flatMap(({ given }) => given.filter(isFunction)),
  isSkip,
  isLoop(node) {
    if (/^(?:For|While|DoWhile)/.test(node.type)) return true
    const last = isCall(node) ? textAt(nodeAt(nodeAt(node, 'callee'), 'property'), 'name') : null
    return last !== null && /^(?:forEach|map|every|some|assert)$/.test(last)
  },
  isSwallowed(node) {
    const handler = node.type === 'TryStatement' ? nodeAt(node, 'handler') : null
    return handler !== null && nodesAt(nodeAt(handler, 'body'), 'body').length === 0
  },
  isNever(child, parent) {
    if (parent.type !== 'IfStatement' || child !== nodeAt(parent, 'consequent')) return false
    const test = nodeAt(parent, 'test')
    return test?.type === 'BooleanLiteral' && Reflect.get(test, 'value') === false
  },
  isReturn: (child, parent) => child.type === 'ReturnStatement' && parent.type === 'BlockStatement',
})

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
function declaredBy(node: SyntaxNode, text: string): DeclaredTests<SyntaxNode> | null {
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
    size: bodies.reduce((sum, body) => sum + sizeOf(body), 0),
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

function sizeOf(body: SyntaxNode): number {
  const block = nodeAt(body, 'body')
  return block?.type === 'BlockStatement' ? nodesAt(block, 'body').length : 1
}
