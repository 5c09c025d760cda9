import type { CommandReport, TestFailure, TestReport } from '../../core/domain/test-report.ts'
import {
  type Command,
  notFound,
  type SandboxRequest,
  type SandboxRun,
} from '../../core/ports/sandbox.ts'
import type { Ports } from '../../core/ports.ts'
import { diagnoseCommand } from '../../text/diagnosis/diagnose.ts'
import { plainText } from '../../text/diagnosis/plain-text.ts'
import { earlier, identity } from '../compare/read-outcome.ts'
import type { Suite } from '../detect/suite.ts'
import { readLint } from '../results/errors.ts'
import { readRun } from '../results/read-run.ts'
import { withoutFolder } from '../results/results.ts'

/** Of the output's end, in characters and lines: enough for a person, cheap enough to store. */
const longestTail = 4000
const mostTailLines = 60

export interface RunInput {
  /** Absolute. */
  readonly folder: string
  readonly mounts: SandboxRequest['mounts']
  /** What prepared dependencies need. */
  readonly env?: Readonly<Record<string, string>>
  /** For each suite. */
  readonly timeoutSeconds: number
  /** For each accept command, where its result is only of interest. */
  readonly acceptSeconds?: number
  readonly network: boolean
  readonly signal?: AbortSignal | undefined
  /** A shell line that is run before each of them, in the same sandbox. */
  readonly first?: string | undefined
  /** What the tests said before the change; asked for only where some fail. */
  readonly before?: () => Promise<TestReport | null>
  /** Leaves it to the caller to run once more what failed by what may be chance. */
  readonly defersSecondRun?: boolean
}

/**
 * Runs the suites one after the other, each to its end, and reads what they say. Where it is known
 * what they said before, tests that fail now and did not then run once more: chance is no proof. So do
 * tests that broke off without a word, before and after a change: a machine that has no room left for
 * a process makes both alike.
 */
export async function runSuites(
  suites: readonly Suite[],
  input: RunInput,
  ports: Pick<Ports, 'sandbox'>,
): Promise<TestReport> {
  const running = { ...input, ...ports }
  const commands: CommandReport[] = []
  for (const suite of suites) {
    const said = await runTwice(suite, running)
    commands.push(said, ...(await runAlone(suite, said, running)))
  }
  return { commands }
}

type Running = RunInput & Pick<Ports, 'sandbox'>

async function runTwice(suite: Suite, input: Running): Promise<CommandReport> {
  const said = await runSuite(suite, input)
  // A line that we wrote ourselves can only be refused: then it tells of no test.
  const isRefused = said.counts === null && said.failures.length === 0
  if (suite.plain !== null && ('shell' in suite.command || isRefused)) {
    const plain = await runPlain(suite.plain, said, input)
    if (plain !== null) return plain
  }
  const first = brokeOff(suite, said) ? await runSuite(suite, input) : said
  if (input.before === undefined || isGreen(first)) return first
  if (!mayBeFlaky(await input.before(), first)) return first
  if (input.defersSecondRun) return { ...first, once: true }
  return joinRuns(first, await runSuite(suite, input))
}

/** Runs what a report has as `once` a second time, as it ran the first time. */
export async function runSecondTime(
  suites: readonly Suite[],
  { commands }: TestReport,
  input: RunInput,
  ports: Pick<Ports, 'sandbox'>,
): Promise<TestReport> {
  const running = { ...input, ...ports }
  // The tests of the unchanged code tell which of our reporters makes them red.
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

/** Suites of which a reporter of ours made the unchanged code red. */
const hindered = new WeakMap<Ports['sandbox'], Set<string>>()

/**
 * What a suite says without our reporter, where that makes it green on the unchanged code; `null` where
 * the reporter makes no difference. What is true of that code is taken to be true of a change.
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
  const said = await runSuite(plain, input)
  if (said.exitCode !== 0) return null
  known.add(plain.display)
  return said
}

/**
 * Runs the tests of a script whose linter is red on the unchanged code, and so keeps them from running: they alone tell
 * whether a change works. After a change they run where they ran before it; a linter that only the change makes red is
 * what has to be mended.
 */
async function runAlone(
  { alone }: Suite,
  said: CommandReport,
  input: Running,
): Promise<readonly CommandReport[]> {
  if (alone === null) return []
  if (input.before !== undefined) {
    const commands = (await input.before())?.commands ?? []
    const ranBefore = commands.some(({ command }) => command === alone.display)
    return ranBefore ? [await runTwice(alone, input)] : []
  }
  const isCutShort = said.exitCode !== 0 && said.counts === null
  if (!isCutShort || said.timedOut || said.ended !== undefined) return []
  const report = await runSuite(alone, input)
  return report.counts === null ? [] : [report]
}

async function runSuite(suite: Suite, input: Running): Promise<CommandReport> {
  const { first, timeoutSeconds, acceptSeconds = timeoutSeconds } = input
  const run = await input.sandbox.run({
    ...requestFor(suite, input),
    command: first === undefined ? suite.command : after(first, suite.command),
    timeoutSeconds: suite.runner === 'accept' ? acceptSeconds : timeoutSeconds,
    collect: suite.collect,
  })
  const report = toReport(suite, run, input.folder)
  const isMissing = report.counts === null && report.fault?.program === 'pytest'
  return isMissing && suite.otherwise !== null ? runSuite(suite.otherwise, input) : report
}

const after = (first: string, command: Command): Command =>
  'shell' in command
    ? { shell: `${first}\n${command.shell}` }
    : { argv: ['sh', '-c', `${first}; "$@"`, 'sh', ...command.argv] }

/** Search paths of both environments are searched, the suite's own first. */
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
  const { counts, failures, said, titles } = readRun(suite, run, folder)
  const output = `${run.stdout}\n${run.stderr}`
  const tail = tailOf(said?.trim() ? said : output, folder)
  const found = role === 'lint' ? readLint(output, { folder, directory, sources: [] }) : failures
  return {
    ...{ command, exitCode, timedOut, counts, titles, tail, seconds, sandbox },
    ...(role === 'tests' ? {} : { role }),
    ...(ended === undefined ? {} : { ended }),
    // A report of its own knows more than an exit code that anything may set.
    failures: exitCode === 0 && !run.collected.has(collect[0] ?? '') ? [] : found,
    fault: diagnoseCommand(run, tail),
  }
}

function tailOf(output: string, folder: string): string {
  const plain = withoutFolder(plainText(output.slice(-4 * longestTail)), folder).trim()
  const lines = plain.slice(-longestTail).split('\n').slice(-mostTailLines)
  // Tables fill their rows with spaces.
  return lines.map((line) => line.trimEnd()).join('\n')
}

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
