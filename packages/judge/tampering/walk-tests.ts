import { childNodes, isFunction, nodeAt, nodesAt, type SyntaxNode } from '../../source/source.ts'
import type { Assertion, TestFileOutline, TestOutline } from './outline.ts'

type TestState = TestOutline['state']

export interface DeclaredTests {
  readonly kind: 'test' | 'suite'
  readonly title: string
  /** `null` inherits the state of the enclosing suite. */
  readonly state: TestState | null
  readonly isOnly: boolean
  /** How often it runs; `null` when that cannot be counted here. */
  readonly rows: number | null
  readonly bodies: readonly SyntaxNode[]
  readonly line: number
}

/** How a language writes its tests, answered for one node at a time. */
export interface TestWriting {
  readonly declared: (node: SyntaxNode, isInTest: boolean) => DeclaredTests | null
  readonly assertion: (node: SyntaxNode) => Omit<Assertion, 'repeated'> | null
  /** Disables the test that contains it. */
  readonly isSkip: (node: SyntaxNode, isConditional: boolean) => boolean
  /** In addition to the loops that every language has. */
  readonly isLoop: (node: SyntaxNode) => boolean
}

interface TestDraft extends Omit<TestOutline, 'state'> {
  state: TestState
  readonly assertions: Assertion[]
}

interface Place {
  readonly suites: readonly string[]
  readonly state: TestState
  readonly rows: number | null
  readonly test: TestDraft | null
  readonly repeated: boolean
  /** It may not be reached. */
  readonly conditional: boolean
  /** Never reached, or its failure is swallowed. */
  readonly dead: boolean
  readonly depth: number
}

/** Deeper nesting contains no tests. */
const deepest = 500

/** Collects the tests under a node and their assertions in one walk. */
export function walkTests(
  top: SyntaxNode,
  writing: TestWriting,
  state: TestState = 'runs',
): TestFileOutline {
  const tests: TestDraft[] = []
  const others: Assertion[] = []
  const only: number[] = []

  const enter = (found: DeclaredTests, place: Place) => {
    const { kind, title, line, bodies } = found
    if (found.isOnly) only.push(line)
    const state = found.state ?? place.state
    const isUncounted = found.rows === null || place.rows === null || place.repeated
    const rows = isUncounted ? null : (found.rows ?? 1) * (place.rows ?? 1)
    const suites = [...place.suites, title]
    const inside: Place = { ...place, suites, state, rows }
    if (kind === 'suite') {
      lookAll(bodies, inside)
      return
    }
    const size = bodies.reduce((sum, body) => sum + sizeOf(body), 0)
    const name = suites.join(' > ')
    const test: TestDraft = { name, title, line, state, rows, assertions: [], size }
    tests.push(test)
    lookAll(bodies, { ...inside, test, repeated: rows !== 1, conditional: false })
  }

  const look = (node: SyntaxNode, place: Place): void => {
    if (place.depth > deepest) return
    const { test, repeated } = place
    const found = writing.declared(node, test !== null)
    if (found !== null) {
      enter(found, place)
      return
    }
    if (test !== null && !repeated && writing.isSkip(node, place.conditional)) {
      test.state = 'skipped'
    }
    const assertion = writing.assertion(node)
    if (assertion === null) {
      lookInside(node, place)
      return
    }
    const strength = place.dead ? 0 : assertion.strength
    const list = test === null ? others : test.assertions
    list.push({ ...assertion, strength, repeated })
    lookAll(functionsGiven(node), place)
  }

  const lookAll = (nodes: readonly SyntaxNode[], place: Place): void => {
    for (const node of nodes) look(node, { ...place, depth: place.depth + 1 })
  }

  const lookInside = (node: SyntaxNode, place: Place): void => {
    const repeated = place.repeated || isLoop.test(node.type) || writing.isLoop(node)
    const conditional = place.conditional || isBranch.test(node.type)
    let dead = place.dead
    for (const child of partsOf(node)) {
      lookAll([child], {
        ...place,
        repeated,
        conditional,
        dead: dead || isSwallowed(child, node) || isNever(child, node),
      })
      const isEnd = child.type === 'ReturnStatement' && node.type === 'BlockStatement'
      dead ||= isEnd && place.test !== null
    }
  }

  const start: Place = {
    ...{ suites: [], state, rows: 1, test: null },
    ...{ repeated: false, conditional: false, dead: false, depth: 0 },
  }
  lookInside(top, start)
  return { tests, others, only }
}

const isLoop = /^(?:For|While|DoWhile)/
const isBranch = /^(?:If|For\w*|While|Try|Switch|Match)Statement$|^MatchClause$/

/** Parameters and decorators assert nothing. */
const partsOf = (node: SyntaxNode): readonly SyntaxNode[] => {
  const body = isFunction(node) ? nodeAt(node, 'body') : null
  return body === null ? childNodes(node) : [body]
}

/** Functions passed to any call of an assertion's chain, which may contain more assertions. */
function functionsGiven(node: SyntaxNode | null): readonly SyntaxNode[] {
  if (node === null) return []
  const inner = nodeAt(node, 'callee') ?? nodeAt(node, 'object')
  return [...functionsGiven(inner), ...nodesAt(node, 'arguments').filter(isFunction)]
}

/** Counts statements, without placeholders. */
const sizeOf = (body: SyntaxNode): number => {
  const block = body.type === 'BlockStatement' ? body : nodeAt(body, 'body')
  if (block?.type !== 'BlockStatement') return 1
  return nodesAt(block, 'body').filter((statement) => {
    const expression = nodeAt(statement, 'expression')
    const isFiller = /^(?:Ellipsis|StringLiteral)$/.test(expression?.type ?? '')
    return statement.type !== 'PassStatement' && !isFiller
  }).length
}

/** `try { … } catch {}` hides every failure in its block. */
function isSwallowed(child: SyntaxNode, parent: SyntaxNode): boolean {
  if (parent.type !== 'TryStatement' || child !== nodeAt(parent, 'block')) return false
  const handlers = nodesAt(parent, 'handlers')
  const handler = nodeAt(parent, 'handler') ?? handlers.at(-1)
  // Python names what it catches, and continues after it.
  const continues =
    handlers.length > 0 && (nodeAt(parent, 'alternate') ?? nodeAt(parent, 'finalizer'))
  return handler !== undefined && sizeOf(handler) === 0 && !continues
}

/** `if (false) …` */
function isNever(child: SyntaxNode, parent: SyntaxNode): boolean {
  if (parent.type !== 'IfStatement' || child !== nodeAt(parent, 'consequent')) return false
  const test = nodeAt(parent, 'test')
  const isConstant = /^(?:Boolean|Numeric)Literal$/.test(test?.type ?? '')
  return isConstant && !Reflect.get(Object(test), 'value')
}
