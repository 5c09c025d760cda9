import { extname } from 'node:path'
import { maskCurly, maskText } from '../../../text/source/mask.ts'
import { standardImport } from './standard-names.ts'

/** How a language imports, one statement on lines of its own. */
interface Importing {
  readonly files: RegExp
  /** In masked text: the indentation, and the part that has the names. */
  readonly statement: RegExp
  /** The lines above the first import of a file. */
  readonly head: RegExp
}

interface Statement {
  readonly start: number
  readonly end: number
  readonly indent: string
  readonly text: string
  /** The names that it binds in the file. */
  readonly names: readonly string[]
}

const python: Importing = {
  files: /\.pyi?$/,
  statement:
    /^([ \t]*)(?:from[ \t]+\.*[\w.]*[ \t]+)?import[ \t]+(\([^)]{0,5000}\)|[^\n;()]+?)[ \t]*$/gm,
  head: /^(?:[ \t]*(?:#[^\n]*)?\n)*(?:("""|''')[\s\S]*?\1[^\n]*\n)?(?:[ \t]*\n|from __future__[^\n]*\n)*/,
}

const importings: readonly Importing[] = [
  python,
  {
    files: /\.[cm]?[jt]sx?$/,
    statement:
      /^()(?:import\s+(?:type\s+)?([^;='"`()]{1,2000}?)\s+from\s*(?:"[^"\n]*"|'[^'\n]*')|(?:const|let|var)\s+([\w$]+|\{[^{}=]*\})\s*=\s*require\s*\([^()\n]*\)[.\w]*)[ \t]*;?[ \t]*$/gm,
    head: /^(?:#![^\n]*\n)?(?:\s*(?:\/\/[^\n]*\n|\/\*[\s\S]*?\*\/|(["'])use strict\1;?))*\n*/,
  },
  {
    files: /\.(?:java|kts?|scala|groovy)$/,
    statement: /^()import[ \t]+(?:static[ \t]+)?([\w.]+(?:[ \t]+as[ \t]+\w+)?)[ \t]*;?[ \t]*$/gm,
    head: /^(?:\s*(?:\/\/[^\n]*\n|\/\*[\s\S]*?\*\/))*(?:\s*package\b[^\n]*\n)?\n*/,
  },
  {
    files: /\.rs$/,
    statement: /^()use[ \t]+([\w:]+(?:\{[\w:,\s]*\})?(?:[ \t]+as[ \t]+\w+)?)[ \t]*;[ \t]*$/gm,
    head: /^(?:\s*(?:\/\/!?[^\n]*\n|#!\[[^\n]*\n))*\n*/,
  },
]

/**
 * Puts back imports that a new text of a file leaves out and still uses, and adds those of Python's standard library
 * that it forgets. A model that rewrites a function often drops what it does not look at.
 *
 * @param before the file's earlier text; empty for a new file
 * @param isMeant the task is about this statement, which then stays as the answer has it
 */
export function keepImports(
  path: string,
  before: string,
  content: string,
  isMeant: (statement: string) => boolean = () => false,
): string {
  const importing = importings.find(({ files }) => files.test(path))
  if (importing === undefined || isGenerated(content)) return content
  if (content.includes('\r\n')) {
    const [had, has] = [before, content].map((text) => text.replaceAll('\r\n', '\n'))
    const kept = keepImports(path, had ?? '', has ?? '', isMeant)
    return kept === has ? content : kept.replaceAll('\n', '\r\n')
  }
  const code = codeOf(importing, path, content)
  const missed = statementsOf(importing, path, before).filter(({ names }) =>
    names.some((name) => isFree(code, name)),
  )
  const known = new Set(missed.flatMap(({ names }) => names))
  const earlier = new Set(importing === python ? forgotten(codeOf(python, path, before)) : [])
  const others = importing === python ? forgotten(code).filter((text) => !earlier.has(text)) : []
  return [
    ...missed,
    ...others.filter((text) => !known.has(text.split(' ').at(-1) ?? '')).map(ofStandard),
  ]
    .filter(({ text }) => !isMeant(text))
    .reduce(
      (kept, statement) => withStatement(importing, path, { before, kept, statement }),
      content,
    )
}

const ofStandard = (text: string): Statement => ({ start: 0, end: 0, indent: '', text, names: [] })

/** Not written by hand, and slow to search. */
const isGenerated = (text: string): boolean =>
  text.length > 200_000 || text.split('\n').some(({ length }) => length > 2000)

function masked(path: string, text: string): string {
  if (python.files.test(path)) return maskText(text, 'python')
  return /[jt]sx?$/.test(path) ? maskText(text, 'script') : maskCurly(text, extname(path).slice(1))
}

function statementsOf({ statement }: Importing, path: string, text: string): readonly Statement[] {
  return [...masked(path, text).matchAll(statement)].map((found) => {
    const [whole, indent = '', first, second] = found
    const [start, end] = [found.index, found.index + whole.length]
    const names = boundBy(first ?? second ?? '', /^\s*import\b/.test(whole) && path.endsWith('.py'))
    return { start, end, indent, text: text.slice(start, end).trim(), names }
  })
}

/** `a as b, { c: d }` → b, d; of a path its last name, and the first of Python's `import a.b`. */
function boundBy(clause: string, isFirst: boolean): readonly string[] {
  return clause.split(/[,{}()\n]/).flatMap((each) => {
    const part = each.trim()
    const alias = /(?:\bas\s+|:\s+)([\w$]+)$/.exec(part)?.[1]
    const parts = part.split(/[.:]+/)
    const name = alias ?? (isFirst ? parts[0] : parts.at(-1))
    return name !== undefined && /^[A-Za-z_$][\w$]*$/.test(name) ? name : []
  })
}

/** A text in which names may be unbound. */
interface Code {
  /** Masked, without its imports. */
  readonly text: string
  readonly imported: ReadonlySet<string>
  /** It takes in names that are not written down. */
  readonly isOpen: boolean
}

function codeOf(importing: Importing, path: string, text: string): Code {
  const code = masked(path, text)
  return {
    text: code.replace(importing.statement, ''),
    imported: new Set(statementsOf(importing, path, text).flatMap(({ names }) => names)),
    isOpen: /\bimport[ \t]+\*|::\*|\.\*;/.test(code),
  }
}

/** In front of a name, these words bind nothing. */
const noDeclarers = new Set(
  'return yield await in not and or is if elif else while assert raise throw del from with new typeof instanceof extends implements case async void print delete except match default export mut ref dyn move throws permits'.split(
    ' ',
  ),
)

/** Characters around a use in which what binds it begins and ends. */
const near = 500

/** Returns true for a name that is used and that nothing binds; a doubtful name counts as bound. */
function isFree({ text, imported, isOpen }: Code, name: string): boolean {
  if (isOpen || imported.has(name) || !text.includes(name)) return false
  const word = `(?<![.\\w$])${name.replace(/\$/g, '\\$')}(?![\\w$])`
  const uses = [...text.matchAll(new RegExp(`(?:([\\w$]+)[ \\t]+)?[*&]*${word}`, 'g'))]
  const isDeclared = uses.some(([, left]) => left !== undefined && !noDeclarers.has(left))
  if (uses.length === 0 || isDeclared) return false
  const binds = bindings(word)
  return !uses.some(({ index }) => binds.test(text.slice(Math.max(0, index - near), index + near)))
}

/** Where a name may be bound: before `=`, in a loop's head, among parameters, as a key or a method. */
const bindings = (word: string): RegExp =>
  new RegExp(
    [
      `(?<!:\\s*)${word}\\s*(?::(?!:)[^=\\n]*)?:?=(?![=>])`,
      `^[ \\t]*[\\w \\t,*]*${word}[\\w \\t,*]*=(?![=>])`,
      `[{[(][\\w\\s,*:]*${word}[\\w\\s,*:]*[)\\]}]\\s*=(?![=>])`,
      `\\bfor\\b(?:(?!\\bin\\b)[^\\n])*${word}(?:(?!\\bin\\b)[^\\n])*\\bin\\b`,
      `\\b(?:def|function|func|fn)\\b[^()\\n]*\\((?:[^)]*,)?\\s*\\**${word}\\s*[,):=?]`,
      `\\blambda\\b[^:\\n]*${word}\\s*[,:=]`,
      `\\([^()]*(?<=[({[,]\\s*(?:\\.\\.\\.)?)${word}(?=\\s*[,)}\\]=?:])[^()]*\\)\\s*(?::[^={}\\n]*)?(?:=>|\\{)`,
      `${word}\\s*(?:=>|\\([^()]*\\)\\s*\\{)`,
      `[{,]\\s*${word}\\s*:(?!:)`,
    ].join('|'),
    'm',
  )

/** Puts a statement below the line that it stood below, at the head of a function; else with the other imports. */
function withStatement(
  importing: Importing,
  path: string,
  { before, kept, statement }: Readonly<{ before: string; kept: string; statement: Statement }>,
): string {
  const { indent, start, text } = statement
  if (indent === '') return atTop(importing, path, kept, text)
  const above = before.slice(0, start).trimEnd().split('\n').at(-1) ?? ''
  if (!/^\s*(?:async\s+)?def\b/.test(above)) return kept
  const lines = kept.split('\n')
  const at = lines.indexOf(above)
  if (at < 0 || lines.lastIndexOf(above) !== at) return atTop(importing, path, kept, text)
  return lines.toSpliced(at + 1, 0, `${indent}${text}`).join('\n')
}

function atTop(importing: Importing, path: string, kept: string, text: string): string {
  const last = statementsOf(importing, path, kept).findLast(({ indent }) => indent === '')
  const isAmong = last !== undefined && !text.startsWith('from __future__')
  const head = importing.head.exec(kept)?.[0].length ?? 0
  if (isAmong) return `${kept.slice(0, last.end)}\n${text}${kept.slice(last.end)}`
  const rest = kept.slice(head)
  const gap = importing === python && /^(?:@|class\b|def\b|async\b)/.test(rest) ? '\n\n' : '\n'
  return `${kept.slice(0, head)}${text}\n${/^\s*$|^\n/.test(rest) ? '' : gap}${rest}`
}

/** Imports of the standard library that a text of Python needs and does not have. */
function forgotten(code: Code): readonly string[] {
  const used = new Map(
    [...code.text.matchAll(/(?<![.\w])([A-Za-z_]\w*)(?=(\.[A-Za-z_])?)/g)].map(
      ([, name = '', member]) => [`${name}${member ?? ''}`, [name, member] as const],
    ),
  )
  const statements = [...used.values()].flatMap(([name, member]) => {
    const found = standardImport(name, member !== undefined)
    return found !== null && isFree(code, name) ? found : []
  })
  return [...new Set(statements)]
}
