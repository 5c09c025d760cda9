import { UNKNOWN } from '../finding.ts'
import { argumentsOf, childrenOf, lookUpName, type PythonFile } from './python-names.ts'
import type { LezerPythonNode } from './python-tree.ts'
import { isList, MAX_TEXT, type Value, valueText } from './value.ts'

const MOST_STEPS = 3_000
const MOST_STEPS_OF_FILE = 1_000_000

export type PythonValueOf = (node: LezerPythonNode) => Value

/** Tells the values of a file's expressions, as far as the file alone tells them. */
export function createPythonValues(file: PythonFile): PythonValueOf {
  const evaluator = new Evaluator(file)
  return (node) => evaluator.start(node)
}

type Inner = (next: LezerPythonNode) => Value

class Evaluator {
  readonly #file: PythonFile
  #total = 0
  #steps = 0

  constructor(file: PythonFile) {
    this.#file = file
  }

  start(node: LezerPythonNode): Value {
    this.#steps = 0
    return this.#evaluate(node, 0)
  }

  #evaluate(node: LezerPythonNode, depth: number): Value {
    this.#steps += 1
    this.#total += 1
    if (this.#steps > MOST_STEPS || depth > 60 || this.#total > MOST_STEPS_OF_FILE) return undefined
    const inner: Inner = (next) => this.#evaluate(next, depth + 1)
    const { text } = this.#file
    switch (node.name) {
      case 'String':
        return readString(text.slice(node.from, node.to))
      case 'FormatString':
        return readFormat(node, text, inner)
      case 'ContinuedString':
        return joined([...childrenOf(node)].map(inner))
      case 'Number':
        return Number(text.slice(node.from, node.to))
      case 'Boolean':
        return text.slice(node.from, node.to) === 'True'
      case 'None':
        return null
      case 'ParenthesizedExpression':
        return node.firstChild?.nextSibling ? inner(node.firstChild.nextSibling) : undefined
      case 'ArrayExpression':
      case 'TupleExpression':
        return readList(node, inner)
      case 'DictionaryExpression':
        return new Map(node.firstChild?.nextSibling?.name === '}' ? [] : [['?', undefined]])
      case 'BinaryExpression':
        return added(node, text, inner)
      case 'VariableName':
        return this.#named(node, inner)
      case 'CallExpression':
        return called(node, text, inner)
      default:
        return undefined
    }
  }

  #named(node: LezerPythonNode, inner: Inner): Value {
    const name = this.#file.text.slice(node.from, node.to)
    const binding = lookUpName(this.#file, node, name)
    if (binding?.kind !== 'value') return undefined
    const first = inner(binding.node)
    return binding.added.length === 0 ? first : joined([first, ...binding.added.map(inner)])
  }
}

function added(node: LezerPythonNode, text: string, inner: Inner): Value {
  const [left, operator, right] = [...childrenOf(node)]
  if (!left || !right || !operator) return undefined
  const sign = text.slice(operator.from, operator.to)
  const value = inner(left)
  if (sign === '%' && typeof value === 'string') {
    return value.replace(/%(?:\(\w+\))?[-\d.]*[a-z]/g, UNKNOWN)
  }
  if (sign === '/') return UNKNOWN
  if (sign !== '+') return undefined
  const other = inner(right)
  if (isList(value)) return [...value, ...(isList(other) ? other : [undefined])].slice(0, 1000)
  if (isList(other)) return [undefined, ...other]
  return typeof value === 'string' || typeof other === 'string' ? joined([value, other]) : undefined
}

/** Functions that answer what they are given, as far as a command is concerned. */
const keeping = /^(?:text|dedent|str|SQL|Path|list|tuple|sql)$/

function called(node: LezerPythonNode, text: string, inner: Inner): Value {
  const callee = node.firstChild
  const [first] = argumentsOf(node, text)
  if (callee?.name !== 'VariableName' && callee?.name !== 'MemberExpression') return undefined
  const name = text.slice(callee.lastChild?.from ?? callee.from, callee.to)
  const holder = callee.name === 'MemberExpression' ? callee.firstChild : null
  const argument = () => (first?.name === '' ? inner(first.node) : undefined)
  if (keeping.test(name)) return argument()
  if (name === 'split' && holder && text.slice(holder.from, holder.to) === 'shlex') {
    const value = argument()
    return typeof value === 'string' ? words(value) : undefined
  }
  const held = holder ? inner(holder) : undefined
  if (typeof held !== 'string') return undefined
  if (name === 'join') {
    const items = argument()
    return isList(items) ? items.map(valueText).join(held).slice(0, MAX_TEXT) : undefined
  }
  if (name === 'format') return held.replace(/\{[^{}]*\}/g, UNKNOWN)
  if (name === 'split') return words(held)
  return /^(?:strip|rstrip|lstrip|encode|decode)$/.test(name) ? held.trim() : undefined
}

const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '')

const joined = (values: readonly Value[]): string =>
  values.map(valueText).join('').slice(0, MAX_TEXT)

function readList(
  node: LezerPythonNode,
  inner: (next: LezerPythonNode) => Value,
): readonly Value[] {
  const values: Value[] = []
  let isSpread = false
  for (const child of childrenOf(node)) {
    if (values.length > 500) break
    if (child.name === '*') isSpread = true
    else if (!/^[[\](),]$|^Comment$/.test(child.name)) {
      const value = inner(child)
      values.push(isSpread && !isList(value) ? undefined : value)
      isSpread = false
    }
  }
  return values
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\n': '' }

function readString(literal: string): string {
  const [, prefix = '', quote = ''] = /^([A-Za-z]*)("""|'''|"|')/.exec(literal) ?? []
  const body = literal.slice(
    prefix.length + quote.length,
    literal.endsWith(quote) ? -quote.length || undefined : undefined,
  )
  return /r/i.test(prefix) ? body : unescaped(body)
}

const unescaped = (text: string): string =>
  text.replace(/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([\s\S]))/g, (_, hex, unicode, char) =>
    hex || unicode
      ? String.fromCharCode(Number.parseInt(hex ?? unicode, 16))
      : (escapes[char] ?? char),
  )

function readFormat(
  node: LezerPythonNode,
  text: string,
  inner: (next: LezerPythonNode) => Value,
): string {
  const literal = text.slice(node.from, node.to)
  const [, prefix = '', quote = ''] = /^([A-Za-z]*)("""|'''|"|')/.exec(literal) ?? []
  let at = node.from + prefix.length + quote.length
  let value = ''
  for (const child of childrenOf(node)) {
    if (child.name !== 'FormatReplacement') continue
    const expression = [...childrenOf(child)].find(({ name }) => name !== '{')
    value += text.slice(at, child.from) + (expression ? valueText(inner(expression)) : UNKNOWN)
    at = child.to
  }
  value += text.slice(at, literal.endsWith(quote) ? node.to - quote.length : node.to)
  const braces = value.replaceAll('{{', '{').replaceAll('}}', '}').slice(0, MAX_TEXT)
  return /r/i.test(prefix) ? braces : unescaped(braces)
}
