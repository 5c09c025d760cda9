import { looksLikePath } from '../../text/text.ts'
import type { Lines } from './text-lines.ts'

const longestLine = 1_400

export interface Fence {
  readonly indent: number
  readonly sign: string
  readonly length: number
  readonly info: string
}

/** Reads a line that is a fence; backticks in the info string make it inline code. */
export function fenceOf(line: string): Fence | null {
  const match = /^([ \t]*)(`{3,}|~{3,})(.*)$/.exec(line)
  if (match === null) return null
  const [, indent = '', signs = '', info = ''] = match
  if (signs.startsWith('`') && info.includes('`')) return null
  return { indent: indent.length, sign: signs.charAt(0), length: signs.length, info: info.trim() }
}

const diffHeaders =
  /^(?:diff --git \S|@@+\s*-\d|@@(?: .*)?$|--- (?:a\/|\/dev\/null)|\*\*\*\s+(?:Begin Patch|(?:Update|Add|Delete) File)\b)/i

/** True when a diff starts at this line; `--- x` needs its `+++ y`, because it may be anything. */
export function startsDiff(lines: Lines, at: number): boolean {
  const line = lines[at] ?? ''
  const next = lines[at + 1] ?? ''
  if (diffHeaders.test(line)) return true
  return line.startsWith('--- ')
    ? /^\+\+\+ \S/.test(next)
    : /^\+\+\+ \S/.test(line) && next.startsWith('@@')
}

/**
 * The marker lines of SEARCH/REPLACE: 5 to 9 signs, with or without words, as models write them;
 * `------- SEARCH` and `+++++++ REPLACE` only with their words.
 */
export interface Head {
  /** The number of signs, which the dividing line shares. */
  readonly length: number
  /** A path after the word: `<<<<<<< SEARCH src/a.js`; empty when there is none. */
  readonly path: string
}

const head =
  /^\s{0,16}(?:(<{5,9})|(-{5,9})(?=\s*SEARCH\b))(?!<)\s*(?:(?:SEARCH|ORIGINAL|OLD|HEAD)\b)?[>:]?\s*(.*)$/
const tail =
  /^\s{0,16}(?:>{5,9}(?!>)\s*(?:REPLACE|UPDATED|NEW|END)?|\+{5,9}\s*REPLACE)\b[>:]?\s*(\S*)\s*$|^\s{0,16}>{5,9}\s*$/
const divider = /^\s{0,16}(={5,9})\s*$/

export function searchHeadOf(line: string): Head | null {
  const match = line.length < longestLine ? head.exec(line) : null
  if (match === null) return null
  const path = (match[3] ?? '').trim().replace(/^`+|`+$/g, '')
  const isHead = path === '' || looksLikePath(path, 'marked')
  return isHead ? { length: (match[1] ?? match[2] ?? '').length, path } : null
}

function isTail(line: string): boolean {
  const match = line.length < longestLine ? tail.exec(line) : null
  if (match === null) return false
  const rest = match[1] ?? ''
  return rest === '' || looksLikePath(rest, 'marked')
}

/** True for the last marker with its word, which means an edit even where its first marker is missing. */
export const isNamedTail = (line: string): boolean => isTail(line) && /\bREPLACE\b/.test(line)

/** The number of signs in a dividing line; 0 for any other line. */
export const dividerLength = (line: string): number =>
  line.length < 100 ? (divider.exec(line)?.[1]?.length ?? 0) : 0

/** The end of the edit at `from`: after its last marker, else the next edit or the text's end. */
export function endOfEdit(
  lines: Lines,
  from: number,
): { readonly end: number; readonly isWhole: boolean } {
  for (let index = from + 1; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    if (isTail(line)) return { end: index + 1, isWhole: true }
    if (searchHeadOf(line)) return { end: index, isWhole: false }
  }
  return { end: lines.length, isWhole: false }
}
