import { setImmediate } from 'node:timers/promises'
import { diagnoseCommand, notFound, plainText } from '../../diagnosis/diagnosis.ts'
import type { Command, SandboxRequest, SandboxRun } from '../../sandbox/sandbox.ts'
import { earlier, identity, ranTests, wasKilled } from '../compare/read-outcome.ts'
import type { Suite } from '../detect/suite.ts'
import type { JudgePorts } from '../judging.ts'
import { readLint } from '../results/errors.ts'
import { readRun } from '../results/read-run.ts'
import { reproducibleText } from '../results/results.ts'
import type { CommandReport, TestFailure, TestReport } from '../results/test-report.ts'

/** How much of the output's end is kept: enough for a person, cheap enough to store. */
const longestTail = 4000
const mostTailLines = 60

export interface RunInput {
  /** Absolute. */
  readonly folder: string
  readonly mounts: SandboxRequest['mounts']
  /** Variables for the prepared dependencies. */
  readonly env?: Readonly<Record<string, string>>
  /** For each suite; `null` stands for 600, or what the tests need by the start commit's run. */
  readonly timeoutSeconds: number | null
  /** For each accept command, when its result only informs. */
  readonly acceptSeconds?: number
  readonly network: boolean
  readonly signal?: AbortSignal | undefined
  /** A shell line that runs before each suite, in the same sandbox. */
  readonly first?: string | undefined
  /** The tests' report before the change; requested only when some fail. */
  readonly before?: () => Promise<TestReport | null>
  /** Why the suites run, if not to see them pass; progress shows it. */
  readonly purpose?: string | undefined
  /** Leaves it to the caller to rerun failures that may be chance. */
  readonly defersSecondRun?: boolean
}

/**
 * Runs the suites one after the other, each to its end, and reads their results. When the earlier
 * results are known, newly failing tests run once more, because they may fail by chance. So do
 * tests that stop without a message, before and after a change: a machine that cannot start another
 * process makes both alike.
 */
export async function runSuites(
  suites: readonly Suite[],
  input: RunInput,
  ports: Pick<JudgePorts, 'sandbox'>,
): Promise<TestReport> {
  const running = { ...input, ...ports }
  const commands: CommandReport[] = []
  for (const suite of suites) {
    const report = await runTwice(suite, running)
    commands.push(report, ...(await runAlone(suite, report, running)))
  }
  return { commands }
}

type Running = RunInput & Pick<JudgePorts, 'sandbox'>

async function runTwice(suite: Suite, input: Running): Promise<CommandReport> {
  const report = await runSuite(suite, input)
  // With our own command lines, the reporter can only be rejected: then no test is reported.
  const isRefused = report.counts === null && report.failures.length === 0
  if (suite.plain !== null && ('shell' in suite.command || isRefused)) {
    const plain = await runPlain(suite.plain, report, input)
    if (plain !== null) return plain
  }
  const first = brokeOff(suite, report) ? await runSuite(suite, input) : report
  if (input.before === undefined || isGreen(first)) return first
  if (!mayBeFlaky(await input.before(), first)) return first
  if (input.defersSecondRun) return { ...first, once: true }
  return joinRuns(first, await runSuite(suite, input))
}

/** Reruns the commands that a report marks as `once`, in the way they first ran. */
export async function runSecondTime(
  suites: readonly Suite[],
  { commands }: TestReport,
  input: RunInput,
  ports: Pick<JudgePorts, 'sandbox'>,
): Promise<TestReport> {
  const running = { ...input, ...ports }
  // The unchanged code's tests show which of our reporters makes them red.
  await input.before?.()
  const plain = suites.flatMap((suite) =>
    suite.plain !== null && hindered.get(ports.sandbox)?.has(suite.plain.display)
      ? [suite.plain]
      : [],
  )
  const others = suites.flatMap((suite) => [suite, suite.plain, suite.alone, suite.otherwise])
  const ways = [...plain, ...others]
  const joined: CommandReport[] = []
  for (const { once, ...first } of commands) {
    const suite = ways.find((each) => each?.display === first.command)
    const isRun = once === true && suite !== undefined && suite !== null
    joined.push(isRun ? joinRuns(first, await runSuite(suite, running)) : first)
  }
  return { commands: joined }
}

/** Suites that our reporter makes red on the unchanged code. */
const hindered = new WeakMap<JudgePorts['sandbox'], Set<string>>()

/**
 * Runs a suite without our reporter if that makes it green on the unchanged code; `null` when the
 * reporter makes no difference. What holds for that code is assumed for a change.
 */
async function runPlain(
  plain: Suite,
  { exitCode, timedOut, ended }: CommandReport,
  input: Running,
): Promise<CommandReport | null> {
  if (exitCode === 0 || timedOut || ended !== undefined) return null
  const known = hindered.get(input.sandbox) ?? new Set()
  hindered.set(input.sandbox, known)
  if (input.before !== undefined) {
    await input.before()
    return known.has(plain.display) ? runTwice(plain, input) : null
  }
  const report = await runSuite(plain, input)
  if (report.exitCode !== 0) return null
  known.add(plain.display)
  return report
}

/**
 * Runs the tests of a script whose linter fails on the unchanged code and so prevents them: only
 * they show whether a change works. After a change, they run if they ran before it; a linter that
 * only the change makes red must be fixed.
 */
async function runAlone(
  { alone }: Suite,
  script: CommandReport,
  input: Running,
): Promise<readonly CommandReport[]> {
  if (alone === null) return []
  if (input.before !== undefined) {
    const commands = (await input.before())?.commands ?? []
    const ranBefore = commands.some(({ command }) => command === alone.display)
    return ranBefore ? [await runTwice(alone, input)] : []
  }
  const isCutShort = script.exitCode !== 0 && script.counts === null
  if (!isCutShort || script.timedOut || script.ended !== undefined) return []
  const report = await runSuite(alone, input)
  return report.counts === null ? [] : [report]
}

async function runSuite(suite: Suite, input: Running): Promise<CommandReport> {
  const { first, purpose } = input
  const run = await input.sandbox.run({
    ...requestFor(suite, input),
    name: purpose === undefined ? suite.display : `${suite.display}, ${purpose}`,
    command: first === undefined ? suite.command : after(first, suite.command),
    timeoutSeconds: await limitOf(suite, input),
    collect: suite.collect,
  })
  const report = toReport(suite, run, input.folder)
  const isMissing = report.counts === null && report.fault?.program === 'pytest'
  return isMissing && suite.otherwise !== null ? runSuite(suite.otherwise, input) : report
}

/** Seconds. */
export const longestRun = 600
const leastLimit = 120

/** How many times as long as before a change its tests may take. */
const mostLonger = 20

/** More for each test that was red: it may have ended early. */
const secondsOfRed = 10

/** Runners that compile nothing: what such tests took before a change says how long they take after it. */
const uncompiled: ReadonlySet<Suite['runner']> = new Set([
  ...(['node-test', 'vitest', 'jest', 'mocha', 'pytest', 'unittest', 'minitest', 'rspec'] as const),
])

/** Seconds that a suite may take. Tests that took a second before a change and do not end after it are a loop. */
async function limitOf(
  { runner, display }: Suite,
  { timeoutSeconds, acceptSeconds, before }: Running,
): Promise<number> {
  const most = timeoutSeconds ?? longestRun
  if (runner === 'accept') return acceptSeconds ?? most
  if (timeoutSeconds !== null || before === undefined || !uncompiled.has(runner)) return most
  // Nothing waits for the start commit's run here.
  const known = await Promise.race([before().catch(() => null), setImmediate(null)])
  const was = earlier(known, { command: display })
  if (was === null || wasKilled(was) || !hasRun(was)) return most
  const least = leastLimit + secondsOfRed * (was.counts?.failed ?? 0)
  return Math.min(most, Math.max(least, Math.ceil(mostLonger * was.seconds)))
}

/** Returns true when tests ran and no file failed to load: how long the tests of such a file take, no run has shown. */
const hasRun = (report: CommandReport): boolean =>
  ranTests(report) > 0 && report.failures.every(({ test, file }) => test !== file)

const after = (first: string, command: Command): Command =>
  'shell' in command
    ? { shell: `${first}\n${command.shell}` }
    : { argv: ['sh', '-c', `${first}; "$@"`, 'sh', ...command.argv] }

/** Joins the Python paths of both environments, the suite's own first. */
export function requestFor(
  { directory, env: own }: Suite,
  { folder, mounts, env: prepared = {}, network, signal }: Omit<RunInput, 'timeoutSeconds'>,
) {
  const paths = [own.PYTHONPATH, prepared.PYTHONPATH].filter((path) => path !== undefined)
  const search = paths.length === 0 ? {} : { PYTHONPATH: paths.join(':') }
  return { folder, directory, mounts, network, signal, env: { ...prepared, ...own, ...search } }
}

function toReport(suite: Suite, run: SandboxRun, folder: string): CommandReport {
  const { display: command, role, directory, collect } = suite
  const { exitCode, timedOut, ended, seconds, sandbox } = run
  const { counts, failures, printed, titles } = readRun(suite, run, folder)
  const output = `${run.stdout}\n${run.stderr}`
  const tail = tailOf(printed?.trim() ? printed : output, folder)
  const found = role === 'lint' ? readLint(output, { folder, directory, sources: [] }) : failures
  return {
    ...{ command, exitCode, timedOut, counts, titles, tail, seconds, sandbox },
    ...(role === 'tests' ? {} : { role }),
    ...(ended === undefined ? {} : { ended }),
    // A report says more than an exit code, which anything may set.
    failures: exitCode === 0 && !run.collected.has(collect[0] ?? '') ? [] : found,
    fault: diagnoseCommand(run, tail),
  }
}

function tailOf(output: string, folder: string): string {
  const plain = reproducibleText(plainText(output.slice(-4 * longestTail)), folder).trim()
  const lines = plain.slice(-longestTail).split('\n').slice(-mostTailLines)
  // Tables pad their rows with spaces.
  return lines.map((line) => line.trimEnd()).join('\n')
}

/** More failures at once are no chance. */
const mostFlaky = 10

/** Errors that occur in every run. */
const certain =
  /^(?:SyntaxError|IndentationError|TabError|ImportError|NameError|ReferenceError|ModuleNotFoundError|(?:ERR_)?MODULE_NOT_FOUND|ERR_\w*(?:IMPORT|EXPORT|MODULE|SYNTAX)\w*|TS\d+|E\d{4})$/

const without = (failures: readonly TestFailure[], others: readonly TestFailure[]) => {
  const known = new Set(others.map(identity))
  return failures.filter((failure) => !known.has(identity(failure)))
}

/** Failures that are new since the earlier run; all, without one. */
export function freshFailures(
  before: TestReport | null,
  report: CommandReport,
): readonly TestFailure[] {
  const was = earlier(before, report)
  return without(report.failures, [...(was?.failures ?? []), ...(was?.flaky ?? [])])
}

/** Both the exit code and the report show success. */
export const isGreen = ({ exitCode, failures }: CommandReport): boolean =>
  exitCode === 0 && failures.length === 0

/** True for new failures that may be chance: a few, each of a named test, in a finished run. */
export function mayBeFlaky(before: TestReport | null, report: CommandReport): boolean {
  const { counts, timedOut, ended, exitCode, role } = report
  if (ended !== undefined) return false
  if (role === 'lint' || timedOut || exitCode === null || isGreen(report)) return false
  if (counts === null || counts.failed > mostFlaky) return false
  const fresh = freshFailures(before, report)
  return fresh.some(({ errorType }) => errorType === null || !certain.test(errorType))
}

/** Runners with unstructured output, which often end without a message that we understand. */
const unread: ReadonlySet<Suite['runner']> = new Set(['command', 'npm-script'])

/**
 * True for tests that ended badly before any of them ran, when nothing explains it: no failure, no
 * error in the project's code, no missing program.
 */
export function brokeOff(
  { role, runner }: Pick<Suite, 'role' | 'runner'>,
  { exitCode, timedOut, ended, counts, failures }: CommandReport,
): boolean {
  if (role !== 'tests' || unread.has(runner) || timedOut || ended !== undefined) return false
  return exitCode !== 0 && exitCode !== notFound && counts === null && failures.length === 0
}

/**
 * Joins two runs of one command on the same code: a test that failed in only one of them is flaky.
 * A second run that reports less than the first changes only the time.
 */
export function joinRuns(first: CommandReport, second: CommandReport): CommandReport {
  const seconds = first.seconds + second.seconds
  // A run that ends badly without failures says nothing about the tests that failed.
  const isSilent = second.exitCode !== 0 && second.failures.length === 0
  if (second.timedOut || second.counts === null || isSilent || ran(second) < ran(first)) {
    return { ...first, seconds }
  }
  const onlyFirst = without(first.failures, second.failures)
  const onlySecond = without(second.failures, first.failures)
  if (onlyFirst.length + onlySecond.length === 0) return { ...first, seconds }
  const { passed, failed, skipped } = second.counts
  // Failures beyond the failed tests come from a compiler or linter after them, not from chance.
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
