import { endOf } from '../../../text/source/positions.ts'

/** Longer texts are no answer of a model. */
const longest = 8 * 1024 * 1024

/** A JSON value, read with what models get wrong mended; `undefined` when it is none. */
export function parseLeniently(text: string): unknown {
  if (text.length > longest) return undefined
  return parseMended(text) ?? parseMended(mendJson(text))
}

export function parseMended(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Escapes line ends and tabs that stand raw in strings, doubles back-slashes that escape nothing,
 * and drops comments and commas before a closing bracket. One pass.
 */
function mendJson(text: string): string {
  const pieces: string[] = []
  let from = 0
  const skip = (start: number, end: number, instead: string) => {
    pieces.push(text.slice(from, start), instead)
    from = end
    return end
  }
  for (let at = 0; at < text.length; ) {
    const char = text[at]
    if (char === '"') {
      const end = endOfString(text, at)
      at = skip(at, end, mendString(text.slice(at, end)))
    } else if (char === '/' && text[at + 1] === '/') at = skip(at, endOf(text, '\n', at), '')
    else if (char === '/' && text[at + 1] === '*') at = skip(at, endOf(text, '*/', at + 2, 2), '')
    else if (char === ',' && isLastComma(text, at)) at = skip(at, at + 1, '')
    else at += 1
  }
  return pieces.join('') + text.slice(from)
}

function isLastComma(text: string, at: number): boolean {
  const next = /\S/g
  next.lastIndex = at + 1
  const found = next.exec(text)?.[0]
  return found === '}' || found === ']'
}

/** Behind the quote that closes the string begun at `start`; the text's end when none does. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at + 1
  }
  return text.length
}

const controls: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function mendString(text: string): string {
  return text
    .replace(/\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}|'|`|([\s\S]))/g, (found, other?: string) => {
      if (found === "\\'" || found === '\\`') return found.slice(1)
      if (other === undefined) return found
      return other === '\n' ? '\\n' : `\\\\${controls[other] ?? other}`
    })
    .replace(/[\n\r\t]/g, (control) => controls[control] ?? control)
}

/** Each of those that are not closed may walk to the end of the text. */
const mostOpen = 20

/** Where a text holds an object or array: at a line's start, or behind a tag or a label there. */
export type FoundJson =
  | { readonly status: 'closed'; readonly start: number; readonly end: number }
  /** It begins, and the text ends in the middle of it. */
  | { readonly status: 'open'; readonly start: number }

export function findJson(text: string): readonly FoundJson[] {
  const found: FoundJson[] = []
  let open = 0
  const starts = /^[ \t]{0,80}(?:<\w{1,30}>|[\w ]{1,30}:)?[ \t]{0,80}(?=[{[])/gm
  for (let match = starts.exec(text); match !== null; match = starts.exec(text)) {
    const start = match.index + match[0].length
    const end = endOfValue(text, start)
    found.push(end > 0 ? { status: 'closed', start, end } : { status: 'open', start })
    if (end === 0) open += 1
    if (open === mostOpen) break
    starts.lastIndex = Math.max(end, start + 1)
  }
  return found
}

/** Behind the bracket that closes the one at `start`; 0 when none does. */
function endOfValue(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const char = text[at]
    if (char === '"') at = endOfString(text, at) - 1
    else if (char === '{' || char === '[') depth += 1
    else if (char === '}' || char === ']') depth -= 1
    if (depth === 0) return at + 1
  }
  return 0
}
