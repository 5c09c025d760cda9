import { parseExactly } from '../text/text.ts'
import { endOf } from './code/positions.ts'

const longest = 8 * 1024 * 1024

/** Parses a JSON value and repairs what models get wrong; `undefined` when it is not JSON. */
export function parseLeniently(text: string): unknown {
  if (text.length > longest) return undefined
  return parseExactly(text) ?? parseExactly(repairJson(text))
}

/**
 * Escapes raw line ends and tabs in strings, doubles backslashes that escape nothing, and drops
 * comments and commas before a closing bracket. One pass.
 */
function repairJson(text: string): string {
  const pieces: string[] = []
  const marks = /"|\/\/|\/\*|,(?=\s*[}\]])/g
  let from = 0
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    const end =
      mark[0] === '"'
        ? endOfString(text, mark.index)
        : mark[0] === '//'
          ? endOf(text, '\n', mark.index)
          : mark[0] === '/*'
            ? endOf(text, '*/', mark.index + 2, 2)
            : marks.lastIndex
    pieces.push(text.slice(from, mark.index))
    if (mark[0] === '"') pieces.push(repairString(text.slice(mark.index, end)))
    from = end
    marks.lastIndex = end
  }
  return pieces.join('') + text.slice(from)
}

/** The offset after the quote that closes the string at `start`, else the text's end. */
function endOfString(text: string, start: number): number {
  const marks = /\\[\s\S]|"/g
  marks.lastIndex = start + 1
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (mark[0] === '"') return marks.lastIndex
  }
  return text.length
}

const controls: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const repairString = (text: string): string =>
  text
    .replace(/\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}|'|`|([\s\S]))/g, (found, other?: string) => {
      if (found === "\\'" || found === '\\`') return found.slice(1)
      if (other === undefined) return found
      return other === '\n' ? '\\n' : `\\\\${controls[other] ?? other}`
    })
    .replace(/[\n\r\t]/g, (control) => controls[control] ?? control)

/** The most unclosed values, each of which may be searched to the end of the text. */
const mostOpen = 20

/** An object or array in a text; `end` is exclusive, and `null` when the text ends inside it. */
export interface FoundJson {
  readonly start: number
  readonly end: number | null
}

/** Finds objects and arrays at a line's start, or after a tag or label there. */
export function findJson(text: string): readonly FoundJson[] {
  const found: FoundJson[] = []
  let open = 0
  const starts = /^[ \t]{0,80}(?:<\w{1,30}>|[\w ]{1,30}:)?[ \t]{0,80}(?=[{[])/gm
  for (let match = starts.exec(text); match !== null; match = starts.exec(text)) {
    const start = match.index + match[0].length
    const end = endOfValue(text, start)
    found.push({ start, end })
    if (end === null) open += 1
    if (open === mostOpen) break
    starts.lastIndex = end ?? start + 1
  }
  return found
}

/** The offset after the bracket that closes the one at `start`; `null` when it stays open. */
function endOfValue(text: string, start: number): number | null {
  const marks = /["{}[\]]/g
  marks.lastIndex = start
  let depth = 0
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (mark[0] === '"') marks.lastIndex = endOfString(text, mark.index)
    else depth += /[{[]/.test(mark[0]) ? 1 : -1
    if (depth === 0) return marks.lastIndex
  }
  return null
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

/**
 * Undoes one escape too many: the text has no line end, but `\n` outside its quotes, where code has
 * none. Any other text stays unchanged.
 */
export const unescapeTwice = (text: string): string =>
  text.includes('\n') || !hasBareLineEnd(text) ? text : unescapeOnce(text)

/** Replaces `\n`, `\t`, `\"` and `\\` with what they stand for. */
export const unescapeOnce = (text: string): string =>
  text.replace(/\\(["nrt/\\])/g, (_, letter: string) => escapes[letter] ?? letter)

/** `\"` is a quote of the text itself; `"`, `'` and backticks may enclose a legitimate `\n`. */
function hasBareLineEnd(text: string): boolean {
  let quote = ''
  for (const [token] of text.matchAll(/\\.|["'`]/g)) {
    if (quote === '' && token === '\\n') return true
    if (token === quote) quote = ''
    else if (quote === '' && token.length === 1) quote = token
  }
  return false
}
