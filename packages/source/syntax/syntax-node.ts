/**
 * A node of a syntax tree: Babel's types and fields, for Python too. Fields are read by name; a
 * node of another type lacks them.
 */
export interface SyntaxNode {
  readonly type: string
  /** Offsets into the text, the end exclusive. */
  readonly start: number
  readonly end: number
  /** Lines from 1. */
  readonly loc?: { readonly start: { readonly line: number } } | null
}

export const lineOf = (node: SyntaxNode): number => node.loc?.start.line ?? 0

export interface Syntax {
  /** The whole program, as far as it could be parsed; `null` when the parser gave up. */
  readonly tree: SyntaxNode | null
  /** The first mistake; a `RangeError` when the text is nested too deeply to be parsed. */
  readonly error: Error | null
}

export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

const fieldOf = (node: SyntaxNode | null | undefined, field: string): unknown =>
  node == null ? null : Reflect.get(node, field)

export function nodeAt(node: SyntaxNode | null | undefined, field: string): SyntaxNode | null {
  const value = fieldOf(node, field)
  return isNode(value) ? value : null
}

export function nodesAt(node: SyntaxNode | null | undefined, field: string): readonly SyntaxNode[] {
  const value = fieldOf(node, field)
  return Array.isArray(value) ? value.filter(isNode) : []
}

export function textAt(node: SyntaxNode | null | undefined, field: string): string | null {
  const value = fieldOf(node, field)
  return typeof value === 'string' ? value : null
}

/** Fields without code of their own: places, comments, types. */
const passedOver: ReadonlySet<string> = new Set([
  ...['loc', 'extra', 'errors', 'comments', 'tokens'],
  ...['leadingComments', 'trailingComments', 'innerComments'],
  ...['typeAnnotation', 'typeParameters', 'returnType', 'typeArguments', 'superTypeParameters'],
])

/** In the order of the source. */
export function childNodes(node: SyntaxNode): readonly SyntaxNode[] {
  const children: SyntaxNode[] = []
  for (const [field, value] of Object.entries(node)) {
    if (passedOver.has(field)) continue
    for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) children.push(each)
  }
  return children
}

/** Yields a node and those below it, in source order and without recursion; not below some. */
export function* descendants(
  root: SyntaxNode,
  opens: (node: SyntaxNode) => boolean = () => true,
): Generator<SyntaxNode> {
  const open: SyntaxNode[] = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node
    if (!opens(node)) continue
    for (const child of childNodes(node).toReversed()) open.push(child)
  }
}

export const isFunction = ({ type }: SyntaxNode): boolean =>
  /^(?:(?:Arrow)?Function(?:Expression|Declaration)|(?:Object|Class|ClassPrivate)Method)$/.test(
    type,
  )

export const isCall = ({ type }: SyntaxNode): boolean => /^(?:Optional)?CallExpression$/.test(type)

export const isMember = ({ type }: SyntaxNode): boolean =>
  /^(?:Optional)?MemberExpression$/.test(type)

/** A name, or the text of a literal that is used as a key or property. */
export const keyName = (node: SyntaxNode | null): string =>
  textAt(node, 'name') ?? textAt(node, 'value') ?? ''

/** The name after the dot, or a literal in brackets; empty for a computed one. */
export function memberName(node: SyntaxNode): string {
  const property = nodeAt(node, 'property')
  const isWritten = fieldOf(node, 'computed') !== true || property?.type === 'StringLiteral'
  return isWritten ? keyName(property) : ''
}

export function cookedOf(quasi: SyntaxNode): string {
  const { cooked, raw } = Object(fieldOf(quasi, 'value'))
  return String(cooked ?? raw ?? '')
}

/** The expression inside brackets, `await` or a type assertion. */
export const innerOf = (node: SyntaxNode): SyntaxNode | null =>
  /^(?:Await|Parenthesized|TSNonNull|TSAs|TSSatisfies|TSType)(?:Expression|Assertion)$/.test(
    node.type,
  )
    ? (nodeAt(node, 'argument') ?? nodeAt(node, 'expression'))
    : null

/** A chain such as `a.b(c).d`: names from the root on, and the calls along it. */
export interface Chain {
  readonly root: string
  readonly names: readonly string[]
  /** Arguments, by the index of the called name; -1 is the root. */
  readonly calls: readonly { readonly at: number; readonly given: readonly SyntaxNode[] }[]
  /** The template given to the last name, as for `it.each`. */
  readonly template: SyntaxNode | null
}

/** Longer ones are data. */
const longestChain = 100

/** Splits up `expect(a).not.toBe(b)`; `null` without a name at its root. */
export function chainOf(node: SyntaxNode): Chain | null {
  const names: string[] = []
  const calls: { at: number; given: readonly SyntaxNode[] }[] = []
  let template: SyntaxNode | null = null
  let current: SyntaxNode | null = node
  while (current !== null) {
    if (names.length + calls.length > longestChain) return null
    if (isCall(current)) {
      calls.push({ at: names.length, given: nodesAt(current, 'arguments') })
      current = nodeAt(current, 'callee')
    } else if (current.type === 'TaggedTemplateExpression') {
      template = nodeAt(current, 'quasi')
      current = nodeAt(current, 'tag')
    } else if (isMember(current)) {
      names.push(keyName(nodeAt(current, 'property')))
      current = nodeAt(current, 'object')
    } else {
      const inner = innerOf(current)
      if (inner === null) break
      current = inner
    }
  }
  const root = current?.type === 'ThisExpression' ? 'this' : textAt(current, 'name')
  if (root === null || (current?.type !== 'Identifier' && root !== 'this')) return null
  const count = names.length
  return {
    root,
    names: names.toReversed(),
    calls: calls.map(({ at, given }) => ({ at: count - at - 1, given })).toReversed(),
    template,
  }
}
