/** Runs failed tests again on the same code: a flaky failure needs no repair. */

import type { Attempt } from '../../core/domain/attempt.ts'
import { attemptOf, startOf } from '../../core/domain/change-state.ts'
import { changesOf } from '../../core/domain/draft.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { TestReport } from '../../core/domain/test-report.ts'
import type { Folder } from '../../core/ports/trees.ts'
import type { Ports } from '../../core/ports.ts'
import { openTree } from '../../core/tree.ts'
import { identity } from '../../verify/compare/read-outcome.ts'
import { baselineOn } from '../../verify/run/baseline.ts'
import { reportOf, verifyFolder } from '../../verify/run/verify-folder.ts'

type Needs = Pick<Ports, 'workspace' | 'sandbox' | 'settings' | 'clock'>

export interface Confirmation {
  /** True when every test to repair failed by chance. */
  readonly isChance: Promise<boolean>
  /** The report with the second run; `null` when there was none, or it broke off. */
  readonly confirmed: Promise<TestReport | null>
  /** Stops the second run. */
  end(): Promise<void>
}

/** Starts the second run of what ran once; a resumed run starts it again. */
export function confirmFailures(state: RunState, ports: Needs): Confirmation {
  const { tests, broken } = attemptOf(state)
  if (tests === null || !tests.commands.some(({ once }) => once)) {
    const confirmed = Promise.resolve(null)
    return { isChance: Promise.resolve(false), confirmed, end: async () => {} }
  }
  const needed = new AbortController()
  const again = runFailuresAgain(state, tests, ports, needed)
  const isChance = again.then(({ commands }) => {
    const flaky = new Set(commands.flatMap((command) => command.flaky ?? []).map(identity))
    return broken.length > 0 && broken.every((failure) => flaky.has(identity(failure)))
  })
  const settled = isChance.catch(() => false)
  return {
    isChance,
    confirmed: again.catch(() => null),
    async end() {
      needed.abort()
      await settled
    },
  }
}

/** Joins a report with a second run of what ran only once; with `whole`, runs everything again. */
export async function runFailuresAgain(
  state: RunState,
  report: TestReport,
  ports: Needs,
  { whole = false, signal }: { readonly whole?: boolean; readonly signal?: AbortSignal } = {},
): Promise<TestReport> {
  const { draft, start, task } = attemptOf(state)
  const folder = await folderOf(attemptOf(state), ports)
  const written = changesOf(draft)
  const tree = (await openTree(start.sha, ports.workspace)).with(written)
  const change = {
    paths: written.map(({ path }) => path),
    before: () => baselineOn(startOf(state), ports),
  }
  const again = whole ? undefined : report
  const found = reportOf(await verifyFolder(folder, tree, task, ports, { change, again, signal }))
  if (found === null) return report
  return whole ? found : { ...report, commands: found.commands }
}

/** The folder that `write_files` left; rebuilt when the run was killed in between. */
export async function folderOf(attempt: Attempt, ports: Pick<Ports, 'workspace'>): Promise<Folder> {
  const known = ports.workspace.folder(attempt.task.id)
  if (known !== null) return known
  const folder = await ports.workspace.checkOut(attempt.task.id, attempt.start.sha)
  const made = await ports.workspace.write(folder, changesOf(attempt.draft))
  if (made.status === 'refused') throw new Error(`A validated change was refused: ${made.reason}`)
  return folder
}
