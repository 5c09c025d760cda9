import { normalise, type TestOutline } from './outline.ts'
import {
  type Chain,
  chainOf,
  isFunction,
  nodeAt,
  nodesAt,
  type ScriptNode,
  textAt,
} from './script-nodes.ts'

/** A call that declares a test or a suite of them. */
export interface TestCall {
  readonly kind: 'test' | 'suite'
  readonly title: string
  readonly state: TestOutline['state']
  readonly isOnly: boolean
  /** `null` when nobody can count them here. */
  readonly rows: number | null
  readonly bodies: readonly ScriptNode[]
  readonly line: number
}

const tests = /^(?:[xf]?(?:it|test|specify)|scenario)$/
const suites = /^(?:[xf]?(?:describe|suite|context|feature))$/
/** `QUnit.test`, `Deno.test`, `t.test`. */
const owners = /^(?:t|ctx|QUnit|Deno)$/
const modifiers =
  /^(?:skip|only|todo|each|for|concurrent|sequential|serial|parallel|shuffle|fails|failing|skipIf|runIf|extend|describe|test|it|fixme|slow|step|if|prop)$/

/** The test or suite that a call declares, in the words of the JavaScript test runners; `null` for any other. */
export function readTestCall(node: ScriptNode, text: string): TestCall | null {
  const chain = chainOf(node)
  if (chain === null) return null
  const names = owners.test(chain.root) ? chain.names.slice(0) : [chain.root, ...chain.names]
  const [first = '', ...more] = names
  const isTest = tests.test(first)
  if (!isTest && !suites.test(first)) return null
  if (!more.every((name) => modifiers.test(name))) return null
  const last = chain.calls.at(-1)
  if (last === undefined || last.at !== chain.names.length - 1) return null
  const bodies = last.given.filter(isFunction)
  const { state, isOnly } = readModifiers(first, more, last.given, text)
  if (bodies.length === 0 && state === 'runs' && !isBodyNamed(last.given)) return null
  if (bodies.length === 0 && last.given.length === 0) return null
  return {
    kind: isTest && !more.includes('describe') ? 'test' : 'suite',
    title: titleOf(last.given[0], text),
    state,
    isOnly,
    rows: rowsOf(chain, more),
    bodies,
    line: node.loc?.start.line ?? 0,
  }
}

/** `it('works', body)` */
function isBodyNamed(given: readonly ScriptNode[]): boolean {
  return given.length > 1 && /^(?:String|Template)Literal$/.test(given[0]?.type ?? '')
}

function titleOf(node: ScriptNode | undefined, text: string): string {
  if (node === undefined) return ''
  const value =
    textAt(node, 'value') ?? (isFunction(node) ? textAt(nodeAt(node, 'id'), 'name') : null)
  return value ?? text.slice(node.start, Math.min(node.end, node.start + 200)).replace(/^`|`$/g, '')
}

function readModifiers(
  first: string,
  more: readonly string[],
  given: readonly ScriptNode[],
  text: string,
): Pick<TestCall, 'state' | 'isOnly'> {
  const options = given
    .filter(({ type }) => type === 'ObjectExpression')
    .flatMap((object) => nodesAt(object, 'properties'))
    .map((property) => normalise(text.slice(property.start, property.end)))
  const says = (name: string) =>
    more.includes(name) ||
    options.some((each) => new RegExp(`^${name}:(?!false|undefined)`).test(each))
  const isSkipped = /^x/.test(first) || says('skip') || says('todo') || says('fixme')
  const mayFail = says('fails') || says('failing')
  return {
    state: isSkipped ? 'skipped' : mayFail ? 'may fail' : 'runs',
    isOnly: /^f(?:it|test|describe)/.test(first) || says('only'),
  }
}

function rowsOf(chain: Chain, more: readonly string[]): number | null {
  if (chain.template !== null) return null
  if (!more.includes('each') && !more.includes('for')) return 1
  const table = chain.calls.at(-2)?.given[0]
  return table?.type === 'ArrayExpression' ? nodesAt(table, 'elements').length : null
}
