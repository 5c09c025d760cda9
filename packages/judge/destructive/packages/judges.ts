import { posix } from 'node:path'
import { requirementGrammar } from '../../../source/source.ts'
import { isKnownSource } from './sources.ts'

export interface Setting {
  /** Folder of the manifest in the repository, `.` for its root. */
  readonly directory: string
  /** Registries and repositories that were named before; see `sourcesIn`. */
  readonly known: ReadonlySet<string>
}

/** Returns a plain sentence when a value needs a person's approval, else `null`. */
export type ValueRule = (value: unknown, setting: Setting) => string | null

export const elsewhere = 'It installs code that does not come by its name from a registry.'
export const settings = 'It changes how packages are installed, or where they come from.'
export const manager = 'It changes the program that installs the packages.'
export const runsAsScript =
  'It runs when packages are installed, unless install scripts are disabled.'
export const leadsOut = 'It leads out of the repository.'
export const program = 'It is run when packages are installed.'

export const ask =
  (why: string): ValueRule =>
  () =>
    why
export const accept: ValueRule = () => null

/** Returns true for a path below the repository's root, wherever it is resolved. */
export function isInsideRepository(path: string, directory: string): boolean {
  const plain = path.replaceAll('\\', '/')
  if (/^[/~]|^[a-z]:|[$%\0]|:\/\//i.test(plain)) return false
  return !/^\.\.(?:\/|$)/.test(posix.join(directory, plain))
}

/** Judges a path, or a pattern of paths. */
export const inside: ValueRule = (value, { directory }) =>
  typeof value === 'string' && !isInsideRepository(value.replace(/^!/, ''), directory)
    ? leadsOut
    : null

const npmRange = /^(?!\.)(?!.*\.(?:tgz|tar|tar\.gz)$)[\w.^~<>=*|,+\s-]*$/i
const npmName = /^npm:(?:(?:@[\w.~-]+\/)?[\w.~-]+@)?([^@/:]*)$/i
const npmUnversioned = /^npm:(?:@[\w.~-]+\/)?[\w.~-]+$/i
const npmLocal = /^(?:workspace|file|link|portal):/i

/**
 * Judges a dependency of package.json. Ranges and tags, aliases to packages of a registry, and
 * files of the repository need no approval. The grammar is npm-package-arg's, with additions of
 * yarn and pnpm.
 */
export const npmSpec: ValueRule = (value, setting) => {
  if (typeof value !== 'string') return null
  const spec = value.trim()
  // `$name` in overrides means the package's own version; the list of `catalog:` is judged itself.
  if (/^\$(?:@[\w.~-]+\/)?[\w.~-]+$/.test(spec) || /^catalog:[\w-]*$/.test(spec)) return null
  if (npmUnversioned.test(spec)) return null
  const alias = npmName.exec(spec)
  if (alias !== null) return npmRange.test(alias[1] ?? '') ? null : elsewhere
  if (npmLocal.test(spec)) {
    const rest = spec.slice(spec.indexOf(':') + 1)
    if (/^workspace:/i.test(spec) && npmRange.test(rest.replace(/^[^/]+@/, ''))) return null
    return isInsideRepository(rest, setting.directory) ? null : leadsOut
  }
  return npmRange.test(spec) ? null : elsewhere
}

const archive = /\.(?:whl|zip|tgz|tar|tbz|txz|tlz|tar\.(?:gz|bz2|xz|lz|lzma))$/i
const requirement = new RegExp(`^${requirementGrammar}$`, 'i')
const longestRequirement = 2000

/** A Python requirement (PEP 508): a name with extras, versions and markers, no address or file. */
export const pep508: ValueRule = (value) => {
  if (typeof value !== 'string') return null
  const text = value.trim()
  const [name = ''] = text.split(/[\s;[<>=!~(]/, 1)
  if (text === '') return null
  const isName = text.length <= longestRequirement && requirement.test(text) && !archive.test(name)
  return isName ? null : elsewhere
}

/** A version or range of poetry, Pipfile or Cargo. */
export const range: ValueRule = (value) =>
  typeof value === 'string' && !/^[\w.^~<>=!*,| +-]*$/.test(value) ? elsewhere : null

/** A registry, or a page with packages, that was not named before. */
export const source: ValueRule = (value, { known }) =>
  typeof value === 'string' && !isKnownSource(value, known) ? settings : null
