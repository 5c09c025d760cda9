import type { ChangeSet } from '../../../packages/change/change.ts'
import { readDifference } from '../../../packages/judge/judge.ts'
import type { Workspace } from '../../core/ports/workspace.ts'
import { type CheckFinding, findingOn } from './check-rules.ts'

export interface ReadChange {
  /** What text can say of the change; a renamed file is deleted and created. */
  readonly changes: ChangeSet
  /** Files of which only git can say more. */
  readonly findings: readonly CheckFinding[]
  readonly isEmpty: boolean
}

/** Reads the difference of two commits as a change set, and lists what a change set cannot hold. */
export async function readChange(
  base: string,
  head: string,
  workspace: Pick<Workspace, 'changedBetween' | 'readFiles'>,
): Promise<ReadChange> {
  const entries = await workspace.changedBetween(base, head)
  const { changes, beyond } = await readDifference(
    entries,
    (paths) => workspace.readFiles(base, paths),
    (paths) => workspace.readFiles(head, paths),
  )
  const findings = beyond.map(({ path, kind, what }) => findingOn(path, kind, what))
  return { changes, findings, isEmpty: entries.length === 0 }
}
