import type { ShellCommand, Word, WordPart } from './command.ts'

/** Substitutions inside each other beyond this are not read: the rest of the text is passed over. */
const MAX_DEPTH = 60
const plain = /[^\s\\'"$`;&|<>()!@?*+]+/y
const name = /[A-Za-z_]\w*|[0-9@*#?$!-]/y
const doubleQuoted = /[^"\\$`]+/y
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', e: '\x1b' }

/** Reads words: quotes, escapes, and expansions with the commands inside them. */
export abstract class WordReader {
  readonly text: string
  at: number
  readonly end: number
  depth: number
  /** Between two backticks: the next one closes. */
  insideBackticks = false

  constructor(text: string, start: number, end: number, depth: number) {
    this.text = text
    this.at = start
    this.end = end
    this.depth = depth
  }

  abstract readList(stop: ')' | '`'): ShellCommand[]

  peek(): string {
    return this.at < this.end ? (this.text[this.at] ?? '') : ''
  }

  skipBlanks(): void {
    for (;;) {
      const char = this.peek()
      if (char === ' ' || char === '\t' || char === '\r') this.at += 1
      else if (char === '\\' && this.text[this.at + 1] === '\n') this.at += 2
      else if (char === '\\' && this.text.startsWith('\r\n', this.at + 1)) this.at += 3
      else return
    }
  }

  skipLine(): void {
    const newline = this.text.indexOf('\n', this.at)
    this.at = newline < 0 || newline > this.end ? this.end : newline
  }

  /** From an opening parenthesis to just after its match. */
  skipBalanced(): void {
    let depth = 0
    for (; this.at < this.end; this.at += 1) {
      const char = this.text[this.at]
      if (char === '(') depth += 1
      else if (char === ')') depth -= 1
      if (depth === 0) {
        this.at += 1
        return
      }
    }
  }

  nested(read: () => ShellCommand[]): ShellCommand[] {
    if (this.depth >= MAX_DEPTH) {
      this.at = this.end
      return []
    }
    this.depth += 1
    const commands = read()
    this.depth -= 1
    return commands
  }

  readWord(): Word {
    const start = this.at
    const parts: WordPart[] = []
    for (;;) {
      const char = this.peek()
      if (char === '' || ' \t\r\n;&|'.includes(char)) break
      if (char === '`' && this.insideBackticks) break
      if ('()<>'.includes(char) && !this.#opensInsideWord(parts, start)) break
      this.#readPart(char, parts)
    }
    return { start, end: this.at, parts }
  }

  /** The pieces of a text in which only `$` and backticks mean something: a here-document's. */
  readExpansions(): WordPart[] {
    const parts: WordPart[] = []
    while (this.at < this.end) {
      const found = this.text.slice(this.at, this.end).search(/[\\$`]/)
      if (found < 0) break
      this.at += found
      if (this.peek() === '\\') this.at += 2
      else this.#readExpansion(parts, true)
    }
    return parts
  }

  /** `<(` begins a word; `!(`, `@(` and so on are patterns. */
  #opensInsideWord(parts: readonly WordPart[], start: number): boolean {
    const char = this.peek()
    if (char === '<' || char === '>') return this.at === start && this.text[this.at + 1] === '('
    const last = parts.at(-1)
    return char === '(' && last?.kind === 'text' && !last.quoted && /[!@?*+]$/.test(last.text)
  }

  #readPart(char: string, parts: WordPart[]): void {
    if (char === '\\') {
      const next = this.text[this.at + 1] ?? ''
      if (next !== '\n') parts.push({ kind: 'text', text: next, quoted: true })
      this.at = Math.min(this.end, this.at + 2)
    } else if (char === "'") this.#readSingle(parts)
    else if (char === '"') this.#readDouble(parts)
    else if (char === '$' || char === '`') this.#readExpansion(parts, false)
    else if (char === '<' || char === '>') {
      this.at += 1
      this.#readSubstitution(parts)
    } else if (char === '(') {
      this.skipBalanced()
      parts.push({ kind: 'unknown' })
    } else {
      plain.lastIndex = this.at
      const text = plain.exec(this.text)?.[0].slice(0, this.end - this.at) ?? char
      this.at += text.length
      parts.push({ kind: 'text', text, quoted: false })
    }
  }

  #readSingle(parts: WordPart[]): void {
    const close = this.text.indexOf("'", this.at + 1)
    const end = close < 0 || close > this.end ? this.end : close
    parts.push({ kind: 'text', text: this.text.slice(this.at + 1, end), quoted: true })
    this.at = Math.min(this.end, end + 1)
  }

  #readDouble(parts: WordPart[]): void {
    this.at += 1
    if (this.peek() === '"') parts.push({ kind: 'text', text: '', quoted: true })
    for (;;) {
      const char = this.peek()
      if (char === '') return
      if (char === '"') {
        this.at += 1
        return
      }
      if (char === '\\') {
        const next = this.text[this.at + 1] ?? ''
        const text = '"\\$`'.includes(next) ? next : next === '\n' ? '' : `\\${next}`
        parts.push({ kind: 'text', text, quoted: true })
        this.at = Math.min(this.end, this.at + 2)
      } else if (char === '`' && this.insideBackticks) return
      else if (char === '$' || char === '`') this.#readExpansion(parts, true)
      else {
        doubleQuoted.lastIndex = this.at
        const text = doubleQuoted.exec(this.text)?.[0].slice(0, this.end - this.at) ?? char
        parts.push({ kind: 'text', text, quoted: true })
        this.at += text.length
      }
    }
  }

  #readExpansion(parts: WordPart[], quoted: boolean): void {
    const rest = this.text.slice(this.at, this.at + 3)
    if (rest.startsWith('`')) {
      this.at += 1
      if (this.insideBackticks) return
      this.insideBackticks = true
      parts.push({ kind: 'commands', commands: this.nested(() => this.readList('`')) })
      this.insideBackticks = false
      if (this.peek() === '`') this.at += 1
    } else if (rest.startsWith('$((')) {
      this.at += 1
      this.skipBalanced()
      parts.push({ kind: 'unknown' })
    } else if (rest.startsWith('$(')) {
      this.at += 1
      this.#readSubstitution(parts)
    } else if (rest.startsWith('${')) this.#readParameter(parts, quoted)
    else if (rest.startsWith("$'") && !quoted) this.#readAnsi(parts)
    else if (rest.startsWith('$"') && !quoted) this.at += 1
    else {
      this.at += 1
      name.lastIndex = this.at
      const found = name.exec(this.text)?.[0]
      if (found === undefined) parts.push({ kind: 'text', text: '$', quoted: true })
      else {
        this.at = Math.min(this.end, this.at + found.length)
        parts.push({ kind: 'variable', name: found, all: found === '@', quoted })
      }
    }
  }

  /** At the opening parenthesis. Backticks that are open outside mean nothing in here. */
  #readSubstitution(parts: WordPart[]): void {
    this.at += 1
    const outer = this.insideBackticks
    this.insideBackticks = false
    parts.push({ kind: 'commands', commands: this.nested(() => this.readList(')')) })
    this.insideBackticks = outer
    if (this.peek() === ')') this.at += 1
  }

  /** `${name}`; with anything more the value is unknown, but what it runs is read. */
  #readParameter(parts: WordPart[], quoted: boolean): void {
    const simple = /\$\{([A-Za-z_]\w*|\d+)(\[[@*]\])?\}/y
    simple.lastIndex = this.at
    const found = simple.exec(this.text)
    if (found?.[1] !== undefined && simple.lastIndex <= this.end) {
      this.at = simple.lastIndex
      const all = found[2] !== undefined
      parts.push({ kind: 'variable', name: found[1], all, quoted })
      return
    }
    this.at += 2
    parts.push({ kind: 'unknown' })
    const inside: WordPart[] = []
    for (let char = this.peek(); char !== ''; char = this.peek()) {
      if (char === '}') break
      if (char === '\\') this.at += 2
      else if (char === '"' && this.depth < MAX_DEPTH) {
        this.depth += 1
        this.#readDouble(inside)
        this.depth -= 1
      } else if (char === "'" && !quoted) this.#readSingle(inside)
      else if (char === '$' && this.depth < MAX_DEPTH) {
        this.depth += 1
        this.#readExpansion(inside, quoted)
        this.depth -= 1
      } else this.at += 1
    }
    this.at = Math.min(this.end, this.at + 1)
    parts.push(...inside.filter(({ kind }) => kind === 'commands'))
  }

  #readAnsi(parts: WordPart[]): void {
    const body = /\$'((?:[^'\\]|\\[\s\S])*)'?/y
    body.lastIndex = this.at
    const found = body.exec(this.text)
    const text = (found?.[1] ?? '').replace(
      /\\(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3})|([\s\S]))/g,
      (_, hex, octal, char) =>
        hex || octal
          ? String.fromCharCode(Number.parseInt(hex ?? octal, hex ? 16 : 8))
          : (escapes[char] ?? char),
    )
    parts.push({ kind: 'text', text, quoted: true })
    this.at = Math.min(this.end, this.at + (found?.[0].length ?? 2))
  }
}
