import { maskText } from '../code/mask.ts'
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

export interface Provided {
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
