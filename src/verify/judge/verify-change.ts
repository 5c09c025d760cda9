import { posix } from 'node:path'
import type { ChangeSet } from '../../core/domain/change-set.ts'
import type { Receipt, TestFailure } from '../../core/domain/test-report.ts'
import type { Scope } from '../../core/judging.ts'
import type { Folder } from '../../core/ports/trees.ts'
import type { Tree } from '../../core/tree.ts'
import { countChanges } from '../../text/markdown/count-changes.ts'
import type { Comparison } from '../compare/compare.ts'
import { timesIn } from '../compare/find-unrun.ts'
import { prepareProof } from '../proof/prepare-proof.ts'
import type { ProofPorts } from '../proof/run-changed.ts'
import { baselineOn } from '../run/baseline.ts'
import { verifyFolder } from '../run/verify-folder.ts'
import { compareChange } from './compare-change.ts'

/** A change that is already in a folder. */
export interface WrittenChange {
  readonly task: Pick<Scope, 'title' | 'details' | 'files' | 'verify' | 'accept'>
  /** Its commit is the one that the change starts from; `folder.sha` is the same. */
  readonly tree: Pick<Tree, 'sha' | 'changes' | 'paths' | 'read'>
  readonly folder: Folder
}

/**
 * Runs the tests with and without a change, and compares them. No command line is corrected. A test that was red before
 * is the change's to turn green only where the task names it: its author may not have known of it.
 */
export async function verifyChange(
  { task, tree, folder }: WrittenChange,
  ports: ProofPorts,
  signal?: AbortSignal,
): Promise<Comparison> {
  const { changes } = tree
  const start = { sha: tree.sha, task }
  const proof = prepareProof(start, tree, ports)
  const change = { paths: changes.map(({ path }) => path), before: () => baselineOn(start, ports) }
  try {
    const [before, after] = await Promise.all([
      baselineOn(start, ports),
      verifyFolder(folder, tree, task, ports, { change, signal, begins: proof.begin }),
    ])
    if (after.status === 'not_prepared') {
      const { reason, diagnosis } = after
      return { result: 'cannot_run', broken: [], receipt: nothingRun(changes, [reason]), diagnosis }
    }
    const judged = { task, draft: { changes }, owes: namedBy(task) }
    return await compareChange(judged, { before, after, warnings: [] }, tree, proof, ports)
  } finally {
    await proof.end()
  }
}

/** Tells the failures that a task names, by their test or its file. */
function namedBy({ title, details, files }: WrittenChange['task']) {
  const words = [title, details, ...files].join('\n')
  return ({ file, test }: TestFailure): boolean =>
    [posix.basename(file ?? ''), test.split(' > ').at(-1) ?? ''].some(
      (name) => timesIn(words, name) > 0,
    )
}

/** The receipt of a change whose tests did not run, with the reasons. */
export const nothingRun = (
  changes: ChangeSet,
  notes: readonly string[],
  result: Receipt['result'] = 'failed',
): Receipt => ({
  ...{ result, commands: [], before: null, after: null, seconds: 0, sandbox: null },
  ...{ changed: countChanges(changes), notes: [...notes] },
})
