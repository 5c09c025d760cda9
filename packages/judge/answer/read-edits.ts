import { commentText, noPaths, pathOfComment, pathOfHeader } from './find-path.ts'
import { dividerLength, endOfEdit, isNamedTail, searchHeadOf } from './markers.ts'
import { type FileProposal, type RefusedPart, refusedPart } from './reply.ts'
import { type Lines, textOfLines } from './text-lines.ts'

export type EditPart = Extract<FileProposal, { readonly kind: 'edits' }> | RefusedPart

/**
 * Reads all SEARCH/REPLACE blocks of these lines, each as edits of one file, with the path named
 * just above it or in its marker; `null` when there are no such blocks. Lines between the blocks
 * may name a path; any other line is refused.
 */
export function readEdits(lines: Lines, known = noPaths): readonly EditPart[] | null {
  if (!lines.some((line) => searchHeadOf(line))) return readHeadless(lines)
  const parts: EditPart[] = []
  let path = ''
  let at = 0
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const head = searchHeadOf(line)
    if (head === null) {
      const named = pathOfComment(line) ?? pathOfHeader(line, known)
      if (named !== null) path = named
      else if (isStray(line))
        parts.push(refusedPart(path, 'a line outside the SEARCH and REPLACE markers', [line]))
      at += 1
      continue
    }
    path = head.path || path
    const { end, isWhole } = endOfEdit(lines, at)
    const body = lines.slice(at + 1, isWhole ? end - 1 : end)
    const unfinished = 'a SEARCH block that does not end with >>>>>>> REPLACE'
    parts.push(isWhole ? readBody(path, body, head.length) : refusedPart(path, unfinished, body))
    at = end
  }
  return parts
}

/** An edit without its first marker: with nothing above the dividing line, it replaces nothing, so it may be a new file. */
function readHeadless(lines: Lines): readonly EditPart[] | null {
  const end = lines.findIndex(isNamedTail)
  if (end < 0) return null
  const body = lines.slice(0, end)
  const divider = body.findIndex((line) => dividerLength(line) > 0)
  const isEmpty = divider >= 0 && body.slice(0, divider).every((line) => line.trim() === '')
  return isEmpty
    ? [readBody('', body.slice(divider), dividerLength(body[divider] ?? ''))]
    : [refusedPart('', 'a SEARCH/REPLACE block without its <<<<<<< SEARCH line', lines)]
}

/** Splits a block at its only dividing line, or the only one as long as the opening marker. */
function readBody(path: string, body: Lines, length: number): EditPart {
  const dividers = body.flatMap((line, index) => (dividerLength(line) > 0 ? [index] : []))
  const likely = dividers.filter((index) => dividerLength(body[index] ?? '') === length)
  const [divider, ...others] = likely.length > 0 ? likely : dividers
  if (divider === undefined) {
    return refusedPart(path, 'a SEARCH block without a ======= line', body)
  }
  if (others.length > 0) {
    const reason = 'a SEARCH block with more than one ======= line; send the whole file'
    return refusedPart(path, reason, body)
  }
  const start = numbers(body.slice(0, divider))
  const search = textOfLines(body.slice(start, divider))
  return { kind: 'edits', path, edits: [{ search, replace: textOfLines(body.slice(divider + 1)) }] }
}

/** Counts the lines at the top that only give line numbers: `:start_line:12`, `-------`. */
function numbers(lines: Lines): number {
  const first = lines.findIndex((line) => !/^:(?:start|end)_line:\s*\d+\s*$/.test(line))
  return first > 0 && /^-{5,9}\s*$/.test(lines[first] ?? '') ? first + 1 : Math.max(0, first)
}

/** Code outside the markers is neither searched for nor inserted; ignoring it would lose it. */
const isStray = (line: string): boolean =>
  line.trim() !== '' && commentText(line) === null && !/^\s*(?:`{3,}|~{3,}|\.{3}$)/.test(line)
