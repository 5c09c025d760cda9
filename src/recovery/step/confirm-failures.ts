/** Runs failed tests again on the same code: a flaky failure needs no repair. */

import { changesOf, type Folder, openTree } from '../../../packages/change/change.ts'
import { createVerifier, type TestReport, type Verifier } from '../../../packages/judge/judge.ts'
import type { Attempt } from '../../core/domain/attempt.ts'
import { attemptOf } from '../../core/domain/change-state.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { Ports } from '../../core/ports.ts'

type Needs = Pick<Ports, 'workspace' | 'sandbox' | 'settings' | 'clock' | 'random'>

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
  const attempt = attemptOf(state)
  const { tests, broken } = attempt
  if (tests === null || !tests.commands.some(({ once }) => once)) {
    const confirmed = Promise.resolve(null)
    return { isChance: Promise.resolve(false), confirmed, end: async () => {} }
  }
  const needed = new AbortController()
  const verifier = verifierOf(attempt, ports)
  const again = verifier.then(({ runAgain }) => runAgain(tests, needed))
  const isChance = again.then(async (report) => (await verifier).isByChance(report, broken))
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

/** Runs the tests of an attempt's written change. */
export async function verifierOf(attempt: Attempt, ports: Needs): Promise<Verifier> {
  const folder = await folderOf(attempt, ports)
  const start = await openTree(attempt.start.sha, ports.workspace)
  const tree = start.with(changesOf(attempt.draft))
  return createVerifier({ task: attempt.task, tree, folder }, ports)
}

/** The folder that `write_files` left; rebuilt when the run was killed in between. */
async function folderOf(attempt: Attempt, ports: Pick<Ports, 'workspace'>): Promise<Folder> {
  const known = ports.workspace.folder(attempt.task.id)
  if (known !== null) return known
  const folder = await ports.workspace.checkOut(attempt.task.id, attempt.start.sha)
  const made = await ports.workspace.write(folder, changesOf(attempt.draft))
  if (made.status === 'refused') throw new Error(`A validated change was refused: ${made.reason}`)
  return folder
}
