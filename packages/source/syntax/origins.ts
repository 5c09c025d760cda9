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
