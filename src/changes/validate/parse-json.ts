import type { SyntaxProblem } from '../../core/ports/syntax-checker.ts'
import { endOfText, positionAt } from '../../text/source/positions.ts'

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | 'colon' | 'comma' | 'end'

const SPACE = /[ \t\r\n]*/y
const SPACE_OR_COMMENT = /(?:[ \t\r\n]|\/\/[^\n]*|\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\/)*/y
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y

/** Problems of JSON; `relaxed` accepts comments and trailing commas. Repeated names are no problem. */
export function checkJson(text: string, relaxed: boolean): readonly SyntaxProblem[] {
  if (!relaxed && parses(text)) return []
  const problem = new JsonReader(text, relaxed).problem()
  return problem ? [problem] : []
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Walks a JSON text without recursion, so that no nesting can exhaust the stack. */
class JsonReader {
  readonly #text: string
  readonly #relaxed: boolean
  readonly #open: number[] = []
  #at = 0
  #expected: Expected = 'value'

  constructor(text: string, relaxed: boolean) {
    this.#text = text
    this.#relaxed = relaxed
  }

  problem(): SyntaxProblem | null {
    for (;;) {
      this.#take(this.#relaxed ? SPACE_OR_COMMENT : SPACE)
      const char = this.#text[this.#at]
      if (char === undefined) return this.#expected === 'end' ? null : this.#ended()
      if (!this.#step(char)) return this.#unexpected(char)
    }
  }

  /** Takes what the grammar allows here; false when it allows nothing of the kind. */
  #step(char: string): boolean {
    const expected = this.#expected
    if (expected === 'end') return false
    if (expected === 'colon') return char === ':' && this.#punctuation('value')
    if (expected === 'comma') {
      if (char === ',') return this.#punctuation(this.#afterComma())
      return this.#close(char)
    }
    if (expected === 'name' || expected === 'name or }') {
      if (expected === 'name or }' && this.#close(char)) return true
      return this.#take(STRING) && this.#next('colon')
    }
    if (expected === 'value or ]' && this.#close(char)) return true
    if (char === '{' || char === '[') {
      this.#open.push(this.#at)
      return this.#punctuation(char === '{' ? 'name or }' : 'value or ]')
    }
    return (this.#take(STRING) || this.#take(SCALAR)) && this.#valueEnded()
  }

  #close(char: string): boolean {
    const opener = this.#opener()
    if (!((opener === '{' && char === '}') || (opener === '[' && char === ']'))) return false
    this.#open.pop()
    this.#at += 1
    return this.#valueEnded()
  }

  #afterComma(): Expected {
    const list = this.#opener() === '['
    if (this.#relaxed) return list ? 'value or ]' : 'name or }'
    return list ? 'value' : 'name'
  }

  #valueEnded(): true {
    return this.#next(this.#open.length > 0 ? 'comma' : 'end')
  }

  #punctuation(expected: Expected): true {
    this.#at += 1
    return this.#next(expected)
  }

  #next(expected: Expected): true {
    this.#expected = expected
    return true
  }

  #take(expression: RegExp): boolean {
    expression.lastIndex = this.#at
    const found = expression.exec(this.#text)
    this.#at += found?.[0].length ?? 0
    return found !== null
  }

  #opener(): string | undefined {
    const at = this.#open.at(-1)
    return at === undefined ? undefined : this.#text[at]
  }

  #ended(): SyntaxProblem {
    const at = this.#open.at(-1)
    const { line } = positionAt(this.#text, at ?? 0)
    const message =
      at === undefined
        ? 'The file is empty; JSON needs a value.'
        : `Unexpected end of file: the \`${this.#text[at]}\` opened at line ${line} is never closed.`
    return { message, ...endOfText(this.#text) }
  }

  #unexpected(char: string): SyntaxProblem {
    return { message: this.#complaint(char), ...positionAt(this.#text, this.#at) }
  }

  #complaint(char: string): string {
    const expected = this.#expected
    const name = expected === 'name' || expected === 'name or }'
    if (char === '"' && expected !== 'comma' && expected !== 'end' && expected !== 'colon')
      return 'This string is not closed on its line, or holds a bad escape.'
    if (char === '/' && /^\/[/*]/.test(this.#text.slice(this.#at, this.#at + 2)))
      return this.#relaxed ? 'This comment is never closed.' : 'JSON knows no comments.'
    if (char === "'") return 'JSON strings stand in double quotes.'
    if ((char === '}' || char === ']') && (expected === 'name' || expected === 'value'))
      return `Expected another ${name ? 'property' : 'value'} after the comma, found \`${char}\`.`
    return `Expected ${this.#wanted()}, found \`${this.#word()}\`.`
  }

  #wanted(): string {
    if (this.#expected === 'end') return 'the end of the file'
    if (this.#expected === 'colon') return '`:` after the property name'
    if (this.#expected === 'comma') return `\`,\` or \`${this.#opener() === '{' ? '}' : ']'}\``
    return this.#expected.startsWith('name') ? 'a property name in double quotes' : 'a value'
  }

  #word(): string {
    return /^(?:[\w.+-]{1,20}|[\s\S])/u.exec(this.#text.slice(this.#at, this.#at + 20))?.[0] ?? ''
  }
}
