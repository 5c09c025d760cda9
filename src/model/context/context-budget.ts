import type { ContextFile } from '../../core/domain/attempt.ts'
import { outline } from '../../text/source/outline.ts'
import { estimateTokens } from '../../text/words/estimate-tokens.ts'

/** Token limits: for a file shown whole, and for the outline of a longer one. */
export interface TokenAllowance {
  readonly whole: number
  readonly outline: number
}

/** The fence and the note around each file. */
const FRAME_TOKENS = 6

/** Collects files while there is room. */
export class ContextBudget {
  readonly #words: ReadonlySet<string>
  readonly #files = new Map<string, ContextFile>()
  /** Tokens that remain. */
  left: number

  constructor(budgetTokens: number, words: ReadonlySet<string>) {
    this.left = budgetTokens
    this.#words = words
  }

  get files(): readonly ContextFile[] {
    return [...this.#files.values()]
  }

  has(path: string): boolean {
    return this.#files.has(path)
  }

  /** Adds the file whole, or as an outline; false when neither fits. */
  place(path: string, text: string, allowance: TokenAllowance): boolean {
    if (this.has(path)) return true
    const room = this.left - frameOf(path)
    if (estimateTokens(text) <= Math.min(room, allowance.whole)) return this.#put(path, text, true)
    return this.#putOutline(path, text, allowance)
  }

  /** Adds the lines about the task from a file whose signatures alone are too long; false when there are none. */
  addExcerpt(path: string, text: string, allowance: TokenAllowance): boolean {
    return this.#putOutline(path, text, allowance, false)
  }

  #putOutline(path: string, text: string, allowance: TokenAllowance, isWhole?: false): boolean {
    const room = Math.min(this.left - frameOf(path), allowance.outline)
    const short = outline(path, text, this.#words, room, isWhole)
    return short !== null && short.length < text.length && this.#put(path, short, false)
  }

  #put(path: string, text: string, whole: boolean): true {
    this.#files.set(path, { path, text, whole })
    this.left -= frameOf(path) + estimateTokens(text)
    return true
  }
}

const frameOf = (path: string): number => estimateTokens(path) + FRAME_TOKENS

/** Tokens of the shortest useful form of a file. */
export function leastTokens(path: string, text: string): number {
  const short = outline(path, text, new Set(), Number.POSITIVE_INFINITY) ?? text
  return Math.min(estimateTokens(text), estimateTokens(short)) + frameOf(path)
}
