import { attemptOf } from '../../core/domain/change-state.ts'
import { type Diagnosis, sameDiagnosis } from '../../core/domain/diagnosis.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { Task } from '../../core/domain/task.ts'
import type { CommandReport, TestReport } from '../../core/domain/test-report.ts'
import type { Workspace } from '../../core/ports/workspace.ts'
import type { Ports } from '../../core/ports.ts'
import { compareReports } from '../compare/compare.ts'
import { type Verification, type VerifyOptions, verifyCommit } from './verify-folder.ts'

type Needs = Pick<Ports, 'workspace' | 'sandbox' | 'settings' | 'clock'>

export interface StartCommit {
  readonly sha: string
  readonly task: Pick<Task, 'verify' | 'accept'>
}

interface Running {
  readonly sha: string
  readonly needed: AbortController
  readonly end: Promise<unknown>
}

/** What this process has run on a project's commits. It follows from them, so it is not stored: a resumed run makes it again. */
interface Baselines {
  /** By commit and what verifies it, those that were asked for last at the end. */
  readonly results: Map<string, Promise<Verification>>
  readonly running: Set<Running>
  /** Whether what the tests of a commit need is there, by commit. */
  readonly setUps: Map<string, Promise<boolean>>
  /** True once somebody waited for that. */
  isSettled: boolean
}

const byWorkspace = new WeakMap<Workspace, Baselines>()

function baselinesOf({ workspace }: Pick<Ports, 'workspace'>): Baselines {
  const known = byWorkspace.get(workspace)
  if (known !== undefined) return known
  const made = { results: new Map(), running: new Set<Running>(), setUps: new Map() }
  const baselines = { ...made, isSettled: false }
  byWorkspace.set(workspace, baselines)
  return baselines
}

/** The names of 50,000 tests are 5 MB: of commits that nobody asked for lately, the tests run again. */
const mostKept = 40

function keep({ results }: Baselines, key: string, found: Promise<Verification>): void {
  results.delete(key)
  results.set(key, found)
  for (const old of [...results.keys()].slice(0, -mostKept)) results.delete(old)
}

const keyOf = (sha: string, verify: string | null): string => `${sha} ${verify ?? ''}`

/** Ends the baselines that still run: a run that is over needs none. */
export async function stopBaselines(ports: Pick<Ports, 'workspace'>): Promise<void> {
  const { results, running } = baselinesOf(ports)
  const all = [...running]
  for (const { needed } of all) needed.abort()
  if (all.length > 0) results.clear()
  await Promise.allSettled(all.map(({ end }) => end))
}

/** Starts the project's tests on a commit that the model is about to be asked about. */
export function beginBaseline(start: StartCommit, ports: Needs): void {
  // `baselineOf` awaits it and throws its error; without a handler until then, Node would end the process.
  if (ports.settings.verify.mode !== 'skip') baselineOn(start, ports).catch(() => {})
}

/**
 * Begins to run the project's tests on a commit, unless their result is known: they run while the model
 * thinks. Once in a run (`isFirst`) it is waited for that what they need is there, and where it is not, for their
 * result; later nothing is waited for.
 *
 * @returns `found` is `null` where nothing is known yet, and nothing that the tests need is known to lack
 */
export async function startBaseline(
  start: StartCommit,
  ports: Needs,
): Promise<{ readonly found: Verification | null; readonly isFirst: boolean }> {
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

export const startOf = (state: RunState): StartCommit => {
  const { start, task } = attemptOf(state)
  return { sha: start.sha, task }
}

/** The tests' result before the change. */
export const baselineOf = (state: RunState, ports: Needs): Promise<Verification> =>
  baselineOn(startOf(state), ports)

export function baselineOn({ sha, task }: StartCommit, ports: Needs): Promise<Verification> {
  const known = baselinesOf(ports)
  const key = keyOf(sha, task.verify)
  const ofTask = `${key} ${JSON.stringify(task.accept)}`
  const { results } = known
  const running = results.get(ofTask) ?? withAccept(sha, task, results.get(key), ports)
  keep(known, ofTask, running)
  if (!results.has(key)) {
    const tests = running.then(onlyTests)
    // As above: a task that never asks is no reason to fail.
    tests.catch(() => {})
    keep(known, key, tests)
  }
  return running
}

/** What other lines say of the start commit, where what verifies it cannot run as it stands. */
export function baselineWith(
  state: RunState,
  choice: Pick<VerifyOptions, 'instead' | 'setup'>,
  ports: Needs,
): Promise<Verification> {
  const { sha, task } = startOf(state)
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

/** Whether accept commands passed before is known only by running them; where tests were run already, just them. */
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

/** More failures than a person or a model reads; whatever is compared is compared with all. */
export const mostShown = 50

const wholes = new WeakMap<TestReport, TestReport>()

/** As much of a report as a state keeps. This process knows the whole of it: `rememberBaseline`. */
export function toStored(report: TestReport): TestReport {
  const commands = report.commands.map(({ titles: _, fault: _fault, ...command }) => ({
    ...command,
    failures: command.failures.slice(0, mostShown),
  }))
  const stored = { ...report, commands }
  wholes.set(stored, report)
  return stored
}

/**
 * What verified a commit of ours is the baseline of whatever grows from it. A report of which only
 * a part was stored is none: the commit's tests run again.
 */
export function rememberBaseline(
  sha: string,
  verify: string | null,
  stored: TestReport,
  ports: Pick<Ports, 'workspace'>,
): void {
  const report = wholes.get(stored) ?? stored
  const isCut = stored.commands.some(({ failures }) => failures.length >= mostShown)
  if (report === stored && isCut) return
  const commands = report.commands.map(withoutFlaky).flatMap(asBaseline)
  const { unprepared } = report
  const verified: Verification = { status: 'verified', report: { commands, unprepared }, notes: [] }
  keep(baselinesOf(ports), keyOf(sha, verify), Promise.resolve(verified))
}

/** An accept command that ran tests took their place; any other says nothing of the next task. */
function asBaseline(command: CommandReport): readonly CommandReport[] {
  if (command.role !== 'accept') return [command]
  const { role: _, ...tests } = command
  return command.counts === null ? [] : [tests]
}

/** A flaky test is one that can pass. */
function withoutFlaky({ flaky, ...command }: CommandReport): CommandReport {
  return flaky !== undefined && command.failures.length === 0
    ? { ...command, exitCode: 0 }
    : command
}

async function runBaseline(
  { sha, task }: StartCommit,
  ports: Needs,
  choice: VerifyOptions = {},
): Promise<Verification> {
  const needed = new AbortController()
  const { running, setUps, isSettled } = baselinesOf(ports)
  const { promise, resolve: prepared } = Promise.withResolvers<boolean>()
  const options = { ...choice, ...(isSettled ? {} : { prepared }), signal: needed.signal }
  // Of one commit there is one folder.
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

/** Ends with 1 where a package is not there: its name is an argument, never a part of the program. */
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

/**
 * Whether what ended a run is still so on the unchanged code, told without a model: a package is
 * looked for, anything else shows when the tests run. Of what cannot be looked for nobody knows: false.
 */
export async function isStillSo(
  cause: Diagnosis,
  start: StartCommit,
  ports: Needs,
): Promise<boolean> {
  const { language, lacks } = cause
  const found = await baselineOn(start, ports)
  if (language !== undefined) {
    const look = looks[language]
    if (look === undefined || lacks === null || lacks.startsWith('-')) return false
    const looked = await runBaseline(start, ports, { look: [...look, lacks] })
    return looked.status === 'verified' && looked.report.commands[0]?.exitCode === 1
  }
  const why = whyBlocked(found)
  return why !== undefined && sameDiagnosis(why, cause)
}

/** Why no test of this code can say anything; undefined where one can. */
export function whyBlocked(found: Verification): Diagnosis | undefined {
  if (found.status === 'not_prepared') return found.diagnosis
  const rules = { requireTests: false, mayRemoveTests: true, lostTests: [] }
  const { result, diagnosis } = compareReports(found.report, found.report, rules)
  return result === 'cannot_run' ? diagnosis : undefined
}
