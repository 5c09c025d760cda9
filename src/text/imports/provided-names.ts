import { maskText } from '../source/mask.ts'
import { importStatements } from './import-statements.ts'

const script = /\.[mc]?[jt]sx?$/i
const python = /\.pyi?$/i

/**
 * Names that other files can take from a JavaScript, TypeScript or Python text; of Python more than
 * these. `null` where the text alone does not tell: it passes all of another file on, or makes its names
 * while it runs.
 */
export function providedNames(path: string, text: string): ReadonlySet<string> | null {
  if (script.test(path)) return exportsOf(maskText(text, 'script'))
  return python.test(path) ? namesOf(path, text) : null
}

const untold =
  /\bexport\s*\*\s*from\b|\bexport\s+(?:declare\s+)?(?:const|let|var)\s*[[{]|\bexport\s*=|\b(?:module\s*\.\s*)?exports\s*\[|\((?:module\.)?exports\b|\b__exportStar\b|=\s*(?:module\.)?exports\s*[;,\n]|\{\s*\.\.\./
const declared =
  /\bexport\s+(?:declare\s+)?(?:async\s+|abstract\s+)*(?:function\s*\*?|class|const\s+enum|const|let|var|interface|type|enum|namespace|module|import)\s+([\w$]+)/g
const listedOut = /\bexport\s*(?:type\s*)?\{([^{}]*)\}/g
const assigned = /\b(?:module\s*\.\s*)?exports\s*\.\s*([\w$]+)\s*=(?!=)/g
const object = /\bmodule\s*\.\s*exports\s*=\s*\{([^{}]*)\}/g
const whole = /\bmodule\s*\.\s*exports\s*=(?!=|\s*\{[^{}]*\})/

function exportsOf(masked: string): ReadonlySet<string> | null {
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

function namesOf(path: string, text: string): ReadonlySet<string> | null {
  const masked = maskText(text, 'python')
  const imports = importStatements(path, text)
  const isPassedOn = imports.length > 0 && /\bimport\s*\(?\s*\*/.test(masked)
  if (isPassedOn || atRuntime.test(masked)) return null
  const found = [definitions, bare].flatMap((form) => [...masked.matchAll(form)])
  // `import os.path` binds `os`.
  const packages = imports.flatMap(({ whole: module }) => module?.split('.', 1) ?? [])
  return new Set([...found.map(([, name = '']) => name), ...packages])
}
