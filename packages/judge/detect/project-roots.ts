import { posix } from 'node:path'
import { isOwn } from '../../source/source.ts'

const installed = /(?:^|\/)(?:node_modules|site-packages|\.executor-packages|vendor)\//

export const isInstalled = (path: string): boolean => installed.test(path)

export const isWithin = (path: string, directory: string): boolean =>
  directory === '.' || path === directory || path.startsWith(`${directory}/`)

/** Finds the project's directories that hold such a file, outermost first; `.` is the root. */
export function rootsOf(files: readonly string[], manifest: RegExp): readonly string[] {
  const found = files.filter((path) => manifest.test(posix.basename(path)) && isOwn(path))
  return [...new Set(found.map((path) => posix.dirname(path)))].sort(
    (one, other) => depthOf(one) - depthOf(other) || (one < other ? -1 : 1),
  )
}

/** Adds the repository's root, for files outside every other root. */
export const withTop = (roots: readonly string[]): readonly string[] =>
  roots.includes('.') ? roots : ['.', ...roots]

/** Returns the roots that no other root contains. */
export const outermost = (roots: readonly string[]): readonly string[] =>
  roots.filter((root) => !roots.some((other) => other !== root && isWithin(root, other)))

/** Returns the files of a root that belong to no other root inside it. */
export function ownFiles(
  files: readonly string[],
  root: string,
  roots: readonly string[],
): readonly string[] {
  const inner = roots.filter((other) => other !== root && isWithin(other, root))
  return files.filter(
    (path) => isWithin(path, root) && !inner.some((other) => isWithin(path, other)),
  )
}

const depthOf = (directory: string): number => (directory === '.' ? 0 : directory.split('/').length)
