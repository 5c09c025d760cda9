/** Ways to make an assertion fail: another expected value, for any language that is parsed. */
import {
  descendants,
  isCall,
  isMember,
  memberName,
  nodeAt,
  nodesAt,
  type SyntaxNode,
  textAt,
} from '../../source/source.ts'
import type { RangeEdit } from './range-edits.ts'

/** What makes an assertion fail. */
export interface Alteration {
  readonly edits: readonly RangeEdit[]
  /** Of an equality. */
  readonly sides?: readonly SyntaxNode[]
}

export type TextOf = (node: SyntaxNode) => string

const hasCall = (node: SyntaxNode): boolean => [...descendants(node)].some(isCall)

/** The side of an equality that is expected: the one that calls nothing, else the last. */
export function expectedOf(sides: readonly SyntaxNode[]): SyntaxNode | undefined {
  return sides.findLast((side) => !hasCall(side)) ?? sides.at(-1)
}

export const put = ({ start, end }: SyntaxNode, text: string): RangeEdit => ({ start, end, text })

export const only = (edit: RangeEdit): Alteration => ({ edits: [edit] })

/** Alters what an equality expects. */
export function alterEquality(
  sides: readonly SyntaxNode[],
  alter: (expected: SyntaxNode) => RangeEdit,
): Alteration | null {
  const expected = expectedOf(sides)
  return expected === undefined ? null : { edits: [alter(expected)], sides }
}

const equals = /^(?:is_?|deep_?)?equals?(?:_?to)?$/i

/** Of `a.equals(new Money(3))`: a method that is always true is so of another value, too. */
export function alterEqualityCall(
  subject: SyntaxNode | null | undefined,
  textOf: TextOf,
  dialect: Dialect,
): Alteration | null {
  const callee = subject && isCall(subject) ? nodeAt(subject, 'callee') : null
  if (!subject || callee === null) return null
  const name = isMember(callee) ? memberName(callee) : (textAt(callee, 'name') ?? '')
  const given = nodesAt(subject, 'arguments')
  const other = given.at(-1)
  // What follows the values is an option or a tolerance.
  const isPair = given.length === (isMember(callee) ? 1 : 2)
  const isNamed = other !== undefined && /^\w+\s*=[^=>]/.test(textOf(other))
  return equals.test(name) && isPair && other && !isNamed
    ? only(otherValue(other, textOf, dialect))
    : null
}

/** Opposites of assertions, both ways. */
export const opposites = (
  pairs: readonly (readonly [string, string])[],
): ReadonlyMap<string, string> =>
  new Map(pairs.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]))

export interface Dialect {
  /** What nothing else equals, unless it equals everything. */
  readonly sentinel: string
  readonly not: string
  /** A list with one element more. */
  readonly longer: (list: string) => string
}

const literals = /^(?:Numeric|String|Template|Boolean)Literal$/

/** The first argument of `Money(3)`, which equals no `Money(0)`, unless it equals every one; `max(1, 2)` may be the same. */
function heldBy(node: SyntaxNode, written: string): SyntaxNode | null {
  const isOfClass = /^(?:new\s+)?(?:\w+\.)*[A-Z]\w*\(/.test(written)
  const [first] = isOfClass ? nodesAt(node, 'arguments') : []
  return first !== undefined && literals.test(first.type) ? first : null
}

/** A value that is far from this one: what limits or normalizes its parts may take a neighbour for the same. */
function farValue(written: string, not: string): string {
  if (/^\d/.test(written)) return /[1-9]/.test(written) ? '0' : '1'
  return /^["'`]/.test(written) ? '"zz~zz"' : `(${not}(${written}))`
}

/**
 * Another value in place of an expected one: a neighbour of its type, which also shows what equals everything of that
 * type; else the sentinel. No number is its own double, less one, with the other sign.
 */
export function otherValue(
  node: SyntaxNode,
  textOf: TextOf,
  { sentinel, not, longer }: Dialect,
): RangeEdit {
  const written = textOf(node)
  switch (node.type === 'UnaryExpression' ? nodeAt(node, 'argument')?.type : node.type) {
    case 'NumericLiteral':
      return put(node, `((${written}) * -2 - 1)`)
    case 'StringLiteral':
    case 'TemplateLiteral':
      return put(node, `(${written} + "~")`)
    case 'BooleanLiteral':
      return put(node, `(${not}(${written}))`)
    case 'ArrayExpression':
      return put(node, longer(written))
    case 'CallExpression':
    case 'NewExpression': {
      const held = heldBy(node, written)
      return held === null ? put(node, sentinel) : put(held, farValue(textOf(held), not))
    }
    default:
      return put(node, sentinel)
  }
}
