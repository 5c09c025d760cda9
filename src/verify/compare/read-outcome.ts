import { posix } from 'node:path'
import type { CommandReport, TestCounts, TestReport } from '../../core/domain/test-report.ts'
import { findLack } from '../../text/diagnosis/find-lack.ts'

/** Of a shell whose command was killed by HUP, INT, ILL, ABRT, BUS, FPE, KILL, SEGV or TERM. */
const signalCodes = new Set([1, 2, 4, 6, 7, 8, 9, 11, 15].map((signal) => 128 + signal))

/** The program that a shell, or whoever starts programs, did not find; not a file of the project. */
export function missingProgram(report: CommandReport): string | null {
  if (report.failures.length > 0) return null
  const pytest = /No module named '?(pytest)'?\s*$/.exec(report.tail)?.[1]
  if (pytest !== undefined) return pytest
  if (report.exitCode !== 127) return null
  const said =
    /(?:^|: )(?:\d+: )?([^\s:]+): (?:command )?not found/m.exec(report.tail)?.[1] ??
    /failed to execute (\S+): No such file/.exec(report.tail)?.[1] ??
    /(?:(?:^|\s)env: |spawn )['‘]?([^\s'’:]+)/.exec(report.tail)?.[1]
  if (said === undefined) return 'a program'
  // What a shim or a `#!` line names by its whole path is of the machine; the project's folder is `./`.
  return said.includes('/') && !said.startsWith('/') ? null : posix.basename(said)
}

export const totalOf = (counts: TestCounts): number =>
  counts.passed + counts.failed + counts.skipped
export const ranTests = ({ counts }: CommandReport): number =>
  counts === null ? 0 : counts.passed + counts.failed

const passedTests = ({ counts }: CommandReport): number => counts?.passed ?? 0

/** It found nothing to run, whatever exit code it has for that. */
export const isNoTests = ({ counts, failures }: CommandReport): boolean =>
  counts !== null && totalOf(counts) === 0 && failures.length === 0

/** An unknown number of tests is taken for some, unless the command did not even start. */
export const isTested = (report: CommandReport): boolean =>
  report.counts === null
    ? report.role === undefined && missingProgram(report) === null && !lacksToolchain(report)
    : totalOf(report.counts) > 0

/** It ended badly without a test, and its words say what this machine lacks. */
const lacksToolchain = ({ exitCode, failures, tail }: CommandReport): boolean =>
  exitCode !== 0 && failures.length === 0 && findLack(tail) !== null

/** A command that fails as it did before, and has no test that passes, shows nothing. */
export const isProof = (report: CommandReport): boolean =>
  isTested(report) &&
  !wasKilled(report) &&
  ((report.exitCode === 0 && report.failures.length === 0) || passedTests(report) > 0)

/** Whatever such a run said until then, nobody knows what it would have said: it is equal to no other. */
export const wasKilled = ({ exitCode, timedOut, ended }: CommandReport): boolean =>
  timedOut || ended !== undefined || exitCode === null || signalCodes.has(exitCode)

export const hasTests = (report: TestReport): boolean => report.commands.some(isTested)
