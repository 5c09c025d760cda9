import { languageOf } from '../code/languages.ts'
import { maskCurly, maskText } from '../code/mask.ts'
import { lineCounter } from '../code/positions.ts'

export interface ImportStatement {
  /** `./user.js`; for Python with dots, `.models` or `src.user`. */
  readonly specifier: string
  /** Names imported from the module; in Python also modules of a package. */
  readonly names: readonly string[]
  /** The name of the module itself in this file, when it is imported as a whole. */
  readonly whole?: string | undefined
  /** Everything is imported under its own name, or re-exported: `import *`, `export *`. */
  readonly all?: boolean
  readonly line: number
}

const scriptFile = /\.[mc]?[jt]sx?$/i
export const pythonFile = /\.pyi?$/i

/** The strings after `from`, `import` and `require(`, in masked text. */
const SCRIPT_IMPORT =
  /(?<![.\w$])(?:(?:import|export)\b[^;='"`()]{0,2000}?\bfrom\s*|import(?:\s*\()?\s*|require\s*\(\s*)(["'])( *)\1/g
const PYTHON_IMPORT =
  /^[ \t]*(?:from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+(\([^)]{0,5000}\)|[^\n;]*)|import[ \t]+([^\n;]*))/gm

/** Reads the imports of JavaScript, TypeScript or Python, except in comments and strings. */
export function importStatements(path: string, text: string): readonly ImportStatement[] {
  if (scriptFile.test(path)) return scriptImports(text)
  return pythonFile.test(path) ? pythonImports(text) : []
}

function scriptImports(text: string): readonly ImportStatement[] {
  const masked = maskText(text, 'script')
  const lineAt = lineCounter(text)
  return [...masked.matchAll(SCRIPT_IMPORT)].map((found) => {
    const end = found.index + found[0].length - 1
    const specifier = text.slice(end - (found[2] ?? '').length, end)
    const left = masked.slice(Math.max(0, found.index - longestPattern), found.index)
    return { specifier, ...importedBy(found[0], left, masked.slice(end + 1)), line: lineAt(end) }
  })
}

const longestPattern = 1000
const passesAll = /^export\s*(?:type\s*)?\*\s*from\b/
const bound = /\b(?:const|let|var)\s+(\{[^{}]*\}|[\w$]+)\s*=\s*(?:await\s+)?$/

/** What a statement imports, by its clause, the pattern before `require(…)` or the member after. */
function importedBy(statement: string, left: string, right: string): Imported {
  if (/^(?:import|export)\b/.test(statement) && /\bfrom\s*["']/.test(statement)) {
    const clause = statement.replace(/^(?:import|export)\s+(?:type\s+)?/, '')
    const whole = /^\*\s*as\s+([\w$]+)|,\s*\*\s*as\s+([\w$]+)/.exec(clause)
    const first = /^[\w$]+\s*(?:,|from\b)/.test(clause) ? ['default'] : []
    const names = [...first, ...namesIn(/\{([^{}]*)\}/.exec(clause)?.[1] ?? '')]
    return { names, whole: whole?.[1] ?? whole?.[2], all: passesAll.test(statement) }
  }
  const pattern = bound.exec(left)?.[1]
  const member = /^\s*\)\s*\.\s*([\w$]+)/.exec(right)?.[1]
  if (member !== undefined) return { names: [member] }
  if (pattern === undefined) return { names: [] }
  return pattern.startsWith('{')
    ? { names: namesIn(pattern.slice(1)) }
    : { names: [], whole: pattern }
}

type Imported = Pick<ImportStatement, 'names' | 'whole' | 'all'>

/** `type a, b as c, d: e, ...rest` → `a`, `b`, `d`. */
const namesIn = (list: string): readonly string[] =>
  list.split(',').flatMap((each) => /^\s*(?:type\s+(?=[\w$]))?([\w$]+)/.exec(each)?.[1] ?? [])

function pythonImports(text: string): readonly ImportStatement[] {
  const masked = maskText(text, 'python')
  const lineAt = lineCounter(text)
  return [...masked.matchAll(PYTHON_IMPORT)].flatMap((found): readonly ImportStatement[] => {
    const [, from, taken = '', modules = ''] = found
    const line = lineAt(found.index)
    if (from) {
      return [{ specifier: from, names: listed(taken), all: /^[\s(\\]*\*/.test(taken), line }]
    }
    return modules.split(',').flatMap((each) => {
      const [, specifier, whole = specifier] =
        /^[\s(\\]*([\w.]+)(?:\s+as\s+(\w+))?/.exec(each) ?? []
      return specifier === undefined ? [] : [{ specifier, names: [], whole, line }]
    })
  })
}

/** `(a, b as c)` → `a`, `b`. */
const listed = (names: string): readonly string[] =>
  names.split(',').flatMap((name) => /^[\s(\\]*([\w.]+)/.exec(name)?.[1] ?? [])

interface Provided {
  /** A superset for Python. */
  readonly names: ReadonlySet<string>
  /** Modules that are re-exported whole, as written. */
  readonly from: readonly string[]
}

/**
 * Reads what a JavaScript, TypeScript or Python text provides to others; `null` when it creates
 * names while it runs.
 */
export function readProvided(path: string, text: string): Provided | null {
  const read = scriptFile.test(path) ? exportsOf : pythonFile.test(path) ? namesOf : () => null
  const imports = importStatements(path, text)
  const names = read(text, imports)
  return names && { names, from: imports.flatMap(({ all, specifier }) => (all ? specifier : [])) }
}

/** The names that the text itself provides; `null` when it re-exports all of another file. */
export function providedNames(path: string, text: string): ReadonlySet<string> | null {
  const provided = readProvided(path, text)
  return provided === null || provided.from.length > 0 ? null : provided.names
}

const untold =
  /\bexport\s+(?:declare\s+)?(?:const|let|var)\s*[[{]|\bexport\s*=|\b(?:module\s*\.\s*)?exports\s*\[|\((?:module\.)?exports\b|\b__exportStar\b|=\s*(?:module\.)?exports\s*[;,\n]|\{\s*\.\.\./
const declaredOut =
  /\bexport\s+(?:declare\s+)?(?:async\s+|abstract\s+)*(?:function(?:\s*\*)?|class|const\s+enum|const|let|var|interface|type|enum|namespace|module|import)\s+([\w$]+)/g
const listedOut = /\bexport\s*(?:type\s*)?\{([^{}]*)\}/g
const assigned = /\b(?:module\s*\.\s*)?exports\s*\.\s*([\w$]+)\s*=(?!=)/g
const object = /\bmodule\s*\.\s*exports\s*=\s*\{([^{}]*)\}/g
const whole = /\bmodule\s*\.\s*exports\s*=(?!=|\s*\{[^{}]*\})/

function exportsOf(text: string): ReadonlySet<string> | null {
  const masked = maskText(text, 'script')
  if (untold.test(masked) || whole.test(masked)) return null
  const found = (form: RegExp) => [...masked.matchAll(form)].map(([, name = '']) => name)
  const inLists = (form: RegExp, name: RegExp) =>
    found(form).flatMap((list) => list.split(',').map((each) => name.exec(each)?.[1] ?? ''))
  const further = [...withoutBrackets(masked).matchAll(declarations)].flatMap(([whole]) =>
    [...whole.matchAll(/,\s*([\w$]+)/g)].map(([, name = '']) => name),
  )
  return new Set([
    ...[...found(declaredOut), ...found(assigned), ...found(/\bexport\s*\*\s*as\s+([\w$]+)/g)],
    ...inLists(listedOut, /(?<![\w$])([\w$]+)\s*$/),
    ...inLists(object, /^\s*(?:async\s+)?([\w$]+)/),
    ...further,
    ...(/\bexport\s+default\b/.test(masked) ? ['default'] : []),
  ])
}

const declarations = /\bexport\s+(?:declare\s+)?(?:const|let|var)\b(?:[,=]\s*\n|[^;\n])*/g
const deepest = 50

/** `a = f(1, 2), b` → `a = f, b`. */
function withoutBrackets(masked: string): string {
  let text = masked
  for (let depth = 0; depth < deepest; depth += 1) {
    const next = text.replace(/\([^()[\]{}]*\)|\[[^()[\]{}]*\]|\{[^()[\]{}]*\}/g, '')
    if (next === text) break
    text = next
  }
  return text
}

const atRuntime = /\b(?:__getattr__|globals|setattr|exec|vars)\b|\bsys\.modules\b/
const definitions = /^[ \t]*(?:async\s+)?(?:def|class)\s+(\w+)/gm
/** A name that is neither called nor followed by a dot may be bound here. */
const bare = /(?<![.\w])([A-Za-z_]\w*)\b(?!\s*[(.])/g

function namesOf(text: string, imports: readonly ImportStatement[]): ReadonlySet<string> | null {
  const masked = maskText(text, 'python')
  if (atRuntime.test(masked)) return null
  const found = [definitions, bare].flatMap((form) => [...masked.matchAll(form)])
  // `import os.path` binds `os`.
  const packages = imports.flatMap(({ whole: module }) => module?.split('.', 1) ?? [])
  return new Set([...found.map(([, name = '']) => name), ...packages])
}

interface ExportedName {
  readonly name: string
  /** As its callers see it: `formatMoney(cents, currency)`; otherwise the name. */
  readonly form: string
}

/** Limits in characters: of a text that is read, of a name, and of its parameters. */
const longestText = 300_000
const longestName = 60
const longestParameters = 80

/** Returns the names in the order of the file, each once; none for other languages and for longer texts. */
export function exportedNames(path: string, text: string): readonly ExportedName[] {
  const language = languageOf(path)
  if (text.length > longestText) return []
  if (scripts.has(language)) return scriptNames(path, text)
  const read = forms[language]
  if (read === undefined) return []
  const masked =
    language === 'python' || language === 'ruby'
      ? maskText(text, 'python')
      : maskCurly(text, language)
  const found = [...masked.matchAll(read)].map((match) => {
    const name = match.slice(1).find((group) => group !== undefined) ?? ''
    return withParameters(name, masked, match.index + match[0].length)
  })
  return distinct([...found, ...(language === 'go' ? grouped(masked) : [])])
}

const scripts: ReadonlySet<string> = new Set(['javascript', 'jsx', 'typescript', 'tsx'])

/** Each ends with the name; what follows may be its parameters. */
const forms: Readonly<Record<string, RegExp>> = {
  python: /^(?:(?:async[ \t]+)?def|class)[ \t]+([^\W_]\w*)|^([A-Z][A-Z\d_]+)(?=[ \t]*[:=])/gm,
  go: /^(?:func[ \t]+(?:\([^()\n]{0,120}\)[ \t]*)?|type[ \t]+|const[ \t]+|var[ \t]+)(\p{Lu}\w*)/gmu,
  rust: /^[ \t]*pub(?:\([a-z]{1,10}\))?[ \t]+(?:(?:async|unsafe|const|extern(?:[ \t]*" *")?)[ \t]+)*(?:fn|struct|enum|trait|type|const|static|mod|union)[ \t]+(\w+)|^[ \t]*macro_rules![ \t]*(\w+)/gm,
  java: /^[ \t]*public[ \t]+(?:(?:static|final|abstract|sealed|synchronized|default|strictfp)[ \t]+)*(?:(?:class|interface|enum|record|@interface)[ \t]+(\w+)|(?:<[^<>\n]{1,80}>[ \t]*)?[\w.]+(?:<[^()\n]{0,80}>)?(?:\[\])*[ \t]+(\w+)(?=[ \t]*[(=;]))/gm,
  kotlin:
    /^[ \t]*(?:(?:public|open|abstract|sealed|data|inline|suspend|operator|infix|const|tailrec|enum|annotation|value|override)[ \t]+)*(?:(?:class|interface|object|typealias)[ \t]+(\w+)|fun[ \t]+(?:<[^<>\n]{1,80}>[ \t]*)?(?:[\w<>?]+\.)?(\w+))/gm,
  csharp:
    /^[ \t]*public[ \t]+(?:(?:static|sealed|abstract|virtual|override|async|readonly|partial|const)[ \t]+)*(?:(?:class|interface|enum|record|struct|delegate)[ \t]+(\w+)|[\w.]+(?:<[^()\n]{0,80}>)?(?:\[\])?\??[ \t]+(\w+)(?=[ \t]*[({=;]))/gm,
  ruby: /^[ \t]*(?:def[ \t]+(?:self\.)?|class[ \t]+|module[ \t]+)([^\W_]\w*[?!]?)/gm,
  php: /^[ \t]*(?:(?:public|static|final|abstract|readonly)[ \t]+)*(?:function[ \t]+&?|class[ \t]+|interface[ \t]+|trait[ \t]+|enum[ \t]+)([^\W_]\w*)/gm,
}

/** The names in `const (…)`, `var (…)` and `type (…)` of Go. */
const grouped = (masked: string): readonly ExportedName[] =>
  masked
    .split(/^(?:const|var|type)[ \t]*\(\n/m)
    .slice(1)
    .flatMap((block) => [
      ...block.slice(0, Math.max(0, block.search(/^\)/m))).matchAll(/^[ \t]+(\p{Lu}\w*)/gmu),
    ])
    .map(([, name = '']) => ({ name, form: name }))

/*
 * The names that a file offers to others, with their parameters as written. Reads by shape, without a parser, in
 * JavaScript, TypeScript, Python, Go, Rust, Java, Kotlin, C#, Ruby and PHP. A name is an identifier, and parameters
 * hold no text of strings or comments: what a prompt quotes from here has no room for a sentence.
 */

/** `module.exports = Money`, `module.exports = class Money`. */
const wholeList =
  /\bmodule\s*\.\s*exports\s*=\s*(?:async\s+)?(?:function(?:\s*\*)?\s*|class\s+|new\s+)?(?!(?:async|function|class|new|await|null|require)\b)([A-Za-z_$][\w$]*)/
/** `export default cart`, `export default function cart`. */
const standard =
  /\bexport\s+default\s+(?:async\s+)?(?:function(?:\s*\*)?\s*|class\s+)?(?!(?:async|function|class|new|await|null)\b)([A-Za-z_$][\w$]*)/
/** A function's definition up to its parameters. */
const functions =
  /\bfunction(?:\s*\*)?\s*([\w$]+)|(?<![\w$])([\w$]+)(?:\s*:[^=;\n]{0,200})?\s*=\s*(?:async\s*)?(?:function(?:\s*\*)?(?:\s*[\w$]+)?\s*)?(?=\(|<)/g

function scriptNames(path: string, text: string): readonly ExportedName[] {
  const masked = maskText(text, 'script')
  const names = [...(readProvided(path, text)?.names ?? [wholeList.exec(masked)?.[1] ?? ''])]
  const own = names.map((name) => (name === 'default' ? (standard.exec(masked)?.[1] ?? '') : name))
  const ends = new Map(
    [...masked.matchAll(functions)]
      .toReversed()
      .map((match) => [match[1] ?? match[2], match.index + match[0].length]),
  )
  return distinct(
    own.map((name) => {
      const end = ends.get(name)
      return end === undefined ? { name, form: name } : withParameters(name, masked, end)
    }),
  )
}

/** Adds the brackets that follow, after type parameters. */
function withParameters(name: string, masked: string, end: number): ExportedName {
  const ahead = masked
    .slice(end, end + 1_000)
    .replace(/^\s*(?:<(?:[^<>()]|<[^<>()]{0,60}>){0,100}>|\[[^[\]()]{0,100}\])?\s*/, '')
  if (!ahead.startsWith('(')) return { name, form: name }
  let depth = 0
  const close = [...ahead].findIndex((char) => {
    if (char === '(') depth += 1
    if (char === ')') depth -= 1
    return depth === 0
  })
  const list = ahead
    .slice(1, Math.max(1, close))
    .replaceAll(/(["'`])\s*\1/g, '$1$1')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^ | ?,? $|,$/g, '')
  const isShown = close > 0 && list.length <= longestParameters && plain.test(list)
  return { name, form: `${name}(${isShown ? list : '…'})` }
}

const plain = /^[\p{L}\p{N}_$\s,.:;<>()[\]{}|&?=*'"`+-]*$/u

function distinct(names: readonly ExportedName[]): readonly ExportedName[] {
  const fit = names.filter(
    ({ name }) => name.length <= longestName && /^[\p{L}_$][\p{L}\p{N}_$]*[?!]?$/u.test(name),
  )
  return [...new Map(fit.toReversed().map((each) => [each.name, each])).values()].toReversed()
}
