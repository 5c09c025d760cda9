import { maskText } from '../source/mask.ts'
import {
  type ImportStatement,
  importStatements,
  pythonFile,
  scriptFile,
} from './import-statements.ts'

/** What other files can take from a text. */
export interface Provided {
  /** Of Python more than these. */
  readonly names: ReadonlySet<string>
  /** Modules of which all is passed on, as they are written. */
  readonly from: readonly string[]
}

/**
 * What a JavaScript, TypeScript or Python text gives to others. `null` where the text does not tell: it makes its
 * names while it runs.
 */
export function readProvided(path: string, text: string): Provided | null {
  const read = scriptFile.test(path) ? exportsOf : pythonFile.test(path) ? namesOf : () => null
  const imports = importStatements(path, text)
  const names = read(text, imports)
  return names && { names, from: imports.flatMap(({ all, specifier }) => (all ? specifier : [])) }
}

/** The names that the text alone gives; `null` where it passes all of another file on, too. */
export function providedNames(path: string, text: string): ReadonlySet<string> | null {
  const provided = readProvided(path, text)
  return provided === null || provided.from.length > 0 ? null : provided.names
}

const untold =
  /\bexport\s+(?:declare\s+)?(?:const|let|var)\s*[[{]|\bexport\s*=|\b(?:module\s*\.\s*)?exports\s*\[|\((?:module\.)?exports\b|\b__exportStar\b|=\s*(?:module\.)?exports\s*[;,\n]|\{\s*\.\.\./
const declared =
  /\bexport\s+(?:declare\s+)?(?:async\s+|abstract\s+)*(?:function\s*\*?|class|const\s+enum|const|let|var|interface|type|enum|namespace|module|import)\s+([\w$]+)/g
const listedOut = /\bexport\s*(?:type\s*)?\{([^{}]*)\}/g
const assigned = /\b(?:module\s*\.\s*)?exports\s*\.\s*([\w$]+)\s*=(?!=)/g
const object = /\bmodule\s*\.\s*exports\s*=\s*\{([^{}]*)\}/g
const whole = /\bmodule\s*\.\s*exports\s*=(?!=|\s*\{[^{}]*\})/

function exportsOf(text: string): ReadonlySet<string> | null {
  const masked = maskText(text, 'script')
  if (untold.test(masked) || whole.test(masked)) return null
  const found = (form: RegExp) => [...masked.matchAll(form)].map(([, name = '']) => name)
  const listed = found(listedOut).flatMap((list) =>
    list.split(',').map((each) => /([\w$]+)\s*$/.exec(each)?.[1] ?? ''),
  )
  const keys = found(object).flatMap((list) =>
    list.split(',').map((each) => /^\s*(?:async\s+)?([\w$]+)/.exec(each)?.[1] ?? ''),
  )
  const namespaces = found(/\bexport\s*\*\s*as\s+([\w$]+)/g)
  const further = [...withoutBrackets(masked).matchAll(declarations)].flatMap(([whole]) =>
    [...whole.matchAll(/,\s*([\w$]+)/g)].map(([, name = '']) => name),
  )
  const first = /\bexport\s+default\b/.test(masked) ? ['default'] : []
  return new Set([
    ...found(declared),
    ...found(assigned),
    ...listed,
    ...further,
    ...keys,
    ...namespaces,
    ...first,
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
const definitions = /^\s*(?:async\s+)?(?:def|class)\s+(\w+)/gm
/** A name that is neither called nor looked into may be bound here. */
const bare = /(?<![.\w])([A-Za-z_]\w*)\b(?!\s*[(.])/g

function namesOf(text: string, imports: readonly ImportStatement[]): ReadonlySet<string> | null {
  const masked = maskText(text, 'python')
  if (atRuntime.test(masked)) return null
  const found = [definitions, bare].flatMap((form) => [...masked.matchAll(form)])
  // `import os.path` binds `os`.
  const packages = imports.flatMap(({ whole: module }) => module?.split('.', 1) ?? [])
  return new Set([...found.map(([, name = '']) => name), ...packages])
}
