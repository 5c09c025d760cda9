import { looksLikePath } from '../../text/paths/looks-like-path.ts'

/**
 * The marker lines of SEARCH/REPLACE: 5 to 9 signs, with or without words, as models write
 * them; `------- SEARCH` and `+++++++ REPLACE` only with their words.
 */
export interface Head {
  /** How many signs: the dividing line has as many. */
  readonly length: number
  /** A path behind the word: `<<<<<<< SEARCH src/a.js`. */
  readonly path: string | null
}

const head =
  /^\s{0,16}(?:(<{5,9})|(-{5,9})(?=\s*SEARCH\b))(?!<)\s*(?:(?:SEARCH|ORIGINAL|OLD|HEAD)\b)?[>:]?\s*(.*)$/
const tail =
  /^\s{0,16}(?:>{5,9}(?!>)\s*(?:REPLACE|UPDATED|NEW|END)?|\+{5,9}\s*REPLACE)\b[>:]?\s*(\S*)\s*$|^\s{0,16}>{5,9}\s*$/
const divider = /^\s{0,16}(={5,9})\s*$/

export function searchHeadOf(line: string): Head | null {
  const match = line.length < 1_400 ? head.exec(line) : null
  if (match === null) return null
  const rest = (match[3] ?? '').trim().replace(/^`+|`+$/g, '')
  if (rest !== '' && !looksLikePath(rest, 'marked')) return null
  return { length: (match[1] ?? match[2] ?? '').length, path: rest === '' ? null : rest }
}

function isTail(line: string): boolean {
  const match = line.length < 1_400 ? tail.exec(line) : null
  if (match === null) return false
  const rest = match[1] ?? ''
  return rest === '' || looksLikePath(rest, 'marked')
}

/** How many signs a dividing line has; 0 for any other line. */
export function dividerLength(line: string): number {
  return line.length < 100 ? (divider.exec(line)?.[1]?.length ?? 0) : 0
}

/** The line of the marker that ends the edit begun at `from`; -1 when another begins or the text ends first. */
export function tailAfter(lines: readonly string[], from: number): number {
  for (let index = from + 1; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    if (isTail(line)) return index
    if (searchHeadOf(line)) return -1
  }
  return -1
}
