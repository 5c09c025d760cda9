import type { CommandReport, TestReport } from '../domain/test-report.ts'
import type { Ports, SandboxRequest, SandboxRun } from '../ports.ts'
import { parseJsonReport } from './results/json-report.ts'
import { parseJunit } from './results/junit.ts'
import { plainText } from './results/plain-text.ts'
import { type Results, toResults, withoutFolder } from './results/results.ts'
import { parseTap } from './results/tap.ts'
import { parseText } from './results/text.ts'
import type { Runner, Suite } from './suite.ts'

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
  readonly network: boolean
}

/** Runs the suites one after the other, each to its end, and reads what they say. */
export async function runSuites(
  suites: readonly Suite[],
  input: RunInput,
  ports: Pick<Ports, 'sandbox'>,
): Promise<TestReport> {
  const commands: CommandReport[] = []
  for (const suite of suites) commands.push(await runSuite(suite, input, ports))
  return { commands }
}

async function runSuite(
  suite: Suite,
  input: RunInput,
  ports: Pick<Ports, 'sandbox'>,
): Promise<CommandReport> {
  const run = await ports.sandbox.run({
    command: suite.command,
    folder: input.folder,
    directory: suite.directory,
    env: joinEnvironments(input.env ?? {}, suite.env),
    network: input.network,
    mounts: input.mounts,
    timeoutSeconds: input.timeoutSeconds,
    collect: suite.collect,
  })
  const isMissing = run.exitCode !== 0 && /No module named '?pytest'?$/m.test(run.stderr)
  if (isMissing && suite.otherwise !== null) return runSuite(suite.otherwise, input, ports)
  return toReport(suite, run, input.folder)
}

/** Search paths of both are searched, the suite's own first. */
function joinEnvironments(
  prepared: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const paths = [own.PYTHONPATH, prepared.PYTHONPATH].filter((path) => path !== undefined)
  return { ...prepared, ...own, ...(paths.length === 0 ? {} : { PYTHONPATH: paths.join(':') }) }
}

function toReport(suite: Suite, run: SandboxRun, folder: string): CommandReport {
  const { counts, failures } = readRun(suite, run, folder)
  return {
    command: suite.display,
    ...(suite.role === 'tests' ? {} : { role: suite.role }),
    exitCode: run.exitCode,
    timedOut: run.timedOut,
    counts,
    failures: run.exitCode === 0 ? [] : failures,
    tail: tailOf(`${run.stdout}\n${run.stderr}`, folder),
    seconds: run.seconds,
    sandbox: run.sandbox,
  }
}

const reportReaders: Partial<Record<Runner, (text: string, folder: string) => Results | null>> = {
  'node-test': parseTap,
  vitest: parseJsonReport,
  jest: parseJsonReport,
  pytest: parseJunit,
}

const nothingRan = toResults({ passed: 0, failed: 0, skipped: 0 }, [])

/**
 * The exit code is the judge; the output only explains it. A runner that ends well without the
 * report that was asked for has run nothing, and one that fails without a word has crashed.
 */
function readRun(suite: Suite, run: SandboxRun, folder: string): Results {
  const output = `${run.stdout}\n${run.stderr}`
  const [path] = suite.collect
  const report = path === undefined ? undefined : run.collected.get(path)
  const reported = report === undefined ? null : reportReaders[suite.runner]?.(report, folder)
  const results = reported ?? parseText(output, folder)
  const { counts, failures } = results
  if (isEmpty(suite, run, output)) return nothingRan
  if (run.exitCode === 0) return path !== undefined && counts === null ? nothingRan : results
  const isCrash = counts !== null && counts.passed + counts.failed + counts.skipped === 0
  return isCrash && failures.length === 0 ? toResults(null, []) : results
}

/** Some runners call it an error when there is nothing to run. */
function isEmpty(suite: Suite, run: SandboxRun, output: string): boolean {
  if (suite.runner === 'pytest') return run.exitCode === 5
  if (suite.runner === 'unittest') return run.exitCode === 5 && /^Ran 0 tests/m.test(output)
  const isJavaScript = suite.runner === 'vitest' || suite.runner === 'jest'
  return isJavaScript && run.exitCode === 1 && /^No test(?: file)?s found/m.test(plainText(output))
}

function tailOf(output: string, folder: string): string {
  const plain = withoutFolder(plainText(output.slice(-4 * longestTail)), folder).trim()
  return plain.slice(-longestTail).split('\n').slice(-mostTailLines).join('\n')
}
