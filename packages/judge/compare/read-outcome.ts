import type {
  CommandReport,
  Receipt,
  TestCounts,
  TestEvidence,
  TestFailure,
  TestReport,
} from '../results/test-report.ts'

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

/** True when some failures of the command are not among `broken`: they were red before, and other tasks fix them. */
export const hasOthers = (
  { failures }: Pick<CommandReport, 'failures'>,
  broken: readonly TestFailure[],
): boolean => countOthers(failures, broken) > 0

function countOthers(failures: readonly TestFailure[], broken: readonly TestFailure[]): number {
  const own = new Set(broken.map(identity))
  return failures.filter((failure) => !own.has(identity(failure))).length
}

/**
 * The output of a change's commands, for the step that classifies the failure. The output of a command with red tests of
 * others is mostly about those: their number takes its place, and `broken` has the messages of this change's own.
 */
export const outputWithoutOthers = (
  { commands }: TestReport,
  broken: readonly TestFailure[],
): string =>
  commands
    .map(({ failures, role, tail }) => {
      const others = countOthers(failures, broken)
      return others === 0 ? tail : tellRed(others, role, 'other ')
    })
    .join('\n')

/** `39 other tests were red before this change and still are.` */
export function tellRed(count: number, role: CommandReport['role'], other: 'other ' | '' = '') {
  const what = role === 'lint' ? 'finding' : 'test'
  const was = role === 'lint' ? 'there' : 'red'
  return count === 1
    ? `1 ${other}${what} was ${was} before this change and still is.`
    : `${count} ${other}${what}s were ${was} before this change and still are.`
}

/**
 * What the tests show of a change. Its one source: terminal, pull request, report and check read it from the receipt.
 *
 * @param isShown a test of the change was seen red without its code
 * @returns `undefined` for a change that does not pass
 */
export function evidenceOf(
  { result }: Pick<Receipt, 'result'>,
  before: TestReport | null,
  after: TestReport,
  isShown: boolean,
): TestEvidence | undefined {
  if (result === 'failed') return undefined
  if (result === 'unverified') return 'unverified'
  return isShown || turnsGreen(before, after) ? 'proven' : 'unharmed'
}

/** A test, a file that did not load, or a command without tests, was red without the change and is green with it. */
const turnsGreen = (before: TestReport | null, after: TestReport): boolean =>
  after.commands
    .filter(({ role }) => role !== 'lint')
    .some((command) => {
      const was = earlier(before, command)
      if (was === null) return false
      const red = new Set(command.failures.map(identity))
      const isMended = was.failures.some((failure) => !red.has(identity(failure)))
      const isPassing = command.exitCode === 0 && was.exitCode !== 0
      const more = (of: 'passed' | 'failed') =>
        (command.counts?.[of] ?? 0) - (was.counts?.[of] ?? 0)
      const redFiles = new Set(command.failures.map(({ file }) => file))
      const isLoaded = was.failures.some(({ file }) => file !== null && !redFiles.has(file))
      return isPassing || (isMended && (more('failed') < 0 || (isLoaded && more('passed') > 0)))
    })
