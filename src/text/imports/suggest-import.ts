import { posix } from 'node:path'
import { scriptCandidates } from './import-candidates.ts'

const SCRIPT_ENDING = /(\.d)?\.([mc]?[jt]sx?|json)$/i
const PYTHON_ENDING = /\.pyi?$/i

interface Suggestion {
  readonly path: string
  readonly specifier: string
}

/** The relative specifier of the nearest file with the name that a wrong specifier ends in. */
export function suggestPath(
  from: string,
  specifier: string,
  paths: readonly string[],
): string | null {
  const wanted = moduleName(specifier)
  const folder = posix.dirname(from)
  const extension = posix.extname(specifier)
  const found = paths
    .filter((path) => path !== from && SCRIPT_ENDING.test(path) && moduleName(path) === wanted)
    .map((path) => ({ path, specifier: relativeTo(folder, written(path, extension)) }))
  return nearest(found, parentName(specifier))
}

/** The module of the nearest Python file of that name, with dots if the wrong one had dots. */
export function suggestModule(
  from: string,
  specifier: string,
  paths: readonly string[],
): string | null {
  const steps = specifier.split('.')
  const wanted = steps.at(-1)?.toLowerCase() ?? ''
  if (wanted === '') return null
  const found = paths
    .filter((path) => path !== from && PYTHON_ENDING.test(path))
    .map((path) => path.replace(PYTHON_ENDING, '').replace(/\/__init__$/, ''))
    .filter((path) => posix.basename(path).toLowerCase() === wanted)
    .map((path) => ({
      path,
      specifier: specifier.startsWith('.')
        ? moduleRelativeTo(posix.dirname(from), path)
        : path.replaceAll('/', '.'),
    }))
  return nearest(found, steps.at(-2) ?? '')
}

/** The base name without ending; of a folder's index, the folder's. */
function moduleName(path: string): string {
  const stem = path.replace(SCRIPT_ENDING, '').replace(/(?<=[^./])\/index$/, '')
  return posix.basename(stem).toLowerCase()
}

/** A path as a specifier of this manner would write it: without ending, or with a compiled file's. */
function written(path: string, extension: string): string {
  if (extension === '') return path.replace(SCRIPT_ENDING, '').replace(/\/index$/, '')
  const swapped = path.replace(SCRIPT_ENDING, extension)
  return scriptCandidates(swapped).includes(path) ? swapped : path
}

function relativeTo(folder: string, target: string): string {
  const relative = posix.relative(folder, target)
  return relative.startsWith('.') ? relative : `./${relative}`
}

function moduleRelativeTo(folder: string, module: string): string {
  const steps = posix.relative(folder, module).split('/')
  const up = steps.filter((step) => step === '..').length
  return '.'.repeat(up + 1) + steps.slice(up).join('.')
}

function parentName(path: string): string {
  return posix.basename(posix.dirname(path))
}

/** Of fewest steps, among those in a folder of the wanted name if there are any; `null` on a tie. */
function nearest(found: readonly Suggestion[], parent: string): string | null {
  const inFolder = found.filter(({ path }) => parentName(path) === parent)
  const steps = (specifier: string) => specifier.split(/[/.]/).length
  const specifiers = (inFolder.length > 0 ? inFolder : found).map(({ specifier }) => specifier)
  const [first, second] = [...new Set(specifiers)].sort((a, b) => steps(a) - steps(b))
  if (first === undefined) return null
  return second !== undefined && steps(second) === steps(first) ? null : first
}
