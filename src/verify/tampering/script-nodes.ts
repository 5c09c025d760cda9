/** A node of a syntax tree of JavaScript or TypeScript, as far as it is looked at here. */
export interface ScriptNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly loc?: { readonly start: { readonly line: number } } | null
}

export function isNode(value: unknown): value is ScriptNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

export function nodeAt(node: ScriptNode | null, key: string): ScriptNode | null {
  const value: unknown = node === null ? null : Reflect.get(node, key)
  return isNode(value) ? value : null
}

export function nodesAt(node: ScriptNode | null, key: string): readonly ScriptNode[] {
  const value: unknown = node === null ? null : Reflect.get(node, key)
  return Array.isArray(value) ? value.filter(isNode) : []
}

export function textAt(node: ScriptNode | null, key: string): string | null {
  const value: unknown = node === null ? null : Reflect.get(node, key)
  return typeof value === 'string' ? value : null
}

const passedOver: ReadonlySet<string> = new Set([
  'loc',
  'extra',
  'typeAnnotation',
  'errors',
  'comments',
])

export function scriptChildrenOf(node: ScriptNode): readonly ScriptNode[] {
  const children: ScriptNode[] = []
  for (const [key, value] of Object.entries(node)) {
    if (passedOver.has(key) || key.endsWith('Comments')) continue
    if (isNode(value)) children.push(value)
    else if (Array.isArray(value)) children.push(...value.filter(isNode))
  }
  return children
}

export const isFunction = (node: ScriptNode): boolean =>
  /^(?:Arrow)?Function(?:Expression|Declaration)$|^ObjectMethod$|^ClassMethod$/.test(node.type)

export const isCall = ({ type }: ScriptNode): boolean => /^(?:Optional)?CallExpression$/.test(type)

export const isMember = ({ type }: ScriptNode): boolean =>
  /^(?:Optional)?MemberExpression$/.test(type)

/** One link of `a.b(c).d`: names from the root on, and the calls made on the way. */
export interface Chain {
  readonly root: string
  readonly names: readonly string[]
  /** Arguments by the index of the name they were given to; -1 is the root. */
  readonly calls: readonly { readonly at: number; readonly given: readonly ScriptNode[] }[]
  /** The template given to the last name, of `it.each` and the like. */
  readonly template: ScriptNode | null
}

/** Longer ones are data. */
const longestChain = 100

/** Takes `expect(a).not.toBe(b)` apart; `null` for what has no name at its root. */
export function chainOf(node: ScriptNode): Chain | null {
  const names: string[] = []
  const calls: { at: number; given: readonly ScriptNode[] }[] = []
  let template: ScriptNode | null = null
  let current: ScriptNode | null = node
  while (current !== null) {
    if (names.length + calls.length > longestChain) return null
    if (isCall(current)) {
      calls.push({ at: names.length, given: nodesAt(current, 'arguments') })
      current = nodeAt(current, 'callee')
    } else if (current.type === 'TaggedTemplateExpression') {
      template = nodeAt(current, 'quasi')
      current = nodeAt(current, 'tag')
    } else if (isMember(current)) {
      const property: ScriptNode | null = nodeAt(current, 'property')
      names.push(textAt(property, 'name') ?? textAt(property, 'value') ?? '')
      current = nodeAt(current, 'object')
    } else if (/^(?:Await|TSNonNull|TSAs|Parenthesized)Expression$/.test(current.type)) {
      current = nodeAt(current, 'argument') ?? nodeAt(current, 'expression')
    } else break
  }
  const root =
    current?.type === 'Identifier'
      ? textAt(current, 'name')
      : current?.type === 'ThisExpression'
        ? 'this'
        : null
  if (root === null) return null
  const count = names.length
  return {
    root,
    names: names.toReversed(),
    calls: calls.map(({ at, given }) => ({ at: count - at - 1, given })).toReversed(),
    template,
  }
}
