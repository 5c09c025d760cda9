import { type Finding, type FindNested, type Harm, UNKNOWN, unique } from '../finding.ts'
import { harm } from '../shell/call.ts'
import { type ApiCall, harmsOf, judgeListOrText, judgeSql } from './script-call.ts'
import { judgeMethod } from './script-methods.ts'
import { judgeModuleCall } from './script-modules.ts'
import { memberName, scriptOriginOf } from './script-names.ts'
import type { Node } from './script-node.ts'
import { lookUp, placeNodes, type Scope, type ScopedNode } from './script-scope.ts'
import { createValues, type ValueOf } from './script-values.ts'
import { entry, isEntries, isList, textsOf, type Value } from './value.ts'

type CallNode = Extract<
  Node,
  { type: 'CallExpression' | 'OptionalCallExpression' | 'NewExpression' }
>
type TaggedNode = Extract<Node, { type: 'TaggedTemplateExpression' }>

/** Arguments that are looked at; no function takes more. */
const MOST_ARGUMENTS = 20
const LONGEST_RECEIVER = 120

/** Destructive calls of JavaScript or TypeScript, from its syntax tree. */
export function findInScript(program: Node, text: string, look: FindNested): readonly Finding[] {
  const placed = placeNodes(program)
  const tellValue = createValues()
  const runners = findRunners(placed, look)
  const findings: Finding[] = []
  for (const { node, scope } of placed) {
    const harms = judgeNode(node, scope)
    if (harms.length === 0) continue
    const [start, end] = [node.start ?? 0, node.end ?? 0]
    const meaning = meaningOf(node, scope, text, tellValue)
    findings.push(...unique(harms).map((each) => ({ ...each, start, end, meaning })))
  }
  return findings

  function judgeNode(node: Node, scope: Scope): readonly Harm[] {
    switch (node.type) {
      case 'CallExpression':
      case 'OptionalCallExpression':
      case 'NewExpression':
        return judgeCall(node, scope)
      case 'TaggedTemplateExpression':
        return judgeTagged(node, scope, look, tellValue)
      default:
        return []
    }
  }

  function judgeCall(node: CallNode, scope: Scope): readonly Harm[] {
    const call = describe(node, scope, text, tellValue)
    const own = runnerIndex(node.callee as Node, scope, runners)
    if (own !== null) return judgeListOrText(call.args[own], look)
    if (node.type === 'NewExpression') return judgeNew(call, look)
    const known = judgeModuleCall(call, look)
    return known.length > 0 ? known : isAboutText(node, scope) ? [] : judgeMethod(call, look)
  }
}

/** `pattern.exec(…)`, where the pattern is known: it reads a text and runs nothing. */
function isAboutText(node: CallNode, scope: Scope): boolean {
  const callee = node.callee as Node
  if (callee.type !== 'MemberExpression') return false
  if (callee.object.type === 'RegExpLiteral') return true
  if (callee.object.type !== 'Identifier') return false
  const binding = lookUp(scope, callee.object.name)
  return binding?.kind === 'value' && binding.init.type === 'RegExpLiteral'
}

function describe(node: CallNode, scope: Scope, text: string, tellValue: ValueOf): ApiCall {
  const callee = node.callee as Node
  const { module, path } = scriptOriginOf(callee, scope)
  const isMember = callee.type === 'MemberExpression' || callee.type === 'OptionalMemberExpression'
  const { object } = isMember ? callee : { object: null }
  const written = isMember ? memberName(callee) : callee.type === 'Identifier' ? callee.name : ''
  const receiver = object
    ? text.slice(
        object.start ?? 0,
        Math.min(object.end ?? 0, (object.start ?? 0) + LONGEST_RECEIVER),
      )
    : ''
  const name = path.at(-1) ?? written
  return {
    module,
    path,
    name,
    receiver,
    args: node.arguments.slice(0, MOST_ARGUMENTS).map((each) => tellValue(each as Node, scope)),
    count: node.arguments.length,
  }
}

function judgeNew({ module, path, name, args }: ApiCall, look: FindNested): readonly Harm[] {
  if (module === '' && path[0] === 'Deno' && name === 'Command') {
    return judgeListOrText([args[0], ...listOf(entry(args[1], 'args'))], look)
  }
  const isAws = module?.startsWith('@aws-sdk/') === true
  if (
    isAws &&
    /^(?:Delete|Terminate|Purge)\w+Command$/.test(name) &&
    !/^Delete(?:Objects?|Item|Message)Command$/.test(name)
  ) {
    return harm('cloud', 'It deletes something that runs or is stored in a cloud.')
  }
  const isOrm = /^(?:DataSource|Sequelize)$/.test(name) && entry(args[0], 'dropSchema') === true
  return isOrm ? harm('database', 'It deletes the whole schema at every start.') : []
}

const listOf = (value: Value): readonly Value[] => (isList(value) ? value : [])

/** Tags that run what they hold, as shell or as SQL. */
function judgeTagged(
  node: TaggedNode,
  scope: Scope,
  look: FindNested,
  tellValue: ValueOf,
): readonly Harm[] {
  const tag = tagOf(node.tag as Node)
  const { module, path } = scriptOriginOf(tag, scope)
  const name = path[0] === 'promises' ? '' : (path.at(-1) ?? '')
  const isShellModule = /^(?:zx|zx\/core|execa|dax|bun|dax-sh|zurk|cross-exec|tinyexec)$/.test(
    module ?? '',
  )
  const isShell =
    isShellModule ||
    (module === '' && path[0] === '$') ||
    (module === '' && path[0] === 'Bun' && name === '$')
  const value = tellValue(node.quasi, scope)
  if (isShell) return harmsOf(look('shell', typeof value === 'string' ? value : ''))
  const written =
    tag.type === 'Identifier' ? tag.name : tag.type === 'MemberExpression' ? memberName(tag) : ''
  const isSql =
    /^(?:sql|SQL|raw|query|execute|unsafe|\$executeRaw|\$queryRaw|pgsql|psql)$/.test(written) &&
    written !== 'raw'
  return isSql ? judgeSql(value, look) : []
}

/** `$({ cwd })\`…\`` is `$`, and `$.sync\`…\`` too. */
function tagOf(node: Node): Node {
  if (node.type === 'CallExpression') return tagOf(node.callee as Node)
  const isPlain =
    node.type === 'MemberExpression' &&
    node.object.type === 'Identifier' &&
    /^\$$/.test(node.object.name)
  return isPlain ? node.object : node
}

/** Functions of this file that hand a parameter to a shell: by function, the parameter's index. */
function findRunners(placed: readonly ScopedNode[], look: FindNested): ReadonlyMap<Node, number> {
  const runners = new Map<Node, number>()
  // A command that is destructive for sure shows whether the callee runs what it is given.
  const runs = (call: ApiCall) => judgeModuleCall({ ...call, args: ['rm -rf x'] }, look).length > 0
  for (let round = 0; round < 3; round += 1) {
    const before = runners.size
    for (const { node, scope } of placed) {
      if (node.type !== 'CallExpression') continue
      const [first] = node.arguments
      if (first?.type !== 'Identifier') continue
      const binding = lookUp(scope, first.name)
      if (binding?.kind !== 'parameter' || runners.has(binding.of)) continue
      const { module, path } = scriptOriginOf(node.callee as Node, scope)
      const isRun =
        module !== null &&
        /^exec/.test(path.at(-1) ?? '') &&
        runs({ module, path, name: path.at(-1) ?? '', receiver: '', args: [], count: 1 })
      const isOwn = runnerIndex(node.callee as Node, scope, runners) === 0
      if (isRun || isOwn) runners.set(binding.of, binding.index)
    }
    if (runners.size === before) break
  }
  return runners
}

function runnerIndex(
  callee: Node,
  scope: Scope,
  runners: ReadonlyMap<Node, number>,
): number | null {
  if (runners.size === 0 || callee.type !== 'Identifier') return null
  const binding = lookUp(scope, callee.name)
  const node =
    binding?.kind === 'function' ? binding.node : binding?.kind === 'value' ? binding.init : null
  return (node && runners.get(node)) ?? null
}

/** What the arguments hold: two calls that look alike may do different things. */
function meaningOf(node: Node, scope: Scope, text: string, tellValue: ValueOf): string {
  const parts =
    'arguments' in node && Array.isArray(node.arguments)
      ? node.arguments
      : 'quasi' in node
        ? [node.quasi]
        : []
  const values = parts.slice(0, MOST_ARGUMENTS).map((part) => tellValue(part as Node, scope))
  const written = values.map((value) =>
    isEntries(value) ? [...value.keys()].join() : textsOf(value).join(' '),
  )
  const known = written.join(' ').replaceAll(UNKNOWN, '')
  return `${text.slice(node.start ?? 0, node.end ?? 0)} ${known}`
}
