import { UNKNOWN } from '../finding.ts'
import type { Node } from './script-node.ts'
import { keyName, lookUp, type Scope } from './script-scope.ts'
import { isEntries, isList, MAX_TEXT, type Value, valueText } from './value.ts'

/** Expressions that are looked at to find one value; a command is put together of far fewer. */
const MOST_STEPS = 3_000
/** And for all values of one file. */
const MOST_STEPS_OF_FILE = 3_000_000

export type ValueOf = (node: Node, scope: Scope) => Value

/** Tells the values of a file's expressions, as far as the file alone tells them. Gives up on monsters. */
export function createValues(): ValueOf {
  const evaluator = new Evaluator()
  return (node, scope) => evaluator.start(node, scope)
}

type Inner = (next: Node) => Value
type OfType<Type extends Node['type']> = Extract<Node, { type: Type }>

class Evaluator {
  #total = 0
  #steps = 0

  start(node: Node, scope: Scope): Value {
    this.#steps = 0
    return this.#evaluate(node, scope, 0)
  }

  #evaluate(at: Node, scope: Scope, depth: number): Value {
    this.#steps += 1
    this.#total += 1
    if (this.#steps > MOST_STEPS || depth > 100 || this.#total > MOST_STEPS_OF_FILE)
      return undefined
    const inner: Inner = (next) => this.#evaluate(next, scope, depth + 1)
    switch (at.type) {
      case 'StringLiteral':
      case 'NumericLiteral':
      case 'BooleanLiteral':
        return at.value
      case 'NullLiteral':
        return null
      case 'TemplateLiteral':
        return filledIn(at, inner)
      case 'TaggedTemplateExpression':
        return inner(at.quasi)
      case 'BinaryExpression':
        return added(at, inner)
      case 'LogicalExpression':
        // A default: what runs unless something else was given.
        return at.operator === '&&' ? inner(at.right) : (inner(at.left) ?? inner(at.right))
      case 'Identifier':
        return this.#named(at.name, scope, depth)
      case 'ArrayExpression':
        return listed(at, inner)
      case 'ObjectExpression':
        return entriesOf(at, inner)
      case 'MemberExpression':
      case 'OptionalMemberExpression':
        return member(at, inner)
      case 'CallExpression':
        return called(at, inner)
      case 'ParenthesizedExpression':
      case 'TSAsExpression':
      case 'TSNonNullExpression':
      case 'TSSatisfiesExpression':
      case 'TSTypeAssertion':
        return inner(at.expression)
      case 'AwaitExpression':
        return inner(at.argument)
      default:
        return undefined
    }
  }

  #named(name: string, scope: Scope, depth: number): Value {
    const binding = lookUp(scope, name)
    if (name === 'undefined' && binding === null) return null
    if (binding?.kind !== 'value' || binding.isReassigned) return undefined
    const first = this.#evaluate(binding.init, binding.scope, depth + 1)
    const more = binding.added.map((each) =>
      valueText(this.#evaluate(each.node, each.scope, depth + 1)),
    )
    const value =
      more.length === 0 ? first : [valueText(first), ...more].join('').slice(0, MAX_TEXT)
    return binding.keys.reduce<Value>(
      (held, key) => (isEntries(held) ? held.get(key) : undefined),
      value,
    )
  }
}

function filledIn(at: OfType<'TemplateLiteral'>, inner: Inner): string {
  const pieces = at.quasis.map(({ value }, index) => {
    const expression = at.expressions[index]
    return (value.cooked ?? value.raw) + (expression ? valueText(inner(expression as Node)) : '')
  })
  return pieces.join('').slice(0, MAX_TEXT)
}

function added(at: OfType<'BinaryExpression'>, inner: Inner): Value {
  if (at.operator !== '+') return undefined
  const left = inner(at.left)
  const right = inner(at.right)
  if (typeof left === 'number' && typeof right === 'number') return left + right
  const isText = typeof left === 'string' || typeof right === 'string'
  return isText || hasText(at.left) || hasText(at.right)
    ? (valueText(left) + valueText(right)).slice(0, MAX_TEXT)
    : undefined
}

function listed(at: OfType<'ArrayExpression'>, inner: Inner): readonly Value[] {
  return at.elements.slice(0, 500).map((element) => {
    if (element === null) return undefined
    if (element.type !== 'SpreadElement') return inner(element)
    const value = inner(element.argument)
    return isList(value) ? value : [undefined]
  })
}

function member(at: OfType<'MemberExpression' | 'OptionalMemberExpression'>, inner: Inner): Value {
  const holder = inner(at.object)
  if (isEntries(holder)) {
    const key = at.computed ? inner(at.property) : keyName(at.property as Node)
    return typeof key === 'string' ? holder.get(key) : undefined
  }
  const index = at.computed && isList(holder) ? inner(at.property) : undefined
  return isList(holder) && typeof index === 'number' ? holder[index] : undefined
}

/** An addition with a text in it is a text, though the rest is not known. */
function hasText(node: Node): boolean {
  let at = node
  while (at.type === 'BinaryExpression' && at.operator === '+') {
    if (at.right.type === 'StringLiteral' || at.right.type === 'TemplateLiteral') return true
    at = at.left as Node
  }
  return at.type === 'StringLiteral' || at.type === 'TemplateLiteral'
}

function entriesOf(
  node: Extract<Node, { type: 'ObjectExpression' }>,
  inner: (next: Node) => Value,
): ReadonlyMap<string, Value> {
  const entries = new Map<string, Value>()
  for (const property of node.properties.slice(0, 500)) {
    if (property.type === 'ObjectProperty' && !property.computed) {
      entries.set(keyName(property.key), inner(property.value as Node))
    } else if (property.type === 'SpreadElement') {
      const value = inner(property.argument)
      if (isEntries(value)) for (const [key, held] of value) entries.set(key, held)
      // What is spread may bring any key.
      else entries.set('...', undefined)
    } else if (property.type === 'ObjectMethod') entries.set(keyName(property.key), undefined)
  }
  return entries
}

/** Texts put together by methods: `['rm', '-rf'].join(' ')`, `'rm'.concat(' -rf')`, `String.raw`. */
function called(
  node: Extract<Node, { type: 'CallExpression' }>,
  inner: (next: Node) => Value,
): Value {
  const { callee } = node
  if (callee.type !== 'MemberExpression' || callee.computed) return undefined
  const name = keyName(callee.property as Node)
  const [first] = node.arguments
  const argument = () => (first ? inner(first as Node) : undefined)
  const holder =
    /^(?:join|concat|trim|trimEnd|trimStart|toString|split|replace|replaceAll|filter|flat|freeze|repeat)$/.test(
      name,
    )
      ? inner(callee.object)
      : undefined
  if (name === 'freeze') return argument()
  if (isList(holder)) {
    const items = holder.flatMap((item) => (isList(item) ? item : [item]))
    if (name === 'join') {
      const by = first ? argument() : ','
      return items
        .map(valueText)
        .join(typeof by === 'string' ? by : UNKNOWN)
        .slice(0, MAX_TEXT)
    }
    if (name === 'filter' || name === 'flat') return items
    if (name === 'concat')
      return [...items, ...node.arguments.flatMap((each) => inner(each as Node))].slice(0, 1000)
    return undefined
  }
  if (typeof holder !== 'string') return undefined
  if (name === 'concat')
    return (holder + node.arguments.map((each) => valueText(inner(each as Node))).join('')).slice(
      0,
      MAX_TEXT,
    )
  if (name === 'trim' || name === 'trimEnd' || name === 'trimStart') return holder.trim()
  if (name === 'toString') return holder
  if (name === 'split') {
    const by = argument()
    return typeof by === 'string' ? holder.split(by).slice(0, 1000) : undefined
  }
  // What is replaced is not known: the text around it is.
  return name === 'replace' || name === 'replaceAll' ? holder : undefined
}
