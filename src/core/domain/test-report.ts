/** How strongly model-written code was kept apart from this machine, strongest first. */
export type SandboxKind = 'bubblewrap' | 'other-user' | 'unshare' | 'unsandboxed'

/** One failing test, in the project's own terms. Unknown parts are `null`. */
export interface TestFailure {
  /** Full name, outer suites first, joined by ` > `. */
  readonly test: string
  readonly file: string | null
  readonly line: number | null
  readonly message: string
  readonly expected: string | null
  readonly actual: string | null
  /** `AssertionError`, `TypeError`, `ModuleNotFoundError`, … */
  readonly errorType: string | null
  /** Frames inside the project, `path:line`, innermost first. */
  readonly trace: readonly string[]
}

export interface TestCounts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** One command that was run to verify, and what it said. */
export interface CommandReport {
  readonly command: string
  /** Not there for tests. Accept commands must pass; of lint only what a change broke counts. */
  readonly role?: 'lint' | 'accept'
  readonly exitCode: number | null
  readonly timedOut: boolean
  /** What it did to be ended before its time: "used more than 4,096 MB of memory". */
  readonly ended?: string
  /** `null` when the command's output has no known structure. */
  readonly counts: TestCounts | null
  readonly failures: readonly TestFailure[]
  /** Own names of the tests that ran, where its report has them. Not stored. */
  readonly titles?: readonly string[] | undefined
  /** Failed in one of two runs of the same code; not among the failures. */
  readonly flaky?: readonly TestFailure[] | undefined
  /** The last lines of its output, redacted and shortened. */
  readonly tail: string
  readonly seconds: number
  readonly sandbox: SandboxKind
}

/** Everything verification ran on one tree. No commands: the project has no tests. */
export interface TestReport {
  readonly commands: readonly CommandReport[]
  /** Commands left out, because tests nearer to the change failed. */
  readonly notRun?: readonly string[] | undefined
  /** Why what the tests need could not be installed: they ran without it. */
  readonly unprepared?: string | undefined
}

/** What one command said before the change. */
export interface EarlierRun {
  readonly exitCode: number | null
  readonly counts: TestCounts | null
}

/** What a reviewer can trust: printed in the PR, the commit trailer, the state and the report. */
export interface Receipt {
  readonly result: 'passed' | 'unverified' | 'failed'
  readonly commands: readonly {
    readonly command: string
    readonly exitCode: number | null
    readonly seconds: number
    readonly counts?: TestCounts | null | undefined
    /** `null` when nobody ran it on the tree before. */
    readonly before?: EarlierRun | null | undefined
    /** The last lines of one that ended badly. */
    readonly output?: string | undefined
  }[]
  /** What a reviewer must see first: tests that were weakened, files that never came. */
  readonly warnings?: readonly string[] | undefined
  /** Functions that it adds and that do nothing yet, and the lines of code that it adds. */
  readonly stubs?: { readonly found: number; readonly lines: number } | undefined
  readonly before: TestCounts | null
  readonly after: TestCounts | null
  readonly seconds: number
  readonly sandbox: SandboxKind | null
  /** Plain sentences: flaky tests, tests that were red before, what could not be checked. */
  readonly notes: readonly string[]
}
