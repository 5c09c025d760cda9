import { looksLikePath } from '../../text/text.ts'
import { commentText } from './find-path.ts'
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
interface Head {
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

/** With one of these words, a comment refers to omitted code. */
const absent =
  /\b(?:rest|remainder|remaining|remains?|stays?|existing|unchanged|omitted|brevity)\b/i

/** After dots, so do these. */
const absentAfterDots = /\b(?:previous|original|same|other|here|code|imports)\b/i

/** `... (rest of the file)`, and a comment of dots and words; not `...rest`, which is code. */
const dotsInCode = /^(?:\/\*\s*)?[[(]?(?:\.{3}|…)\s*(?:\*\/|\s[\w([])/

/** A comment of only these words, with one from above, stands for omitted code. */
const vocabulary = new Set(
  (
    'a above all and are as before below brevity class code component content contents existing file ' +
    'for function functions goes here implementation imports in is keep keeps left logic method methods ' +
    'module of omitted original other out previous remain remainder remaining remains rest same stay ' +
    'stays the this unchanged unmodified untouched your cases columns fields handlers list markup ' +
    'page properties props routes rules section styles table tests body config configuration document ' +
    'html options readme script settings template types view'
  ).split(' '),
)

/** Whole comments that say the same in other words. */
const phrases = new RegExp(
  `^(?:${[
    '(?:same|as|exactly) (?:as )?(?:before|in the original|original|previously)',
    'previous (?:code|implementation|contents?)(?: here)?',
    'no changes?(?: (?:here|below|above|in this part))?',
    'other \\w{1,20} (?:go )?here',
    'todo:? (?:the )?rest of (?:the )?\\w{1,20}',
    'unchanged',
    'omitted',
    'snip(?:ped)?',
    'and so on',
  ].join('|')})$`,
  'i',
)

/** Languages in which a line of three dots is code, or may be text. */
const dotsMayStand =
  /\.(?:pyi?|ya?ml|mdx?|markdown|rst|txt|adoc|tex|snap|csv|log|diff|patch|ipynb)$|(?:^|\/)[^.]*$/i

/** In prose, `#` is a heading, and examples of code may contain `// ...`. */
const prose = /\.(?:mdx?|markdown|rst|txt|adoc)$/i

/**
 * Finds the 1-based line of a whole file where the model omitted code (`// ... rest unchanged`,
 * `# existing code`, `<!-- ... -->`); 0 when there is none. Also refuses real comments that read
 * the same: edits can still change such a file.
 */
export function findElision(path: string, lines: Lines): number {
  const isProse = prose.test(path)
  const dotsStand = dotsMayStand.test(path)
  return lines.findIndex((line) => isElision(line, isProse, dotsStand)) + 1
}

function isElision(line: string, isProse: boolean, dotsStand: boolean): boolean {
  if (line.length > 300) return false
  const text = line.trim()
  if (!dotsStand && /^(?:\.{3}|…)$/.test(text)) return true
  const comment = isProse && !text.startsWith('<!--') ? null : commentText(text)
  if (comment === null) return dotsInCode.test(text) && absent.test(text)
  if (/^[[(]?(?:\.{3}|…)/.test(comment)) return isAfterDots(comment)
  if (phrases.test(comment.replace(/^[\W_]+|[\W_]+$/g, ''))) return true
  if (!absent.test(comment)) return false
  if (/^[[(].*[\])]$|^(?:the )?(?:rest|remaining|existing)\b.{0,40}(?:\.{3}|…)$/i.test(comment)) {
    return true
  }
  if (/[;=]|\w\s*:\s*\w/.test(comment)) return false
  const words = comment.toLowerCase().match(/[a-z']+/g) ?? []
  return words.length > 1 && words.every((word) => vocabulary.has(word))
}

/** `...`, `... anything ...`, or `... rest of the class`. */
const isAfterDots = (comment: string): boolean =>
  /(?:\.{3}|…)[\])]?$/.test(comment) || absent.test(comment) || absentAfterDots.test(comment)
