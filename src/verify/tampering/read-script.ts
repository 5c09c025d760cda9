import type { ParserOptions } from '@babel/parser'
import {
  type Assertion,
  noOutline,
  normalise,
  type TestDraft,
  type TestFileOutline,
  type TestPlace,
  topPlace,
} from './outline.ts'
import { scriptAssertion } from './script-assertions.ts'
import {
  chainOf,
  isCall,
  isFunction,
  isNode,
  nodeAt,
  nodesAt,
  type ScriptNode,
  scriptChildrenOf,
  textAt,
} from './script-nodes.ts'
import { readTestCall, type TestCall } from './script-tests.ts'

/** Tests and assertions of JavaScript or TypeScript; nothing of a text that does not parse. */
export async function readScript(path: string, text: string): Promise<TestFileOutline> {
  const file = await parseScript(path, text)
  if (file === null) return noOutline
  try {
    const reader = new ScriptReader(text, helpersIn(file))
    reader.walk(file, topPlace)
    return { tests: reader.tests, others: reader.others, only: reader.only }
  } catch (error) {
    if (error instanceof RangeError) return noOutline
    throw error
  }
}

/** The syntax tree of JavaScript or TypeScript; `null` where the text does not parse. */
export async function parseScript(path: string, text: string): Promise<ScriptNode | null> {
  const { parse } = await import('@babel/parser')
  try {
    const file: unknown = parse(text, options(path))
    return isNode(file) ? file : null
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return null
    throw error
  }
}

function options(path: string): ParserOptions {
  const typed = /\.[mc]?tsx?$/i.test(path)
  const jsx = !/\.[mc]?ts$/i.test(path)
  return {
    sourceType: 'unambiguous',
    attachComment: false,
    errorRecovery: true,
    plugins: [
      ...(typed ? (['typescript'] as const) : []),
      ...(jsx ? (['jsx'] as const) : []),
      'decorators',
    ],
  }
}

/** Functions of the file that assert something: a call of one is an assertion, too. */
function helpersIn(file: ScriptNode): ReadonlySet<string> {
  const found = new Set<string>()
  const look = (node: ScriptNode): boolean => {
    let asserts = scriptAssertion(node, '', new Set()) !== null
    for (const child of scriptChildrenOf(node)) asserts = look(child) || asserts
    const name = nameOfFunction(node)
    if (asserts && name !== null) found.add(name)
    return asserts
  }
  look(file)
  return found
}

function nameOfFunction(node: ScriptNode): string | null {
  if (node.type === 'FunctionDeclaration') return textAt(nodeAt(node, 'id'), 'name')
  const value = node.type === 'VariableDeclarator' ? nodeAt(node, 'init') : null
  return value !== null && isFunction(value) ? textAt(nodeAt(node, 'id'), 'name') : null
}

class ScriptReader {
  readonly tests: TestDraft[] = []
  readonly others: Assertion[] = []
  readonly only: number[] = []
  readonly #text: string
  readonly #helpers: ReadonlySet<string>

  constructor(text: string, helpers: ReadonlySet<string>) {
    this.#text = text
    this.#helpers = helpers
  }

  walk(node: ScriptNode, place: TestPlace): void {
    const call = isCall(node) ? readTestCall(node, this.#text) : null
    if (call !== null) {
      this.#enter(call, place)
      return
    }
    if (isSkipCall(node) && place.test !== null && !place.repeated) place.test.state = 'skipped'
    const assertion = scriptAssertion(node, this.#text, this.#helpers)
    if (assertion !== null) {
      const found = {
        ...assertion,
        repeated: place.repeated,
        ...(place.dead ? { strength: 0 } : {}),
      }
      if (place.test === null) this.others.push(found)
      else place.test.assertions.push(found)
      // Its arguments may hold a function with more of them.
      for (const child of functionsIn(node)) this.walk(child, place)
      return
    }
    this.#walkChildren(node, place)
  }

  #walkChildren(node: ScriptNode, place: TestPlace): void {
    const repeated = place.repeated || isLoop(node)
    let dead = place.dead || isSwallowed(node)
    for (const child of scriptChildrenOf(node)) {
      const inner = isNever(node, child) ? { ...place, dead: true } : { ...place, repeated, dead }
      this.walk(child, inner)
      const isEnd = child.type === 'ReturnStatement' && node.type === 'BlockStatement'
      if (isEnd && place.test !== null) dead = true
    }
  }

  #enter(call: TestCall, place: TestPlace): void {
    if (call.isOnly) this.only.push(call.line)
    const state = call.state === 'runs' ? place.state : call.state
    const rows = call.rows === null || place.rows === null ? null : call.rows * place.rows
    const looped = place.repeated ? null : rows
    if (call.kind === 'suite') {
      const suites = [...place.suites, call.title]
      for (const body of call.bodies) this.walk(body, { ...place, suites, state, rows: looped })
      return
    }
    const name = [...place.suites, call.title].join(' > ')
    const size = call.bodies.reduce((sum, body) => sum + sizeOf(body), 0)
    const { title, line } = call
    const test: TestDraft = { name, title, line, state, rows: looped, assertions: [], size }
    this.tests.push(test)
    const suites = [...place.suites, title]
    const inside: TestPlace = {
      suites,
      state,
      rows: looped,
      test,
      repeated: looped !== 1,
      dead: false,
    }
    for (const body of call.bodies) this.walk(body, inside)
  }
}

function sizeOf(body: ScriptNode): number {
  const block = nodeAt(body, 'body')
  return block?.type === 'BlockStatement' ? nodesAt(block, 'body').length : 1
}

function functionsIn(node: ScriptNode): readonly ScriptNode[] {
  const chain = chainOf(node)
  return (chain?.calls ?? []).flatMap(({ given }) => given.filter(isFunction))
}

function isLoop(node: ScriptNode): boolean {
  if (/^(?:For|While|DoWhile)/.test(node.type)) return true
  const last = isCall(node) ? textAt(nodeAt(nodeAt(node, 'callee'), 'property'), 'name') : null
  return last !== null && /^(?:forEach|map|every|some|assert)$/.test(last)
}

/** `try { … } catch {}`: whatever fails in it is never heard of. */
function isSwallowed(node: ScriptNode): boolean {
  if (node.type !== 'TryStatement') return false
  const handler = nodeAt(node, 'handler')
  return handler !== null && nodesAt(nodeAt(handler, 'body'), 'body').length === 0
}

/** `if (false) …` */
function isNever(node: ScriptNode, child: ScriptNode): boolean {
  if (node.type !== 'IfStatement' || child !== nodeAt(node, 'consequent')) return false
  const test = nodeAt(node, 'test')
  return test?.type === 'BooleanLiteral' && Reflect.get(test, 'value') === false
}

/** `t.skip()`, `this.skip()`, `ctx.todo()`. */
function isSkipCall(node: ScriptNode): boolean {
  const chain =
    node.type === 'ExpressionStatement' ? chainOf(nodeAt(node, 'expression') ?? node) : null
  if (chain === null || chain.calls.length !== 1) return false
  return (
    /^(?:t|this|ctx|context|test|task)$/.test(chain.root) &&
    /^(?:skip|todo)$/.test(normalise(chain.names.join('.')))
  )
}
