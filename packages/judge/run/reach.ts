import { posix } from 'node:path'
import { importedFiles, isManifest } from '../../source/source.ts'
import { readManifest } from '../detect/node-manifest.ts'
import { isInstalled, type RepositoryFiles, type Suite } from '../detect/suite.ts'

/** Suites in two groups: those that the change can reach, and the others. */
export interface Reach {
  readonly near: readonly Suite[]
  readonly far: readonly Suite[]
}

/**
 * Splits suites by what the change can reach: the packages that it touches, and those that depend
 * on them (by a workspace package's name, a path in go.mod, Cargo.toml or pyproject.toml, or an
 * import across folders in a test). A change outside all packages reaches every suite.
 */
export function partByReach(
  suites: readonly Suite[],
  changed: readonly string[],
  repository: RepositoryFiles,
): Reach {
  const all: Reach = { near: suites, far: [] }
  const packages = packagesOf(suites, repository)
  const owners = new Set(changed.map((path) => ownerOf(path, packages)))
  if (owners.has('.') && !suites.every(({ directory }) => directory === '.')) {
    const isRootTested = suites.some(({ directory }) => directory === '.')
    if (!isRootTested || changed.some(isSharedSetting)) return all
  }
  const reached = closure(owners, dependents(packages, repository))
  const near = suites.filter(({ directory }) => reached.has(directory))
  return near.length === 0 ? all : { near, far: suites.filter((suite) => !near.includes(suite)) }
}

/** Files at the root that affect every package. */
const isSharedSetting = (path: string): boolean =>
  !path.includes('/') && (isManifest(path) || /config|lock|\.toml$|\.work$|^tsconfig/.test(path))

function packagesOf(suites: readonly Suite[], { files }: RepositoryFiles): readonly string[] {
  const found = files
    .filter((path) => isManifest(path) && !isInstalled(path))
    .map((path) => posix.dirname(path))
  const directories = new Set([...suites.map(({ directory }) => directory), ...found])
  return [...directories].sort((a, b) => b.length - a.length)
}

/** Returns the innermost package around a file. */
const ownerOf = (path: string, packages: readonly string[]): string =>
  packages.find((each) => each !== '.' && path.startsWith(`${each}/`)) ?? '.'

/** Maps each package to those that depend on it. */
function dependents(
  packages: readonly string[],
  repository: RepositoryFiles,
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  const note = (used: string, by: string) => {
    if (used === by) return
    const known = found.get(used) ?? new Set()
    found.set(used, known.add(by))
  }
  const names = new Map(
    packages.flatMap((each) => namesOf(each, repository).map((name) => [name, each])),
  )
  for (const each of packages) {
    for (const name of neededBy(each, repository)) {
      const used = names.get(name)
      if (used !== undefined) note(used, each)
    }
    for (const path of pathsNeededBy(each, repository)) {
      if (packages.includes(path)) note(path, each)
    }
  }
  const known = new Set(repository.files)
  for (const path of repository.files) {
    const text = repository.read(path)
    if (text === undefined || isManifest(path)) continue
    const by = ownerOf(path, packages)
    for (const target of importedFiles(path, text, (other) => known.has(other)))
      note(ownerOf(target, packages), by)
  }
  return found
}

function closure(
  owners: ReadonlySet<string>,
  edges: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string> {
  const reached = new Set(owners)
  // Iterating a set also visits elements that are added meanwhile.
  for (const each of reached) for (const by of edges.get(each) ?? []) reached.add(by)
  return reached
}

const textOf = (directory: string, name: string, { read }: RepositoryFiles): string =>
  read(posix.join(directory, name)) ?? ''

/** The names by which others depend on this package. */
function namesOf(directory: string, repository: RepositoryFiles): readonly string[] {
  const name = readManifest(repository, directory)?.name
  const go = /^module\s+(\S+)/m.exec(textOf(directory, 'go.mod', repository))?.[1]
  return [...(name ? [`npm ${name}`] : []), ...(go ? [`go ${go}`] : [])]
}

function neededBy(directory: string, repository: RepositoryFiles): readonly string[] {
  const found = readManifest(repository, directory)
  const { dependencies, devDependencies, peerDependencies, optionalDependencies } = found ?? {}
  const npm = { ...dependencies, ...devDependencies, ...peerDependencies, ...optionalDependencies }
  const go = textOf(directory, 'go.mod', repository).matchAll(/^\s*(?:require\s+)?(\S+)\s+v\S+/gm)
  return [
    ...Object.keys(npm).map((name) => `npm ${name}`),
    ...[...go].map(([, name]) => `go ${name}`),
  ]
}

/** Reads `path = "../core"` (Cargo, Poetry), `replace … => ../core` (Go), `file:../core` (npm). */
function pathsNeededBy(directory: string, repository: RepositoryFiles): readonly string[] {
  const text = ['Cargo.toml', 'pyproject.toml', 'go.mod', 'package.json']
    .map((name) => textOf(directory, name, repository))
    .join('\n')
  const found = text.matchAll(
    /\bpath\s*=\s*"([^"\n]{1,300})"|=>\s*(\.\S{1,300})|"(?:file|link):([^"\n]{1,300})"/g,
  )
  return [...found].map(([, toml, go, npm]) => posix.join(directory, toml ?? go ?? npm ?? '.'))
}
