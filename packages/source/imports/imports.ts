import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { type ImportStatement, importStatements, pythonFile } from './import-statements.ts'

export interface UnresolvedImport {
  readonly specifier: string
  readonly line: number
  /** The specifier of the likely file, in the same style; `null` when none or several fit. */
  readonly suggestion: string | null
  /** Names imported from it; `default` among them, none where it is imported as a whole. */
  readonly names: readonly string[]
}

type Exists = (path: string) => boolean

/**
 * Returns true when the project shows that a name can be imported: other files import it, or a
 * settings file names it or the folder that it would have to start from.
 */
export type IsKnown = (language: 'script' | 'python', name: string, root: string) => boolean

/** Lists the repository's files that a text imports, in the order of its statements. */
export function importedFiles(path: string, text: string, exists: Exists): readonly string[] {
  const specifiers = importStatements(path, text).flatMap((found) => modulesOf(path, found))
  return [...new Set(specifiers)].flatMap((each) => resolveImport(path, each, exists) ?? [])
}

/** Resolves a specifier to a repository path; `null` for a package, an alias, or nothing. */
export const resolveImport = (from: string, specifier: string, exists: Exists): string | null =>
  candidatesOf(from, specifier).find(exists) ?? null

/** Modules that a statement may mean: in Python, `from a import b` may also mean `a.b`. */
export function modulesOf(path: string, { specifier, names }: ImportStatement): readonly string[] {
  if (!pythonFile.test(path)) return [specifier]
  const base = /^\.+$/.test(specifier) ? specifier : `${specifier}.`
  return [specifier, ...names.map((name) => base + name)]
}

/** Paths that a specifier may mean, likeliest first; none when it cannot be a repository file. */
function candidatesOf(from: string, specifier: string): readonly string[] {
  if (pythonFile.test(from)) return pythonCandidates(from, specifier)
  const target = posix.join(posix.dirname(from), specifier.replace(/[?#].*$/, ''))
  return isRelative(specifier) ? scriptCandidates(target) : []
}

const isRelative = (specifier: string): boolean => /^\.{1,2}(\/|$)/.test(specifier)

const EXTENSIONS = ['.ts', '.tsx', '.js', '.jsx', '.mjs', '.cjs', '.mts', '.cts', '.d.ts', '.json']

/** Sources that TypeScript accepts for an import of a compiled name. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.d.ts', '.jsx'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts', '.d.mts'],
  '.cjs': ['.cts', '.d.cts'],
}

function scriptCandidates(target: string): readonly string[] {
  const extension = posix.extname(target)
  const stem = target.slice(0, target.length - extension.length)
  return [
    target,
    ...(SOURCES[extension] ?? []).map((source) => stem + source),
    ...EXTENSIONS.map((added) => target + added),
    ...EXTENSIONS.map((added) => posix.join(target, `index${added}`)),
  ]
}

/** Relative to the file; without dots, from the root, `src/`, or the script's own folder. */
function pythonCandidates(from: string, specifier: string): readonly string[] {
  const dots = /^\.*/.exec(specifier)?.[0].length ?? 0
  const tail = specifier.slice(dots).replaceAll('.', '/')
  const own = posix.dirname(from)
  const above = posix.join(own, ...Array<string>(Math.max(0, dots - 1)).fill('..'))
  return (dots > 0 ? [above] : ['.', 'src', own]).flatMap((root) => {
    const base = posix.join(root, tail)
    return [...(tail === '' ? [] : [`${base}.py`, `${base}.pyi`]), posix.join(base, '__init__.py')]
  })
}

/**
 * Finds imports that lead nowhere although they mean a file of the repository: relative ones, and
 * in Python those that start with one of its packages. Does not judge packages and aliases.
 *
 * @param paths every path, to find the file that was meant
 */
export function unresolvedImports(
  path: string,
  text: string,
  exists: Exists,
  paths: readonly string[] = [],
): readonly UnresolvedImport[] {
  const isLost = pythonFile.test(path) ? pythonLeadsNowhere : leadsNowhere
  return importStatements(path, text)
    .filter((found) => isLost(path, found, exists, paths))
    .map((found) => withSuggestion(path, found, paths))
}

/** Folders of generated files, which are rarely in the repository. */
const GENERATED = /(^|\/)(dist|build|out|generated|__generated__|gen|\+types|\.[\w-]+)(\/|$)/

function leadsNowhere(path: string, { specifier }: ImportStatement, exists: Exists): boolean {
  const steps = specifier.replace(/^(\.{1,2}\/)+/, '')
  if (!isRelative(specifier) || GENERATED.test(steps)) return false
  return resolveImport(path, specifier, exists) === null
}

/** A package may be under any root, so a matching module anywhere counts as the one meant. */
function pythonLeadsNowhere(
  path: string,
  statement: ImportStatement,
  exists: Exists,
  paths: readonly string[],
): boolean {
  const { specifier } = statement
  if (/^\.+$/.test(specifier)) return false
  if (modulesOf(path, statement).some((module) => resolveImport(path, module, exists))) return false
  const modules = paths.filter((other) => pythonFile.test(other))
  if (specifier.startsWith('.')) {
    const folder = posix.dirname(pythonCandidates(path, specifier).at(-1) ?? '')
    return !modules.some((other) => other.startsWith(`${folder}/`))
  }
  const steps = specifier.split('.')
  const tail = `/${steps.join('/')}`
  const ours = modules.some((other) => other.startsWith(`${steps[0]}/`))
  const isThere = (other: string) => other.endsWith(`${tail}.py`) || other.includes(`${tail}/`)
  return ours && !modules.some((other) => isThere(`/${other}`))
}

/**
 * Finds non-relative imports that only a file of the repository can mean, although nothing there
 * makes it importable: `utils.helpers` where the only such file is `src/utils/helpers.py`.
 */
export function misplacedImports(
  path: string,
  text: string,
  paths: readonly string[],
  isKnown: IsKnown,
): readonly UnresolvedImport[] {
  const isPython = pythonFile.test(path)
  return importStatements(path, text).flatMap((found) => {
    const ends = isPython ? moduleEnds(path, found, paths) : scriptEnds(found)
    const [name = ''] = found.specifier.split(isPython ? '.' : '/')
    for (const other of ends.length === 0 ? [] : paths) {
      const end = ends.find((each) => `/${other}`.endsWith(each))
      if (end === undefined) continue
      const root = other.slice(0, Math.max(0, other.length - end.length))
      const isFine = isKnown(isPython ? 'python' : 'script', name, root)
      return isFine ? [] : [withSuggestion(path, found, paths)]
    }
    return []
  })
}

/** One word may be any package; a folder and a file of the same names are no coincidence. */
function moduleEnds(
  path: string,
  statement: ImportStatement,
  paths: readonly string[],
): readonly string[] {
  if (statement.specifier.startsWith('.')) return []
  const modules = modulesOf(path, statement)
  const own = posix.dirname(path)
  const known = new Set(paths)
  const isThere = modules.some((module) =>
    pythonCandidates(path, module).some(
      (each) =>
        known.has(each) && (own === 'src' || !each.startsWith('src/') || module.startsWith('src')),
    ),
  )
  const [name] = statement.specifier.split('.')
  if (isThere || paths.some((each) => each.startsWith(`${name}/`))) return []
  return modules
    .filter((module) => module.includes('.'))
    .map((module) => `/${module.replaceAll('.', '/')}`)
    .flatMap((end) => [`${end}.py`, `${end}/__init__.py`])
}

function scriptEnds({ specifier }: ImportStatement): readonly string[] {
  const isPlain = /^[A-Za-z_][\w-]*(?:\/[\w.-]+)+$/.test(specifier)
  if (!isPlain || isBuiltin(specifier) || isBuiltin(specifier.split('/')[0] ?? '')) return []
  return scriptCandidates(specifier).map((candidate) => `/${candidate}`)
}

function withSuggestion(
  from: string,
  { specifier, line, names }: ImportStatement,
  paths: readonly string[],
): UnresolvedImport {
  const suggest = pythonFile.test(from) ? suggestModule : suggestPath
  const others = paths.filter((path) => path !== from)
  const suggestion = suggest(posix.dirname(from), specifier, others)
  return { specifier, line, suggestion, names }
}

const SCRIPT_ENDING = /(\.d)?\.([mc]?[jt]sx?|json)$/i

/** Suggests the relative specifier of the nearest file with the base name of a wrong one. */
function suggestPath(folder: string, specifier: string, paths: readonly string[]): string | null {
  // The base name without its ending; for a folder's index, the folder's name.
  const nameOf = (path: string) =>
    posix.basename(path.replace(SCRIPT_ENDING, '').replace(/(?<=[^./])\/index$/, '')).toLowerCase()
  const wanted = nameOf(specifier)
  const extension = posix.extname(specifier)
  const found = paths
    .filter((path) => SCRIPT_ENDING.test(path) && nameOf(path) === wanted)
    .map((path) => {
      const relative = posix.relative(folder, written(path, extension))
      return { path, specifier: relative.startsWith('.') ? relative : `./${relative}` }
    })
  return nearest(found, parentName(specifier))
}

/** Writes a path as a specifier in this style: without ending, or with a compiled file's. */
function written(path: string, extension: string): string {
  if (extension === '') return path.replace(SCRIPT_ENDING, '').replace(/\/index$/, '')
  const swapped = path.replace(SCRIPT_ENDING, extension)
  return scriptCandidates(swapped).includes(path) ? swapped : path
}

/** Suggests the module of the nearest Python file of that name, relative if the wrong one was. */
function suggestModule(folder: string, specifier: string, paths: readonly string[]): string | null {
  const steps = specifier.split('.')
  const wanted = steps.at(-1)?.toLowerCase()
  const found = paths
    .filter((path) => pythonFile.test(path))
    .map((path) => path.replace(pythonFile, '').replace(/\/__init__$/, ''))
    .filter((path) => posix.basename(path).toLowerCase() === wanted)
    .map((path) => {
      const climbed = posix.relative(folder, path).split('/')
      const up = climbed.filter((step) => step === '..').length
      const relative = '.'.repeat(up + 1) + climbed.slice(up).join('.')
      return { path, specifier: specifier.startsWith('.') ? relative : path.replaceAll('/', '.') }
    })
  return nearest(found, steps.at(-2) ?? '')
}

const parentName = (path: string): string => posix.basename(posix.dirname(path))

/** The one with fewest steps, preferably in a folder of the wanted name; `null` on a tie. */
function nearest(
  found: readonly { readonly path: string; readonly specifier: string }[],
  parent: string,
): string | null {
  const inFolder = found.filter(({ path }) => parentName(path) === parent)
  const steps = (specifier: string) => specifier.split(/[/.]/).length
  const specifiers = (inFolder.length > 0 ? inFolder : found).map(({ specifier }) => specifier)
  const [first, second] = [...new Set(specifiers)].sort((a, b) => steps(a) - steps(b))
  if (first === undefined) return null
  return second !== undefined && steps(second) === steps(first) ? null : first
}
