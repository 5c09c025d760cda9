import { attemptOf } from '../../core/domain/attempt.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { Task } from '../../core/domain/task.ts'
import type { CommandReport, TestReport } from '../../core/domain/test-report.ts'
import type { Workspace } from '../../core/ports/workspace.ts'
import type { Ports } from '../../core/ports.ts'
import { type Verification, type VerifyOptions, verifyFolder } from './verify-folder.ts'

type Needs = Pick<Ports, 'workspace' | 'sandbox' | 'settings' | 'clock'>

type Known = Map<string, Promise<Verification>>

const baselines = new WeakMap<Workspace, Known>()

interface Running {
  readonly sha: string
  readonly needed: AbortController
  readonly end: Promise<unknown>
}

const underWay = new WeakMap<Workspace, Set<Running>>()

/** Whether what the tests of a commit need is there, by commit. */
const setUps = new WeakMap<Workspace, Map<string, Promise<boolean>>>()
/** Where it was looked at once. */
const settled = new WeakSet<Workspace>()

export interface StartCommit {
  readonly sha: string
  readonly task: Pick<Task, 'verify' | 'accept'>
}

/** Ends the baselines that still run: a run that is over needs none. */
export async function stopBaselines({ workspace }: Pick<Ports, 'workspace'>): Promise<void> {
  const running = [...(underWay.get(workspace) ?? [])]
  for (const { needed } of running) needed.abort()
  if (running.length > 0) baselines.delete(workspace)
  await Promise.allSettled(running.map(({ end }) => end))
}

export interface Started {
  /** `null` where nothing is known yet, and what the tests need is there as far as anybody knows. */
  readonly found: Verification | null
  /** True where this was waited for now, once in a run. */
  readonly isFirst: boolean
}

/** Starts the project's tests on a commit that the model is about to be asked about. */
export function beginBaseline(start: StartCommit, ports: Needs): void {
  // `baselineOf` awaits it and throws its error; without a handler until then, Node would end the process.
  if (ports.settings.verify.mode !== 'skip') baselineOn(start, ports).catch(() => {})
}

/**
 * Begins to run the project's tests on a commit, unless their result is known: they run while the model
 * thinks. Once in a run it is waited for that what they need is there, and where it is not, for their result; later
 * nothing is waited for. A baseline is derived from a commit, so it is kept for the process and not stored; a resumed
 * run makes it again.
 */
export async function startBaseline(start: StartCommit, ports: Needs): Promise<Started> {
  const { workspace, settings } = ports
  if (settings.verify.mode === 'skip') return { found: null, isFirst: false }
  beginBaseline(start, ports)
  const running = baselineOn(start, ports)
  if (settled.has(workspace)) {
    const tests = knownBaselines(workspace).get(keyOf(start.sha, start.task.verify))
    return { found: await Promise.race([tests ?? running, null]), isFirst: false }
  }
  const isReady = await (setUps.get(workspace)?.get(start.sha) ?? true)
  const found = isReady ? null : await running
  settled.add(workspace)
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
  const known = knownBaselines(ports.workspace)
  const key = keyOf(sha, task.verify)
  const ofTask = `${key} ${JSON.stringify(task.accept)}`
  const running = known.get(ofTask) ?? withAccept(sha, task, known.get(key), ports)
  keep(known, ofTask, running)
  if (!known.has(key)) {
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
  const { start, task } = attemptOf(state)
  const known = knownBaselines(ports.workspace)
  const lines = [...(choice.instead ?? []), ['setup', choice.setup]]
  const key = `${keyOf(start.sha, task.verify)} ${JSON.stringify([task.accept, lines])}`
  const running = known.get(key) ?? runBaseline({ sha: start.sha, task }, ports, choice)
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
  task: Pick<Task, 'verify' | 'accept'>,
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
  keep(knownBaselines(ports.workspace), keyOf(sha, verify), Promise.resolve(verified))
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

const keyOf = (sha: string, verify: string | null): string => `${sha} ${verify ?? ''}`

/** The names of 50,000 tests are 5 MB: of commits that nobody asked for lately, the tests run again. */
const mostKept = 40

function keep(known: Known, key: string, found: Promise<Verification>): void {
  known.delete(key)
  known.set(key, found)
  for (const old of [...known.keys()].slice(0, -mostKept)) known.delete(old)
}

function knownBaselines(workspace: Workspace): Known {
  const known: Known = baselines.get(workspace) ?? new Map()
  baselines.set(workspace, known)
  return known
}

export async function runBaseline(
  start: StartCommit,
  ports: Needs,
  choice: VerifyOptions = {},
): Promise<Verification> {
  const needed = new AbortController()
  const known = underWay.get(ports.workspace) ?? new Set()
  underWay.set(ports.workspace, known)
  const { promise, resolve: prepared } = Promise.withResolvers<boolean>()
  const tell = settled.has(ports.workspace) ? {} : { prepared }
  // Of one commit there is one folder.
  const earlier = [...known].filter(({ sha }) => sha === start.sha).map((each) => each.end)
  const end = Promise.allSettled(earlier).then(() =>
    runOn(start, ports, { ...choice, ...tell, signal: needed.signal }),
  )
  const places = setUps.get(ports.workspace) ?? new Map()
  setUps.set(ports.workspace, places)
  if (!places.has(start.sha)) places.set(start.sha, promise)
  const running = { sha: start.sha, needed, end }
  known.add(running)
  return end.finally(() => {
    prepared(true)
    known.delete(running)
  })
}

async function runOn(
  { sha, task }: StartCommit,
  ports: Needs,
  choice: VerifyOptions,
): Promise<Verification> {
  const name = `baseline-${sha.slice(0, 12)}`
  const folder = await ports.workspace.checkOut(name, sha)
  try {
    const files = await ports.workspace.listFiles(sha)
    const paths = files.map(({ path }) => path)
    return await verifyFolder(folder, paths, task, ports, choice)
  } finally {
    await ports.workspace.discard(name)
  }
}
