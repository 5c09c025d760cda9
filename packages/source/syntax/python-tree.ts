import type { parser } from '@lezer/python'
import { lineCounter } from '../code/positions.ts'
import { quotesOf, unescaped } from './python-literal.ts'
import type { SyntaxNode } from './syntax-node.ts'

export type LezerNode = ReturnType<typeof parser.parse>['topNode']

const partsOf = (node: LezerNode): readonly LezerNode[] => {
  const parts: LezerNode[] = []
  for (let part = node.firstChild; part !== null; part = part.nextSibling) {
    if (part.name !== 'Comment' && !part.type.isError) parts.push(part)
  }
  return parts
}

/** Punctuation, keywords and operators have names in lower case, or that end in `Op`. */
const isToken = ({ name }: LezerNode): boolean => !/^[A-Z]/.test(name) || /Op$|^At$/.test(name)

/** Groups the parts between commas, without the brackets around them. */
function betweenCommas(parts: readonly LezerNode[]): readonly (readonly LezerNode[])[] {
  const groups: LezerNode[][] = [[]]
  for (const part of parts) {
    if (part.name === ',') groups.push([])
    else if (!/^[()[\]{}]$/.test(part.name)) groups.at(-1)?.push(part)
  }
  return groups.filter((group) => group.length > 0)
}

/** Groups the parts before, between and after those of this name, which may end a group. */
function splitAt(
  parts: readonly LezerNode[],
  name: string,
  isKept = false,
): readonly (readonly LezerNode[])[] {
  const groups: LezerNode[][] = [[]]
  for (const part of parts) {
    const isMark = part.name === name
    if (!isMark || isKept) groups.at(-1)?.push(part)
    if (isMark) groups.push([])
  }
  return groups
}

/** Babel's type and its fields, in the order of the grammar's named parts. */
const formsInOrder: ReadonlyMap<string, readonly string[]> = new Map([
  ['None', ['NullLiteral']],
  ['WhileStatement', ['WhileStatement', 'test', 'body', 'alternate']],
  ['RaiseStatement', ['ThrowStatement', 'argument', 'cause']],
  ['AssertStatement', ['AssertStatement', 'test', 'message']],
  ['ParenthesizedExpression', ['ParenthesizedExpression', 'expression']],
  ['AwaitExpression', ['AwaitExpression', 'argument']],
  ['UnaryExpression', ['UnaryExpression', 'argument']],
  ['ConditionalExpression', ['ConditionalExpression', 'consequent', 'test', 'alternate']],
])

/** A node's type and fields, in Babel's terms. */
type Form = readonly [type: string, fields: Readonly<Record<string, unknown>>]

/**
 * Converts the grammar's nodes to Babel's: `def` is a `FunctionDeclaration`, `x = 1` a
 * `VariableDeclaration` of kind `var`, an f-string a `TemplateLiteral`. Nodes that Babel lacks keep
 * the grammar's type, with parts in `children`: `WithStatement`, `KeywordArgument`, `Decorator`.
 */
export class PythonTree {
  readonly #text: string
  readonly #lineAt: (offset: number) => number

  constructor(text: string) {
    this.#text = text
    this.#lineAt = lineCounter(text)
  }

  convert(node: LezerNode): SyntaxNode {
    const parts = partsOf(node)
    const [type, fields] = this.#inOrder(node, parts) ??
      this.#definition(node, parts) ??
      this.#statement(node, parts) ??
      this.#literal(node, parts) ??
      this.#expression(node, parts) ?? [node.name, { children: this.#named(parts) }]
    return { type, ...this.#placeOf([node]), ...fields }
  }

  #placeOf(parts: readonly LezerNode[]) {
    const start = parts[0]?.from ?? 0
    return { start, end: parts.at(-1)?.to ?? start, loc: { start: { line: this.#lineAt(start) } } }
  }

  #written({ from, to }: LezerNode): string {
    return this.#text.slice(from, to)
  }

  #maybe(node: LezerNode | null | undefined): SyntaxNode | null {
    return node ? this.convert(node) : null
  }

  #named(parts: readonly LezerNode[]): readonly SyntaxNode[] {
    return parts.filter((part) => !isToken(part)).map((part) => this.convert(part))
  }

  /** One expression, or several without brackets as a tuple. */
  #valueOf(parts: readonly LezerNode[], type = 'ArrayExpression'): SyntaxNode | null {
    const [first] = parts
    if (first === undefined) return null
    if (parts.length === 1) return this.convert(first)
    return { type, ...this.#placeOf(parts), ...{ elements: this.#items(parts) } }
  }

  /** Items of a list, or arguments of a call. */
  #items(parts: readonly LezerNode[]): readonly SyntaxNode[] {
    return betweenCommas(parts).map((group): SyntaxNode => {
      const [first, second, third] = group as [LezerNode, ...LezerNode[]]
      const place = this.#placeOf(group)
      if (/^\*\*?$/.test(first.name)) {
        return { type: 'SpreadElement', ...place, ...{ argument: this.#maybe(second) } }
      }
      if (second?.name === 'AssignOp' && third) {
        const fields = { name: this.#written(first), value: this.convert(third) }
        return { type: 'KeywordArgument', ...place, ...fields }
      }
      if (group.length === 1) return this.convert(first)
      return { type: 'Comprehension', ...place, ...{ children: this.#named(group) } }
    })
  }

  #inOrder({ name }: LezerNode, parts: readonly LezerNode[]): Form | null {
    const [type, ...fields] = formsInOrder.get(name) ?? []
    if (type === undefined) return null
    const values = this.#named(parts)
    return [type, Object.fromEntries(fields.map((field, at) => [field, values[at] ?? null]))]
  }

  #definition(node: LezerNode, parts: readonly LezerNode[]): Form | null {
    const body = parts.at(-1)
    const id = () => this.#maybe(node.getChild('VariableName'))
    const callable = () => ({
      ...{ params: this.#parameters(node), body: this.#maybe(body) },
      ...this.#callsOf(node.getChild('TypeDef')),
    })
    switch (node.name) {
      case 'Script':
        return ['Program', { body: this.#named(parts) }]
      case 'Body':
        return ['BlockStatement', { body: this.#named(parts) }]
      case 'FunctionDefinition':
        return ['FunctionDeclaration', { id: id(), ...callable() }]
      case 'LambdaExpression':
        return ['ArrowFunctionExpression', callable()]
      case 'ClassDefinition': {
        const bases = node.getChild('ArgList')
        const superClasses = bases === null ? [] : this.#items(partsOf(bases))
        return ['ClassDeclaration', { id: id(), superClasses, body: this.#maybe(body) }]
      }
      case 'DecoratedStatement': {
        const inner = this.#maybe(body)
        const decorators = this.#named(parts.slice(0, -1))
        return inner === null ? null : [inner.type, { ...inner, decorators }]
      }
      case 'ImportStatement':
        return ['ImportStatement', { children: this.#imports(node, parts) }]
      case 'AssignStatement':
        return ['VariableDeclaration', { kind: 'var', declarations: this.#declarators(parts) }]
      default:
        return null
    }
  }

  #parameters(node: LezerNode): readonly (SyntaxNode | null)[] {
    const list = node.getChild('ParamList')
    return betweenCommas(list === null ? [] : partsOf(list)).map((group) => {
      const place = this.#placeOf(group)
      const isRest = /^\*\*?$/.test(group[0]?.name ?? '')
      const [name, ...more] = isRest ? group.slice(1) : group
      const type = more.find((part) => part.name === 'TypeDef')
      const left = name ? this.#declared(name, type) : null
      if (isRest) return { type: 'RestElement', ...place, argument: left }
      const assigned = more.findIndex((part) => part.name === 'AssignOp')
      const right = assigned < 0 ? null : this.#maybe(more[assigned + 1])
      return right === null ? left : { type: 'AssignmentPattern', ...place, left, right }
    })
  }

  /** A name with its annotation, of which only calls become children. */
  #declared(name: LezerNode, type: LezerNode | undefined): SyntaxNode {
    const typeAnnotation = type ? { type: 'TypeDef', ...this.#placeOf([type]) } : null
    return { ...this.convert(name), ...{ typeAnnotation }, ...this.#callsOf(type) }
  }

  /** Calls of an annotation run where it is defined. */
  #callsOf(type: LezerNode | null | undefined): { readonly calls?: readonly SyntaxNode[] } {
    const calls: SyntaxNode[] = []
    const waiting = type ? [type] : []
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (node.name === 'CallExpression') calls.push(this.convert(node))
      else waiting.push(...partsOf(node).toReversed())
    }
    return calls.length === 0 ? {} : { calls }
  }

  /** `import a.b as c, d` and `from .a import (b as c)`, one declaration per name. */
  #imports(node: LezerNode, parts: readonly LezerNode[]): readonly SyntaxNode[] {
    const place = this.#placeOf([node])
    const [left = [], right = []] = splitAt(parts, 'import')
    const isFrom = left[0]?.name === 'from'
    const dotted = (path: readonly LezerNode[]) =>
      path.filter(({ name }) => name === 'VariableName').map((part) => this.#written(part))
    const identifier = (name: string) => ({ type: 'Identifier', ...place, name })
    return betweenCommas(right).map((group): SyntaxNode => {
      const [path = [], alias = []] = splitAt(group, 'as')
      const [first = '*', ...more] = dotted(path)
      const [given] = dotted(alias)
      const whole = given === undefined ? first : [first, ...more].join('.')
      const value = isFrom ? dotted(left).join('.') : whole
      const type = isFrom ? 'ImportSpecifier' : 'ImportNamespaceSpecifier'
      const names = { imported: identifier(first), local: identifier(given ?? first) }
      const fields = {
        specifiers: [{ type, ...place, ...names }],
        source: { type: 'StringLiteral', ...place, value },
      }
      return { type: 'ImportDeclaration', ...place, ...fields }
    })
  }

  /** `a: T = b`, `a, b = c`, `a = b = c`; of several targets, only the first gets the value. */
  #declarators(parts: readonly LezerNode[]): readonly SyntaxNode[] {
    const groups = splitAt(parts, 'AssignOp')
    const value = groups.length > 1 ? this.#valueOf(groups.at(-1) ?? []) : null
    const targets = groups.length > 1 ? groups.slice(0, -1) : groups
    return targets.map((target, index): SyntaxNode => {
      const [first, ...more] = target
      const [type] = more
      const id =
        first && (more.length === 0 || type?.name === 'TypeDef')
          ? this.#declared(first, type)
          : this.#valueOf(target, 'ArrayPattern')
      const fields = { id, init: index === 0 ? value : null }
      return { type: 'VariableDeclarator', ...this.#placeOf(parts), ...fields }
    })
  }

  #statement(node: LezerNode, parts: readonly LezerNode[]): Form | null {
    switch (node.name) {
      case 'UpdateStatement': {
        const [left, operator, ...right] = parts
        if (!left || !operator) return null
        const sides = { left: this.convert(left), right: this.#valueOf(right) }
        return ['AssignmentExpression', { ...sides, operator: this.#written(operator) }]
      }
      case 'ForStatement':
        return this.#loop(parts)
      case 'IfStatement':
        return ['IfStatement', this.#branches(parts.filter((part) => !isToken(part)))]
      case 'TryStatement':
        return this.#attempt(parts)
      case 'ReturnStatement':
        return ['ReturnStatement', { argument: this.#valueOf(parts.slice(1)) }]
      case 'ExpressionStatement':
        return ['ExpressionStatement', { expression: this.#valueOf(parts) }]
      default:
        return null
    }
  }

  #loop(parts: readonly LezerNode[]): Form {
    const [before = [], after = []] = splitAt(parts, 'in')
    const targets = before.filter(({ name }) => !/^(?:async|for)$/.test(name))
    const [body, alternate] = after.filter(({ name }) => name === 'Body')
    const source = after.slice(0, body ? after.indexOf(body) : undefined)
    const sides = { left: this.#valueOf(targets, 'ArrayPattern'), right: this.#valueOf(source) }
    return [
      'ForOfStatement',
      { ...sides, body: this.#maybe(body), alternate: this.#maybe(alternate) },
    ]
  }

  /** `elif` is an `if` in the `else` of the one before. */
  #branches([test, consequent, ...more]: readonly LezerNode[]): Readonly<Record<string, unknown>> {
    const alternate =
      more.length > 1
        ? { type: 'IfStatement', ...this.#placeOf(more), ...this.#branches(more) }
        : this.#maybe(more[0])
    return { test: this.#maybe(test), consequent: this.#maybe(consequent), alternate }
  }

  #attempt(parts: readonly LezerNode[]): Form {
    const blocks = splitAt(parts, 'Body', true)
    const handlers = blocks.flatMap((block): readonly SyntaxNode[] => {
      if (block[0]?.name !== 'except') return []
      const children = this.#named(block.slice(0, -1))
      const fields = { children, body: this.#maybe(block.at(-1)) }
      return [{ type: 'CatchClause', ...this.#placeOf(block), ...fields }]
    })
    const blockBehind = (word: string) =>
      this.#maybe(blocks.find(([first]) => first?.name === word)?.at(-1))
    const others = { alternate: blockBehind('else'), finalizer: blockBehind('finally') }
    return ['TryStatement', { block: blockBehind('try'), handlers, ...others }]
  }

  #literal(node: LezerNode, parts: readonly LezerNode[]): Form | null {
    const written = this.#written(node)
    switch (node.name) {
      case 'VariableName':
      case 'PropertyName':
        return ['Identifier', { name: written }]
      case 'Number':
        return ['NumericLiteral', { value: Number(written) }]
      case 'Boolean':
        return ['BooleanLiteral', { value: written === 'True' }]
      case 'String': {
        const { start, end, isRaw } = quotesOf(written)
        const inside = written.slice(start, end)
        return ['StringLiteral', { value: isRaw ? inside : unescaped(inside) }]
      }
      case 'FormatString':
        return ['TemplateLiteral', this.#template(node, parts)]
      case 'ContinuedString': {
        const quasis = [node, ...parts].map(() => this.#quasi(node, ''))
        return ['TemplateLiteral', { quasis, expressions: this.#named(parts) }]
      }
      case 'ArrayExpression':
      case 'TupleExpression':
        return ['ArrayExpression', { elements: this.#items(parts) }]
      case 'DictionaryExpression':
        return ['ObjectExpression', { properties: this.#properties(parts) }]
      default:
        return null
    }
  }

  #template(node: LezerNode, parts: readonly LezerNode[]): Readonly<Record<string, unknown>> {
    const { start, end, isRaw } = quotesOf(this.#written(node))
    const holes = parts.filter(({ name }) => name === 'FormatReplacement')
    const edges = [
      node.from + start,
      ...holes.flatMap(({ from, to }) => [from, to]),
      node.from + end,
    ]
    const quasis = [...holes, null].map((_, index) => {
      const text = this.#text.slice(edges[index * 2], edges[index * 2 + 1])
      const plain = text.replaceAll('{{', '{').replaceAll('}}', '}')
      return this.#quasi(node, isRaw ? plain : unescaped(plain))
    })
    // The format after the expression rarely contains code.
    const expressions = holes.map((hole) => {
      const [expression = null] = this.#named(partsOf(hole))
      return expression ?? { type: 'Missing', ...this.#placeOf([hole]) }
    })
    return { quasis, expressions }
  }

  #quasi(node: LezerNode, cooked: string): SyntaxNode {
    return { type: 'TemplateElement', ...this.#placeOf([node]), ...{ value: { cooked } } }
  }

  #properties(parts: readonly LezerNode[]): readonly SyntaxNode[] {
    return betweenCommas(parts).map((group): SyntaxNode => {
      const place = this.#placeOf(group)
      const [key, , value] = group
      if (key?.name === '**') {
        return { type: 'SpreadElement', ...place, ...{ argument: this.#maybe(group[1]) } }
      }
      const computed = key?.name !== 'String'
      const fields = { key: this.#maybe(key), computed, value: this.#maybe(value) }
      return { type: 'ObjectProperty', ...place, ...fields }
    })
  }

  #expression(node: LezerNode, parts: readonly LezerNode[]): Form | null {
    const [first, second] = parts
    const last = parts.at(-1)
    switch (node.name) {
      case 'CallExpression': {
        const list = node.getChild('ArgList')
        const args = list === null ? [] : this.#items(partsOf(list))
        return ['CallExpression', { callee: this.#maybe(first), arguments: args }]
      }
      case 'ArgList':
        return ['Arguments', { children: this.#items(parts) }]
      case 'MemberExpression': {
        const computed = second?.name === '['
        const inside = parts.slice(2, computed ? -1 : undefined)
        const property = inside.length === 1 ? this.#maybe(inside[0]) : null
        const slice = property === null ? this.#named(inside) : []
        return ['MemberExpression', { object: this.#maybe(first), property, computed, slice }]
      }
      case 'BinaryExpression': {
        if (!first || !last) return null
        const operator = this.#text.slice(first.to, last.from).trim().replace(/\s+/g, ' ')
        const sides = { left: this.convert(first), right: this.convert(last) }
        const logical = { and: '&&', or: '||' }[operator]
        return logical === undefined
          ? ['BinaryExpression', { ...sides, operator }]
          : ['LogicalExpression', { ...sides, operator: logical }]
      }
      default:
        return null
    }
  }
}
