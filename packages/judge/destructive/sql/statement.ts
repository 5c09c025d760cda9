import { isKnown } from '../finding.ts'
import type { SqlToken } from './read-tokens.ts'

/** Words that start a new statement even without a `;`. */
const newStatement =
  /^(?:DELETE|INSERT|TRUNCATE|DROP|ALTER|CREATE|UPDATE|END|COMMIT|ROLLBACK|GO|EXEC|PRINT|DECLARE)$/

/** The tokens between two `;`, with questions about them. */
export class Statement {
  readonly tokens: readonly SqlToken[]
  /** The index of each opening parenthesis's match. */
  readonly #closings = new Map<number, number>()

  constructor(tokens: readonly SqlToken[]) {
    this.tokens = tokens
    const open: number[] = []
    for (const [index, token] of tokens.entries()) {
      if (isMark(token, '(')) open.push(index)
      if (isMark(token, ')')) {
        const opened = open.pop()
        if (opened !== undefined) this.#closings.set(opened, index)
      }
    }
  }

  /** The word at an index, in upper case; empty for anything but a bare word. */
  word(index: number): string {
    const token = this.tokens[index]
    return token?.kind === 'word' ? token.text : ''
  }

  isName(index: number): boolean {
    const token = this.tokens[index]
    if (token === undefined || token.kind === 'mark' || token.kind === 'number') return false
    return true
  }

  /** True when no `WHERE` selects rows, up to the end of the statement or of its parentheses. */
  isWithoutCondition(from: number): boolean {
    for (let at = from; at < this.tokens.length; at += 1) {
      const token = this.tokens[at]
      if (token === undefined || isMark(token, ')')) return true
      if (isMark(token, '(')) {
        const close = this.#closings.get(at)
        if (close === undefined) return true
        at = close
      } else if (token.kind === 'word') {
        if (token.text === 'WHERE') return this.#isAlwaysTrue(at + 1)
        if (newStatement.test(token.text)) return true
        // An unknown part may well be the condition.
        if (!isKnown(token.text) && !isValuePlace(this.tokens[at - 1])) return false
      }
    }
    return true
  }

  /** `WHERE 1=1`, `WHERE true`: the whole condition, not a part of it. */
  #isAlwaysTrue(from: number): boolean {
    const condition: SqlToken[] = []
    let depth = 0
    for (let at = from; at < from + 12 && condition.length < 6; at += 1) {
      const token = this.tokens[at]
      if (token === undefined) break
      if (isMark(token, '(')) depth += 1
      else if (isMark(token, ')')) depth -= 1
      else if (/^(?:RETURNING|LIMIT|ORDER)$/.test(token.text)) break
      else condition.push(token)
      if (depth < 0) break
    }
    const [left, operator, right] = condition
    if (condition.length === 1) return /^(?:TRUE|1)$/.test(left?.text ?? '')
    if (condition.length !== 3 || operator?.text !== '=') return false
    const isValue = left?.kind === 'number' || left?.kind === 'string'
    return isValue && left?.kind === right?.kind && left?.text === right?.text
  }

  /** The offset where the statement, or the parentheses around it, ends. */
  endFrom(index: number): number {
    let end = this.tokens[index]?.end ?? 0
    for (let at = index + 1; at < this.tokens.length && at < index + 100; at += 1) {
      const token = this.tokens[at]
      if (token === undefined || isMark(token, ')')) break
      if (token.kind === 'word' && /^(?:END|GO|DELETE|INSERT|TRUNCATE|DROP)$/.test(token.text))
        break
      const close = isMark(token, '(') ? this.#closings.get(at) : undefined
      at = close ?? at
      end = this.tokens[at]?.end ?? end
    }
    return end
  }
}

export const isMark = (token: SqlToken | undefined, mark: string): boolean =>
  token?.kind === 'mark' && token.text === mark

const isValuePlace = (before: SqlToken | undefined): boolean =>
  before !== undefined &&
  (/^[=,(.+\-*/|%<>]$/.test(before.text) ||
    /^(?:SET|FROM|LIMIT|AS|VALUES|IN|LIKE|INTERVAL|RETURNING)$/.test(before.text))
