import { type Diagnosis, sameDiagnosis } from '../../diagnosis/diagnosis.ts'
import { compareReports } from '../compare/compare.ts'
import type { JudgePorts, Scope } from '../judging.ts'
import type { CommandReport, TestReport } from '../results/test-report.ts'
import { baselinesOf, keep, keyOf } from './kept-baselines.ts'
import { reportOf, type Verification, type VerifyOptions, verifyCommit } from './verify-folder.ts'

type Needs = Pick<JudgePorts, 'workspace' | 'sandbox' | 'settings' | 'clock'>

export interface StartCommit {
  readonly sha: string
  readonly task: Pick<Scope, 'verify' | 'accept'>
}

/** The tests of the commit that a change starts from; they run once in a process. */
export interface Baseline {
  /** Starts them before the model is asked about the commit. */
  begin(): void
  /**
   * Starts them while the model thinks, unless their result is known. The first call in a run (`isFirst`) waits until
   * their dependencies are installed or, if they cannot be, for the result; later calls do not wait. `found` is `null`
   * when nothing is known yet and no dependency is known to be missing.
   */
  start(): Promise<{ readonly found: Verification | null; readonly isFirst: boolean }>
  result(): Promise<Verification>
  /** `null` where they cannot run. */
  report(): Promise<TestReport | null>
  /**
   * True when the cause that ended a run persists on the unchanged code. Needs no model: looks for a missing package, or
   * runs the tests. False when it cannot look.
   */
  isStillSo(cause: Diagnosis): Promise<boolean>
  /**
   * Makes this report on our commit the result of whatever builds on it. A report stored only in part does not count:
   * the commit's tests run again.
   */
  remember(stored: TestReport): void
  /** Explains why no test of this code can report anything; undefined when one can. */
  whyBlocked(found: Verification): Diagnosis | undefined
}

export const openBaseline = (start: StartCommit, ports: Needs): Baseline => ({
  begin: () => beginBaseline(start, ports),
  start: () => startBaseline(start, ports),
  result: () => baselineOn(start, ports),
  report: async () => reportOf(await baselineOn(start, ports)),
  isStillSo: (cause) => isStillSo(cause, start, ports),
  remember: (stored) => rememberBaseline(start, stored, ports),
  whyBlocked,
})

function beginBaseline(start: StartCommit, ports: Needs): void {
  // `baselineOf` rethrows its error; without a handler until then, Node would exit.
  if (ports.settings.verify.mode !== 'skip') baselineOn(start, ports).catch(() => {})
}

async function startBaseline(start: StartCommit, ports: Needs): ReturnType<Baseline['start']> {
  if (ports.settings.verify.mode === 'skip') return { found: null, isFirst: false }
  beginBaseline(start, ports)
  const running = baselineOn(start, ports)
  const known = baselinesOf(ports)
  if (known.isSettled) {
    const tests = known.results.get(keyOf(start.sha, start.task.verify))
    return { found: await Promise.race([tests ?? running, null]), isFirst: false }
  }
  const isReady = await (known.setUps.get(start.sha) ?? true)
  const found = isReady ? null : await running
  known.isSettled = true
  return { found, isFirst: true }
}

/** Returns the tests' result before the change. */
export function baselineOn({ sha, task }: StartCommit, ports: Needs): Promise<Verification> {
  const known = baselinesOf(ports)
  const key = keyOf(sha, task.verify)
  const ofTask = `${key} ${JSON.stringify(task.accept)}`
  const { results } = known
  const running = results.get(ofTask) ?? withAccept(sha, task, results.get(key), ports)
  keep(known, ofTask, running)
  if (!results.has(key)) {
    const tests = running.then(onlyTests)
    // As above: a task that never asks must not end the process.
    tests.catch(() => {})
    keep(known, key, tests)
  }
  return running
}

/** Runs other lines on the start commit, where what verifies it cannot run unchanged. */
export function baselineWith(
  { sha, task }: StartCommit,
  choice: Pick<VerifyOptions, 'instead' | 'setup'>,
  ports: Needs,
): Promise<Verification> {
  const known = baselinesOf(ports)
  const lines = [...(choice.instead ?? []), ['setup', choice.setup]]
  const key = `${keyOf(sha, task.verify)} ${JSON.stringify([task.accept, lines])}`
  const running = known.results.get(key) ?? runBaseline({ sha, task }, ports, choice)
  keep(known, key, running)
  return running
}

const onlyTests = (found: Verification): Verification =>
  found.status === 'verified'
    ? { ...found, report: { ...found.report, commands: found.report.commands.flatMap(asBaseline) } }
    : found

/** Also runs accept commands, which alone shows whether they passed before; reuses known tests. */
async function withAccept(
  sha: string,
  task: StartCommit['task'],
  tests: Promise<Verification> | undefined,
  ports: Needs,
): Promise<Verification> {
  if (tests === undefined) return runBaseline({ sha, task }, ports)
  const found = await tests
  if (found.status !== 'verified') return found
  const known = new Set(found.report.commands.map(({ command }) => command))
  const accept = task.accept.filter((line) => !known.has(line.trim()))
  if (accept.length === 0) return found
  const rest = { sha, task: { verify: task.verify, accept } }
  const more = await runBaseline(rest, ports, { only: 'accept' })
  if (more.status !== 'verified') return found
  const commands = [...found.report.commands, ...more.report.commands]
  return { ...found, report: { ...found.report, commands } }
}

/** More failures than a person or a model reads; comparisons use all of them. */
export const mostShown = 50

const wholes = new WeakMap<TestReport, TestReport>()

/** Cuts a report to what a state keeps; `rememberBaseline` finds the whole in this process. */
export function toStored(report: TestReport): TestReport {
  const commands = report.commands.map(({ titles: _, fault: _fault, ...command }) => ({
    ...command,
    failures: command.failures.slice(0, mostShown),
  }))
  const stored = { ...report, commands }
  wholes.set(stored, report)
  return stored
}

function rememberBaseline(
  { sha, task }: StartCommit,
  stored: TestReport,
  ports: Pick<JudgePorts, 'workspace'>,
): void {
  const report = wholes.get(stored) ?? stored
  const isCut = stored.commands.some(({ failures }) => failures.length >= mostShown)
  if (report === stored && isCut) return
  const commands = report.commands.map(withoutFlaky).flatMap(asBaseline)
  const { unprepared } = report
  const verified: Verification = { status: 'verified', report: { commands, unprepared }, notes: [] }
  keep(baselinesOf(ports), keyOf(sha, task.verify), Promise.resolve(verified))
}

/** An accept command that ran tests may be a suite of the next task; others say nothing about it. */
const asBaseline = (command: CommandReport): readonly CommandReport[] =>
  command.role === 'accept' && command.counts === null ? [] : [command]

/** A flaky test counts as one that can pass. */
const withoutFlaky = ({ flaky, ...command }: CommandReport): CommandReport =>
  flaky !== undefined && command.failures.length === 0 ? { ...command, exitCode: 0 } : command

async function runBaseline(
  { sha, task }: StartCommit,
  ports: Needs,
  choice: VerifyOptions = {},
): Promise<Verification> {
  const needed = new AbortController()
  const { running, setUps, isSettled } = baselinesOf(ports)
  const { promise, resolve: prepared } = Promise.withResolvers<boolean>()
  const options = { ...choice, ...(isSettled ? {} : { prepared }), signal: needed.signal }
  // Each commit has only one folder.
  const earlier = [...running].filter((each) => each.sha === sha).map((each) => each.end)
  const end = Promise.allSettled(earlier).then(() =>
    verifyCommit('baseline', { sha, task }, [], ports, options),
  )
  if (!setUps.has(sha)) setUps.set(sha, promise)
  const own = { sha, needed, end }
  running.add(own)
  return end.finally(() => {
    prepared(true)
    running.delete(own)
  })
}

/** Exits with 1 when a package is missing; its name is an argument, never part of the program. */
export const looks: Readonly<Record<string, readonly string[]>> = {
  javascript: [
    'node',
    '-e',
    'try { require.resolve(process.argv[1]) } catch (error) { process.exitCode = error.code === "MODULE_NOT_FOUND" ? 1 : 0 }',
  ],
  python: [
    'python3',
    '-c',
    'import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1].split(".")[0]) is None)',
  ],
  ruby: ['ruby', '-e', 'begin; require ARGV[0]; rescue LoadError; exit 1; rescue Exception; end'],
  go: ['go', 'list', '--'],
}

async function isStillSo(cause: Diagnosis, start: StartCommit, ports: Needs): Promise<boolean> {
  const { language, lacks } = cause
  const found = await baselineOn(start, ports)
  if (language !== undefined) {
    const look = looks[language]
    if (look === undefined || lacks === null || lacks.startsWith('-')) return false
    const run = await runBaseline(start, ports, { look: { argv: [...look, lacks] } })
    return run.status === 'verified' && run.report.commands[0]?.exitCode === 1
  }
  const why = whyBlocked(found)
  return why !== undefined && sameDiagnosis(why, cause)
}

function whyBlocked(found: Verification): Diagnosis | undefined {
  if (found.status === 'not_prepared') return found.diagnosis
  const rules = { requireTests: false, mayRemoveTests: true, lostTests: [] }
  const { result, diagnosis } = compareReports(found.report, found.report, rules)
  return result === 'cannot_run' ? diagnosis : undefined
}
