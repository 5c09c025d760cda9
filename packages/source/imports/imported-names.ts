import { posix } from 'node:path'
import { importStatements, pythonFile } from './import-statements.ts'
import { modulesOf, resolveImport } from './imports.ts'

/** What a file imports, with the name under which an index finds it: the last name of the path. */
export interface ImportedName {
  /** In lower case, without an ending. */
  readonly name: string
  readonly specifier: string
}

/** Lines that import in languages other than JavaScript and Python; in Go also the lines of a block. */
const importLine =
  /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:use|import|require_relative|require|include|using|#include|mod)\b([^\n]*)/gm
const quotedLine = /^\s*(?:[\w.]+\s+)?"([^"\n]{1,300})"\s*$/gm
const mostNames = 300
/** Longer lines are no imports of people. */
const longestLine = 1_000
const script = /\.(?:[mc]?[jt]sx?|vue|svelte)$/i

export function importedNames(path: string, text: string): readonly ImportedName[] {
  const specifiers = script.test(path)
    ? importStatements(scriptPath(path), text).map(({ specifier }) => specifier)
    : pythonFile.test(path)
      ? importStatements(path, text).flatMap((found) => modulesOf(path, found))
      : otherSpecifiers(path, text)
  return [...new Set(specifiers)].slice(0, mostNames).flatMap((specifier) => {
    const name = lastName(path, specifier)
    return name === '' || specifier.length > 300 ? [] : [{ name, specifier }]
  })
}

/** A component's script imports as JavaScript does. */
const scriptPath = (path: string): string => path.replace(/\.(?:vue|svelte)$/i, '.ts')

function otherSpecifiers(path: string, text: string): readonly string[] {
  const lines = [...text.matchAll(importLine)].map(([, rest = '']) => rest)
  const block = path.endsWith('.go') ? (/^import \(([^)]*)\)/m.exec(text)?.[1] ?? '') : ''
  const quoted = [...block.matchAll(quotedLine)].map(([, found = '']) => found)
  return [
    ...quoted,
    ...lines.flatMap((whole) => {
      const line = whole.slice(0, longestLine)
      const inQuotes = /["'<]([^"'>\n]+)["'>]/.exec(line)?.[1]
      if (inQuotes !== undefined) return [inQuotes]
      const [head = '', list = ''] = line.split('{')
      const base = /[\w.:\\]+/.exec(head.replace(/\bstatic\b/, ''))?.[0] ?? ''
      const names = list.match(/\w+/g) ?? []
      return names.length > 0 ? [base, ...names.map((name) => `${base}${name}`)] : [base]
    }),
  ]
}

/** Both the names of a module: `a.b`, `a::b`, `a/b.js` → a, b. */
const namesOf = (specifier: string): readonly string[] =>
  specifier
    .replace(/\.(?:[mc]?[jt]sx?|json|pyi?|rb|h|hpp|php)$/i, '')
    .split(/[./:\\]+/)
    .filter((name) => name !== '')
    .map((name) => name.toLowerCase())

function lastName(from: string, specifier: string): string {
  const isRelative = /^\.{1,2}(?:\/|$)/.test(specifier)
  const place = isRelative ? posix.join(posix.dirname(from), specifier) : specifier
  const names = namesOf(place)
  const last = names.at(-1) ?? ''
  return last === 'index' || last === '__init__' ? (names.at(-2) ?? last) : last
}

const entryFile = /^(?:index|__init__|mod|lib|main)$/i

/** The names under which imports may mean this file: its own, its folder's for Go and for entry files. */
export function namesOfFile(path: string): readonly string[] {
  const names = namesOf(path.replace(/(?:\.d)?\.\w+$/, ''))
  const last = names.at(-1) ?? ''
  const folder = names.at(-2) ?? ''
  return path.endsWith('.go') || entryFile.test(last) ? [last, folder] : [last]
}

/** Returns true when the import means this file, as exactly as its language lets a reader tell. */
export function isImportOf(
  target: string,
  { path, specifier }: { readonly path: string; readonly specifier: string },
  exists: (path: string) => boolean,
): boolean {
  if (path === target) return false
  if (script.test(path) || pythonFile.test(path)) {
    const found = resolveImport(scriptPath(path), specifier, exists)
    if (found !== null || /^\./.test(specifier)) return found === target
    if (!pythonFile.test(path)) return false
  }
  if (posix.extname(path) !== posix.extname(target)) return false
  const own = namesOf(target.replace(/\.\w+$/, ''))
  const module = target.endsWith('.go') || entryFile.test(own.at(-1) ?? '') ? own.slice(0, -1) : own
  const meant = namesOf(specifier)
  const [last, above] = [module.at(-1), module.at(-2)]
  if (last === undefined || meant.at(-1) !== last) return false
  return (
    meant.length < 2 ||
    above === undefined ||
    meant.at(-2) === above ||
    /^(?:crate|self|super)$/.test(meant.at(-2) ?? '')
  )
}
