import type { LezerPythonNode, PythonTree } from './python-tree.ts'

/** What a name of a Python file stands for. */
export type PythonBinding =
  | { readonly kind: 'import'; readonly path: readonly string[] }
  /** `added` is what `+=` puts behind it. */
  | { readonly kind: 'value'; readonly node: LezerPythonNode; readonly added: LezerPythonNode[] }
  | { readonly kind: 'path' }
  | { readonly kind: 'opaque' }

/** A file's tree, and its names by the function they belong to; -1 is the module. */
export interface PythonFile {
  readonly text: string
  readonly tree: PythonTree
  readonly scopes: ReadonlyMap<number, ReadonlyMap<string, PythonBinding>>
}

const MAX_STEPS = 30

export function readNames(text: string, tree: PythonTree): PythonFile {
  const scopes = new Map<number, Map<string, PythonBinding>>()
  const bind = (at: LezerPythonNode, name: string, binding: PythonBinding) => {
    const scope = scopeOf(at)
    const names = scopes.get(scope) ?? new Map<string, PythonBinding>()
    scopes.set(scope, names)
    const known = names.get(name)
    // An import may have a substitute for where it fails.
    if (known?.kind === 'import') return
    names.set(name, known === undefined || binding.kind === 'import' ? binding : { kind: 'opaque' })
  }
  tree.iterate({
    enter({ node }) {
      if (node.name === 'ImportStatement') bindImports(node, text, bind)
      else if (node.name === 'AssignStatement') bindAssignment(node, text, bind)
      else if (node.name === 'UpdateStatement') addTo(node, text, scopes)
      else if (node.name === 'ForStatement') bindLoop(node, text, bind)
      else if (node.name === 'ParamList') bindParameters(node, text, bind)
    },
  })
  return { text, tree, scopes }
}

type Bind = (at: LezerPythonNode, name: string, binding: PythonBinding) => void

const written = (node: LezerPythonNode, text: string): string => text.slice(node.from, node.to)

export function* childrenOf(node: LezerPythonNode): Iterable<LezerPythonNode> {
  for (let child = node.firstChild; child !== null; child = child.nextSibling) yield child
}

/** The function a node stands in, by its offset. A parameter stands in the function. */
function scopeOf(node: LezerPythonNode): number {
  let steps = 0
  for (
    let at: LezerPythonNode | null = node;
    at !== null && steps < 200;
    at = at.parent, steps += 1
  ) {
    if (at.name === 'FunctionDefinition' || at.name === 'LambdaExpression') return at.from
  }
  return -1
}

function bindImports(node: LezerPythonNode, text: string, bind: Bind): void {
  const words = [...childrenOf(node)].filter(({ name }) => name !== '(' && name !== ')')
  const from: string[] = []
  let at = 0
  if (words[0]?.name === 'from') {
    for (at = 1; at < words.length && words[at]?.name !== 'import'; at += 1) {
      const word = words[at]
      if (word?.name === 'VariableName') from.push(written(word, text))
      else if (word) from.push('')
    }
  }
  const isFrom = from.length > 0
  const base = from.filter((part) => part !== '')
  let path: string[] = []
  let alias: string | null = null
  const flush = () => {
    const [first] = path
    if (first === undefined) return
    if (isFrom) bind(node, alias ?? first, { kind: 'import', path: [...base, first] })
    else bind(node, alias ?? first, { kind: 'import', path: alias === null ? [first] : path })
    path = []
    alias = null
  }
  let isAlias = false
  for (const word of words.slice(at + 1)) {
    if (word.name === 'as') isAlias = true
    else if (word.name === ',') {
      flush()
      isAlias = false
    } else if (word.name === 'VariableName' && isAlias) alias = written(word, text)
    else if (word.name === 'VariableName') path.push(written(word, text))
  }
  flush()
}

function bindAssignment(node: LezerPythonNode, text: string, bind: Bind): void {
  const children = [...childrenOf(node)]
  const [target] = children
  const value = children.at(-1)
  const isAnnotated = children[1]?.name === 'TypeDef'
  const operators = children.filter(({ name }) => name === 'AssignOp').length
  if (
    target?.name === 'VariableName' &&
    value &&
    operators >= 1 &&
    !children.some(({ name }) => name === ',')
  ) {
    if (isAnnotated && /\bPath\b/.test(written(children[1] as LezerPythonNode, text))) {
      bind(node, written(target, text), { kind: 'path' })
    } else bind(node, written(target, text), { kind: 'value', node: value, added: [] })
    return
  }
  for (const child of children) {
    if (child.name === 'AssignOp') break
    if (child.name === 'VariableName') bind(node, written(child, text), { kind: 'opaque' })
  }
}

function addTo(
  node: LezerPythonNode,
  text: string,
  scopes: ReadonlyMap<number, Map<string, PythonBinding>>,
): void {
  const [target, operator, value] = [...childrenOf(node)]
  if (target?.name !== 'VariableName' || !operator || !value) return
  const names = scopes.get(scopeOf(node))
  const binding = names?.get(written(target, text))
  const isAddition = written(operator, text) === '+='
  if (binding?.kind === 'value' && isAddition && binding.added.length < 50)
    binding.added.push(value)
  else names?.set(written(target, text), { kind: 'opaque' })
}

/** `for file in folder.glob('*')` yields paths. */
function bindLoop(node: LezerPythonNode, text: string, bind: Bind): void {
  const children = [...childrenOf(node)]
  const target = children[1]
  const at = children.findIndex(({ name }) => name === 'in')
  const source = children[at + 1]
  if (target?.name !== 'VariableName' || !source) return
  const isPaths =
    /\.(?:iterdir|r?glob)\s*\([^()]*\)\s*\)*$/.test(written(source, text).slice(-200)) &&
    !/\bglob\.i?glob\(/.test(written(source, text).slice(0, 200))
  bind(node, written(target, text), isPaths ? { kind: 'path' } : { kind: 'opaque' })
}

function bindParameters(node: LezerPythonNode, text: string, bind: Bind): void {
  const children = [...childrenOf(node)]
  for (const [index, child] of children.entries()) {
    if (child.name !== 'VariableName' || children[index - 1]?.name === 'AssignOp') continue
    const type = children[index + 1]
    const isPath = type?.name === 'TypeDef' && /\bPath\b/.test(written(type, text))
    bind(child, written(child, text), isPath ? { kind: 'path' } : { kind: 'opaque' })
  }
}

export function lookUpName(
  file: PythonFile,
  node: LezerPythonNode,
  name: string,
): PythonBinding | null {
  let steps = 0
  for (
    let at: LezerPythonNode | null = node;
    at !== null && steps < 200;
    at = at.parent, steps += 1
  ) {
    if (at.name !== 'FunctionDefinition' && at.name !== 'LambdaExpression') continue
    const found = file.scopes.get(at.from)?.get(name)
    if (found) return found
  }
  return file.scopes.get(-1)?.get(name) ?? null
}

/** The dotted name a callee comes from, `['shutil', 'rmtree']`; `isImported` says that a module begins it. */
export function pythonOriginOf(
  node: LezerPythonNode,
  file: PythonFile,
  steps = 0,
): { readonly isImported: boolean; readonly path: readonly string[] } {
  const unknown = { isImported: false, path: [] }
  if (steps > MAX_STEPS) return unknown
  const own = (child: LezerPythonNode) => written(child, file.text)
  if (node.name === 'ParenthesizedExpression' && node.firstChild?.nextSibling) {
    return pythonOriginOf(node.firstChild.nextSibling, file, steps + 1)
  }
  if (node.name === 'VariableName') {
    const binding = lookUpName(file, node, own(node))
    if (binding?.kind === 'import') return { isImported: true, path: binding.path }
    if (binding?.kind === 'value' && binding.added.length === 0) {
      const origin = pythonOriginOf(binding.node, file, steps + 1)
      if (origin.isImported) return origin
    }
    return { isImported: false, path: [own(node)] }
  }
  if (node.name === 'MemberExpression') {
    const last = node.lastChild
    if (!node.firstChild || last?.name !== 'PropertyName') return unknown
    const { isImported, path } = pythonOriginOf(node.firstChild, file, steps + 1)
    return { isImported, path: [...path, own(last)] }
  }
  return node.name === 'CallExpression' ? originOfCall(node, file, steps) : unknown
}

/** `importlib.import_module('os')`, `__import__('os')`, `getattr(os, 'system')`. */
function originOfCall(
  node: LezerPythonNode,
  file: PythonFile,
  steps: number,
): ReturnType<typeof pythonOriginOf> {
  const callee = node.firstChild
  const [first, second] = argumentsOf(node, file.text).filter(({ name }) => name === '')
  const called = callee ? written(callee, file.text) : ''
  const quoted = (value: LezerPythonNode | undefined) =>
    value?.name === 'String'
      ? /^["'](\w+(?:\.\w+)*)["']$/.exec(written(value, file.text))?.[1]
      : undefined
  const module = /^(?:__import__|importlib\.import_module|import_module)$/.test(called)
    ? quoted(first?.node)
    : undefined
  if (module !== undefined) return { isImported: true, path: module.split('.') }
  const attribute = called === 'getattr' ? quoted(second?.node) : undefined
  if (attribute === undefined || !first) return { isImported: false, path: [] }
  const { isImported, path } = pythonOriginOf(first.node, file, steps + 1)
  return { isImported, path: [...path, attribute] }
}

export interface PythonArgument {
  /** Of a keyword argument; empty for one by position; `*` for those that are spread. */
  readonly name: string
  readonly node: LezerPythonNode
}

export function argumentsOf(call: LezerPythonNode, text: string): readonly PythonArgument[] {
  const list = call.getChild('ArgList')
  const found: PythonArgument[] = []
  if (list === null) return found
  let name = ''
  let last: LezerPythonNode | null = null
  for (const child of childrenOf(list)) {
    if (found.length > 200) break
    if (child.name === '*' || child.name === '**') name = '*'
    else if (child.name === 'AssignOp' && last) {
      name = written(last, text)
      last = null
    } else if (child.name === ',' || child.name === ')') {
      if (last) found.push({ name, node: last })
      name = ''
      last = null
    } else if (child.name !== '(' && child.name !== 'Comment') last = child
  }
  if (last) found.push({ name, node: last })
  return found
}
