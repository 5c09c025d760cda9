import { type Assertion, normalise, strengthOf } from './outline.ts'
import { type Chain, chainOf, isCall, isMember, type ScriptNode } from './script-nodes.ts'

type Found = Omit<Assertion, 'repeated'>

/** Words of chai's chains that ask for nothing themselves. */
const fillers =
  /^(?:to|be|been|is|that|which|and|has|have|with|at|of|same|but|does|still|also|a|an|resolves|rejects|soft|poll|eventually)$/
const ava =
  /^(?:is|not|deepEqual|notDeepEqual|truthy|falsy|true|false|like|regex|throws|throwsAsync|notThrows|snapshot|pass|fail|equal|same|match|ok|strictSame|assert)$/

/**
 * The assertion that a node is: `expect(a).toBe(b)`, `assert.equal(a, b)`, `a.should.equal(b)`,
 * `t.is(a, b)`, a call of one of the file's own asserting functions, a `throw`. `null` for any other.
 */
export function scriptAssertion(
  node: ScriptNode,
  text: string,
  helpers: ReadonlySet<string>,
): Found | null {
  if (node.type === 'ThrowStatement') return toAssertion('throw', [shown(node, text)], node, 2)
  if (!isCall(node) && !isMember(node)) return null
  const chain = chainOf(node)
  if (chain === null) return null
  const read = byRoot(chain, text) ?? byName(chain, text, helpers)
  if (read === null) return null
  return toAssertion(read.name, read.values, node, strengthOf(read.name, read.values))
}

const shown = ({ start, end }: ScriptNode, text: string): string =>
  normalise(text.slice(start, end))

const toAssertion = (
  name: string,
  values: readonly string[],
  node: ScriptNode,
  strength: number,
): Found => ({
  name,
  values,
  strength,
  line: node.loc?.start.line ?? 0,
})

interface Read {
  readonly name: string
  readonly values: readonly string[]
}

function byRoot({ root, names, calls }: Chain, text: string): Read | null {
  const values = calls.flatMap(({ given }) => given).map((node) => shown(node, text))
  const last = names.at(-1) ?? ''
  if (root === 'expect') {
    const [first] = calls
    if (first === undefined || names.length === 0) return null
    if (
      /^(?:assertions|hasAssertions|extend|unreachable|any\w*|\w+Containing|closeTo)$/.test(
        names[0] ?? '',
      )
    )
      return null
    const said = names.filter((name) => !fillers.test(name))
    const isWhole = said.length > 0
    return isWhole ? { name: said.join('.'), values } : null
  }
  if (root === 'assert' || (root === 'sinon' && names[0] === 'assert')) {
    return calls.length === 0 ? null : { name: last === '' ? 'assert' : last, values }
  }
  if (root === 't' && (ava.test(last) || names[0] === 'assert') && calls.length === 1) {
    return { name: last, values }
  }
  return null
}

function byName(
  { root, names, calls }: Chain,
  text: string,
  helpers: ReadonlySet<string>,
): Read | null {
  const values = calls.flatMap(({ given }) => given).map((node) => shown(node, text))
  const should = names.indexOf('should')
  if (should >= 0) {
    const said = names.slice(should + 1).filter((name) => !fillers.test(name))
    const subject = [root, ...names.slice(0, should)].join('.')
    return { name: said.join('.') || values[0] || 'should', values: [subject, ...values] }
  }
  const last = names.at(-1) ?? root
  const isCalled = calls.at(-1)?.at === names.length - 1
  if (!isCalled) return null
  if (names.includes('expect')) return { name: 'expectEqual', values: [root, ...values] }
  const isHelper = names.length === 0 && helpers.has(root)
  const isNamed = /^(?:assert|expect)[A-Z_]\w*$/.test(last)
  return isHelper || isNamed ? { name: `${last}Equal`, values } : null
}
