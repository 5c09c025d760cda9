import { posix } from 'node:path'
import { type ChangeSet, contentAfter, type FileChange } from '../../../change/change.ts'
import { exportedNames, maskText, resolveImport } from '../../../source/source.ts'
import { isBuiltIn, standardImport } from './standard-names.ts'

/** How a language imports, one statement on lines of its own. */
interface Importing {
  readonly files: RegExp
  readonly masked: 'python' | 'script'
  /** In masked text; its first group is the indentation. */
  readonly statement: RegExp
  /** The lines above the first import of a file. */
  readonly head: RegExp
  /** What a statement binds, and the same statement with fewer names; `null` for one that cannot be read. */
  readonly read: (statement: string) => Pick<Statement, 'parts' | 'write' | 'from'> | null
  /** True when `from` names the file at this path itself. */
  readonly isItself: (from: string, path: string) => boolean
  /** The keywords that declare a name, at the start of a line. */
  readonly declarer: string
}

interface Statement {
  readonly start: number
  readonly end: number
  readonly indent: string
  readonly text: string
  /** The module as written; empty where the names are modules themselves. */
  readonly from: string
  readonly parts: readonly Part[]
  readonly write: (parts: readonly Part[]) => string
}

interface Part {
  /** What it binds in the file. */
  readonly name: string
  readonly text: string
  readonly isBraced: boolean
}

const python: Importing = {
  files: /\.pyi?$/,
  masked: 'python',
  statement:
    /^([ \t]*)(?:from[ \t]+\.*[\w.]*[ \t]+)?import[ \t]+(?:\([^)]{0,5000}\)|(?:[^\n;()\\]|\\\n)+)$/gm,
  head: /^(?:[ \t]*(?:#[^\n]*)?\n)*(?:("""|''')[\s\S]*?\1[^\n]*\n)?(?:[ \t]*\n|from __future__[^\n]*\n)*/,
  read(statement) {
    const plain = statement.replace(/#.*$/gm, '').replace(/[()\\\s]+/g, ' ')
    const [, head, module, list] = /^ ?((?:from ([\w.]+) )?import) (.+?) ?$/.exec(plain) ?? []
    if (head === undefined || list === undefined) return null
    const parts = partsOf(list, false, (part) => part.split('.').at(module === undefined ? 0 : -1))
    const write = (kept: readonly Part[]) => `${head} ${kept.map(({ text }) => text).join(', ')}`
    return { parts, from: module ?? '', write }
  },
  isItself(from, path) {
    const own = path.replace(/\.pyi?$/, '')
    const [, dots = '', name = ''] = /^(\.*)(.*)$/.exec(from) ?? []
    const wanted = name.replaceAll('.', '/')
    if (dots !== '')
      return posix.join(posix.dirname(own), '../'.repeat(dots.length - 1), wanted) === own
    // One name alone can be a package of the same name: `utils/json.py` imports from `json`.
    return wanted === own || (wanted.includes('/') && own.endsWith(`/${wanted}`))
  },
  declarer: String.raw`(?:async\s+def|def|class)\s+`,
}

const script: Importing = {
  files: /\.[cm]?[jt]sx?$/,
  masked: 'script',
  statement:
    /^()(?:import\s+[^;='"`()]{1,2000}?\s+from\s*(?:"[^"\n]*"|'[^'\n]*')|(?:const|let|var)\s+(?:[\w$]+|\{[^{}=]*\})\s*=\s*require\s*\([^()\n]*\)[.\w]*)[ \t]*;?[ \t]*$/gm,
  head: /^(?:#![^\n]*\n)?(?:\s*(?:\/\/[^\n]*\n|\/\*[\s\S]*?\*\/|(["'])use strict\1;?))*\n*/,
  read(statement) {
    const form = /^(import(?:\s+type)?|const|let|var)\s+([^"'`]*?)\s*((?:\bfrom|=)\s*[\s\S]+)$/
    const [, head, clause = '', tail] = form.exec(statement) ?? []
    if (tail === undefined || /\/[/*]/.test(clause)) return null
    const braced = partsOf(/\{([^{}]*)\}/.exec(clause)?.[1] ?? '', true)
    const parts = [...partsOf(clause.replace(/\{[^{}]*\}/, ''), false), ...braced]
    return {
      parts,
      from: /["']([^"']*)["']/.exec(tail)?.[1] ?? '',
      write(kept) {
        const [inner, outer] = [true, false].map((isBraced) =>
          kept.filter((part) => part.isBraced === isBraced).map(({ text }) => text),
        )
        const names = inner?.length ? [`{ ${inner.join(', ')} }`] : []
        return `${head} ${[...(outer ?? []), ...names].join(', ')} ${tail}`
      },
    }
  },
  isItself(from, path) {
    const named = posix.join(posix.dirname(path), from)
    const own = posix.extname(path)
    // TypeScript names the file that it becomes; without an extension it may be any but `.mjs` and `.cjs`.
    const extensions = [own, own.replace('t', 'j'), ...(/^\.[jt]sx?$/.test(own) ? [''] : [])]
    return (
      /^\.\.?\//.test(from) && extensions.some((end) => named === path.slice(0, -own.length) + end)
    )
  },
  declarer: String.raw`(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:function\s*\*?|class|const|let|var|interface|type|enum)\s+`,
}

/** `a as b, c: d` → b, d; of a name without such words what `own` finds. */
const partsOf = (
  list: string,
  isBraced: boolean,
  own: (part: string) => string | undefined = (part) => part,
): readonly Part[] =>
  list.split(',').flatMap((each) => {
    const text = each.trim()
    const name = /(?:\bas\s+|:\s*)([\w$]+)$/.exec(text)?.[1] ?? own(text.replace(/^type\s+/, ''))
    return name !== undefined && /^[A-Za-z_$][\w$]*$/.test(name) ? { name, text, isBraced } : []
  })

/**
 * Puts back what a new text of a file no longer imports and still uses, adds imports of Python's standard library that
 * it forgets, and removes imports of its own names from itself: in JavaScript, TypeScript and Python. A model that
 * rewrites a function often drops what it does not look at, and repeats the import of its test. Elsewhere, a name may
 * come from a file beside it.
 *
 * @param before the file's earlier text; empty for a new file
 * @param isMeant the task is about this statement, which then stays as the answer has it
 */
export function mendImports(
  path: string,
  before: string,
  written: string,
  isMeant: (statement: string) => boolean = () => false,
): string {
  const importing = [python, script].find(({ files }) => files.test(path))
  if (importing === undefined || isGenerated(written)) return written
  if (written.includes('\r\n')) {
    const [had = '', has] = [before, written].map((text) => text.replaceAll('\r\n', '\n'))
    const kept = mendImports(path, had, has ?? '', isMeant)
    return kept === has ? written : kept.replaceAll('\n', '\r\n')
  }
  const content = withoutItself(importing, path, written)
  const code = codeOf(importing, content)
  const missed = statementsOf(importing, before).flatMap((statement) => {
    const parts = statement.parts.filter(({ name }) => isFree(importing, code, name))
    const isWhole = parts.length === statement.parts.length
    if (parts.length === 0 || isMeant(statement.text)) return []
    return { ...statement, parts, text: isWhole ? statement.text : statement.write(parts) }
  })
  const known = new Set(missed.flatMap(({ parts }) => parts.map(({ name }) => name)))
  const earlier = importing === python ? forgotten(codeOf(python, before)) : new Map()
  const others = [...(importing === python ? forgotten(code) : [])].flatMap(([name, text]) =>
    known.has(name) || earlier.has(name) || isMeant(text) ? [] : { start: 0, indent: '', text },
  )
  return [...missed, ...others].reduce(
    (kept, statement) => withStatement(importing, { before, kept, statement }),
    content,
  )
}

/**
 * Imports what a file uses and another file of the same change has new, where it imports from that file already: a model
 * that adds a test to a file of tests often leaves its imports as they are. JavaScript, TypeScript and Python.
 */
export function importNewNames(changes: ChangeSet): ChangeSet {
  if (changes.length < 2) return changes
  const fresh = new Map(changes.map((change) => [change.path, namesAdded(change)]))
  return changes.map((change) => {
    const text = contentAfter(change)
    if (change.action === 'delete' || text === undefined) return change
    const content = withNewNames(change.path, text, fresh)
    return content === text ? change : { ...change, content }
  })
}

const testFunctions = ['describe', 'it', 'test', 'before', 'after', 'beforeEach', 'afterEach']

/**
 * Imports what a new text of a test calls and `node --test` does not define: models write for a runner that does.
 *
 * @param isModule what the file's package says of it; statements of its own decide first
 */
export function importTestFunctions(before: string, text: string, isModule: boolean): string {
  if (isGenerated(text) || text.includes('\r\n')) return text
  const [had, has] = [codeOf(script, before), codeOf(script, text)]
  const isMissing = (name: string) =>
    isCalled(has, name) && isUnbound(has, name) && !isUnbound(had, name)
  const names = testFunctions.filter(isMissing)
  const bound = [
    ...(names.length > 0 ? [[`{ ${names.join(', ')} }`, 'node:test']] : []),
    ...(isMissing('assert') ? [['assert', 'node:assert/strict']] : []),
  ]
  const isImporting =
    /^(?:import|export)\b/m.test(maskText(text, 'script')) ||
    (isModule && !/\brequire\(/.test(text))
  return bound.reduce((kept, [what, from]) => {
    const line = isImporting
      ? `import ${what} from '${from}'`
      : `const ${what} = require('${from}')`
    return withStatement(script, { before, kept, statement: { indent: '', start: 0, text: line } })
  }, text)
}

/** `test(`, `describe.skip(`, `assert.equal(`. */
const isCalled = ({ text }: Code, name: string): boolean =>
  new RegExp(`(?<![.\\w$])${name}(?:\\.\\w+)?\\(`).test(text)

function namesAdded(change: FileChange): readonly string[] {
  const [before, after] = [change.action === 'create' ? '' : change.before, contentAfter(change)]
  const had = new Set(exportedNames(change.path, before).map(({ name }) => name))
  return exportedNames(change.path, after ?? '').flatMap(({ name }) => (had.has(name) ? [] : name))
}

function withNewNames(
  path: string,
  text: string,
  fresh: ReadonlyMap<string, readonly string[]>,
): string {
  const importing = [python, script].find(({ files }) => files.test(path))
  if (importing === undefined || isGenerated(text) || text.includes('\r\n')) return text
  const code = codeOf(importing, text)
  const known = new Set<string>()
  return statementsOf(importing, text).reduceRight((kept, statement) => {
    const { indent, from, end, text: own } = statement
    if (indent !== '' || from === '' || /^import\s+type\b/.test(own)) return kept
    const target = resolveImport(path, from, (each) => fresh.has(each) && each !== path)
    const missing = (fresh.get(target ?? '') ?? []).filter(
      (name) => !known.has(name) && isFree(importing, code, name),
    )
    if (missing.length === 0) return kept
    for (const name of missing) known.add(name)
    const parts = missing.map((name): Part => ({ name, text: name, isBraced: true }))
    return `${kept.slice(0, end)}\n${statement.write(parts)}${kept.slice(end)}`
  }, text)
}

/** Importing from itself what a file declares fails when it is loaded: the name is not there yet, or there twice. */
function withoutItself(importing: Importing, path: string, text: string): string {
  const code = codeOf(importing, text).text
  // What it imports may be another thing of that name, which this one uses or builds on.
  const declares = ({ name }: Part): boolean => {
    const word = `(?<![\\w$])${name.replace(/\$/g, '\\$')}(?![\\w$])`
    const [first = ''] = new RegExp(`^.*${word}.*`, 'm').exec(code) ?? []
    const isDeclared = new RegExp(`^${importing.declarer}${word}`).test(first)
    return isDeclared && first.match(new RegExp(word, 'g'))?.length === 1
  }
  const own = statementsOf(importing, text).filter(
    ({ indent, from, parts }) =>
      indent === '' &&
      importing.isItself(from, path) &&
      parts.length > 0 &&
      parts.every((part) => part.text.replace(/^type\s+/, '') === part.name && declares(part)),
  )
  return own.reduceRight((kept, { start, end }) => {
    const rest = kept.slice(end).replace(/^\n/, '')
    return kept.slice(0, start) + (start === 0 ? rest.replace(/^\n+/, '') : rest)
  }, text)
}

/** Not written by hand, and slow to search. */
const isGenerated = (text: string): boolean =>
  text.length > 200_000 || text.split('\n').some(({ length }) => length > 2000)

function statementsOf({ masked, statement, read }: Importing, text: string): readonly Statement[] {
  return [...maskText(text, masked).matchAll(statement)].flatMap((found) => {
    const [start, end] = [found.index, found.index + found[0].length]
    const own = text.slice(start, end).trim()
    const known = read(own)
    return known === null ? [] : { ...known, start, end, indent: found[1] ?? '', text: own }
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

function codeOf(importing: Importing, text: string): Code {
  const code = maskText(text, importing.masked)
  const parts = statementsOf(importing, text).flatMap((statement) => statement.parts)
  return {
    text: code.replace(importing.statement, ''),
    imported: new Set(parts.map(({ name }) => name)),
    isOpen: importing === python && /\bimport[ \t]+\*/.test(code),
  }
}

/** In front of a name, these words bind nothing. */
const noDeclarers = new Set(
  'return yield await in not and or is if elif else while assert raise throw del from with new typeof instanceof extends implements case async void delete except match default export'.split(
    ' ',
  ),
)

/** Characters around a use in which what binds it begins and ends. */
const near = 500

/** Returns true for a name that is used and that neither the text nor the language binds. */
const isFree = ({ masked }: Importing, code: Code, name: string): boolean =>
  code.text.includes(name) && !isBuiltIn(name, masked) && isUnbound(code, name)

/** Returns true for a name that is used and that nothing in the text binds; a doubtful name counts as bound. */
function isUnbound({ text, imported, isOpen }: Code, name: string): boolean {
  if (isOpen || imported.has(name)) return false
  const word = `(?<![.\\w$])${name.replace(/\$/g, '\\$')}(?![\\w$])`
  const uses = [...text.matchAll(new RegExp(`(?:([\\w$]+)[ \\t]+)?[*&]*${word}`, 'g'))]
  const isDeclared = uses.some(([, left]) => left !== undefined && !noDeclarers.has(left))
  if (uses.length === 0 || isDeclared) return false
  const binds = bindings(word)
  return !uses.some(({ index }) => binds.test(text.slice(Math.max(0, index - near), index + near)))
}

/** Where a name may be bound: before `=`, in a loop's head, among parameters, as a key or a method, in an import. */
const bindings = (word: string): RegExp =>
  new RegExp(
    [
      `(?<!:\\s*)${word}\\s*(?::[^=\\n]*)?:?=(?![=>])`,
      `^[ \\t]*[\\w \\t,*]*${word}[\\w \\t,*]*=(?![=>])`,
      `[{[(][\\w\\s,*:]*${word}[\\w\\s,*:]*[)\\]}]\\s*=(?![=>])`,
      `\\bfor\\b(?:(?!\\bin\\b)[^\\n])*${word}(?:(?!\\bin\\b)[^\\n])*\\bin\\b`,
      `\\b(?:def|function|func|fn)\\b[^()\\n]*\\((?:[^)]*,)?\\s*\\**${word}\\s*[,):=?]`,
      `\\blambda\\b[^:\\n]*${word}\\s*[,:=]`,
      `\\([^()]*(?<=[({[,]\\s*(?:\\.\\.\\.)?)${word}(?=\\s*[,)}\\]=?:])[^()]*\\)\\s*(?::[^={}\\n]*)?(?:=>|\\{)`,
      `${word}\\s*(?:=>|(?:<[^<>()]*>)?\\([^()]*\\)\\s*[{:])`,
      `[{,]\\s*${word}\\s*:`,
      // An import that is not a statement of its own line.
      `\\bimport\\b[^;'"()]{0,500}${word}[^;'"()]{0,500}\\bfrom\\b|\\bimport\\b[^'"\\n]*${word}`,
    ].join('|'),
    'm',
  )

/** Puts a statement below the line that it stood below, at the head of a function; else with the other imports. */
function withStatement(
  importing: Importing,
  {
    before,
    kept,
    statement: { indent, start, text },
  }: {
    readonly before: string
    readonly kept: string
    readonly statement: Pick<Statement, 'indent' | 'start' | 'text'>
  },
): string {
  if (indent === '') return atTop(importing, kept, text)
  const above = before.slice(0, start).trimEnd().split('\n').at(-1) ?? ''
  if (!/^\s*(?:async\s+)?def\b/.test(above)) return kept
  const lines = kept.split('\n')
  const at = lines.indexOf(above)
  if (at < 0 || lines.lastIndexOf(above) !== at) return atTop(importing, kept, text)
  return lines.toSpliced(at + 1, 0, `${indent}${text}`).join('\n')
}

function atTop(importing: Importing, kept: string, text: string): string {
  const last = statementsOf(importing, kept).findLast(({ indent }) => indent === '')
  if (last !== undefined) return `${kept.slice(0, last.end)}\n${text}${kept.slice(last.end)}`
  const head = importing.head.exec(kept)?.[0].length ?? 0
  const rest = kept.slice(head)
  const gap = importing === python && /^(?:@|class\b|def\b|async\b)/.test(rest) ? '\n\n' : '\n'
  return `${kept.slice(0, head)}${text}\n${/^\s*$|^\n/.test(rest) ? '' : gap}${rest}`
}

/** The names of Python's standard library that a text needs and does not import, each with its statement. */
function forgotten(code: Code): ReadonlyMap<string, string> {
  const used = code.text.matchAll(/(?<![.\w])([A-Za-z_]\w*)(\.[A-Za-z_])?/g)
  const names = new Map([...used].map(([whole, name = '', member]) => [whole, { name, member }]))
  return new Map(
    [...names.values()].flatMap(({ name, member }) => {
      const found = standardImport(name, member !== undefined)
      return found !== null && isFree(python, code, name) ? [[name, found] as const] : []
    }),
  )
}
