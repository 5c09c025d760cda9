import { findLines } from './find-lines.ts'
import { driftBetween, reindent } from './indentation.ts'

/** Where an edit belongs, and what to put there; or why nobody can tell. Lines are 0-based. */
export type Place =
  | {
      readonly status: 'found'
      readonly start: number
      readonly count: number
      readonly lines: readonly string[]
      /** What was overlooked to find it; empty for an exact match. */
      readonly tolerated: string
    }
  | { readonly status: 'ambiguous'; readonly starts: readonly number[] }
  | { readonly status: 'missing' }

/** Places with the right words whose indentation is looked at. */
const mostCandidates = 200

/**
 * Finds the lines of `search` in a file: exactly; else but for white space at line ends and
 * blank lines around; else but for an indentation that differs the same way on every line,
 * which the replacement then follows. Each step counts only if it fits in one place; of several exact
 * ones, that in which alone the file has not been touched by edits before.
 */
export function locateEdit(
  file: readonly string[],
  search: readonly string[],
  replace: readonly string[],
  untouched: (search: readonly string[]) => number | null = () => null,
): Place {
  const exact = findLines(file, search, 3)
  const own = exact.length > 1 ? untouched(search) : null
  if (exact.length > 0) return only(own === null ? exact : [own], search.length, replace, '')
  const trimmed = withoutBlankEdges(search, replace)
  const loose = findLines(file.map(trimEnd), trimmed.search.map(trimEnd), 3)
  if (loose.length > 0) {
    return only(loose, trimmed.search.length, trimmed.replace, 'white space at line ends')
  }
  return locateIndented(file, trimmed.search, trimmed.replace)
}

function locateIndented(
  file: readonly string[],
  search: readonly string[],
  replace: readonly string[],
): Place {
  const starts = findLines(file.map(trim), search.map(trim), mostCandidates)
  if (starts.length === mostCandidates) return { status: 'ambiguous', starts }
  const places = starts.flatMap((start) => {
    const drift = driftBetween(search, file.slice(start, start + search.length))
    const lines = drift && reindent(replace, drift)
    return lines ? [{ start, lines }] : []
  })
  const [place] = places
  if (place === undefined) return { status: 'missing' }
  const found = places.map(({ start }) => start)
  return only(found, search.length, place.lines, 'another indentation')
}

function only(
  starts: readonly number[],
  count: number,
  lines: readonly string[],
  tolerated: string,
): Place {
  const [start] = starts
  if (start === undefined) return { status: 'missing' }
  if (starts.length > 1) return { status: 'ambiguous', starts }
  return { status: 'found', start, count, lines, tolerated }
}

/** Blank lines at the edges of a search mean nothing; the replacement loses as many. */
function withoutBlankEdges(search: readonly string[], replace: readonly string[]) {
  const isText = (line: string) => line.trim() !== ''
  const first = search.findIndex(isText)
  const last = search.findLastIndex(isText)
  const start = Math.min(first, Math.max(0, indexOr(replace.findIndex(isText), replace.length)))
  const blankEnd = replace.length - 1 - replace.findLastIndex(isText)
  const end = replace.length - Math.min(search.length - 1 - last, blankEnd)
  return {
    search: search.slice(first, last + 1),
    replace: replace.slice(start, Math.max(start, end)),
  }
}

function indexOr(index: number, other: number): number {
  return index < 0 ? other : index
}

function trim(line: string): string {
  return line.trim()
}

function trimEnd(line: string): string {
  return line.trimEnd()
}
