import type { Assertion, TestFileOutline, TestOutline } from './outline.ts'

type TestState = TestOutline['state']

/** A test that a node of a syntax tree declares, or a suite of them. */
export interface DeclaredTests<Node> {
  readonly kind: 'test' | 'suite'
  readonly title: string
  /** `null`: that of the suite around it. */
  readonly state: TestState | null
  readonly isOnly: boolean
  /** How often it runs; `null` when nobody can count them here. */
  readonly rows: number | null
  readonly bodies: readonly Node[]
  readonly size: number
  readonly line: number
}

/** How a language writes its tests, asked of one node at a time. */
export interface TestSyntax<Node> {
  readonly childrenOf: (node: Node) => readonly Node[]
  readonly declared: (node: Node, isInTest: boolean) => DeclaredTests<Node> | null
  readonly assertion: (node: Node) => Omit<Assertion, 'repeated'> | null
  /** Functions given to an assertion may hold more of them. */
  readonly functionsIn: (assertion: Node) => readonly Node[]
  /** Switches off the test that it stands in. */
  readonly isSkip: (node: Node) => boolean
  readonly isLoop: (node: Node) => boolean
  /** Whatever fails in it is never heard of. */
  readonly isSwallowed: (node: Node) => boolean
  /** `if (false) …` */
  readonly isNever: (child: Node, parent: Node) => boolean
  /** Nothing behind it is reached. */
  readonly isReturn: (child: Node, parent: Node) => boolean
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
  /** Never reached, or its failure is swallowed. */
  readonly dead: boolean
  readonly depth: number
}

/** Deeper nesting is no test. */
const deepest = 500

/** The tests under a node and what they assert, in one walk. */
export function walkTests<Node>(
  top: Node,
  syntax: TestSyntax<Node>,
  state: TestState = 'runs',
): TestFileOutline {
  const tests: TestDraft[] = []
  const others: Assertion[] = []
  const only: number[] = []

  const enter = (found: DeclaredTests<Node>, place: Place) => {
    const { kind, title, line, size, bodies } = found
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
    const test: TestDraft = {
      ...{ name: suites.join(' > '), title, line, state, rows, size },
      assertions: [],
    }
    tests.push(test)
    lookAll(bodies, { ...inside, test, repeated: rows !== 1 })
  }

  const look = (node: Node, place: Place): void => {
    if (place.depth > deepest) return
    const found = syntax.declared(node, place.test !== null)
    if (found !== null) {
      enter(found, place)
      return
    }
    if (place.test !== null && !place.repeated && syntax.isSkip(node)) place.test.state = 'skipped'
    const assertion = syntax.assertion(node)
    if (assertion === null) {
      lookInside(node, place)
      return
    }
    const strength = place.dead ? 0 : assertion.strength
    const list = place.test === null ? others : place.test.assertions
    list.push({ ...assertion, strength, repeated: place.repeated })
    lookAll(syntax.functionsIn(node), place)
  }

  const lookAll = (nodes: readonly Node[], place: Place): void => {
    for (const node of nodes) look(node, { ...place, depth: place.depth + 1 })
  }

  const lookInside = (node: Node, place: Place): void => {
    const repeated = place.repeated || syntax.isLoop(node)
    let dead = place.dead || syntax.isSwallowed(node)
    for (const child of syntax.childrenOf(node)) {
      lookAll([child], { ...place, repeated, dead: dead || syntax.isNever(child, node) })
      dead ||= place.test !== null && syntax.isReturn(child, node)
    }
  }

  const start: Place = {
    ...{ suites: [], state, rows: 1, test: null },
    ...{ repeated: false, dead: false, depth: 0 },
  }
  lookInside(top, start)
  return { tests, others, only }
}
