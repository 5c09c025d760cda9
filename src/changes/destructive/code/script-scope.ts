import type { Node } from './script-node.ts'

/** What a name stands for where it was declared. */
export type Binding =
  | { readonly kind: 'import'; readonly module: string; readonly name: string }
  /** `keys` lead from the expression's value to this name: `const { a: { b } } = init`. */
  | {
      readonly kind: 'value'
      readonly init: Node
      readonly keys: readonly string[]
      readonly scope: Scope
      isReassigned: boolean
      /** What `+=` adds to a text, in the order of the source. */
      readonly added: ScopedNode[]
    }
  | { readonly kind: 'function'; readonly node: Node }
  | { readonly kind: 'parameter'; readonly of: Node; readonly index: number }
  | { readonly kind: 'opaque' }

export interface Scope {
  readonly parent: Scope | null
  readonly isFunction: boolean
  readonly bindings: Map<string, Binding>
}

/** A node together with the scope it stands in. */
export interface ScopedNode {
  readonly node: Node
  readonly scope: Scope
}

export function lookUp(scope: Scope, name: string): Binding | null {
  for (let at: Scope | null = scope; at !== null; at = at.parent) {
    const found = at.bindings.get(name)
    if (found !== undefined) return found
  }
  return null
}

const skipped = new Set([
  ...['type', 'start', 'end', 'loc', 'range', 'extra', 'comments', 'tokens', 'errors'],
  ...['leadingComments', 'trailingComments', 'innerComments'],
  ...['typeAnnotation', 'typeParameters', 'returnType', 'typeArguments', 'superTypeParameters'],
])

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

function* childrenOf(node: Node): Iterable<Node> {
  for (const [key, value] of Object.entries(node)) {
    if (skipped.has(key)) continue
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) yield item
    } else if (isNode(value)) yield value
  }
}

/** Every node with its scope, in the order of the source. All names are declared before any is yielded. */
export function placeNodes(program: Node): readonly ScopedNode[] {
  const placed: ScopedNode[] = []
  const root: Scope = { parent: null, isFunction: true, bindings: new Map() }
  const stack: ScopedNode[] = [{ node: program, scope: root }]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { node } = next
    const scope = scopeFor(node, next.scope)
    placed.push({ node, scope })
    declare(node, scope, next.scope)
    const children = [...childrenOf(node)].reverse()
    for (const child of children) stack.push({ node: child, scope })
  }
  for (const { node, scope } of placed) markReassigned(node, scope)
  return placed
}

const isFunctionNode = (node: Node): boolean =>
  /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|ObjectMethod|ClassMethod|ClassPrivateMethod)$/.test(
    node.type,
  )

function scopeFor(node: Node, parent: Scope): Scope {
  const isFunction = isFunctionNode(node)
  const isBlock =
    /^(?:BlockStatement|For\w*Statement|CatchClause|SwitchStatement|StaticBlock|TSModuleBlock)$/.test(
      node.type,
    )
  return isFunction || isBlock ? { parent, isFunction, bindings: new Map() } : parent
}

function declare(node: Node, scope: Scope, outer: Scope): void {
  switch (node.type) {
    case 'ImportDeclaration':
      for (const each of node.specifiers) {
        const name =
          each.type === 'ImportSpecifier'
            ? keyName(each.imported)
            : each.type === 'ImportDefaultSpecifier'
              ? 'default'
              : '*'
        scope.bindings.set(each.local.name, { kind: 'import', module: node.source.value, name })
      }
      return
    case 'TSImportEqualsDeclaration':
      if (
        node.moduleReference.type === 'TSExternalModuleReference' &&
        node.moduleReference.expression.type === 'StringLiteral'
      ) {
        const module = node.moduleReference.expression.value
        scope.bindings.set(node.id.name, { kind: 'import', module, name: '*' })
      }
      return
    case 'VariableDeclaration':
      for (const { id, init } of node.declarations) {
        const target = node.kind === 'var' ? functionScope(scope) : scope
        bindPattern(id, target, (keys) =>
          init
            ? { kind: 'value', init, keys, scope, isReassigned: false, added: [] }
            : { kind: 'opaque' },
        )
      }
      return
    case 'ClassDeclaration':
      if (node.id) outer.bindings.set(node.id.name, { kind: 'opaque' })
      return
    case 'CatchClause':
      if (node.param) bindPattern(node.param, scope, () => ({ kind: 'opaque' }))
      return
    default:
      if (isFunctionNode(node)) declareFunction(node, scope, outer)
  }
}

function declareFunction(node: Node, scope: Scope, outer: Scope): void {
  if (!('params' in node) || !Array.isArray(node.params)) return
  if (node.type === 'FunctionDeclaration' && node.id) {
    outer.bindings.set(node.id.name, { kind: 'function', node })
  }
  for (const [index, param] of node.params.entries()) {
    if (!isNode(param)) continue
    const isPlain =
      param.type === 'Identifier' ||
      (param.type === 'AssignmentPattern' && param.left.type === 'Identifier')
    bindPattern(param, scope, () =>
      isPlain ? { kind: 'parameter', of: node, index } : { kind: 'opaque' },
    )
  }
}

function functionScope(scope: Scope): Scope {
  let at = scope
  while (!at.isFunction && at.parent !== null) at = at.parent
  return at
}

/** Binds every name of a pattern, nested ones without recursion. */
function bindPattern(
  pattern: Node,
  scope: Scope,
  make: (keys: readonly string[]) => Binding,
): void {
  const stack: { node: Node; keys: readonly string[] | null }[] = [{ node: pattern, keys: [] }]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { node, keys } = next
    if (node.type === 'Identifier') {
      scope.bindings.set(node.name, keys === null ? { kind: 'opaque' } : make(keys))
    } else if (node.type === 'AssignmentPattern') stack.push({ node: node.left, keys })
    else if (node.type === 'RestElement') stack.push({ node: node.argument, keys: null })
    else if (node.type === 'TSParameterProperty') stack.push({ node: node.parameter, keys: null })
    else if (node.type === 'ObjectPattern') {
      for (const property of node.properties) {
        if (property.type === 'RestElement') stack.push({ node: property.argument, keys: null })
        else if ('value' in property && isNode(property.value)) {
          const key = property.computed ? null : keyName(property.key)
          stack.push({ node: property.value, keys: keys && key !== null ? [...keys, key] : null })
        }
      }
    } else if (node.type === 'ArrayPattern') {
      for (const element of node.elements) if (element) stack.push({ node: element, keys: null })
    }
  }
}

/** The name a key is written as; empty for a computed one. */
export function keyName(key: Node): string {
  if (key.type === 'Identifier') return key.name
  return key.type === 'StringLiteral' ? key.value : ''
}

function markReassigned(node: Node, scope: Scope): void {
  const target =
    node.type === 'AssignmentExpression'
      ? node.left
      : node.type === 'UpdateExpression'
        ? node.argument
        : null
  if (target?.type !== 'Identifier') return
  const binding = lookUp(scope, target.name)
  if (binding?.kind !== 'value') return
  const isAddition = node.type === 'AssignmentExpression' && node.operator === '+='
  if (isAddition && binding.added.length < 50) binding.added.push({ node: node.right, scope })
  else binding.isReassigned = true
}
