import { diffArrays } from 'diff'
import type { Hunk, HunkLine } from './hunk.ts'

/** A longer edit is compared no further. */
const mostDifferences = 400

/**
 * A replacement as a hunk: the lines that both sides have are context. So a slip of white space in
 * them need not be the file's, and never gets into it. `null` when the sides are too unlike.
 */
export function editAsHunk(search: readonly string[], replace: readonly string[]): Hunk | null {
  const parts = diffArrays([...search], [...replace], { maxEditLength: mostDifferences })
  if (parts === undefined) return null
  const lines = parts.flatMap(({ added, removed, value }) => {
    const kind = added ? 'added' : removed ? 'removed' : 'context'
    return value.map((text): HunkLine => ({ kind, text, raw: `${signs[kind]}${text}` }))
  })
  return { range: null, headings: [], lines, doubtful: [], atEnd: false, finalNewline: 'keep' }
}

const signs = { added: '+', removed: '-', context: ' ' } as const
