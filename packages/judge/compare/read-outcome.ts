import type { CommandReport, TestCounts, TestFailure, TestReport } from '../results/test-report.ts'

/** Exit codes of a shell whose command got HUP, INT, ILL, ABRT, BUS, FPE, KILL, SEGV or TERM. */
const signalCodes = new Set([1, 2, 4, 6, 7, 8, 9, 11, 15].map((signal) => 128 + signal))

/** The program that the command could not start; reported failures take precedence. */
export const missingProgram = ({ failures, fault }: CommandReport): string | null =>
  failures.length > 0 ? null : (fault?.program ?? null)

export const totalOf = (counts: TestCounts): number =>
  counts.passed + counts.failed + counts.skipped
export const ranTests = ({ counts }: CommandReport): number =>
  counts === null ? 0 : counts.passed + counts.failed

/** Returns true when the command found nothing to run, whatever its exit code. */
export const isNoTests = ({ counts, failures }: CommandReport): boolean =>
  counts !== null && totalOf(counts) === 0 && failures.length === 0

/** Treats an unknown number of tests as some, unless the command did not even start. */
export const isTested = (report: CommandReport): boolean =>
  report.counts === null
    ? report.role === undefined && missingProgram(report) === null && !lacksToolchain(report)
    : totalOf(report.counts) > 0

/** The command failed before any test, and its output says what this machine lacks. */
const lacksToolchain = ({ failures, fault }: CommandReport): boolean =>
  failures.length === 0 && fault?.lack != null

/** A command that fails as before, with no passing test, proves nothing. */
export const isProof = (report: CommandReport): boolean =>
  isTested(report) &&
  !wasKilled(report) &&
  ((report.exitCode === 0 && report.failures.length === 0) || (report.counts?.passed ?? 0) > 0)

/** A killed run is incomplete: it equals no other run, whatever it printed. */
export const wasKilled = ({ exitCode, timedOut, ended }: CommandReport): boolean =>
  timedOut || ended !== undefined || exitCode === null || signalCodes.has(exitCode)

export const hasTests = (report: TestReport): boolean => report.commands.some(isTested)

/** The same command's report before the change. */
export const earlier = (
  before: TestReport | null,
  { command }: Pick<CommandReport, 'command'>,
): CommandReport | null => before?.commands.find((each) => each.command === command) ?? null

/**
 * The earlier report as far as this one can be compared with it: without the accept commands of other tasks, which
 * count as suites only where they run again.
 */
export function comparableWith(after: TestReport, before: TestReport | null): TestReport | null {
  if (before === null) return null
  const commands = before.commands.flatMap(({ role, ...command }) => {
    if (role !== 'accept') return role === undefined ? command : { ...command, role }
    return after.commands
      .filter((each) => each.command === command.command)
      .map((each) => (each.role === undefined ? command : { ...command, role: each.role }))
  })
  return { ...before, commands }
}

/** Two failures with the same identity, in two runs, are the same failure. */
export const identity = ({ file, test }: Pick<TestFailure, 'file' | 'test'>): string =>
  JSON.stringify([file, test])

/** Makes a failure that no runner reported. */
export const failureSaying = (
  test: string,
  message: string,
  errorType: string | null = null,
): TestFailure => ({
  ...{ test, message, errorType },
  ...{ file: null, line: null, expected: null, actual: null, trace: [] },
})
