import {
  type Assignment,
  bareText,
  type Redirect,
  type ShellCommand,
  type Word,
} from './command.ts'
import { WordReader } from './read-word.ts'

/** Words after which a command begins. */
const openers = new Set([
  ...['if', 'then', 'elif', 'else', 'while', 'until', 'do', '!', 'time', '{', 'begin'],
  ...['fi', 'done', 'esac', '}', 'end'],
])
const redirectOperator = /(?:\d+|&)?(?:<<<|<<-?|<>|<&|>>|>\||>&|&>>|&>|<|>)/y
const assignmentStart = /[A-Za-z_]\w*(?:\[[^\]\n]{0,80}\])?\+?=/y

/**
 * The simple commands of a shell script, in the order they are written; those of pipelines, groups,
 * subshells, functions and loops among them. Reads POSIX shell and bash by their grammar's outline:
 * quotes, expansions, here-documents, `case`, `[[`. Linear in the text; never throws, and what is
 * not closed ends with the text.
 */
export function readShellCommands(text: string): readonly ShellCommand[] {
  return new CommandReader(text, 0, text.length, 0).readAll()
}

class CommandReader extends WordReader {
  #pipedFrom: ShellCommand | null = null
  #last: ShellCommand | null = null
  #definition: string | null = null
  /** Here-documents whose text begins after this line. */
  #awaited: { redirect: Redirect; delimiter: string; tabs: boolean; isQuoted: boolean }[] = []
  /** One for each `case` that is open. */
  #cases = 0

  readAll(): readonly ShellCommand[] {
    return this.readList('')
  }

  /** Commands up to the closing character, which is left for the caller. */
  override readList(stop: '' | ')' | '`'): ShellCommand[] {
    const commands: ShellCommand[] = []
    const outer = { piped: this.#pipedFrom, cases: this.#cases }
    this.#pipedFrom = null
    this.#cases = 0
    for (;;) {
      this.skipBlanks()
      const char = this.peek()
      if (char === '' || (char === stop && !(char === ')' && this.#cases > 0))) break
      const command = this.#step(char, commands)
      if (command !== null) {
        commands.push(command)
        this.#last = command
        this.#pipedFrom = null
        this.#definition = null
      }
    }
    this.#pipedFrom = outer.piped
    this.#cases = outer.cases
    return commands
  }

  #step(char: string, commands: ShellCommand[]): ShellCommand | null {
    if (char === '\n') {
      this.at += 1
      this.#readHereDocuments()
      return null
    }
    if (char === '#') {
      this.skipLine()
      return null
    }
    if (char === '(') {
      this.#subshell(commands)
      return null
    }
    if (';&|)'.includes(char) && !(char === '&' && this.text[this.at + 1] === '>')) {
      this.#operator(char)
      return null
    }
    return this.#readCommand()
  }

  #operator(char: string): void {
    const ends = char === ';' && (this.text[this.at + 1] === ';' || this.text[this.at + 1] === '&')
    const isPipe = char === '|' && this.text[this.at + 1] !== '|'
    const isLong = !isPipe && this.text[this.at + 1] === char
    this.at += ends || isLong ? 2 : 1
    if (isPipe && this.peek() === '&') this.at += 1
    this.#pipedFrom = isPipe ? this.#last : null
    if (ends && this.#cases > 0) this.#skipCasePattern()
  }

  #subshell(commands: ShellCommand[]): void {
    if (this.text[this.at + 1] === '(') {
      this.skipBalanced()
      return
    }
    this.at += 1
    const piped = this.#pipedFrom
    const inner = this.nested(() => this.readList(')'))
    const [first, ...others] = inner
    if (first !== undefined) commands.push({ ...first, pipedFrom: first.pipedFrom ?? piped })
    commands.push(...others)
    if (this.peek() === ')') this.at += 1
  }

  #readCommand(): ShellCommand | null {
    const words: Word[] = []
    const assignments: Assignment[] = []
    const redirects: Redirect[] = []
    const from = this.at
    let start = from
    let end = from
    for (;;) {
      this.skipBlanks()
      if (words.length + assignments.length + redirects.length === 0) start = this.at
      const redirect = this.#readRedirect()
      if (redirect !== null) {
        redirects.push(redirect)
        end = this.at
        continue
      }
      const char = this.peek()
      if (char === '(' && this.#isDefinition(words)) continue
      if (char === '' || '\n;&|()#'.includes(char)) break
      if (char === '`' && this.insideBackticks) break
      if (words.length === 0) {
        const assignment = this.#readAssignment()
        if (assignment !== null) {
          assignments.push(assignment)
          end = this.at
          continue
        }
      }
      const word = this.readWord()
      if (words.length === 0 && this.#isKeyword(word)) continue
      words.push(word)
      end = word.end
    }
    // A character that nothing knows what to do with.
    if (this.at === from) this.at += 1
    if (words.length + assignments.length + redirects.length === 0) return null
    return {
      start,
      end,
      words,
      assignments,
      redirects,
      pipedFrom: this.#pipedFrom,
      definition: this.#definition,
    }
  }

  /** `name()`: what follows is the function's body. */
  #isDefinition(words: Word[]): boolean {
    const name = words.length === 1 && words[0] ? this.text.slice(words[0].start, words[0].end) : ''
    const empty = /\([ \t]*\)/y
    empty.lastIndex = this.at
    if (name === '' || !empty.test(this.text)) return false
    this.at = empty.lastIndex
    this.#definition = name
    words.pop()
    return true
  }

  /** Steps over what only structures a script; the command begins after it. */
  #isKeyword(word: Word): boolean {
    const text = bareText(word)
    if (text === null) return false
    if (text === 'case') {
      this.#readUntilIn()
      this.#cases += 1
      this.#skipCasePattern()
      return true
    }
    if (text === 'esac') this.#cases = Math.max(0, this.#cases - 1)
    if (text === '[[') {
      this.#readTest()
      return true
    }
    if (text === 'function') {
      this.skipBlanks()
      const name = this.readWord()
      this.#definition = this.text.slice(name.start, name.end)
      const empty = /[ \t]*\([ \t]*\)/y
      empty.lastIndex = this.at
      if (empty.test(this.text)) this.at = empty.lastIndex
      return true
    }
    return openers.has(text)
  }

  #readUntilIn(): void {
    for (let count = 0; count < 20; count += 1) {
      this.skipBlanks()
      if (this.peek() === '\n') this.at += 1
      else if (this.peek() === '' || '&|()`;'.includes(this.peek())) return
      else if (bareText(this.readWord()) === 'in') return
    }
  }

  /** `a|b)`, or `esac`, which is left to be read as a keyword. */
  #skipCasePattern(): void {
    for (;;) {
      this.skipBlanks()
      const char = this.peek()
      if (char === '\n') this.at += 1
      else if (char === '#') this.skipLine()
      else break
    }
    if (/^esac\b/.test(this.text.slice(this.at, this.at + 6))) return
    if (this.peek() === '(') this.at += 1
    for (;;) {
      this.skipBlanks()
      const char = this.peek()
      if (char === ')') this.at += 1
      if (char === ')' || char === '' || '\n;&('.includes(char)) return
      if (char === '|' || char === '<' || char === '>' || char === '`') this.at += 1
      else this.readWord()
    }
  }

  #readTest(): void {
    for (;;) {
      this.skipBlanks()
      const char = this.peek()
      if (char === '') return
      if ('\n;&|()<>`'.includes(char)) this.at += 1
      else if (bareText(this.readWord()) === ']]') return
    }
  }

  #readAssignment(): Assignment | null {
    assignmentStart.lastIndex = this.at
    const found = assignmentStart.exec(this.text)?.[0]
    if (found === undefined) return null
    this.at += found.length
    const name = found.replace(/(?:\[[^\]]*\])?\+?=$/, '')
    if (this.peek() !== '(') return { name, values: [this.readWord()], isList: false }
    this.at += 1
    const values: Word[] = []
    for (;;) {
      this.skipBlanks()
      const char = this.peek()
      if (char === '' || char === ')') break
      if (char === '#') this.skipLine()
      else if ('\n;&|(<>`'.includes(char)) this.at += 1
      else values.push(this.readWord())
    }
    if (this.peek() === ')') this.at += 1
    return { name, values, isList: true }
  }

  #readRedirect(): Redirect | null {
    redirectOperator.lastIndex = this.at
    const operator = redirectOperator.exec(this.text)?.[0]
    if (operator === undefined) return null
    // `<(…)` is a word.
    if (operator.length === 1 && this.text[this.at + 1] === '(') return null
    this.at += operator.length
    this.skipBlanks()
    const target = this.readWord()
    const redirect: Redirect = { operator: operator.replace(/^\d+/, ''), target, body: null }
    if (/^<<-?$/.test(redirect.operator)) {
      const written = this.text.slice(target.start, target.end)
      const delimiter = written.replace(/['"\\]/g, '')
      const isQuoted = delimiter !== written
      const tabs = redirect.operator === '<<-'
      if (delimiter !== '') this.#awaited.push({ redirect, delimiter, tabs, isQuoted })
    }
    return redirect
  }

  #readHereDocuments(): void {
    for (const { redirect, delimiter, tabs, isQuoted } of this.#awaited.splice(0)) {
      const start = this.at
      let end = start
      for (;;) {
        if (this.at >= this.end) {
          end = this.end
          break
        }
        const newline = this.text.indexOf('\n', this.at)
        const lineEnd = newline < 0 || newline > this.end ? this.end : newline
        const line = this.text.slice(this.at, lineEnd).replace(/\r$/, '')
        end = this.at
        this.at = Math.min(this.end, lineEnd + 1)
        if ((tabs ? line.replace(/^\t+/, '') : line) === delimiter) break
      }
      const inner = new CommandReader(this.text, start, end, this.depth + 1)
      redirect.body = { start, end, commands: isQuoted ? [] : inner.readExpansions() }
    }
  }
}
