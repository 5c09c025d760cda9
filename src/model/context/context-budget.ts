import { outline, outlineParts, type WeighedPart } from '../../../packages/source/source.ts'
import { estimateTokens } from '../../../packages/text/text.ts'
import type { ContextFile } from '../../core/domain/attempt.ts'

/** Token limits: for a file shown whole, and for the outline of a longer one. */
export interface TokenAllowance {
  readonly whole: number
  readonly outline: number
}

/** The fence and the note around each file. */
const FRAME_TOKENS = 6

/** What an index knows about a file that it found. */
export interface FoundParts {
  readonly weights: ReadonlyMap<string, number>
  readonly parts: readonly WeighedPart[]
  readonly why: string
}

/** Less room shows no useful part of a file. */
const LEAST_PART = 60
/** The note that a part is no whole file. */
const PART_NOTE_TOKENS = 12

/** Collects files while there is room. */
export class ContextBudget {
  readonly #words: ReadonlySet<string>
  readonly #files = new Map<string, ContextFile>()
  readonly #reasons = new Map<string, string>()
  /** Tokens that remain. */
  left: number

  constructor(budgetTokens: number, words: ReadonlySet<string>) {
    this.left = budgetTokens
    this.#words = words
  }

  get files(): readonly ContextFile[] {
    return [...this.#files.values()]
  }

  /** Why each file is here, in words for a person. */
  get reasons(): ReadonlyMap<string, string> {
    return this.#reasons
  }

  has(path: string): boolean {
    return this.#files.has(path)
  }

  /** Adds the file whole, or as an outline; false when neither fits. */
  place(path: string, text: string, allowance: TokenAllowance, why = ''): boolean {
    if (this.has(path)) return true
    const room = this.left - frameOf(path)
    if (estimateTokens(text) <= Math.min(room, allowance.whole)) {
      return this.#put(path, text, true, why)
    }
    return this.#putOutline(path, text, allowance, why)
  }

  /** Adds the file whole, or the parts of it that an index found; false without room for a useful part. */
  placeParts(path: string, text: string, most: number, found: FoundParts): boolean {
    if (this.has(path)) return true
    const room = Math.min(this.left - frameOf(path), most)
    if (estimateTokens(text) <= room) return this.#put(path, text, true, found.why)
    if (room < LEAST_PART) return false
    const { weights, parts, why } = found
    const short = outlineParts(path, text, weights, parts, room - PART_NOTE_TOKENS)
    return this.#put(path, short, false, why)
  }

  /** Adds the lines about the task from a file whose signatures alone are too long; false when there are none. */
  addExcerpt(path: string, text: string, allowance: TokenAllowance, why: string): boolean {
    return this.#putOutline(path, text, allowance, why, false)
  }

  #putOutline(
    path: string,
    text: string,
    allowance: TokenAllowance,
    why: string,
    isWhole?: false,
  ): boolean {
    const room = Math.min(this.left - frameOf(path), allowance.outline)
    const short = outline(path, text, this.#words, room, isWhole)
    return short !== null && short.length < text.length && this.#put(path, short, false, why)
  }

  #put(path: string, text: string, whole: boolean, why: string): true {
    this.#files.set(path, { path, text, whole })
    this.#reasons.set(path, why)
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
