import {
  type CalleeOrigin,
  calleeOrigin,
  createValues,
  isCall,
  isEntries,
  isList,
  isMember,
  keyName,
  type LexicalScope,
  lookUp,
  memberName,
  nodeAt,
  nodesAt,
  placeNodes,
  type ScopedNode,
  type Syntax,
  type SyntaxNode,
  textAt,
  textsOf,
  UNKNOWN,
  type Value,
} from '../../../source/source.ts'
import { once } from '../../../text/text.ts'
import { type Finding, type FindNested, unique } from '../finding.ts'
import { type CodeCall, judgeLine } from './code-call.ts'
import { findInCode } from './find-in-code.ts'
import { judgeCall } from './judge-call.ts'

/** The most arguments to read; no function takes more. */
const MOST_ARGUMENTS = 20
const LONGEST_RECEIVER = 160

type TreeLanguage = 'javascript' | 'python'

/** Finds destructive calls in a syntax tree, or by tokens when the parser gave up. */
export const findInSyntax = (
  language: TreeLanguage,
  { tree }: Syntax,
  text: string,
  look: FindNested,
): readonly Finding[] =>
  tree === null ? findInCode(language, text, look) : findInTree(language, tree, text, look)

/** Finds destructive calls of JavaScript, TypeScript or Python, whose tree may have mistakes. */
function findInTree(
  language: TreeLanguage,
  tree: SyntaxNode,
  text: string,
  look: FindNested,
): readonly Finding[] {
  const placed = placeNodes(tree)
  const reader = new CallReader(language, text)
  const runners = findRunners(language, placed, look)
  return placed.flatMap(({ node, scope }): readonly Finding[] => {
    const call = reader.callOf(node, scope)
    if (call === null) return []
    const index = runnerIndex(nodeAt(node, 'callee'), scope, runners)
    const harms =
      index === undefined ? judgeCall(language, call, look) : judgeLine(call.args[index], look)
    if (harms.length === 0) return []
    const { start, end } = node
    const meaning = `${text.slice(start, end)} ${meaningOf(call)}`
    return unique(harms).map(({ category, why }) => ({ category, why, start, end, meaning }))
  })
}

/** The arguments' values: two calls that look alike may do different things. */
const meaningOf = ({ args, keywords }: CodeCall): string =>
  [...args, ...keywords.values()]
    .map((value) => (isEntries(value) ? [...value.keys()].join() : textsOf(value).join(' ')))
    .join(' ')
    .replaceAll(UNKNOWN, '')

class CallReader {
  readonly #language: TreeLanguage
  readonly #text: string
  /** Most calls say by their name that they are harmless. */
  readonly #values = once(createValues)

  constructor(language: TreeLanguage, text: string) {
    this.#language = language
    this.#text = text
  }

  callOf(node: SyntaxNode, scope: LexicalScope): CodeCall | null {
    const isTagged = node.type === 'TaggedTemplateExpression'
    if (!isTagged && !isCall(node) && node.type !== 'NewExpression') return null
    const callee = isTagged ? tagOf(nodeAt(node, 'tag')) : nodeAt(node, 'callee')
    if (callee === null || isAboutText(callee, scope)) return null
    const origin = calleeOrigin(callee, scope)
    const object = isMember(callee) ? nodeAt(callee, 'object') : null
    const written = isMember(callee) ? memberName(callee) : keyName(callee)
    const name = origin.path.at(-1) ?? written
    // `String.raw` and the like run nothing.
    if (isTagged && name === 'raw') return null
    const isPath = object !== null && this.#language === 'python' && this.#isPath(object, scope, 0)
    const given = isTagged ? [nodeAt(node, 'quasi')] : nodesAt(node, 'arguments')
    // Most calls match no rule, so their arguments are never needed.
    const values = once(() => this.#argumentsOf(given, scope))
    const held = once(() => this.#values()(object, scope))
    return {
      keys: [...(isPath ? [`pathlib.Path.${name}`] : []), ...keysOf(origin)],
      name,
      receiver: object
        ? this.#text.slice(object.start, Math.min(object.end, object.start + LONGEST_RECEIVER))
        : '',
      count: given.length,
      isTagged,
      chained: [],
      get args() {
        return values().args
      },
      get keywords() {
        return values().keywords
      },
      get held() {
        return held()
      },
    }
  }

  #argumentsOf(given: readonly (SyntaxNode | null)[], scope: LexicalScope) {
    const args: Value[] = []
    const keywords = new Map<string, Value>()
    for (const each of given.slice(0, MOST_ARGUMENTS)) {
      if (each?.type === 'KeywordArgument') {
        keywords.set(keyName(each), this.#values()(nodeAt(each, 'value'), scope))
      } else if (each?.type === 'SpreadElement') {
        const value = this.#values()(nodeAt(each, 'argument'), scope)
        args.push(...(isList(value) ? value : [undefined]))
      } else args.push(this.#values()(each, scope))
    }
    return { args, keywords }
  }

  /** True for an evident `pathlib.Path`. */
  #isPath(node: SyntaxNode | null, scope: LexicalScope, depth: number): boolean {
    if (node === null || depth > 10) return false
    const isPathOf = (next: SyntaxNode | null) => this.#isPath(next, scope, depth + 1)
    switch (node.type) {
      case 'ParenthesizedExpression':
        return isPathOf(nodeAt(node, 'expression'))
      case 'BinaryExpression':
        return isPathOf(nodeAt(node, 'left'))
      case 'MemberExpression':
        return memberName(node) === 'parent' && isPathOf(nodeAt(node, 'object'))
      case 'CallExpression': {
        const callee = nodeAt(node, 'callee')
        const { module, path } = calleeOrigin(callee, scope)
        const names = [...(module ? [module] : []), ...path]
        const last = names.at(-1) ?? (callee && isMember(callee) ? memberName(callee) : '')
        if (/^(?:Path|PosixPath|WindowsPath|PurePath)$/.test(last)) return true
        const isKept =
          /^(?:resolve|absolute|expanduser|with_suffix|with_name|joinpath|home|cwd|relative_to)$/
        if (callee === null || !isMember(callee) || !isKept.test(memberName(callee))) return false
        return /^(?:Path|pathlib)/.test(names.join('.')) || isPathOf(nodeAt(callee, 'object'))
      }
      case 'Identifier':
        return this.#isPathName(keyName(node), scope, depth)
      default:
        return false
    }
  }

  #isPathName(name: string, scope: LexicalScope, depth: number): boolean {
    const binding = lookUp(scope, name)
    if (binding === null || binding.kind === 'import') return false
    const annotation = Reflect.get(binding.id, 'typeAnnotation')
    const { start = 0, end = 0 } = (annotation ?? {}) as Partial<SyntaxNode>
    if (/\bPath\b/.test(this.#text.slice(start, end))) return true
    if (binding.kind === 'item') {
      // `for file in folder.glob('*')` yields paths.
      const source = this.#text.slice(binding.source.start, binding.source.end)
      const isGlob = /\.(?:iterdir|r?glob)\s*\([^()]*\)\s*\)*$/.test(source.slice(-200))
      return isGlob && !/\bglob\.i?glob\(/.test(source.slice(0, 200))
    }
    const isOnce = binding.kind === 'value' && !binding.isReassigned
    return isOnce && this.#isPath(binding.init, binding.scope, depth + 1)
  }
}

/** The names by which rules match a callee, the most exact first. */
function keysOf({ module, path }: CalleeOrigin): readonly string[] {
  if (module === null) return []
  if (module === '') return [`global.${path.join('.')}`]
  const last = path.at(-1) ?? ''
  const keys = [[module, ...path].join('.'), `${module}.${last}`, `${module}.*`]
  return module.startsWith('@') ? [...keys, `${module.split('/')[0]}.*`] : keys
}

/** Reduces `$({ cwd })\`…\`` and `$.sync\`…\`` to `$`. */
function tagOf(node: SyntaxNode | null): SyntaxNode | null {
  if (node?.type === 'CallExpression') return tagOf(nodeAt(node, 'callee'))
  const object = nodeAt(node, 'object')
  return textAt(object, 'name') === '$' ? object : node
}

/** `pattern.exec(…)` with a known pattern reads a text and runs nothing. */
function isAboutText(callee: SyntaxNode, scope: LexicalScope): boolean {
  const object = callee.type === 'MemberExpression' ? nodeAt(callee, 'object') : null
  if (object?.type === 'RegExpLiteral') return true
  const binding = object?.type === 'Identifier' ? lookUp(scope, keyName(object)) : null
  return binding?.kind === 'value' && binding.init.type === 'RegExpLiteral'
}

/** Finds functions of this file that pass a parameter to a shell, with the parameter's index. */
function findRunners(
  language: TreeLanguage,
  placed: readonly ScopedNode[],
  look: FindNested,
): ReadonlyMap<SyntaxNode, number> {
  const runners = new Map<SyntaxNode, number>()
  // A callee that is destructive with only one of two commands runs its argument.
  const runs = (origin: CalleeOrigin) => {
    const call = (command: string): CodeCall => ({
      ...{ keys: keysOf(origin), name: origin.path.at(-1) ?? '', receiver: '', count: 1 },
      ...{ args: [command], keywords: new Map(), chained: [], isTagged: false, held: undefined },
    })
    const [echoed, removed] = ['echo x', 'rm -rf x'].map((each) =>
      judgeCall(language, call(each), look),
    )
    return echoed?.length === 0 && removed?.length !== 0
  }
  for (let round = 0; round < 3; round += 1) {
    const before = runners.size
    for (const { node, scope } of placed) {
      const [first] = node.type === 'CallExpression' ? nodesAt(node, 'arguments') : []
      const binding = first?.type === 'Identifier' ? lookUp(scope, keyName(first)) : null
      if (binding?.kind !== 'parameter' || runners.has(binding.of)) continue
      const callee = nodeAt(node, 'callee')
      const origin = calleeOrigin(callee, scope)
      const isRun = origin.module !== null && runs(origin)
      if (isRun || runnerIndex(callee, scope, runners) === 0) runners.set(binding.of, binding.index)
    }
    if (runners.size === before) break
  }
  return runners
}

function runnerIndex(
  callee: SyntaxNode | null,
  scope: LexicalScope,
  runners: ReadonlyMap<SyntaxNode, number>,
): number | undefined {
  if (runners.size === 0 || callee?.type !== 'Identifier') return undefined
  const binding = lookUp(scope, keyName(callee))
  const node =
    binding?.kind === 'function' ? binding.node : binding?.kind === 'value' ? binding.init : null
  return node ? runners.get(node) : undefined
}
