import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { pythonCandidates, scriptCandidates } from './import-candidates.ts'
import { importStatements, pythonFile } from './import-statements.ts'
import type { UnresolvedImport } from './imports.ts'
import { suggestModule, suggestPath } from './suggest-import.ts'

/**
 * Whether the project itself says that such a name can be imported: other files import it, or a
 * settings file names it or the folder that it would have to start from.
 */
export type IsKnown = (language: 'script' | 'python', name: string, root: string) => boolean

/**
 * Imports that are not relative and that only a file of the repository can mean, which nothing there
 * says to start from: `utils.helpers` where the one file is `src/utils/helpers.py`.
 */
export function misplacedImports(
  path: string,
  text: string,
  paths: readonly string[],
  isKnown: IsKnown,
): readonly UnresolvedImport[] {
  const isPython = pythonFile.test(path)
  return importStatements(path, text).flatMap(({ specifier, names, line }) => {
    const found = isPython
      ? misplacedModule(path, specifier, names, paths)
      : misplacedScript(specifier, paths)
    if (found === null) return []
    const language = isPython ? 'python' : 'script'
    if (isKnown(language, found.name, found.root)) return []
    const suggest = isPython ? suggestModule : suggestPath
    return [{ specifier, line, suggestion: suggest(path, specifier, paths) }]
  })
}

interface Misplaced {
  /** The first part of what is imported. */
  readonly name: string
  /** The folder that it would have to be imported from. */
  readonly root: string
}

/** One word may be any package; two that lie as a folder and a file in the repository are no accident. */
function misplacedModule(
  path: string,
  specifier: string,
  names: readonly string[],
  paths: readonly string[],
): Misplaced | null {
  if (specifier.startsWith('.')) return null
  const modules = [specifier, ...names.map((name) => `${specifier}.${name}`)]
  const own = posix.dirname(path)
  const known = new Set(paths)
  const isThere = modules.some((module) =>
    pythonCandidates(path, module).some(
      (each) =>
        known.has(each) && (own === 'src' || !each.startsWith('src/') || module.startsWith('src')),
    ),
  )
  const [name = ''] = specifier.split('.')
  if (isThere || paths.some((each) => each.startsWith(`${name}/`))) return null
  const ends = modules
    .filter((module) => module.includes('.'))
    .map((module) => `/${module.replaceAll('.', '/')}`)
    .flatMap((end) => [`${end}.py`, `${end}/__init__.py`])
  return endingIn(ends, name, paths)
}

function misplacedScript(specifier: string, paths: readonly string[]): Misplaced | null {
  const isPlain = /^[A-Za-z_][\w-]*(?:\/[\w.-]+)+$/.test(specifier)
  const [name = ''] = specifier.split('/')
  if (!isPlain || isBuiltin(specifier) || isBuiltin(name)) return null
  const ends = scriptCandidates(specifier).map((candidate) => `/${candidate}`)
  return endingIn(ends, name, paths)
}

function endingIn(
  ends: readonly string[],
  name: string,
  paths: readonly string[],
): Misplaced | null {
  for (const path of paths) {
    const end = ends.find((each) => `/${path}`.endsWith(each))
    if (end !== undefined)
      return { name, root: path.slice(0, Math.max(0, path.length - end.length)) }
  }
  return null
}
