import { posix } from 'node:path'
import { pythonCandidates, scriptCandidates } from './import-candidates.ts'
import { type ImportStatement, importStatements, pythonFile } from './import-statements.ts'
import { suggestModule, suggestPath } from './suggest-import.ts'

export interface UnresolvedImport {
  readonly specifier: string
  /** 1-based. */
  readonly line: number
  /** Of the file that was probably meant, written in the same manner; `null` when none or several fit. */
  readonly suggestion: string | null
}

type Exists = (path: string) => boolean

/** Folders whose files a build makes and that are rarely in the repository. */
const GENERATED = /(^|\/)(dist|build|out|generated|__generated__|gen|\+types|\.[\w-]+)(\/|$)/

/**
 * Specifiers of a JavaScript, TypeScript or Python text that may lead into the repository, as written.
 * Python's are all of them, since only the file list tells `src.user` from `yaml`; `from a import b`
 * counts as `a.b` too.
 */
export function localImports(path: string, text: string): readonly string[] {
  const imports = importStatements(path, text)
  const specifiers = pythonFile.test(path)
    ? imports.flatMap(pythonModules)
    : imports.map(({ specifier }) => specifier).filter(isRelative)
  return [...new Set(specifiers)]
}

/** The repository path a specifier leads to, or `null`: a package, an alias, or nothing. */
export function resolveImport(from: string, specifier: string, exists: Exists): string | null {
  if (pythonFile.test(from)) return pythonCandidates(from, specifier).find(exists) ?? null
  if (!isRelative(specifier)) return null
  const target = posix.join(posix.dirname(from), specifier.replace(/[?#].*$/, ''))
  return scriptCandidates(target).find(exists) ?? null
}

/**
 * Imports that lead nowhere although they mean a file of the repository: relative ones, and in Python
 * those whose first part is one of its packages. Packages and aliases are not judged.
 *
 * @param paths every path, to find the file that was meant
 */
export function unresolvedImports(
  path: string,
  text: string,
  exists: Exists,
  paths: readonly string[] = [],
): readonly UnresolvedImport[] {
  const python = pythonFile.test(path)
  const suggest = python ? suggestModule : suggestPath
  return importStatements(path, text)
    .filter((found) =>
      python ? pythonLeadsNowhere(path, found, exists, paths) : leadsNowhere(path, found, exists),
    )
    .map(({ specifier, line }) => ({
      specifier,
      line,
      suggestion: suggest(path, specifier, paths),
    }))
}

function leadsNowhere(path: string, { specifier }: ImportStatement, exists: Exists): boolean {
  const steps = specifier.replace(/^(\.{1,2}\/)+/, '')
  if (!isRelative(specifier) || GENERATED.test(steps)) return false
  return resolveImport(path, specifier, exists) === null
}

/** A package may live under any root, so a module found anywhere is taken for the one meant. */
function pythonLeadsNowhere(
  path: string,
  statement: ImportStatement,
  exists: Exists,
  paths: readonly string[],
): boolean {
  const { specifier } = statement
  if (/^\.+$/.test(specifier)) return false
  if (pythonModules(statement).some((module) => resolveImport(path, module, exists))) return false
  const modules = paths.filter((other) => pythonFile.test(other))
  if (specifier.startsWith('.')) {
    const folders = pythonCandidates(path, specifier).map((candidate) => posix.dirname(candidate))
    return !modules.some((other) => other.startsWith(`${folders.at(-1)}/`))
  }
  const steps = specifier.split('.')
  const tail = `/${steps.join('/')}`
  const ours = modules.some((other) => other.startsWith(`${steps[0]}/`))
  const isThere = (other: string) => other.endsWith(`${tail}.py`) || other.includes(`${tail}/`)
  return ours && !modules.some((other) => isThere(`/${other}`))
}

function pythonModules({ specifier, names }: ImportStatement): readonly string[] {
  const base = /^\.+$/.test(specifier) ? specifier : `${specifier}.`
  return [specifier, ...names.map((name) => base + name)]
}

function isRelative(specifier: string): boolean {
  return /^\.{1,2}(\/|$)/.test(specifier)
}
