import {
  type Assignment,
  type Command,
  type CommandArgument,
  type CommandExpansionPart,
  forEachChild,
  type ParsedScript,
  type ProcessSubstitutionPart,
  parse,
  type Redirected,
  type Redirection,
  type SyntaxNode,
} from 'unbash'

/** Offsets into the whole text, the end exclusive. */
export interface Place {
  readonly start: number
  readonly end: number
}

/** A simple command, or the redirections of a group or loop, which has no words. */
export interface ShellCommand extends Place {
  /** Added to offsets of the parser's nodes to get those in the whole text. */
  readonly offset: number
  /** Its name and arguments. */
  readonly words: readonly CommandArgument[]
  readonly assignments: readonly Assignment[]
  readonly redirects: readonly Redirection[]
  /** The command that writes this one's input in a pipeline. */
  readonly pipedFrom: ShellCommand | null
  /** The name of the function whose body starts with this command. */
  readonly definition: string | null
}

export const commandWords = ({ name, args }: Command): readonly CommandArgument[] =>
  name === undefined ? args : [name, ...args]

/** Characters to parse again after mistakes; beyond this, or with many mistakes, reads by lines. */
const MOST_REREAD = 5_000_000
const MOST_MISTAKES = 5_000
/** The parser takes quadratic time for the here-documents that one line opens. */
const MOST_HERE_DOCUMENTS = 1_000
/** Substitutions nested deeper are not read. */
const MOST_SUBSTITUTIONS = 60
const LONGEST_LINE = 1_000
const LONGEST_TEST = 300
/** The unit that is skipped: an operator's character, or a word. */
const token = /\s*(?:[;&|()<>]|[^\s;&|()<>]+)/y

/**
 * Reads a script's simple commands in the order they run: commands inside a word precede its own.
 * Skips what bash does not allow (other shells, parts of scripts) token by token. Never throws.
 */
export function readShellCommands(text: string): readonly ShellCommand[] {
  // Offsets stay: each carriage return becomes a line end.
  const plain = text.replaceAll('\\\r\n', ' \\\n').replaceAll('\r', '\n')
  if (plain.split('<<').length > MOST_HERE_DOCUMENTS) return new CommandReader(true).readAll(plain)
  try {
    return new CommandReader(false).readAll(plain)
  } catch (error) {
    // Functions are nested more deeply than the parser's stack allows.
    if (error instanceof RangeError) return new CommandReader(true).readAll(plain)
    throw error
  }
}

class CommandReader {
  readonly #commands: ShellCommand[] = []
  #pipedFrom: ShellCommand | null = null
  #definition: string | null = null
  #byLine: boolean
  #mistakes = 0
  #reread = 0
  /** The offset of the parsed text, or the place of an expansion that is parsed as another text. */
  #offset: number | Place = 0
  /** The end of the last command or here-document. */
  #reached = 0
  #text = ''
  #depth = 0

  constructor(byLine: boolean) {
    this.#byLine = byLine
  }

  readAll(text: string): readonly ShellCommand[] {
    this.#read(text, this.#parse(text))
    return this.#commands
  }

  #parse(text: string): ParsedScript {
    if (!this.#byLine) return parse(text)
    const line = text.slice(0, LONGEST_LINE)
    return parse(line.slice(0, line.indexOf('\n') + 1 || line.length))
  }

  #read(text: string, script: ParsedScript): void {
    let [rest, parsed] = [text, script]
    for (;;) {
      this.#text = rest
      this.#reached = 0
      this.#visitChildren(parsed)
      const next = this.#behindMistake(parsed) ?? parsed.end
      if (next >= rest.length) return
      rest = rest.slice(next)
      this.#reread += rest.length
      this.#byLine ||= this.#reread > MOST_REREAD
      if (typeof this.#offset === 'number') this.#offset += next
      parsed = this.#parse(rest)
    }
  }

  /** Where reading continues after something unreadable; `null` at the end. */
  #behindMistake({ errors = [] }: ParsedScript): number | null {
    const mistakes = errors.map(({ pos }) => pos).filter((pos) => pos >= this.#reached)
    const mistake = mistakes.reduce((first, pos) => Math.min(first, pos), Number.POSITIVE_INFINITY)
    if (mistake === Number.POSITIVE_INFINITY) return null
    this.#mistakes += 1
    if (this.#mistakes > MOST_MISTAKES) {
      if (this.#byLine) return null
      this.#byLine = true
    }
    // Other shells' patterns between `[[` and `]]`.
    const before = this.#text.slice(Math.max(this.#reached, mistake - LONGEST_TEST), mistake)
    if (/\[\[(?!.*\]\])[^\n]*$/.test(before)) {
      const close = this.#text.slice(mistake, mistake + LONGEST_TEST).indexOf(']]')
      if (close >= 0) return mistake + close + 2
    }
    if (mistake > 0) return mistake
    token.lastIndex = 0
    return token.test(this.#text) ? token.lastIndex : null
  }

  #visitChildren(node: SyntaxNode): void {
    forEachChild(node, (child) => this.#visit(child))
  }

  #visit(node: SyntaxNode): void {
    switch (node.type) {
      case 'Command':
      case 'Redirected':
        this.#addCommand(node)
        return
      case 'Pipeline':
        for (const each of node.commands) {
          this.#visit(each)
          this.#pipedFrom = this.#commands.at(-1) ?? null
        }
        this.#pipedFrom = null
        return
      case 'Function':
        this.#definition = node.name.text
        this.#visit(node.body)
        return
      case 'CommandExpansion':
      case 'ProcessSubstitution':
        this.#readSubstitution(node)
        return
      default:
        if (node.type === 'HereDoc')
          this.#reached = Math.max(this.#reached, node.closing?.end ?? node.body.end)
        this.#visitChildren(node)
    }
  }

  #addCommand(node: Command | Redirected): void {
    const isSimple = node.type === 'Command'
    const [pipedFrom, definition] = [this.#pipedFrom, this.#definition]
    if (isSimple) [this.#pipedFrom, this.#definition] = [null, null]
    this.#visitChildren(node)
    const pos = isSimple ? node.pos : (node.redirects[0]?.pos ?? node.pos)
    const place = this.#placeOf({ pos, end: node.end })
    this.#reached = Math.max(this.#reached, node.end)
    this.#commands.push({
      ...place,
      offset: typeof this.#offset === 'number' ? this.#offset : place.start,
      words: isSimple ? commandWords(node) : [],
      assignments: isSimple ? node.prefix.filter((each) => each.type === 'Assignment') : [],
      redirects: node.redirects,
      pipedFrom: isSimple ? pipedFrom : null,
      definition: isSimple ? definition : null,
    })
  }

  #placeOf({ pos, end }: { readonly pos: number; readonly end: number }): Place {
    const offset = this.#offset
    return typeof offset === 'number' ? { start: offset + pos, end: offset + end } : offset
  }

  #readSubstitution(node: CommandExpansionPart | ProcessSubstitutionPart): void {
    const { script } = node
    if (script === undefined || this.#depth >= MOST_SUBSTITUTIONS) return
    this.#depth += 1
    const outer = {
      pipedFrom: this.#pipedFrom,
      offset: this.#offset,
      reached: this.#reached,
      text: this.#text,
    }
    this.#pipedFrom = null
    if (script.source !== undefined) this.#offset = this.#placeOf(node)
    this.#read((script.source ?? this.#text).slice(0, script.end), script)
    this.#pipedFrom = outer.pipedFrom
    this.#offset = outer.offset
    this.#reached = outer.reached
    this.#text = outer.text
    this.#depth -= 1
  }
}
