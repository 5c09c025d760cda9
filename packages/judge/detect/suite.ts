import { posix } from 'node:path'
import type { Command } from '../../sandbox/sandbox.ts'
import { isOwn } from '../../source/source.ts'

export type TestRunner =
  | 'node-test'
  | 'vitest'
  | 'jest'
  | 'mocha'
  | 'pytest'
  | 'unittest'
  /** Anything that writes JUnit XML: Maven, Gradle, PHPUnit, CTest, Bun. */
  | 'junit'
  | 'tap'
  | 'go'
  | 'cargo'
  | 'minitest'
  | 'rspec'
  | 'dotnet'
  | 'npm-script'
  | 'command'
  | 'accept'
  | 'lint'

/** One command that verifies, and how to read its results. */
export interface Suite {
  /** What runs, if its results can be read; else `accept` or `lint`. */
  readonly runner: TestRunner
  /** Accept commands must pass; of tests and lint only what a change broke counts. */
  readonly role: 'tests' | 'lint' | 'accept'
  readonly command: Command
  /** Relative to the repository's root, which is `.`. */
  readonly directory: string
  /** What a person would type. */
  readonly display: string
  readonly env: Readonly<Record<string, string>>
  /** The report it writes, relative to the repository's root; at most one. */
  readonly collect: readonly string[]
  /** Source paths, because its runner (Java, Go) names only their last part. */
  readonly sources: readonly string[]
  /** Programs without which it cannot run. */
  readonly needs: readonly string[]
  /** Runs instead when pytest is not installed and the tests do not need it. */
  readonly otherwise: Suite | null
  /** The command as written, read by its output: for when our reporter changes what it does. */
  readonly plain: Suite | null
  /** The tests without the linters before them, for when a linter fails on the unchanged code. */
  readonly alone: Suite | null
  /** The line as written that starts the runner, among the command's lines; `null` for our own. */
  readonly line: string | null
}

/** A repository's files, as far as the caller has read them: see `readRepository`. */
export interface RepositoryFiles {
  readonly files: readonly string[]
  read(path: string): string | undefined
}

/** Makes a report name that no other suite uses. */
export type NameReport = (extension: string) => string

/** Makes a suite from what a person types in its directory and a report name relative to it. */
export function suiteIn(
  directory: string,
  line: string,
  {
    report,
    ...given
  }: Pick<Suite, 'runner' | 'command'> & Partial<Suite> & { readonly report?: string },
): Suite {
  return {
    ...{ role: 'tests', directory, display: displayIn(directory, line), env: {}, sources: [] },
    ...{ needs: [], otherwise: null, plain: null, alone: null, line: null },
    collect: report === undefined ? [] : [posix.join(directory, report)],
    ...given,
  }
}

/** Writes a directory's command as a person at the root would type it. */
export const displayIn = (directory: string, command: string): string =>
  directory === '.' ? command : `cd ${directory} && ${command}`

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
