import type { CommandReport, TestFailure, TestReport } from '../../core/domain/test-report.ts'
import { notFound } from '../../core/ports/sandbox.ts'
import { earlier, identity } from '../compare/pair-runs.ts'
import type { Suite } from '../detect/suite.ts'

/** More failures at once are no accident. */
const mostFlaky = 10

/** What fails in the same way however often it runs. */
const certain =
  /^(?:SyntaxError|IndentationError|TabError|ImportError|NameError|ReferenceError|ModuleNotFoundError|(?:ERR_)?MODULE_NOT_FOUND|ERR_\w*(?:IMPORT|EXPORT|MODULE|SYNTAX)\w*|TS\d+|E\d{4})$/

const without = (failures: readonly TestFailure[], others: readonly TestFailure[]) => {
  const known = new Set(others.map(identity))
  return failures.filter((failure) => !known.has(identity(failure)))
}

/** Failures of a command that were not there before the change; all, when nobody ran it before. */
export function freshFailures(
  before: TestReport | null,
  report: CommandReport,
): readonly TestFailure[] {
  const was = earlier(before, report)
  return without(report.failures, [...(was?.failures ?? []), ...(was?.flaky ?? [])])
}

/** Both its exit code and its report say that all is well. */
export const isGreen = ({ exitCode, failures }: CommandReport): boolean =>
  exitCode === 0 && failures.length === 0

/**
 * True for tests that failed, and did not before the change, in a way that may be chance: a few of
 * them, each named, in a run that came to its end.
 */
export function mayBeFlaky(before: TestReport | null, report: CommandReport): boolean {
  const { counts, timedOut, ended, exitCode, role } = report
  if (ended !== undefined) return false
  if (role === 'lint' || timedOut || exitCode === null || isGreen(report)) return false
  if (counts === null || counts.failed > mostFlaky) return false
  const fresh = freshFailures(before, report)
  return fresh.some(({ errorType }) => errorType === null || !certain.test(errorType))
}

/** Their output has no structure: to end without a word we understand is what they do. */
const unread: ReadonlySet<Suite['runner']> = new Set(['command', 'npm-script'])

/**
 * True for tests that ended badly before any of them had run, with nothing that says why: no failure,
 * no error of the project's code, no program that is not there.
 */
export function brokeOff(
  { role, runner }: Pick<Suite, 'role' | 'runner'>,
  { exitCode, timedOut, ended, counts, failures }: CommandReport,
): boolean {
  if (role !== 'tests' || unread.has(runner) || timedOut || ended !== undefined) return false
  return exitCode !== 0 && exitCode !== notFound && counts === null && failures.length === 0
}

/**
 * Two runs of one command on the same code as one report: a test that failed in just one of them is
 * flaky. A second run that says less than the first changes nothing but the time.
 */
export function joinRuns(first: CommandReport, second: CommandReport): CommandReport {
  const seconds = first.seconds + second.seconds
  // One that ends badly and tells of no failure says nothing for the tests that failed.
  const isSilent = second.exitCode !== 0 && second.failures.length === 0
  if (second.timedOut || second.counts === null || isSilent || ran(second) < ran(first)) {
    return { ...first, seconds }
  }
  const onlyFirst = without(first.failures, second.failures)
  const onlySecond = without(second.failures, first.failures)
  if (onlyFirst.length + onlySecond.length === 0) return { ...first, seconds }
  const { passed, failed, skipped } = second.counts
  // What a compiler or a linter behind the tests says is no chance: more failures than tests that failed.
  const byChance = second.failures.length > failed ? [] : onlySecond
  return {
    ...second,
    failures: without(second.failures, byChance),
    flaky: [...onlyFirst, ...byChance],
    counts: { passed: passed + byChance.length, failed: failed - byChance.length, skipped },
    seconds,
  }
}

const ran = ({ counts }: CommandReport): number =>
  counts === null ? 0 : counts.passed + counts.failed
