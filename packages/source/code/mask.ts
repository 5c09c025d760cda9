import { endOf } from './positions.ts'

/** Languages whose strings and comments `maskText` recognizes. */
export type MaskedLanguage = 'script' | 'python'

const SINGLE = /[^'\\\n]*(?:\\[\s\S][^'\\\n]*)*/y
const DOUBLE = /[^"\\\n]*(?:\\[\s\S][^"\\\n]*)*/y
const TRIPLE_SINGLE = /[^'\\]*(?:(?:\\[\s\S]|'(?!''))[^'\\]*)*/y
const TRIPLE_DOUBLE = /[^"\\]*(?:(?:\\[\s\S]|"(?!""))[^"\\]*)*/y
const TEMPLATE = /[^`\\$]*(?:(?:\\[\s\S]|\$(?!\{))[^`\\$]*)*/y
/** Longer patterns are not recognized, so that a line of slashes takes linear time. */
const LONGEST_PATTERN = 500
const PATTERN = /^\/(?:[^/\\[\n]|\\[\s\S]|\[(?:[^\]\\\n]|\\[\s\S])*\])+\//

/** A `/` after one of these starts a pattern; elsewhere it divides. */
const BEFORE_PATTERN =
  /(?:^|[(,=:[!&|?{};+\-*%~^>]|\b(?:return|typeof|case|in|of|delete|void|throw|new|do|else|yield|await))$/

/**
 * Blanks the insides of comments, strings, templates and patterns: same length, same lines, quotes
 * kept. Reads by shape in linear time, for text that may not parse.
 */
export const maskText = (text: string, language: MaskedLanguage): string =>
  language === 'python' ? maskPython(text) : maskScript(text)

function maskScript(text: string): string {
  const pen = new Pen(text)
  /** Counts open braces for each `${` that is open. */
  const braces: number[] = []
  const template = () => {
    pen.blank(TEMPLATE)
    if (text[pen.at] === '$') {
      pen.keep(2)
      braces.push(0)
    } else pen.keep(1)
  }
  for (let char = pen.seek(/["'`/{}]/g); char !== ''; char = pen.seek(/["'`/{}]/g)) {
    const open = braces.at(-1)
    if (char === '/') slash(pen)
    else if (char === '`') {
      pen.keep(1)
      template()
    } else if (char === '}' && open === 0) {
      braces.pop()
      pen.keep(1)
      template()
    } else if (char === '{' || char === '}') {
      if (open !== undefined) braces[braces.length - 1] = open + (char === '{' ? 1 : -1)
      pen.keep(1)
    } else if (char === "'" && /\w/.test(text[pen.at - 1] ?? '')) pen.keep(1)
    else pen.quoted(char)
  }
  return pen.masked
}

function slash(pen: Pen): void {
  const next = pen.text[pen.at + 1]
  if (next === '/') pen.blankTo(endOf(pen.text, '\n', pen.at))
  else if (next === '*') pen.blankTo(endOf(pen.text, '*/', pen.at + 2, 2))
  else {
    const before = pen.text.slice(Math.max(0, pen.at - 12), pen.at).trimEnd()
    const ahead = pen.text.slice(pen.at, pen.at + LONGEST_PATTERN)
    const isPattern = next !== '>' && BEFORE_PATTERN.test(before)
    const found = isPattern ? PATTERN.exec(ahead) : null
    if (found === null) pen.keep(1)
    else pen.blankTo(pen.at + found[0].length)
  }
}

function maskPython(text: string): string {
  const pen = new Pen(text)
  for (let char = pen.seek(/["'#]/g); char !== ''; char = pen.seek(/["'#]/g)) {
    if (char === '#') pen.blankTo(endOf(text, '\n', pen.at))
    else if (text.startsWith(char.repeat(3), pen.at)) {
      pen.keep(3)
      pen.blank(char === '"' ? TRIPLE_DOUBLE : TRIPLE_SINGLE)
      pen.keep(3)
    } else pen.quoted(char)
  }
  return pen.masked
}

/** Copies a text from left to right, keeping or blanking. */
class Pen {
  readonly text: string
  masked = ''
  at = 0

  constructor(text: string) {
    this.text = text
  }

  keep(count: number): void {
    this.masked += this.text.slice(this.at, this.at + count)
    this.at = Math.min(this.text.length, this.at + count)
  }

  blankTo(end: number): void {
    this.masked += blank(this.text.slice(this.at, end))
    this.at = end
  }

  /** Blanks the text between two quotes of one line. */
  quoted(quote: string): void {
    this.keep(1)
    this.blank(quote === '"' ? DOUBLE : SINGLE)
    if (this.text[this.at] === quote) this.keep(1)
  }

  /** Blanks what the sticky expression matches here. */
  blank(expression: RegExp): void {
    expression.lastIndex = this.at
    this.blankTo(this.at + (expression.exec(this.text)?.[0].length ?? 0))
  }

  /** Keeps everything before the next of these characters and returns it; empty at the end. */
  seek(expression: RegExp): string {
    expression.lastIndex = this.at
    const found = expression.exec(this.text)
    this.keep((found?.index ?? this.text.length) - this.at)
    return found?.[0] ?? ''
  }
}

/** Comments, strings, characters and raw strings of languages with braces, closed or not. */
const CURLY =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"""[\s\S]*?(?:"""|$)|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:\\[^\n']{1,10}|[^'\\\n])'|`[^`]*(?:`|$)/g

/** As above; strings may span lines, and `#` starts a comment. */
const PHP =
  /\/\/[^\n]*|#(?!\[)[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\]|\\[\s\S])*"?|'(?:[^'\\]|\\[\s\S])*'?/g

/** Blanks the insides of comments and strings: same length, same lines, quotes kept. */
export const maskCurly = (text: string, language: string): string =>
  text.replace(language === 'php' ? PHP : CURLY, (found) => {
    const quoted = '"\'`'.includes(found[0] ?? '')
    const closed = found.length > 1 && found.endsWith(found[0] ?? '')
    if (!quoted) return blank(found)
    return `${found[0]}${blank(found.slice(1, closed ? -1 : undefined))}${closed ? found[0] : ''}`
  })

/** White space of the same length and as many lines. */
export const blank = (text: string): string => text.replace(/[^\n]/g, ' ')
