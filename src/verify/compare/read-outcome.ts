import type {
  CommandReport,
  TestCounts,
  TestFailure,
  TestReport,
} from '../../core/domain/test-report.ts'

/** Of a shell whose command was killed by HUP, INT, ILL, ABRT, BUS, FPE, KILL, SEGV or TERM. */
const signalCodes = new Set([1, 2, 4, 6, 7, 8, 9, 11, 15].map((signal) => 128 + signal))

/** The program that it could not start; what failed all the same is judged by that. */
export const missingProgram = ({ failures, fault }: CommandReport): string | null =>
  failures.length > 0 ? null : (fault?.program ?? null)

export const totalOf = (counts: TestCounts): number =>
  counts.passed + counts.failed + counts.skipped
export const ranTests = ({ counts }: CommandReport): number =>
  counts === null ? 0 : counts.passed + counts.failed

/** It found nothing to run, whatever exit code it has for that. */
export const isNoTests = ({ counts, failures }: CommandReport): boolean =>
  counts !== null && totalOf(counts) === 0 && failures.length === 0

/** An unknown number of tests is taken for some, unless the command did not even start. */
export const isTested = (report: CommandReport): boolean =>
  report.counts === null
    ? report.role === undefined && missingProgram(report) === null && !lacksToolchain(report)
    : totalOf(report.counts) > 0

/** It ended badly without a test, and its words say what this machine lacks. */
const lacksToolchain = ({ failures, fault }: CommandReport): boolean =>
  failures.length === 0 && fault?.lack != null

/** A command that fails as it did before, and has no test that passes, shows nothing. */
export const isProof = (report: CommandReport): boolean =>
  isTested(report) &&
  !wasKilled(report) &&
  ((report.exitCode === 0 && report.failures.length === 0) || (report.counts?.passed ?? 0) > 0)

/** Whatever such a run said until then, nobody knows what it would have said: it is equal to no other. */
export const wasKilled = ({ exitCode, timedOut, ended }: CommandReport): boolean =>
  timedOut || ended !== undefined || exitCode === null || signalCodes.has(exitCode)

export const hasTests = (report: TestReport): boolean => report.commands.some(isTested)

/** What the same command said before the change. */
export const earlier = (
  before: TestReport | null,
  { command }: Pick<CommandReport, 'command'>,
): CommandReport | null => before?.commands.find((each) => each.command === command) ?? null

/** What makes two failures, of two runs, one and the same. */
export const identity = ({ file, test }: Pick<TestFailure, 'file' | 'test'>): string =>
  JSON.stringify([file, test])

/** A failure that no runner reported. */
export const failureSaying = (
  test: string,
  message: string,
  errorType: string | null = null,
): TestFailure => ({
  ...{ test, message, errorType },
  ...{ file: null, line: null, expected: null, actual: null, trace: [] },
})
