import { posix } from 'node:path'
import type { Command } from '../../core/ports/sandbox.ts'

export type TestRunner =
  | 'node-test'
  | 'vitest'
  | 'jest'
  | 'mocha'
  | 'pytest'
  | 'unittest'
  /** Whoever writes JUnit XML: Maven, Gradle, PHPUnit, CTest, Bun. */
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

/** One command that verifies, and how to read what it says. */
export interface Suite {
  /** What runs, as far as its results can be read; `accept` and `lint` when it is unknown. */
  readonly runner: TestRunner
  /** Accept commands must pass; of tests and lint only what a change broke counts. */
  readonly role: 'tests' | 'lint' | 'accept'
  readonly command: Command
  /** Inside the repository, `.` for its root. */
  readonly directory: string
  /** What a person would type. */
  readonly display: string
  readonly env: Readonly<Record<string, string>>
  /** The report it writes, relative to the repository's root; at most one. */
  readonly collect: readonly string[]
  /** Paths of the project that its runner names by their end only (Java, Go). */
  readonly sources: readonly string[]
  /** Programs without which it cannot run. */
  readonly needs: readonly string[]
  /** To run instead where pytest is not installed and the tests do not need it. */
  readonly otherwise: Suite | null
  /** As a person wrote it, to be read by its text: where a reporter of ours changes what it does. */
  readonly plain: Suite | null
  /** The tests of a script without the linters before them, where one of those is red on the unchanged code. */
  readonly alone: Suite | null
  /** The one line of its runner, as a person wrote it, among all that the command does; `null` for a command of ours. */
  readonly line: string | null
}

/** A repository's files, as far as the caller has read them: see `readRepository`. */
export interface RepositoryFiles {
  readonly files: readonly string[]
  read(path: string): string | undefined
}

/** The name of a report that no other suite writes. */
export type NameReport = (extension: string) => string

/** A suite of a directory: what a person would type there, and its report's name in that directory. */
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

/** How a person at the root would type a command of a subdirectory. */
export const displayIn = (directory: string, command: string): string =>
  directory === '.' ? command : `cd ${directory} && ${command}`
