import { type LexicalScope, lookUp } from './scopes.ts'
import {
  cookedOf,
  innerOf,
  isMember,
  keyName,
  memberName,
  nodeAt,
  nodesAt,
  type SyntaxNode,
  textAt,
} from './syntax-node.ts'
import { isEntries, isList, MAX_TEXT, UNKNOWN, type Value, valueText } from './value.ts'

/** The most expressions to visit for one value; real commands consist of far fewer. */
const MOST_STEPS = 3_000
/** The most for all values of one file. */
const MOST_STEPS_OF_FILE = 3_000_000
const MOST_ITEMS = 500
const DEEPEST = 100

export type ValueOf = (node: SyntaxNode | null | undefined, scope: LexicalScope) => Value
type Inner = (next: SyntaxNode | null | undefined) => Value

/** Finds values of a file's expressions, as far as the file shows them; gives up on huge ones. */
export function createValues(): ValueOf {
  let total = 0
  let steps = 0
  return (node, scope) => {
    steps = 0
    return evaluate(node, scope, 0)
  }

  function evaluate(
    node: SyntaxNode | null | undefined,
    scope: LexicalScope,
    depth: number,
  ): Value {
    steps += 1
    total += 1
    const isTooMuch = steps > MOST_STEPS || depth > DEEPEST || total > MOST_STEPS_OF_FILE
    if (!node || isTooMuch) return undefined
    const inner: Inner = (next) => evaluate(next, scope, depth + 1)
    return node.type === 'Identifier'
      ? named(keyName(node), scope, depth + 1)
      : valueOfExpression(node, inner)
  }

  function named(name: string, scope: LexicalScope, depth: number): Value {
    const binding = lookUp(scope, name)
    if (name === 'undefined' && binding === null) return null
    if (binding?.kind !== 'value' || binding.isReassigned) return undefined
    const first = evaluate(binding.init, binding.scope, depth)
    const more = binding.added.map((each) => evaluate(each.node, each.scope, depth))
    return binding.keys.reduce<Value>(
      (held, key) => (isEntries(held) ? held.get(key) : undefined),
      more.length === 0 ? first : joined([first, ...more]),
    )
  }
}

const joined = (values: readonly Value[], between = ''): string =>
  values.map(valueText).join(between).slice(0, MAX_TEXT)

function valueOfExpression(node: SyntaxNode, inner: Inner): Value {
  switch (node.type) {
    case 'StringLiteral':
    case 'NumericLiteral':
    case 'BooleanLiteral':
      return literalOf(Reflect.get(node, 'value'))
    case 'NullLiteral':
      return null
    case 'TemplateLiteral': {
      const holes = nodesAt(node, 'expressions')
      const pieces = nodesAt(node, 'quasis').flatMap((quasi, index) => [
        cookedOf(quasi),
        holes[index] ? inner(holes[index]) : '',
      ])
      return joined(pieces)
    }
    case 'TaggedTemplateExpression':
      return inner(nodeAt(node, 'quasi'))
    case 'BinaryExpression':
      return combined(node, inner)
    case 'LogicalExpression': {
      // A default value: it applies unless something else is given.
      const [left, right] = [nodeAt(node, 'left'), nodeAt(node, 'right')]
      return textAt(node, 'operator') === '&&' ? inner(right) : (inner(left) ?? inner(right))
    }
    case 'ArrayExpression':
      return nodesAt(node, 'elements')
        .slice(0, MOST_ITEMS)
        .map((each) => (each.type === 'SpreadElement' ? spread(each, inner) : inner(each)))
    case 'ObjectExpression':
      return entriesOf(node, inner)
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return member(node, inner)
    case 'CallExpression':
      return called(node, inner)
    default:
      return inner(innerOf(node))
  }
}

const literalOf = (value: unknown): Value =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : undefined

function spread(node: SyntaxNode, inner: Inner): readonly Value[] {
  const value = inner(nodeAt(node, 'argument'))
  return isList(value) ? value : [undefined]
}

function combined(node: SyntaxNode, inner: Inner): Value {
  const operator = textAt(node, 'operator')
  // A path joined in Python.
  if (operator === '/') return UNKNOWN
  const left = inner(nodeAt(node, 'left'))
  if (operator === '%' && typeof left === 'string')
    return left.replace(/%(?:\(\w+\))?[-\d.]*[a-z]/g, UNKNOWN)
  if (operator !== '+') return undefined
  const right = inner(nodeAt(node, 'right'))
  if (typeof left === 'number' && typeof right === 'number') return left + right
  const isText = [left, right].some((value) => typeof value === 'string')
  if (isText || hasText(node)) return joined([left, right])
  const items = [left, right].flatMap((value) => (isList(value) ? value : [undefined]))
  return isList(left) || isList(right) ? items.slice(0, MOST_ITEMS * 2) : undefined
}

/** An addition with a text in it is a text, even when the rest is unknown. */
function hasText(node: SyntaxNode): boolean {
  const isText = (at: SyntaxNode | null) => /^(?:String|Template)Literal$/.test(at?.type ?? '')
  let at: SyntaxNode | null = node
  while (at?.type === 'BinaryExpression' && textAt(at, 'operator') === '+') {
    if (isText(nodeAt(at, 'right'))) return true
    at = nodeAt(at, 'left')
  }
  return isText(at)
}

function member(node: SyntaxNode, inner: Inner): Value {
  const holder = inner(nodeAt(node, 'object'))
  if (!isEntries(holder) && !isList(holder)) return undefined
  const isComputed = Reflect.get(node, 'computed') === true
  const key = isComputed ? inner(nodeAt(node, 'property')) : memberName(node)
  if (isEntries(holder)) return typeof key === 'string' ? holder.get(key) : undefined
  return typeof key === 'number' ? holder[key] : undefined
}

/** The key `...` stands for spread and computed entries, which may have any key. */
function entriesOf(node: SyntaxNode, inner: Inner): ReadonlyMap<string, Value> {
  const entries = new Map<string, Value>()
  for (const property of nodesAt(node, 'properties').slice(0, MOST_ITEMS)) {
    const isNamed = Reflect.get(property, 'computed') !== true
    const value = inner(nodeAt(property, 'value') ?? nodeAt(property, 'argument'))
    const isSpread = property.type === 'SpreadElement'
    if (isSpread && isEntries(value)) for (const [key, held] of value) entries.set(key, held)
    else entries.set(isNamed && !isSpread ? keyName(nodeAt(property, 'key')) : '...', value)
  }
  return entries
}

/** Functions that return their argument, as far as a command is concerned. */
const passThrough = /^(?:freeze|text|dedent|str|SQL|Path|list|tuple|sql)$/
const ofTexts =
  /^(?:join|concat|format|split|filter|flat|replace|replaceAll|toString|encode|decode|trim|trimEnd|trimStart|strip|rstrip|lstrip)$/

/** Reads texts that calls build: `['rm'].join(' ')`, `' '.join(words)`, `'rm'.concat(' -rf')`. */
function called(node: SyntaxNode, inner: Inner): Value {
  const callee = nodeAt(node, 'callee')
  if (callee === null) return undefined
  const name = isMember(callee) ? memberName(callee) : keyName(callee)
  const [first, ...more] = nodesAt(node, 'arguments')
  const argument = () => (first?.type === 'KeywordArgument' ? undefined : inner(first))
  if (passThrough.test(name)) return argument()
  if (!isMember(callee) || !ofTexts.test(name)) return undefined
  const object = nodeAt(callee, 'object')
  if (name === 'split' && keyName(object) === 'shlex') return wordsOf(argument())
  const held = inner(object)
  if (typeof held === 'string')
    return ofText(name, held, first ? [argument(), ...more.map(inner)] : [])
  if (!isList(held)) return undefined
  const items = held.flatMap((item) => (isList(item) ? item : [item]))
  const by = first ? argument() : ','
  if (name === 'join') return joined(items, typeof by === 'string' ? by : UNKNOWN)
  if (name === 'filter' || name === 'flat') return items
  return name === 'concat' && first
    ? [...items, ...[argument(), ...more.map(inner)].flat()].slice(0, MOST_ITEMS * 2)
    : undefined
}

const wordsOf = (text: Value): Value =>
  typeof text === 'string' ? text.split(/\s+/).filter((word) => word !== '') : undefined

function ofText(name: string, held: string, args: readonly Value[]): Value {
  const [first] = args
  switch (name) {
    case 'concat':
      return joined([held, ...args])
    case 'format':
      return held.replace(/\{[^{}]*\}/g, UNKNOWN)
    case 'join':
      return isList(first) ? joined(first, held) : undefined
    case 'split':
      if (args.length === 0) return wordsOf(held)
      return typeof first === 'string' ? held.split(first).slice(0, MOST_ITEMS * 2) : undefined
    case 'trim':
    case 'trimEnd':
    case 'trimStart':
    case 'strip':
    case 'rstrip':
    case 'lstrip':
      return held.trim()
    case 'filter':
    case 'flat':
      return undefined
    default:
      // The replaced part is unknown; the text around it is not.
      return held
  }
}
