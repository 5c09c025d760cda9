import { z } from 'zod'
import { diffStatSchema } from '../../change/change.ts'
import { commandFaultSchema } from '../../diagnosis/diagnosis.ts'
import type { SandboxKind } from '../../sandbox/sandbox.ts'
import { count, maybeCount, maybeText, object, type Stored, text, texts } from '../../text/text.ts'

const sandboxKindSchema = z.enum([
  'bubblewrap',
  'other-user',
  'unshare',
  'unsandboxed',
] satisfies readonly SandboxKind[])

/** One failing test, in the project's own terms. Unknown parts are `null`. */
export const testFailureSchema = object({
  /** Full name, outer suites first, joined by ` > `. */
  test: text,
  file: maybeText,
  line: maybeCount,
  message: text,
  expected: maybeText,
  actual: maybeText,
  /** `AssertionError`, `TypeError`, `ModuleNotFoundError`, … */
  errorType: maybeText,
  /** Frames inside the project, `path:line`, innermost first. */
  trace: texts,
})

export type TestFailure = Stored<typeof testFailureSchema>

const testCountsSchema = object({ passed: count, failed: count, skipped: count })

export type TestCounts = Stored<typeof testCountsSchema>

/** One verification command and its result. */
const commandReportSchema = object({
  command: text,
  /** Absent for tests. Accept commands must pass; of lint, only findings that the change caused count. */
  role: z.enum(['lint', 'accept']).exactOptional(),
  exitCode: maybeCount,
  timedOut: z.boolean(),
  /** Why it was killed: "used more than 4,096 MB of memory". */
  ended: text.exactOptional(),
  /** `null` when the command's output has no known structure. */
  counts: testCountsSchema.nullable(),
  failures: z.array(testFailureSchema),
  /** Names of the tests that ran, when the report has them. Not stored. */
  titles: texts.optional(),
  /** Failed in one of two runs of the same code; not among the failures. */
  flaky: z.array(testFailureSchema).optional(),
  /** Failed in a way that may be chance, and has run only once so far. */
  once: z.boolean().optional(),
  /** Test files that do not compile: the others ran once more without them. */
  without: texts.optional(),
  /** Why it failed, read together with its output. Not stored. */
  fault: commandFaultSchema.optional(),
  /** Last lines of its output, redacted and shortened. */
  tail: text,
  seconds: count,
  sandbox: sandboxKindSchema,
})

export type CommandReport = Stored<typeof commandReportSchema>

/** All verification commands on one tree. Without commands, the project has no tests. */
export const testReportSchema = object({
  commands: z.array(commandReportSchema),
  /** Commands skipped because tests nearer to the change failed. */
  notRun: texts.optional(),
  /** Why the tests' dependencies could not be installed; the tests ran without them. */
  unprepared: text.optional(),
})

export type TestReport = Stored<typeof testReportSchema>

/** A test that the change adds and that passes with it, and its result without the change. */
const newTestSchema = object({
  test: text,
  file: text,
  /**
   * `not_run`: its file does not load. `guards`: it passes, and fails once the functions that it tests
   * throw.
   */
  before: z.enum(['failed', 'not_run', 'guards', 'passed', 'unknown']),
})

export type NewTest = Stored<typeof newTestSchema>

/**
 * `proven`: a test was red without the change and is green with it. `unharmed`: existing tests still pass, and no test
 * shows the change. `unverified`: nothing could run, or its results are in doubt.
 */
const evidenceSchema = z.enum(['proven', 'unharmed', 'unverified'])

export type TestEvidence = z.infer<typeof evidenceSchema>

/** The facts that a reviewer can trust: printed in the PR, the commit trailer, the state and the report. */
export const receiptSchema = object({
  result: z.enum(['passed', 'unverified', 'failed']),
  /** Absent for a change that failed, and when an older version verified it. */
  evidence: evidenceSchema.exactOptional(),
  commands: z.array(
    object({
      command: text,
      exitCode: maybeCount,
      seconds: count,
      counts: testCountsSchema.nullable().optional(),
      /** `null` when it did not run on the start commit. */
      before: object({ exitCode: maybeCount, counts: testCountsSchema.nullable() })
        .nullable()
        .optional(),
      /** Last lines of a failed command; absent when it has red tests of others. */
      output: text.optional(),
    }),
  ),
  /** Warnings that a reviewer must see first: weakened tests, missing files. */
  warnings: texts.optional(),
  /** Functions that the change adds and that do nothing yet, and its added lines of code. */
  stubs: object({ found: count, lines: count }).optional(),
  /** Absent when an older version verified the change. */
  changed: diffStatSchema.optional(),
  /** Files that import a changed one, and how many of them have a test; only where an index knows. */
  touches: object({ importers: count, tested: count }).optional(),
  /** The first ones, where the runner names its tests; of a change that passed. */
  newTests: z.array(newTestSchema).optional(),
  before: testCountsSchema.nullable(),
  after: testCountsSchema.nullable(),
  seconds: count,
  sandbox: sandboxKindSchema.nullable(),
  /** Plain sentences: flaky tests, tests that failed before, checks that could not run. */
  notes: texts,
})

export type Receipt = Stored<typeof receiptSchema>
