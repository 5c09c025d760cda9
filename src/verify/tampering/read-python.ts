import { lineCounter } from '../../text/source/positions.ts'
import {
  type Assertion,
  longestValue,
  normalise,
  type TestDraft,
  type TestFileOutline,
  type TestOutline,
  type TestPlace,
  topPlace,
} from './outline.ts'
import { type PythonNode, pythonAssertion } from './python-assertions.ts'
import { splitValues } from './split-values.ts'

/** Deeper nesting is no test. */
const deepest = 400

/** The parser does not know a list of names in brackets here. */
const bracketedTarget = /\bas \([\w, *]{1,200}\)(?=\s*[:,)])/g

/**
 * Tests and assertions of Python, by pytest's and unittest's conventions; `null` where the parser
 * lost its way, since what follows would be misread.
 */
export async function readPython(text: string): Promise<TestFileOutline | null> {
  const top = await readPythonTree(text)
  if (top === null) return null
  const reader = new PythonReader(text)
  const state = reader.isModuleSkipped(top) ? 'skipped' : 'runs'
  for (const child of childrenOf(top)) reader.walk(child, { ...topPlace, state }, 0)
  return { tests: reader.tests, others: reader.others, only: [] }
}

/** The syntax tree of Python, at the places of the text; `null` where the parser lost its way. */
export async function readPythonTree(text: string): Promise<PythonNode | null> {
  const { parser } = await import('@lezer/python')
  const known = text.replace(bracketedTarget, (found) => `as ${'_'.repeat(found.length - 3)}`)
  const { topNode } = parser.parse(known)
  return hasErrors(topNode) ? null : topNode
}

function hasErrors(top: PythonNode): boolean {
  let found = false
  top.cursor().iterate((node) => {
    found ||= node.type.isError
    return !found
  })
  return found
}

class PythonReader {
  readonly tests: TestDraft[] = []
  readonly others: Assertion[] = []
  readonly #text: string
  readonly #lineAt: (offset: number) => number

  constructor(text: string) {
    this.#text = text
    this.#lineAt = lineCounter(text)
  }

  isModuleSkipped(top: PythonNode): boolean {
    return childrenOf(top).some((node) => {
      if (node.name !== 'AssignStatement' && node.name !== 'ExpressionStatement') return false
      const text = this.#textOf(node)
      return (
        (/^pytestmark\b/.test(text) && /\.(?:skip|skipif|xfail)\b/.test(text)) ||
        (/^(?:pytest\.)?skip\(/.test(text) && /allow_module_level/.test(text))
      )
    })
  }

  walk(
    node: PythonNode,
    place: TestPlace,
    depth: number,
    decorators: readonly string[] = [],
  ): void {
    if (depth > deepest) return
    if (node.name === 'DecoratedStatement') {
      const children = childrenOf(node)
      const given = children.filter(({ name }) => name === 'Decorator')
      const texts = given.map((each) => this.#textOf(each))
      const inner = children.find(({ name }) => /Definition$/.test(name))
      if (inner !== undefined) this.walk(inner, place, depth + 1, texts)
    } else if (node.name === 'ClassDefinition') this.#enterClass(node, place, depth, decorators)
    else if (node.name === 'FunctionDefinition') this.#enterFunction(node, place, depth, decorators)
    else this.#look(node, place, depth)
  }

  #enterClass(
    node: PythonNode,
    place: TestPlace,
    depth: number,
    decorators: readonly string[],
  ): void {
    const suites = [...place.suites, this.#nameOf(node)]
    const state = stateOf(decorators, place.state)
    const rows = times(place.rows, rowsOf(decorators))
    for (const child of bodyOf(node)) this.walk(child, { ...place, suites, state, rows }, depth + 1)
  }

  #enterFunction(
    node: PythonNode,
    place: TestPlace,
    depth: number,
    decorators: readonly string[],
  ): void {
    const title = this.#nameOf(node)
    const body = bodyOf(node)
    if (!/^test/.test(title) || place.test !== null) {
      for (const child of body) this.walk(child, place, depth + 1)
      return
    }
    const statements = body.filter(({ name }) => /Statement$|Definition$/.test(name))
    const size = statements.filter(
      (each) => !/^(?:pass|\.\.\.|"""[\s\S]*|'''[\s\S]*)$/.test(this.#textOf(each)),
    ).length
    const rows = times(place.rows, rowsOf(decorators))
    const name = [...place.suites, title].join(' > ')
    const state = stateOf(decorators, place.state)
    const line = this.#lineAt(node.from)
    const test: TestDraft = { name, title, line, state, rows, assertions: [], size }
    this.tests.push(test)
    const inside = { ...place, test, repeated: rows !== 1 }
    this.#lookAll(body, inside, depth + 1)
  }

  #look(node: PythonNode, place: TestPlace, depth: number): void {
    if (place.test !== null && this.#isSkip(node) && !place.repeated) place.test.state = 'skipped'
    const assertion = pythonAssertion(node, this.#text)
    if (assertion !== null) {
      const strength = place.dead ? 0 : assertion.strength
      const line = this.#lineAt(node.from)
      const found = { ...assertion, strength, line, repeated: place.repeated }
      const list = place.test === null ? this.others : place.test.assertions
      list.push(found)
    }
    const isWith = node.name === 'WithStatement' || assertion === null
    if (isWith) this.#lookAll(childrenOf(node), this.#within(node, place), depth + 1)
  }

  #within(node: PythonNode, place: TestPlace): TestPlace {
    const isLoop = /^(?:For|While)Statement$/.test(node.name)
    const isSub =
      node.name === 'WithStatement' && /\bsub_?[tT]ests?\b/.test(this.#textOf(node).slice(0, 80))
    const text = /^(?:Try|If)Statement$/.test(node.name) ? this.#textOf(node) : ''
    const swallows = /\bexcept\b[^\n:]*:\s*(?:pass|\.\.\.)\s*$/.test(text)
    const isNever = /^if (?:False|0)\b/.test(text)
    const dead = place.dead || swallows || isNever
    return { ...place, repeated: place.repeated || isLoop || isSub, dead }
  }

  #lookAll(nodes: readonly PythonNode[], place: TestPlace, depth: number): void {
    let dead = place.dead
    for (const node of nodes) {
      this.walk(node, { ...place, dead }, depth)
      const isEnd = node.name === 'ReturnStatement' && node.parent?.name === 'Body'
      if (isEnd && place.test !== null) dead = true
    }
  }

  #isSkip(node: PythonNode): boolean {
    if (node.name !== 'ExpressionStatement' || isConditional(node)) return false
    return /^(?:pytest\.(?:skip|xfail)|self\.skipTest|raise (?:unittest\.)?SkipTest)\b/.test(
      this.#textOf(node),
    )
  }

  #nameOf(node: PythonNode): string {
    const name = node.getChild('VariableName')
    return name === null ? '' : this.#text.slice(name.from, name.to)
  }

  #textOf({ from, to }: PythonNode): string {
    return this.#text.slice(from, to).trim()
  }
}

function childrenOf(node: PythonNode): readonly PythonNode[] {
  const children: PythonNode[] = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child)
  return children
}

const bodyOf = (node: PythonNode): readonly PythonNode[] => {
  const body = node.getChild('Body')
  return body === null ? [] : childrenOf(body)
}

/** In an `if`, whether it is reached is unknown. */
const isConditional = (node: PythonNode): boolean =>
  /^(?:If|For|While|Try|Match)Statement$|^MatchClause$/.test(node.parent?.parent?.name ?? '')

function stateOf(decorators: readonly string[], outer: TestOutline['state']): TestOutline['state'] {
  const names = decorators.map((each) => normalise(each).replace(/\(.*$/, ''))
  if (names.some((name) => /\b(?:skip|skipIf|skipUnless|skipif|SkipTest|ignore)$/.test(name)))
    return 'skipped'
  return names.some((name) => /\b(?:xfail|expectedFailure)$/.test(name)) ? 'may fail' : outer
}

function rowsOf(decorators: readonly string[]): number | null {
  let rows: number | null = 1
  for (const each of decorators) {
    if (!/parametri[sz]e|parameterized|\b(?:given|ddt|data)\b/.test(each)) continue
    const list = /^@[\w.]*parametrize\s*\(([\s\S]*)\)$/.exec(each.replace(/#[^\n]*/g, ''))?.[1]
    const table = list === undefined ? undefined : splitValues(list)[1]
    const isList = table !== undefined && /^[[(]/.test(table) && table.length < longestValue
    rows = times(rows, isList ? splitValues(table.slice(1, -1)).length : null)
  }
  return rows
}

const times = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : a * b
