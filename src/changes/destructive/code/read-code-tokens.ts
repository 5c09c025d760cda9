import { UNKNOWN } from '../../../text/syntax/value.ts'
import type { CodeLanguage } from './code-language.ts'

/** A piece of code. Comments and patterns are none; a text is one, with what it interpolates marked. */
export interface CodeToken {
  /** `command` is a text that runs: backticks of Ruby and PHP. */
  readonly kind: 'name' | 'text' | 'command' | 'mark'
  readonly text: string
  readonly start: number
  readonly end: number
  /** First of its line. */
  readonly isFirst: boolean
}

const name = /[$@]{0,2}[\p{L}_][\p{L}\p{N}_]*[!?]?/uy
const space = /\s+/y
const mark = /::|->|\?\.|:=|=>|\+=|\.\.|&&|\|\||[\s\S]/y
const number = /\d[\w.]*/y
const doubleQuoted = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"?/y
const singleQuoted = /'[^'\\]*(?:\\[\s\S][^'\\]*)*'?/y
const backticked = /`[^`\\]*(?:\\[\s\S][^`\\]*)*`?/y
const character = /'(?:[^'\\\n]|\\[^\n]{1,10}?)'/y
const rawRust = /b?r(#{0,8})"/y
const rawCpp = /(?:u8|u|U|L)?R"([^\s()\\]{0,16})\(/y
const verbatim = /\$?@\$?"[^"]*(?:""[^"]*)*"?/y
const pattern = /^\/(?![*/\s])(?:[^/\\\n[]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*\])+\/[a-z]*/
const LONGEST_PATTERN = 500
const percent = /%([xqQwWi]?)([({[<|!])/y
const hereRuby = /<<[~-]?(["'`]?)([A-Z_]\w*)\1/y
const herePhp = /<<<[ \t]*(["']?)([A-Za-z_]\w*)\1[ \t]*\r?\n/y
const beforePattern =
  /(?:^|[(,=:[!&|?{};+~])$|^(?:return|if|unless|and|or|not|when|in|split|match|gsub|sub|scan)$/

const pairs: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' }
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

/** Names, texts and marks of code, in linear time. What is not closed ends with the text. */
export function readCodeTokens(text: string, language: CodeLanguage): readonly CodeToken[] {
  return new TokenReader(text, language).read()
}

class TokenReader {
  readonly #text: string
  readonly #language: CodeLanguage
  readonly #tokens: CodeToken[] = []
  #at = 0
  #isFirst = true
  /** Ruby's here-documents that begin with the next line: the token that holds the text. */
  #awaited: { readonly delimiter: string; readonly isCommand: boolean; readonly token: number }[] =
    []
  #lastLines: Map<string, number> | null = null

  constructor(text: string, language: CodeLanguage) {
    this.#text = text
    this.#language = language
  }

  read(): readonly CodeToken[] {
    if (this.#language.isEmbedded) this.#at = this.#endOf('<?', 0, 2)
    while (this.#at < this.#text.length) {
      const blank = this.#match(space)?.[0]
      if (blank === undefined) {
        if (!this.#skipComment() && !this.#readLongText() && !this.#readText()) this.#readPlain()
        continue
      }
      const start = this.#at
      this.#at += blank.length
      if (!blank.includes('\n')) continue
      this.#isFirst = true
      if (this.#awaited.length > 0) this.#readHereDocuments(start + blank.indexOf('\n') + 1)
    }
    return this.#tokens
  }

  #match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at
    return expression.exec(this.#text)
  }

  #push(kind: CodeToken['kind'], text: string, end: number): true {
    this.#tokens.push({ kind, text, start: this.#at, end, isFirst: this.#isFirst })
    this.#at = end
    this.#isFirst = false
    return true
  }

  #startsWith(mark: string): boolean {
    return this.#text.startsWith(mark, this.#at)
  }

  #endOf(close: string, from: number, more: number): number {
    const found = this.#text.indexOf(close, from)
    return found < 0 ? this.#text.length : found + more
  }

  #skipComment(): boolean {
    const { lineComments, isBlockCommented, isEmbedded, isLoose } = this.#language
    const at = this.#at
    const isLine = lineComments.some((comment) => this.#startsWith(comment))
    if (isLine && this.#startsWith('--[[')) this.#at = this.#endOf(']]', at, 2)
    else if (isLine && !this.#startsWith('#[')) this.#at = this.#endOf('\n', at, 0)
    else if (isBlockCommented && this.#startsWith('/*')) this.#at = this.#endOf('*/', at + 2, 2)
    else if (isLoose && /(?:^|\n)=\w/.test(this.#text.slice(Math.max(0, at - 1), at + 2))) {
      // Ruby's `=begin` and Perl's documentation.
      const close = this.#startsWith('=begin') ? '\n=end' : '\n=cut'
      this.#at = this.#endOf(close, at, close.length)
    } else if (isEmbedded && this.#startsWith('?>')) this.#at = this.#endOf('<?', at, 2)
    else return false
    return true
  }

  #readLongText(): boolean {
    const { isTripled, single, isLoose } = this.#language
    const quotes = this.#text.slice(this.#at, this.#at + 3)
    if (isTripled && (quotes === '"""' || (quotes === "'''" && single === 'text'))) {
      const start = this.#at + 3
      const close = this.#endOf(quotes, start, 3)
      return this.#push('text', this.#interpolated(this.#text.slice(start, close - 3)), close)
    }
    const rust = this.#match(rawRust)
    if (rust !== null) return this.#readUntil(`"${rust[1]}`, rust[0].length)
    const cpp = this.#match(rawCpp)
    if (cpp !== null) return this.#readUntil(`)${cpp[1]}"`, cpp[0].length)
    const php = this.#match(herePhp)
    if (php?.[2] !== undefined) return this.#readPhpHereDocument(php[2], php[0].length)
    return isLoose && (this.#awaitHereDocument() || this.#readPercent())
  }

  #readPhpHereDocument(delimiter: string, skip: number): boolean {
    const start = this.#at + skip
    const rest = this.#text.slice(start)
    const close = new RegExp(`^[ \\t]*${delimiter}\\b`, 'm').exec(rest)
    const end = close === null ? this.#text.length : start + close.index
    const value = this.#interpolated(this.#text.slice(start, end))
    return this.#push('text', value, end + (close?.[0].length ?? 0))
  }

  #awaitHereDocument(): boolean {
    const here = this.#match(hereRuby)
    if (here?.[2] === undefined || !this.#hasLineBehind(here[2])) return false
    const token = this.#tokens.length
    this.#awaited.push({ delimiter: here[2], isCommand: here[1] === '`', token })
    return this.#push('mark', '<<', this.#at + here[0].length)
  }

  /** True when a line further down is just this word: what ends a here-document. */
  #hasLineBehind(word: string): boolean {
    if (this.#lastLines === null) {
      this.#lastLines = new Map()
      for (const { 0: line, index } of this.#text.matchAll(/^[ \t]*[A-Z_]\w*[ \t]*\r?$/gm)) {
        this.#lastLines.set(line.trim(), index)
      }
    }
    return (this.#lastLines.get(word) ?? -1) > this.#at
  }

  /** `%w[…]`, `%x(…)` and so on; behind a value it is a division's rest. */
  #readPercent(): boolean {
    const literal = this.#match(percent)
    const before = this.#tokens.at(-1)
    if (literal === null || before?.text === ')') return false
    if (before?.kind === 'name' && !this.#isFirst && literal[1] === '') return false
    const start = this.#at + literal[0].length
    const end = this.#endOf(pairs[literal[2] ?? ''] ?? literal[2] ?? '', start, 1)
    const value = this.#interpolated(this.#text.slice(start, end - 1))
    return this.#push(literal[1] === 'x' ? 'command' : 'text', value, end)
  }

  #readText(): boolean {
    const { single, backtick } = this.#language
    const char = this.#text[this.#at]
    if (char === '"') return this.#readQuoted(doubleQuoted, 'text', true)
    if (char === "'") {
      if (single === 'text') return this.#readQuoted(singleQuoted, 'text', false)
      return this.#push('mark', "'", this.#at + (this.#match(character)?.[0].length ?? 1))
    }
    if (char === '`' && backtick === 'text') return this.#readUntil('`', 1)
    if (char === '`' && backtick !== 'none') {
      return this.#readQuoted(backticked, backtick === 'command' ? 'command' : 'text', true)
    }
    const found = char === '@' || char === '$' ? this.#match(verbatim)?.[0] : undefined
    if (found !== undefined) {
      const value = this.#interpolated(found.slice(found.indexOf('"') + 1, -1))
      return this.#push('text', value, this.#at + found.length)
    }
    return char === '/' && this.#readPattern()
  }

  #readPattern(): boolean {
    const last = this.#tokens.at(-1)
    const isPlace = last === undefined || (last.kind !== 'text' && beforePattern.test(last.text))
    if (!this.#language.hasPatterns || !isPlace) return false
    const line = this.#text.slice(this.#at, this.#at + LONGEST_PATTERN)
    const found = pattern.exec(line)?.[0]
    return found !== undefined && this.#push('mark', '/', this.#at + found.length)
  }

  #readPlain(): void {
    const word = this.#match(name)?.[0] ?? this.#match(number)?.[0]
    if (word === undefined) {
      const found = this.#match(mark)?.[0] ?? ''
      this.#push('mark', found, this.#at + Math.max(1, found.length))
    } else if (/\d/.test(word[0] ?? '')) this.#push('mark', '0', this.#at + word.length)
    else this.#push('name', word.replace(/^[$@]+/, ''), this.#at + word.length)
  }

  #readQuoted(expression: RegExp, kind: 'text' | 'command', isLively: boolean): boolean {
    const found = this.#match(expression)?.[0] ?? ''
    const isClosed = found.length > 1 && found.endsWith(found[0] ?? '')
    const body = found.slice(1, isClosed ? -1 : undefined)
    const value = isLively ? this.#interpolated(body) : body
    const plain = value.replace(/\\([\s\S])/g, (_, char: string) => escapes[char] ?? char)
    return this.#push(kind, plain, this.#at + found.length)
  }

  #readUntil(close: string, skip: number): boolean {
    const end = this.#endOf(close, this.#at + skip, close.length)
    return this.#push('text', this.#text.slice(this.#at + skip, end - close.length), end)
  }

  #interpolated(value: string): string {
    const { interpolation } = this.#language
    return interpolation === null ? value : value.replace(interpolation, UNKNOWN)
  }

  #readHereDocuments(from: number): void {
    this.#at = from
    for (const { delimiter, isCommand, token } of this.#awaited.splice(0)) {
      const start = this.#at
      let end = this.#text.length
      while (this.#at < this.#text.length) {
        const lineEnd = this.#endOf('\n', this.#at, 0)
        const isEnd = this.#text.slice(this.#at, lineEnd).trim() === delimiter
        if (isEnd) end = this.#at
        this.#at = Math.min(this.#text.length, lineEnd + 1)
        if (isEnd) break
      }
      const text = this.#interpolated(this.#text.slice(start, end))
      const opened = this.#tokens[token]
      if (opened) this.#tokens[token] = { ...opened, kind: isCommand ? 'command' : 'text', text }
    }
    this.#isFirst = true
  }
}
