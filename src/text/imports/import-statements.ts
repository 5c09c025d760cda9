import { maskText } from '../source/mask.ts'
import { lineCounter } from '../source/positions.ts'

/** One import as it is written. */
export interface ImportStatement {
  /** `./user.js`; for Python with dots, `.models` or `src.user`. */
  readonly specifier: string
  /** What is taken from the module by name: in Python also modules of a package. */
  readonly names: readonly string[]
  /** What the module itself is called in this file, where it is taken as a whole. */
  readonly whole?: string | undefined
  /** All of it is taken under its own names, or passed on: `export *`, `import *`. */
  readonly all?: boolean
  /** 1-based. */
  readonly line: number
}

export const scriptFile = /\.[mc]?[jt]sx?$/i
export const pythonFile = /\.pyi?$/i

/** The strings that follow `from`, `import` and `require(`, seen in masked text. */
const SCRIPT_IMPORT =
  /(?<![.\w$])(?:(?:import|export)\b[^;='"`()]{0,2000}?\bfrom\s*|import\s*\(?\s*|require\s*\(\s*)(["'])( *)\1/g
const PYTHON_IMPORT =
  /^[ \t]*(?:from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+(\([^)]{0,5000}\)|[^\n;]*)|import[ \t]+([^\n;]*))/gm

/** The imports of a JavaScript, TypeScript or Python text, not those in its comments and strings. */
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
    return { specifier, ...takenBy(found[0], left, masked.slice(end + 1)), line: lineAt(end) }
  })
}

const longestPattern = 1000
const passesAll = /^export\s*(?:type\s*)?\*\s*from\b/
const bound = /\b(?:const|let|var)\s+(\{[^{}]*\}|[\w$]+)\s*=\s*(?:await\s+)?$/

/** What a statement takes: by its own clause, by the pattern left of `require(…)`, or the member right of it. */
function takenBy(statement: string, left: string, right: string): Taken {
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

type Taken = Pick<ImportStatement, 'names' | 'whole' | 'all'>

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
function listed(names: string): readonly string[] {
  return names
    .split(',')
    .map((name) => /^[\s(\\]*([\w.]+)/.exec(name)?.[1] ?? '')
    .filter((name) => name !== '')
}
