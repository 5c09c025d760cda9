import { attemptOf } from '../domain/attempt.ts'
import type { RunState } from '../domain/run-state.ts'
import type { CommandReport, TestReport } from '../domain/test-report.ts'
import type { Ports, Workspace } from '../ports.ts'
import { type Verification, verifyFolder } from './verify-folder.ts'

type Needs = Pick<Ports, 'workspace' | 'sandbox' | 'settings'>

const baselines = new WeakMap<Workspace, Map<string, Promise<Verification>>>()

/**
 * Begins to run the project's tests on the attempt's start commit, unless their result is
 * known: it runs while the model thinks. A baseline is derived from a commit, so it is kept
 * for the process and not stored; a resumed run makes it again.
 */
export function startBaseline(state: RunState, ports: Needs): void {
  if (ports.settings.verify.mode === 'skip') return
  // Whoever needs the result meets its error; until then nobody listens.
  baselineOf(state, ports).catch(() => {})
}

/** The tests' result before the change. */
export function baselineOf(state: RunState, ports: Needs): Promise<Verification> {
  const { start, task } = attemptOf(state)
  const known = knownBaselines(ports.workspace)
  const key = keyOf(start.sha, task.verify)
  const running = known.get(key) ?? runBaseline(start.sha, task.verify, ports)
  known.set(key, running)
  return running
}

/** What verified a commit of ours is the baseline of whatever grows from it. */
export function rememberBaseline(
  sha: string,
  verify: string | null,
  report: TestReport,
  ports: Pick<Ports, 'workspace'>,
): void {
  const commands = report.commands.flatMap(asBaseline)
  const verified: Verification = { status: 'verified', report: { commands }, notes: [] }
  knownBaselines(ports.workspace).set(keyOf(sha, verify), Promise.resolve(verified))
}

/** An accept command that ran tests took their place; any other says nothing of the next task. */
function asBaseline(command: CommandReport): readonly CommandReport[] {
  if (command.role !== 'accept') return [command]
  const { role: _, ...tests } = command
  return command.counts === null ? [] : [tests]
}

const keyOf = (sha: string, verify: string | null): string => `${sha} ${verify ?? ''}`

function knownBaselines(workspace: Workspace): Map<string, Promise<Verification>> {
  const known = baselines.get(workspace) ?? new Map<string, Promise<Verification>>()
  baselines.set(workspace, known)
  return known
}

async function runBaseline(
  sha: string,
  verify: string | null,
  ports: Needs,
): Promise<Verification> {
  const name = `baseline-${sha.slice(0, 12)}`
  // The sandbox tries itself out when first asked for anything: git works meanwhile. Whoever runs
  // something in it meets its error.
  ports.sandbox.ability().catch(() => {})
  const folder = await ports.workspace.checkOut(name, sha)
  try {
    const files = await ports.workspace.listFiles(sha)
    const paths = files.map(({ path }) => path)
    return await verifyFolder(folder, paths, { verify, accept: [] }, ports)
  } finally {
    await ports.workspace.discard(name)
  }
}
