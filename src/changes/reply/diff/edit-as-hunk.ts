import { diffArrays } from 'diff'
import type { Hunk, HunkLine } from './hunk.ts'

/** A longer edit is compared no further. */
const mostDifferences = 400

/**
 * A replacement as a hunk: the lines that both sides have are context. So a slip of white space in
 * them need not be the file's, and never gets into it. Of sides that are too unlike, none is.
 */
export function editAsHunk(wanted: readonly string[], written: readonly string[]): Hunk {
  const { search, replace } = withoutBlankEdges(wanted, written)
  const unlike = [
    { removed: true, added: false, value: search },
    { removed: false, added: true, value: replace },
  ]
  const options = { maxEditLength: mostDifferences }
  const parts = diffArrays([...search], [...replace], options) ?? unlike
  const lines = parts.flatMap(({ added, removed, value }) => {
    const kind = added ? 'added' : removed ? 'removed' : 'context'
    return value.map((text): HunkLine => ({ kind, text, raw: `${signs[kind]}${text}` }))
  })
  return { range: null, headings: [], lines, doubtful: [], atEnd: false, finalNewline: 'keep' }
}

const signs = { added: '+', removed: '-', context: ' ' } as const

/** Blank lines at the edges of a search mean nothing; the replacement loses as many. */
function withoutBlankEdges(search: readonly string[], replace: readonly string[]) {
  const isText = (line: string) => line.trim() !== ''
  const first = search.findIndex(isText)
  const last = search.findLastIndex(isText)
  const text = replace.findIndex(isText)
  const blankStart = text < 0 ? replace.length : text
  const start = Math.min(first, blankStart)
  const blankEnd = replace.length - 1 - replace.findLastIndex(isText)
  const end = replace.length - Math.min(search.length - 1 - last, blankEnd)
  return {
    search: search.slice(first, last + 1),
    replace: replace.slice(start, Math.max(start, end)),
  }
}
