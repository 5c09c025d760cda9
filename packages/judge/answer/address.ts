import { looksLikePath, oneLine } from '../../text/text.ts'
import { type KnownPaths, noPaths, pathOfComment, pathOfHeader, pathOfTag } from './find-path.ts'
import type { FileProposal } from './reply.ts'
import type { Lines } from './text-lines.ts'

/** How many lines above a block its heading may be. */
const farthest = 8

/** Prose under a heading that makes the code below a sample instead of the file. */
const sample =
  /\b(?:e\.?g\.?|examples?|for instance|output|prints?|run|snippets?|try|usage|uses?)\b/i

/** A line above a block that names its file. */
export interface FileLabel {
  readonly path: string
  /** Index in the given lines. */
  readonly line: number
}

/**
 * Finds the file that the prose above a block names: on the adjacent line, or in a heading with
 * only a description in between.
 */
export function addressAbove(prose: Lines, known = noPaths): FileLabel | null {
  const nearest = lastNonBlank(prose)
  const near = pathOfHeader(prose[nearest] ?? '', known)
  if (near !== null) return { path: near, line: nearest }
  for (let line = nearest; line >= 0 && line > nearest - farthest; line -= 1) {
    const text = prose[line] ?? ''
    if (isHeading(text)) {
      const path = pathOfHeader(text, known)
      return path === null ? null : { path, line }
    }
    if (sample.test(text)) return null
  }
  return null
}

/** The other paths in lines of the same form right above a block; none if one is named twice. */
export function rivalsAbove(prose: Lines, known = noPaths): readonly string[] {
  const nearest = lastNonBlank(prose)
  const line = prose[nearest] ?? ''
  const path = pathOfHeader(line, known)
  const rivals: string[] = []
  for (let at = nearest - 1; path !== null; at -= 1) {
    const above = prose[at] ?? ''
    const other = pathOfHeader(above, known)
    if (other === null || formOf(above, other) !== formOf(line, path)) break
    if (samePath(other, path) !== null) return []
    rivals.push(other)
  }
  return rivals
}

const formOf = (line: string, path: string): string =>
  line.replace(path, '').replaceAll(/\d+/g, '1').trim()

export const lastNonBlank = (lines: Lines): number =>
  lines.findLastIndex((line) => line.trim() !== '')

function isHeading(line: string): boolean {
  const heading = /^\s*(?:(?:\d{1,3}[.)]|[-*+])\s+)?(?:#{1,6}\s|\*\*|`[^`]+`:?\s*$|file\s*:)/i
  return heading.test(line) || pathOfTag(line) !== null
}

/**
 * Finds a comment that consists of a path and is a file's first line, or the second after `#!` or
 * `<?php`. Models write it as the address; in prose a `#` line is a heading.
 */
export function addressWithin(lines: Lines, isProse: boolean): FileLabel | null {
  const line = /^(?:#!|<\?php\s*$)/.test(lines[0] ?? '') ? 1 : 0
  const text = lines[line] ?? ''
  if (isProse && !text.trim().startsWith('<!--')) return null
  const path = pathOfComment(text)
  return path === null ? null : { path, line }
}

/**
 * Finds a path that is alone on a block's first line. A list of files also starts like that: the
 * path counts if no other path follows, and if it agrees with the address outside.
 */
export function bareAddressWithin(lines: Lines, outer: string | null): FileLabel | null {
  const [first = '', second] = lines
  const path = first.trim().replace(/^file(?:\s?name|\s?path)?\s*:\s*/i, '')
  if (second === undefined || !looksLikePath(path, 'word')) return null
  const isAddress = outer === null ? !looksLikePath(second.trim(), 'marked') : samePath(outer, path)
  return isAddress ? { path, line: 0 } : null
}

/** The longer of two spellings of one path (`a.js`, `./src/a.js`); `null` when they differ. */
export function samePath(first: string, second: string): string | null {
  const [a, b] = [first.replace(/^(?:\.\/)+/, ''), second.replace(/^(?:\.\/)+/, '')]
  if (a === b || a.endsWith(`/${b}`)) return a
  return b.endsWith(`/${a}`) ? b : null
}

/** Reads a line that removes a file: `DELETE: src/a.js`, `RENAME: src/a.js -> src/b.js`. */
export function asksForRemoval(line: string, known = noPaths): FileProposal | null {
  if (line.length > longestRemoval || !/delete|rename|move/i.test(line)) return null
  const bare = line.replace(/^\s*(?:#{1,6}\s+|[-+]\s+|\d{1,3}[.)]\s+)?/, '')
  const text = oneLine(bare.replaceAll('*', ''))
  const path = deletedPath(text, known)
  return path === null ? renamed(text, known) : { kind: 'delete', path }
}

const longestRemoval = 2_800

function deletedPath(text: string, known: KnownPaths): string | null {
  const match = /^`?(?:DELETE(:?)|Delete(:))\s*(`?)([^`]+)`*\.?$/.exec(text)
  if (match === null) return null
  const path = (match[4] ?? '').trim()
  const certain = match[1] === ':' || match[2] === ':'
  const marked = match[3] === '`'
  if (!certain && !marked && !/^DELETE\s/.test(text)) return null
  if (known.has(path)) return path
  return looksLikePath(path, certain ? 'labelled' : marked ? 'marked' : 'word') ? path : null
}

function renamed(text: string, known: KnownPaths): FileProposal | null {
  const paths = /^`?(?:(?:RENAME|MOVE):?|(?:Rename|Move):)\s*(.+)$/.exec(text)?.[1] ?? ''
  const [from = '', to = '', ...more] = paths
    .split(/\s*(?:->|→|=>)\s*|\s+to\s+/)
    .map((part) => part.replace(/^[`"']+|[`"']+\.?$/g, ''))
  const isThere = known.has(from) || looksLikePath(from, 'labelled')
  const fits = more.length === 0 && isThere && looksLikePath(to, 'labelled')
  return fits ? { kind: 'rename', path: from, to } : null
}
