import type { Task } from '../domain/task.ts'
import type { TestReport } from '../domain/test-report.ts'
import type { Folder, Ports } from '../ports.ts'
import { detectSuites } from './detect-suites.ts'
import { filesToRead } from './files-to-read.ts'
import { planDependencies } from './plan-dependencies.ts'
import { prepareDependencies } from './prepare-dependencies.ts'
import { runSuites } from './run-suites.ts'

export type Verification =
  | { readonly status: 'verified'; readonly report: TestReport; readonly notes: readonly string[] }
  /** The project's dependencies could not be had; no test could say anything. */
  | { readonly status: 'not_prepared'; readonly reason: string; readonly output: string }

type Needs = Pick<Ports, 'workspace' | 'sandbox' | 'settings'>

/**
 * Everything that verifies a task, run in one folder: its dependencies are prepared (once per
 * lock file), its suites detected from what is on disk there, and run one after the other.
 *
 * @param paths every path in the folder that came from the repository or the change
 */
export async function verifyFolder(
  folder: Folder,
  paths: readonly string[],
  task: Pick<Task, 'verify' | 'accept'>,
  ports: Needs,
): Promise<Verification> {
  const { verify, sandbox } = ports.settings
  const texts = await ports.workspace.readFolder(folder, filesToRead(paths))
  const repository = { files: paths, read: (path: string) => texts.get(path) }
  const detected = detectSuites(repository, verify, task)
  const own = verify.mode === 'agent' && task.verify === null
  const suites = own ? detected.filter(({ role }) => role === 'accept') : detected
  if (suites.length === 0) return { status: 'verified', report: { commands: [] }, notes: [] }
  const plans = await planDependencies(repository, verify, (name) => ports.sandbox.has(name))
  const prepared = await prepareDependencies(plans, { folder: folder.path }, ports)
  if (prepared.status === 'failed') {
    const { reason, output } = prepared
    return { status: 'not_prepared', reason, output }
  }
  const report = await runSuites(
    suites,
    {
      folder: folder.path,
      mounts: prepared.mounts,
      env: prepared.env,
      timeoutSeconds: verify.timeoutSeconds,
      network: sandbox.network,
    },
    ports,
  )
  return { status: 'verified', report, notes: prepared.notes }
}
