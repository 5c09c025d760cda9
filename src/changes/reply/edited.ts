import type { Refusal } from '../../core/domain/change-set.ts'
import { joinLines, splitLines, type TextLines } from './text-lines.ts'

/** More edits or hunks than this for one file are a whole file, or an attack. */
const mostEdits = 1_000
/** Refusals that get the closest lines of the file with them; each costs a walk through the file. */
const mostExcerpts = 20

export interface Edited {
  readonly text: string
  readonly refusals: readonly Refusal[]
  /** Parts of the answer that were left out because the text already holds them. */
  readonly echoes: readonly Refusal[]
  readonly notes: readonly string[]
}

export type Outcome =
  | { readonly status: 'made'; readonly text: TextLines; readonly tolerated: string }
  /** An echo: the text is already as the edit wants it. */
  | {
      readonly status: 'refused' | 'echo'
      readonly reason: string
      readonly excerpt: () => string
    }

export class EditedText {
  text: TextLines
  readonly #path: string
  readonly #refusals: Refusal[] = []
  readonly #echoes: Refusal[] = []
  readonly #notes = new Set<string>()

  constructor(path: string, before: string) {
    this.#path = path
    this.text = splitLines(before)
  }

  /** True where there are more edits than one file may have: then a refusal says so. */
  hasTooMany(edits: readonly unknown[], what: 'edits' | 'hunks'): boolean {
    if (edits.length <= mostEdits) return false
    const reason = `${edits.length} ${what} for one file, at most ${mostEdits} are read; send the whole file`
    this.take({ status: 'refused', reason, excerpt: () => '' })
    return true
  }

  take(outcome: Outcome): void {
    if (outcome.status === 'made') {
      this.text = outcome.text
      this.note(outcome.tolerated)
      return
    }
    const { status, reason, excerpt } = outcome
    const list = status === 'echo' ? this.#echoes : this.#refusals
    const isShown = status === 'echo' || list.length < mostExcerpts
    list.push({ path: this.#path, reason, excerpt: isShown ? excerpt() : '' })
  }

  note(tolerated: string): void {
    if (tolerated !== '')
      this.#notes.add(`${this.#path}: an edit was placed in spite of ${tolerated}`)
  }

  result(): Edited {
    const [refusals, echoes] = [this.#refusals, this.#echoes]
    return { text: joinLines(this.text), refusals, echoes, notes: [...this.#notes] }
  }
}
