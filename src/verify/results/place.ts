import { posix } from 'node:path'
import { isInstalled } from '../detect/project-roots.ts'

/** Where a command ran, so that the paths it names can be told in the project's terms. */
export interface RunPlace {
  /** Absolute path of the project's root. */
  readonly folder: string
  /** Inside it, `.` for the root: where relative paths of the output start. */
  readonly directory: string
  /** Paths of the project, for runners that name a file by its end only (Java, Go). */
  readonly sources: readonly string[]
}

/** The path inside the project, or `null` for one that is elsewhere or in installed packages. */
export function inProject(path: string, { folder, directory }: RunPlace): string | null {
  const plain = path.startsWith('file://') ? path.slice('file://'.length) : path
  if (plain.startsWith('node:')) return null
  const relative = plain.startsWith('/')
    ? plain.startsWith(`${folder}/`) && posix.normalize(plain.slice(folder.length + 1))
    : posix.join(directory, plain)
  if (relative === false || relative.startsWith('..')) return null
  return isInstalled(relative) ? null : relative
}

const indexes = new WeakMap<readonly string[], ReadonlyMap<string, readonly string[]>>()

/** Paths of the project whose last part is this name. */
export function namesakes(name: string, { sources }: RunPlace): readonly string[] {
  const known = indexes.get(sources) ?? Map.groupBy(sources, (path) => posix.basename(path))
  indexes.set(sources, known)
  return known.get(name) ?? []
}

/**
 * The path of the project that ends with this (`com/acme/Sum.java`); of several, the first inside
 * the directory where the command ran.
 */
export function sourceEnding(end: string, place: RunPlace): string | null {
  const found = namesakes(posix.basename(end), place).filter(
    (path) => path === end || path.endsWith(`/${end}`),
  )
  const { directory } = place
  const own = found.find((path) => directory === '.' || path.startsWith(`${directory}/`))
  return own ?? found[0] ?? null
}
