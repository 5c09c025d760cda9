import type { Node } from './script-node.ts'
import { keyName, lookUp, type Scope } from './script-scope.ts'

/**
 * Where a callee comes from. `module` is that of an import without `node:`; empty for a global. A name
 * of this file that leads to no module has `module: null`.
 */
export interface CalleeOrigin {
  readonly module: string | null
  readonly path: readonly string[]
}

const MAX_STEPS = 30

/** Follows imports, `require`, destructuring, aliases and member access; `promisify(f)` is `f`. */
export function scriptOriginOf(node: Node, scope: Scope, steps = 0): CalleeOrigin {
  const unknown: CalleeOrigin = { module: null, path: [] }
  if (steps > MAX_STEPS) return unknown
  switch (node.type) {
    case 'Identifier':
      return originOfName(node.name, scope, steps)
    case 'MemberExpression':
    case 'OptionalMemberExpression': {
      const key = memberName(node)
      if (key === '') return unknown
      const { module, path } = scriptOriginOf(node.object, scope, steps + 1)
      return { module, path: key === 'default' ? path : [...path, key] }
    }
    case 'AwaitExpression':
      return scriptOriginOf(node.argument, scope, steps + 1)
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'TSSatisfiesExpression':
    case 'TSTypeAssertion':
      return scriptOriginOf(node.expression, scope, steps + 1)
    case 'SequenceExpression': {
      const last = node.expressions.at(-1)
      return last ? scriptOriginOf(last, scope, steps + 1) : unknown
    }
    case 'LogicalExpression':
      return scriptOriginOf(node.left, scope, steps + 1)
    case 'ThisExpression':
      return { module: null, path: ['this'] }
    case 'ImportExpression':
      return ofModule(node.source) ?? unknown
    case 'CallExpression':
      return originOfCall(node, scope, steps)
    default:
      return unknown
  }
}

function originOfName(name: string, scope: Scope, steps: number): CalleeOrigin {
  const binding = lookUp(scope, name)
  if (binding === null) return { module: '', path: [name] }
  if (binding.kind === 'import') {
    const path = binding.name === '*' || binding.name === 'default' ? [] : [binding.name]
    return { module: plainModule(binding.module), path }
  }
  if (binding.kind !== 'value' || binding.isReassigned) return { module: null, path: [name] }
  const { module, path } = scriptOriginOf(binding.init, binding.scope, steps + 1)
  const keys = binding.keys.filter((key) => key !== 'default')
  return module === null ? { module: null, path: [name] } : { module, path: [...path, ...keys] }
}

function originOfCall(
  node: Extract<Node, { type: 'CallExpression' }>,
  scope: Scope,
  steps: number,
): CalleeOrigin {
  const [first] = node.arguments
  const { callee } = node
  if (callee.type === 'Import') return (first && ofModule(first)) ?? { module: null, path: [] }
  const name =
    callee.type === 'Identifier'
      ? callee.name
      : callee.type === 'MemberExpression'
        ? memberName(callee)
        : ''
  if (first === undefined) return { module: null, path: [] }
  if (name === 'require') return ofModule(first) ?? { module: null, path: [] }
  if (name === '__importStar' || name === '__importDefault' || name === '__toESM') {
    return scriptOriginOf(first, scope, steps + 1)
  }
  if (/^(?:promisify|pify|bind)$/.test(name)) return scriptOriginOf(first, scope, steps + 1)
  // `execa({ shell: true })` and `$({ cwd })` answer the function itself.
  const made = scriptOriginOf(callee, scope, steps + 1)
  return first.type === 'ObjectExpression' && /^(?:execa|zx|dax)$/.test(made.module ?? '')
    ? made
    : { module: null, path: [] }
}

function ofModule(source: Node): CalleeOrigin | null {
  if (source.type === 'StringLiteral') return { module: plainModule(source.value), path: [] }
  if (source.type === 'TemplateLiteral' && source.expressions.length === 0) {
    return { module: plainModule(source.quasis[0]?.value.cooked ?? ''), path: [] }
  }
  return null
}

const plainModule = (module: string): string => module.replace(/^(?:node:|npm:|jsr:)/, '') || '?'

/** The name behind the dot, or in brackets where it is written there; empty for any other. */
export function memberName(
  node: Extract<Node, { type: 'MemberExpression' | 'OptionalMemberExpression' }>,
): string {
  if (!node.computed) return keyName(node.property as Node)
  return node.property.type === 'StringLiteral' ? node.property.value : ''
}
