import { shorten } from './excerpt.ts'
import { commentText, noPaths, pathOfComment, pathOfHeader } from './find-path.ts'
import { dividerLength, searchHeadOf, tailAfter } from './markers.ts'
import type { Edit } from './reply.ts'

/** One SEARCH/REPLACE block, with the path named just above it or in its marker, if any. */
export type ReadEdit = { readonly path: string | null } & (
  | { readonly status: 'read'; readonly edit: Edit }
  | { readonly status: 'broken'; readonly reason: string; readonly excerpt: string }
)

/**
 * Reads all SEARCH/REPLACE blocks of these lines; `null` when there is none, so that the lines
 * are something else. Lines between the blocks may name a path; any other is reported.
 */
export function readEdits(lines: readonly string[], known = noPaths): readonly ReadEdit[] | null {
  if (!lines.some((line) => searchHeadOf(line))) return null
  const found: ReadEdit[] = []
  let path: string | null = null
  let at = 0
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const head = searchHeadOf(line)
    if (head === null) {
      const named = pathOfComment(line) ?? pathOfHeader(line, known)
      if (named !== null) path = named
      else if (isStray(line)) found.push(stray(path, line))
      at += 1
      continue
    }
    if (head.path !== null) path = head.path
    const tail = tailAfter(lines, at)
    const end = tail < 0 ? endOfBroken(lines, at) : tail
    const body = lines.slice(at + 1, end)
    found.push(tail < 0 ? unfinished(path, body) : readBody(path, body, head.length))
    at = tail < 0 ? end : end + 1
  }
  return found
}

/** Cuts a block at its dividing line: the only one as long as the opening marker, or the only one. */
function readBody(path: string | null, body: readonly string[], length: number): ReadEdit {
  const dividers = body.flatMap((line, index) => (dividerLength(line) > 0 ? [index] : []))
  const likely = dividers.filter((index) => dividerLength(body[index] ?? '') === length)
  const [divider, ...others] = likely.length > 0 ? likely : dividers
  if (divider === undefined) return broken(path, body, 'a SEARCH block without a ======= line')
  if (others.length > 0) {
    return broken(path, body, 'a SEARCH block with more than one ======= line; send the whole file')
  }
  const start = numbers(body.slice(0, divider))
  const edit = {
    search: asText(body.slice(start, divider)),
    replace: asText(body.slice(divider + 1)),
  }
  return { status: 'read', path, edit }
}

/** How many lines at the top say where the lines stand, and are none of them: `:start_line:12`, `-------`. */
function numbers(lines: readonly string[]): number {
  const first = lines.findIndex((line) => !/^:(?:start|end)_line:\s*\d+\s*$/.test(line))
  return first > 0 && /^-{5,9}\s*$/.test(lines[first] ?? '') ? first + 1 : Math.max(0, first)
}

function asText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

function unfinished(path: string | null, body: readonly string[]): ReadEdit {
  return broken(path, body, 'a SEARCH block that does not end with >>>>>>> REPLACE')
}

function broken(path: string | null, body: readonly string[], reason: string): ReadEdit {
  return { status: 'broken', path, reason, excerpt: shorten(body) }
}

function endOfBroken(lines: readonly string[], start: number): number {
  let end = start + 1
  while (end < lines.length && !searchHeadOf(lines[end] ?? '')) end += 1
  return end
}

/** Code outside the markers is neither searched for nor put in; saying nothing would lose it. */
function isStray(line: string): boolean {
  return (
    line.trim() !== '' && commentText(line) === null && !/^\s*(?:`{3,}|~{3,}|\.{3}$)/.test(line)
  )
}

function stray(path: string | null, line: string): ReadEdit {
  return broken(path, [line], 'a line outside the SEARCH and REPLACE markers')
}
