import { z } from 'zod'
import { commandFaultSchema } from './diagnosis.ts'
import { count, maybeCount, maybeText, object, type Stored, text, texts } from './stored.ts'

/** How strongly model-written code was kept apart from this machine, strongest first. */
const sandboxKindSchema = z.enum(['bubblewrap', 'other-user', 'unshare', 'unsandboxed'])

export type SandboxKind = z.infer<typeof sandboxKindSchema>

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

/** One command that was run to verify, and what it said. */
const commandReportSchema = object({
  command: text,
  /** Not there for tests. Accept commands must pass; of lint only what a change broke counts. */
  role: z.enum(['lint', 'accept']).exactOptional(),
  exitCode: maybeCount,
  timedOut: z.boolean(),
  /** What it did to be ended before its time: "used more than 4,096 MB of memory". */
  ended: text.exactOptional(),
  /** `null` when the command's output has no known structure. */
  counts: testCountsSchema.nullable(),
  failures: z.array(testFailureSchema),
  /** Own names of the tests that ran, where its report has them. Not stored. */
  titles: texts.optional(),
  /** Failed in one of two runs of the same code; not among the failures. */
  flaky: z.array(testFailureSchema).optional(),
  /** Failed in a way that may be chance, and ran just once so far. */
  once: z.boolean().optional(),
  /** Why it ended badly, read where its output is read. Not stored. */
  fault: commandFaultSchema.optional(),
  /** The last lines of its output, redacted and shortened. */
  tail: text,
  seconds: count,
  sandbox: sandboxKindSchema,
})

export type CommandReport = Stored<typeof commandReportSchema>

/** Everything verification ran on one tree. No commands: the project has no tests. */
export const testReportSchema = object({
  commands: z.array(commandReportSchema),
  /** Commands left out, because tests nearer to the change failed. */
  notRun: texts.optional(),
  /** Why what the tests need could not be installed: they ran without it. */
  unprepared: text.optional(),
})

export type TestReport = Stored<typeof testReportSchema>

const diffStatSchema = object({ files: count, added: count, removed: count })

/** Files that a change touches, and the lines that it adds and removes. */
export type DiffStat = Stored<typeof diffStatSchema>

/** What a reviewer can trust: printed in the PR, the commit trailer, the state and the report. */
export const receiptSchema = object({
  result: z.enum(['passed', 'unverified', 'failed']),
  commands: z.array(
    object({
      command: text,
      exitCode: maybeCount,
      seconds: count,
      counts: testCountsSchema.nullable().optional(),
      /** `null` when nobody ran it on the tree before. */
      before: object({ exitCode: maybeCount, counts: testCountsSchema.nullable() })
        .nullable()
        .optional(),
      /** The last lines of one that ended badly. */
      output: text.optional(),
    }),
  ),
  /** What a reviewer must see first: tests that were weakened, files that never came. */
  warnings: texts.optional(),
  /** Functions that it adds and that do nothing yet, and the lines of code that it adds. */
  stubs: object({ found: count, lines: count }).optional(),
  /** Not there where an older version verified the change. */
  changed: diffStatSchema.optional(),
  before: testCountsSchema.nullable(),
  after: testCountsSchema.nullable(),
  seconds: count,
  sandbox: sandboxKindSchema.nullable(),
  /** Plain sentences: flaky tests, tests that were red before, what could not be checked. */
  notes: texts,
})

export type Receipt = Stored<typeof receiptSchema>
