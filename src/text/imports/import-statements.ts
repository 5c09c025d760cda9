import { maskText } from '../source/mask.ts'

/** One import as it is written. */
export interface ImportStatement {
  /** `./user.js`; for Python with dots, `.models` or `src.user`. */
  readonly specifier: string
  /** What Python takes from the module: names, or modules of a package. */
  readonly names: readonly string[]
  /** 1-based. */
  readonly line: number
}

const SCRIPT = /\.[mc]?[jt]sx?$/i
const PYTHON = /\.pyi?$/i

/** The strings that follow `from`, `import` and `require(`, seen in masked text. */
const SCRIPT_IMPORT =
  /(?<![.\w$])(?:(?:import|export)\b[^;='"`()]{0,2000}?\bfrom\s*|import\s*\(?\s*|require\s*\(\s*)(["'])( *)\1/g
const PYTHON_IMPORT =
  /^[ \t]*(?:from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+(\([^)]{0,5000}\)|[^\n;]*)|import[ \t]+([^\n;]*))/gm

/** The imports of a JavaScript, TypeScript or Python text, not those in its comments and strings. */
export function importStatements(path: string, text: string): readonly ImportStatement[] {
  if (SCRIPT.test(path)) return scriptImports(text)
  return PYTHON.test(path) ? pythonImports(text) : []
}

function scriptImports(text: string): readonly ImportStatement[] {
  const masked = maskText(text, 'script')
  const lineAt = lineCounter(text)
  return [...masked.matchAll(SCRIPT_IMPORT)].map((found) => {
    const end = found.index + found[0].length - 1
    const specifier = text.slice(end - (found[2] ?? '').length, end)
    return { specifier, names: [], line: lineAt(end) }
  })
}

function pythonImports(text: string): readonly ImportStatement[] {
  const masked = maskText(text, 'python')
  const lineAt = lineCounter(text)
  return [...masked.matchAll(PYTHON_IMPORT)].flatMap((found) => {
    const [, from, taken = '', modules = ''] = found
    const line = lineAt(found.index)
    if (from) return [{ specifier: from, names: listed(taken), line }]
    return listed(modules).map((specifier) => ({ specifier, names: [], line }))
  })
}

/** `(a, b as c)` → `a`, `b`. */
function listed(names: string): readonly string[] {
  return names
    .split(',')
    .map((name) => /^[\s(\\]*([\w.]+)/.exec(name)?.[1] ?? '')
    .filter((name) => name !== '')
}

/** The line of an offset; offsets must not go down. */
function lineCounter(text: string): (offset: number) => number {
  let line = 1
  let at = 0
  return (offset) => {
    for (let next = text.indexOf('\n', at); next >= 0 && next < offset; ) {
      line += 1
      at = next + 1
      next = text.indexOf('\n', at)
    }
    return line
  }
}
