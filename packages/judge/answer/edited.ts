import type { Refusal } from '../../change/change.ts'
import { joinLines, splitLines, type TextLines } from './text-lines.ts'

/** More edits or hunks of one file amount to a whole file, or to an attack. */
const mostEdits = 1_000
/** How many refusals quote the closest lines of the file; each quote searches the file. */
const mostExcerpts = 20

export interface Edited {
  readonly text: string
  readonly refusals: readonly Refusal[]
  /** Parts of the answer that were dropped because the text already contains them. */
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

/** Applies the outcomes of edits one after the other to a text; `edits` are only counted. */
export function editText(
  path: string,
  before: string,
  [what, edits]: readonly ['edits' | 'hunks', readonly unknown[]],
  outcomes: (text: TextLines) => Iterable<Outcome>,
): Edited {
  const [refusals, echoes, notes] = [[] as Refusal[], [] as Refusal[], new Set<string>()]
  const result = (text: string) => ({ text, refusals, echoes, notes: [...notes] })
  if (edits.length > mostEdits) {
    const reason = `${edits.length} ${what} for one file, at most ${mostEdits} are read; send the whole file`
    refusals.push({ path, reason, excerpt: '' })
    return result(before)
  }
  let text = splitLines(before)
  for (const outcome of outcomes(text)) {
    if (outcome.status !== 'made') {
      const { status, reason, excerpt } = outcome
      const isShown = status === 'echo' || refusals.length < mostExcerpts
      const list = status === 'echo' ? echoes : refusals
      list.push({ path, reason, excerpt: isShown ? excerpt() : '' })
      continue
    }
    text = outcome.text
    if (outcome.tolerated !== '')
      notes.add(`${path}: an edit was placed despite ${outcome.tolerated}`)
  }
  return result(joinLines(text))
}
