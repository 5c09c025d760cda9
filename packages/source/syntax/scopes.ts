import {
  childNodes,
  cookedOf,
  innerOf,
  isFunction,
  isMember,
  keyName,
  memberName,
  nodeAt,
  nodesAt,
  type SyntaxNode,
  textAt,
} from './syntax-node.ts'

/** What a name means where it is declared; `id` is the name there. */
type Binding =
  /** `name` is `*` for the module as a whole. */
  | { readonly kind: 'import'; readonly module: string; readonly name: string }
  | {
      readonly kind: 'value'
      readonly id: SyntaxNode
      readonly init: SyntaxNode
      /** The path from the expression's value to this name: `const { a: { b } } = init`. */
      readonly keys: readonly string[]
      readonly scope: LexicalScope
      isReassigned: boolean
      /** The texts that `+=` appends, in the order of the source. */
      readonly added: ScopedNode[]
    }
  | { readonly kind: 'function'; readonly id: SyntaxNode; readonly node: SyntaxNode }
  | {
      readonly kind: 'parameter'
      readonly id: SyntaxNode
      readonly of: SyntaxNode
      readonly index: number
    }
  /** An element of what a loop iterates over. */
  | { readonly kind: 'item'; readonly id: SyntaxNode; readonly source: SyntaxNode }
  | { readonly kind: 'opaque'; readonly id: SyntaxNode }

export interface LexicalScope {
  readonly parent: LexicalScope | null
  readonly isFunction: boolean
  readonly bindings: Map<string, Binding>
}

export interface ScopedNode {
  readonly node: SyntaxNode
  readonly scope: LexicalScope
}

const MOST_ADDED = 50

export function lookUp(scope: LexicalScope, name: string): Binding | null {
  for (let at: LexicalScope | null = scope; at !== null; at = at.parent) {
    const found = at.bindings.get(name)
    if (found !== undefined) return found
  }
  return null
}

/** Lists every node with its scope, in the order of the source, after declaring all names. */
export function placeNodes(program: SyntaxNode): readonly ScopedNode[] {
  const placed: ScopedNode[] = []
  const root: LexicalScope = { parent: null, isFunction: true, bindings: new Map() }
  const stack: ScopedNode[] = [{ node: program, scope: root }]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { node } = next
    const scope = scopeFor(node, next.scope)
    placed.push({ node, scope })
    declare(node, scope, next.scope)
    for (const child of childNodes(node).toReversed()) stack.push({ node: child, scope })
  }
  for (const each of placed) markReassigned(each)
  return placed
}

function scopeFor(node: SyntaxNode, parent: LexicalScope): LexicalScope {
  const isOwn = isFunction(node)
  const isBlock =
    /^(?:BlockStatement|For\w*Statement|CatchClause|SwitchStatement|StaticBlock|TSModuleBlock)$/.test(
      node.type,
    )
  return isOwn || isBlock ? { parent, isFunction: isOwn, bindings: new Map() } : parent
}

function functionScope(scope: LexicalScope): LexicalScope {
  let at = scope
  while (!at.isFunction && at.parent !== null) at = at.parent
  return at
}

/** A second value makes a name unknown; but an import may have a substitute in case it fails. */
function bind({ bindings }: LexicalScope, name: string, binding: Binding): void {
  const known = bindings.get(name)
  if (known?.kind === 'import') return
  if (known?.kind === 'value' && binding.kind === 'value') known.isReassigned = true
  else bindings.set(name, binding)
}

function declare(node: SyntaxNode, scope: LexicalScope, outer: LexicalScope): void {
  const id = nodeAt(node, 'id')
  switch (node.type) {
    case 'ImportDeclaration':
      for (const each of nodesAt(node, 'specifiers')) {
        const isDefault = each.type === 'ImportDefaultSpecifier'
        const named = each.type === 'ImportSpecifier' ? keyName(nodeAt(each, 'imported')) : '*'
        const module = textAt(nodeAt(node, 'source'), 'value') ?? ''
        const name = isDefault ? 'default' : named
        bind(functionScope(scope), keyName(nodeAt(each, 'local')), { kind: 'import', module, name })
      }
      return
    case 'TSImportEqualsDeclaration': {
      const module = textAt(nodeAt(nodeAt(node, 'moduleReference'), 'expression'), 'value')
      if (module !== null) bind(scope, keyName(id), { kind: 'import', module, name: '*' })
      return
    }
    case 'VariableDeclaration':
      declareVariables(node, scope)
      return
    case 'ForOfStatement': {
      const [left, source] = [nodeAt(node, 'left'), nodeAt(node, 'right')]
      if (!left || !source || left.type === 'VariableDeclaration') return
      bindPattern(left, functionScope(scope), (id) => ({ kind: 'item', id, source }))
      return
    }
    case 'ClassDeclaration':
      if (id) bind(outer, keyName(id), { kind: 'opaque', id })
      return
    case 'CatchClause':
      bindPattern(nodeAt(node, 'param'), scope, (id) => ({ kind: 'opaque', id }))
      return
    default:
      if (!isFunction(node)) return
      if (node.type === 'FunctionDeclaration' && id)
        bind(outer, keyName(id), { kind: 'function', id, node })
      for (const [index, param] of nodesAt(node, 'params').entries()) {
        const plain = param.type === 'AssignmentPattern' ? nodeAt(param, 'left') : param
        const isPlain = plain?.type === 'Identifier'
        bindPattern(param, scope, (id) =>
          isPlain ? { kind: 'parameter', id, of: node, index } : { kind: 'opaque', id },
        )
      }
  }
}

function declareVariables(node: SyntaxNode, scope: LexicalScope): void {
  const target = textAt(node, 'kind') === 'var' ? functionScope(scope) : scope
  for (const declarator of nodesAt(node, 'declarations')) {
    const init = nodeAt(declarator, 'init')
    bindPattern(nodeAt(declarator, 'id'), target, (id, keys) =>
      init && keys
        ? { kind: 'value', id, init, keys, scope, isReassigned: false, added: [] }
        : { kind: 'opaque', id },
    )
  }
}

/** Binds every name of a pattern, without recursion; `keys` is `null` where none lead to it. */
function bindPattern(
  pattern: SyntaxNode | null,
  scope: LexicalScope,
  make: (id: SyntaxNode, keys: readonly string[] | null) => Binding,
): void {
  const stack: { node: SyntaxNode | null; keys: readonly string[] | null }[] = [
    { node: pattern, keys: [] },
  ]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { node, keys } = next
    if (node?.type === 'Identifier') {
      bind(scope, keyName(node), keys === null ? { kind: 'opaque', id: node } : make(node, keys))
    } else if (node?.type === 'AssignmentPattern') stack.push({ node: nodeAt(node, 'left'), keys })
    else if (node?.type === 'ObjectPattern') {
      for (const property of nodesAt(node, 'properties')) {
        const key =
          Reflect.get(property, 'computed') === true ? '' : keyName(nodeAt(property, 'key'))
        const value = nodeAt(property, 'value') ?? nodeAt(property, 'argument')
        stack.push({ node: value, keys: keys && key !== '' ? [...keys, key] : null })
      }
    } else if (node?.type === 'RestElement' || node?.type === 'TSParameterProperty')
      stack.push({ node: nodeAt(node, 'argument') ?? nodeAt(node, 'parameter'), keys: null })
    else if (node?.type === 'ArrayPattern')
      for (const element of nodesAt(node, 'elements')) stack.push({ node: element, keys: null })
  }
}

function markReassigned({ node, scope }: ScopedNode): void {
  const isUpdate = node.type === 'UpdateExpression'
  if (!isUpdate && node.type !== 'AssignmentExpression') return
  const target = nodeAt(node, isUpdate ? 'argument' : 'left')
  const binding = target?.type === 'Identifier' ? lookUp(scope, keyName(target)) : null
  if (binding?.kind !== 'value') return
  const added = textAt(node, 'operator') === '+=' ? nodeAt(node, 'right') : null
  if (added && binding.added.length < MOST_ADDED) binding.added.push({ node: added, scope })
  else binding.isReassigned = true
}

/**
 * Where a callee comes from. `module` is that of an import, without `node:`; empty for a global,
 * and `null` for a name of this file that leads to no module.
 */
export interface CalleeOrigin {
  readonly module: string | null
  readonly path: readonly string[]
}

const MAX_STEPS = 30
const unknown: CalleeOrigin = { module: null, path: [] }
const loaders = /^(?:require|__import__|import_module)$/
/** These return their argument, or a function that does the same. */
const keepers = /^(?:promisify|pify|bind|__importStar|__importDefault|__toESM)$/
/** Called with options, these return themselves. */
const configured = /^(?:execa|zx|dax)$/

/** Follows imports, `require`, destructuring, aliases and member access; `promisify(f)` is `f`. */
export function calleeOrigin(
  node: SyntaxNode | null,
  scope: LexicalScope,
  steps = 0,
): CalleeOrigin {
  if (node === null || steps > MAX_STEPS) return unknown
  const follow = (next: SyntaxNode | null | undefined) =>
    calleeOrigin(next ?? null, scope, steps + 1)
  if (isMember(node)) return memberOf(follow(nodeAt(node, 'object')), memberName(node))
  switch (node.type) {
    case 'Identifier':
      return originOfName(keyName(node), scope, steps)
    case 'SequenceExpression':
      return follow(nodesAt(node, 'expressions').at(-1))
    case 'LogicalExpression':
      return follow(nodeAt(node, 'left'))
    case 'ThisExpression':
      return { module: null, path: ['this'] }
    case 'ImportExpression':
      return ofModule(nodeAt(node, 'source'))
    case 'CallExpression':
      return originOfCall(node, follow)
    default:
      return follow(innerOf(node))
  }
}

function memberOf({ module, path }: CalleeOrigin, name: string): CalleeOrigin {
  if (name === '') return unknown
  return { module, path: name === 'default' ? path : [...path, name] }
}

function originOfName(name: string, scope: LexicalScope, steps: number): CalleeOrigin {
  const binding = lookUp(scope, name)
  if (binding === null) return { module: '', path: [name] }
  if (binding.kind === 'import') {
    const isWhole = binding.name === '*' || binding.name === 'default'
    return { module: plainModule(binding.module), path: isWhole ? [] : [binding.name] }
  }
  const own = { module: null, path: [name] }
  if (binding.kind !== 'value' || binding.isReassigned || binding.added.length > 0) return own
  const origin = calleeOrigin(binding.init, binding.scope, steps + 1)
  return origin.module === null ? own : binding.keys.reduce(memberOf, origin)
}

function originOfCall(
  node: SyntaxNode,
  follow: (next: SyntaxNode | null | undefined) => CalleeOrigin,
): CalleeOrigin {
  const [first, second] = nodesAt(node, 'arguments')
  const callee = nodeAt(node, 'callee')
  if (first === undefined || callee === null) return unknown
  const name = isMember(callee) ? memberName(callee) : keyName(callee)
  if (callee.type === 'Import' || loaders.test(name)) return ofModule(first)
  if (keepers.test(name)) return follow(first)
  if (name === 'getattr') return memberOf(follow(first), textAt(second, 'value') ?? '')
  const made = first.type === 'ObjectExpression' ? follow(callee) : unknown
  return configured.test(made.module ?? '') ? made : unknown
}

function ofModule(source: SyntaxNode | null): CalleeOrigin {
  const [only, ...more] = nodesAt(source, 'quasis')
  const written = only && more.length === 0 ? cookedOf(only) : textAt(source, 'value')
  return written === null ? unknown : { module: plainModule(written), path: [] }
}

const plainModule = (module: string): string => module.replace(/^(?:node:|npm:|jsr:)/, '') || '?'
