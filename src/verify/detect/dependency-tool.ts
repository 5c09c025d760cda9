/** How one package manager installs, offline from then on, without running anybody's scripts. */
export interface DependencyTool {
  readonly name: string
  readonly program: string
  /** How a person gets the program, where it is not as usual. */
  readonly gotBy?: string
  /** The package that npm fetches where the program is not there, told from package.json and the lock. */
  readonly fetched?: (manifest: string, lock: string) => string
  /** Its lock file, or (without a lock) its manifest: what the key of the cache is made of. */
  readonly lock: RegExp
  /** Files beside the lock that it reads, too. */
  readonly reads: readonly string[]
  /**
   * Whether it needs more of the project than those files: the directory of the lock, or (`all`)
   * the whole project, prepared in one go for all its locks. It is shown read-only at `project`.
   */
  readonly tree?: 'here' | 'all'
  /** A fixed shell line, run in an empty directory that holds those files or that tree. */
  readonly install: string
  /** Put at `OPTIONS`, or at the end, unless install scripts are allowed. */
  readonly withoutScripts: string
  /** What it made, and where in the project the tests need it. */
  readonly made: string
  readonly shownAt: string
  /** `$PLACE` stands for the absolute path of `shownAt`. */
  readonly env: Readonly<Record<string, string>>
  readonly language: 'javascript' | 'python' | 'go' | 'rust' | 'java' | 'ruby' | 'php'
  /** Whether a lock or manifest asks for anything at all. */
  readonly isNeeded?: (text: string) => boolean
  /** A file beside the lock that says that the project brings its dependencies itself. */
  readonly unless?: string
}
