import { endOf } from '../../../text/source/positions.ts'
/** A piece of SQL. Keywords and names are upper-cased in `word`; quoted names keep a mark of their own. */
export interface SqlToken {
  readonly kind: 'word' | 'name' | 'string' | 'number' | 'mark'
  /** A word upper-cased, a mark as it is, a string's contents. */
  readonly text: string
  readonly start: number
  readonly end: number
}

const space = /\s+/y
const word = /[\p{L}_\uFFFA-\uFFFC@#$][\p{L}\p{N}_$#@\uFFFA-\uFFFC]*/uy
const number = /\d[\w.]*/y
const dollarTag = /\$(?:[A-Za-z_]\w*)?\$/y
/** Behind it a quote ends a string even after a back-slash. */
const afterString = /^\s*(?:[,);|]|$|(?:AND|OR|FROM|WHERE|AS|THEN|ELSE|END|IS|IN)\b)/i

/**
 * SQL of any dialect as tokens: comments left out (MySQL's executable ones are code), strings,
 * dollar-quoted texts and quoted names each one token. Linear; what is not closed ends with the text.
 */
export function readSqlTokens(text: string): readonly SqlToken[] {
  const tokens: SqlToken[] = []
  let at = 0
  let lineBegins = true
  const push = (kind: SqlToken['kind'], value: string, end: number) => {
    tokens.push({ kind, text: value, start: at, end })
    at = end
    lineBegins = false
  }
  const matched = (pattern: RegExp): string | null => {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0] ?? null
  }
  while (at < text.length) {
    const char = text[at] ?? ''
    const blank = matched(space)
    if (blank !== null) {
      at += blank.length
      lineBegins ||= blank.includes('\n')
    } else if (
      text.startsWith('--', at) ||
      (char === '#' && lineBegins && /\s|#|^$/.test(text[at + 1] ?? ''))
    ) {
      at = endOf(text, '\n', at)
      lineBegins = true
    } else if (text.startsWith('/*!', at)) {
      at += 3 + (/^\d*/.exec(text.slice(at + 3, at + 10))?.[0].length ?? 0)
    } else if (text.startsWith('/*', at)) at = endOf(text, '*/', at + 2, 2)
    else if (text.startsWith('*/', at)) at += 2
    else if (char === "'") {
      const end = endOfString(text, at, tokens.at(-1))
      push(
        'string',
        text
          .slice(at + 1, end)
          .replace(/'$/, '')
          .replaceAll("''", "'"),
        end,
      )
    } else if (char === '"' || char === '`') {
      const end = endOf(text, char, at + 1, 1)
      push('name', text.slice(at + 1, end - 1), end)
    } else if (char === '[' && /[A-Za-z_]/.test(text[at + 1] ?? '')) {
      const end = endOf(text, ']', at + 1, 1)
      push('name', text.slice(at + 1, end - 1), end)
    } else if (char === '$' && matched(dollarTag) !== null) {
      const tag = matched(dollarTag) ?? ''
      const close = text.indexOf(tag, at + tag.length)
      const end = close < 0 ? text.length : close + tag.length
      const inner = text.slice(at + tag.length, close < 0 ? end : close)
      push('string', inner, end)
    } else {
      const found = matched(word)
      const digits = found === null ? matched(number) : null
      if (found !== null) push('word', found.toUpperCase(), at + found.length)
      else if (digits !== null) push('number', digits, at + digits.length)
      else push('mark', char, at + 1)
    }
  }
  return tokens
}

/** Just after the closing quote. A doubled quote is one; so is one behind a back-slash, where dialects allow it. */
function endOfString(text: string, start: number, before: SqlToken | undefined): number {
  const escapes = before?.text === 'E' && before.end === start
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text[at]
    if (char === '\\') {
      const next = text[at + 1]
      if (escapes || next === '\\') at += 1
      else if (next === "'" && !afterString.test(text.slice(at + 2, at + 30))) at += 1
    } else if (char === "'") {
      if (text[at + 1] !== "'") return at + 1
      at += 1
    }
  }
  return text.length
}
