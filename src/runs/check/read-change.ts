import { changeBetween } from '../../changes/reply/change-sets.ts'
import type { ChangeSet } from '../../core/domain/change-set.ts'
import type { DiffEntry, Workspace } from '../../core/ports/workspace.ts'
import { type CheckFinding, findingOn } from './check-rules.ts'

export interface ReadChange {
  /** What text can say of the change; a renamed file is deleted and created. */
  readonly changes: ChangeSet
  /** Files of which only git can say more. */
  readonly findings: readonly CheckFinding[]
  readonly isEmpty: boolean
}

/** In a larger change, no file is read. */
const mostFiles = 1000

/** Reads the difference of two commits as a change set, and lists what a change set cannot hold. */
export async function readChange(
  base: string,
  head: string,
  workspace: Pick<Workspace, 'changedBetween' | 'readFiles'>,
): Promise<ReadChange> {
  const entries = await workspace.changedBetween(base, head)
  const isEmpty = entries.length === 0
  if (entries.length > mostFiles) {
    const message = `changes ${entries.length} files, at most ${mostFiles} are read`
    const findings = [findingOn('', 'size', message)]
    return { changes: [], findings, isEmpty }
  }
  const paths = (side: 'oldPath' | 'path') => entries.map((entry) => entry[side])
  const [before, after] = await Promise.all([
    workspace.readFiles(base, paths('oldPath')),
    workspace.readFiles(head, paths('path')),
  ])
  const changes = entries.flatMap(({ status, path, oldPath }) => {
    const [old, now] = [before.get(oldPath), after.get(path)]
    if (status === 'added') return changeBetween(path, undefined, now) ?? []
    if (status === 'deleted') return changeBetween(path, old, undefined) ?? []
    if (status !== 'renamed') {
      // A change set cannot say that one side is no text.
      return old === undefined || now === undefined ? [] : (changeBetween(path, old, now) ?? [])
    }
    return [
      changeBetween(oldPath, old, undefined) ?? [],
      changeBetween(path, undefined, now) ?? [],
    ].flat()
  })
  const findings = entries.flatMap((entry) => whatGitSays(entry, after.has(entry.path)))
  return { changes, findings, isEmpty }
}

const isLink = (mode: string): boolean => mode === '120000' || mode === '160000'

function whatGitSays(
  { status, path, oldMode, newMode }: DiffEntry,
  isText: boolean,
): readonly CheckFinding[] {
  if (status === 'deleted') return []
  const link = [newMode, oldMode].find(isLink)
  if (link !== undefined) {
    const what = link === '120000' ? 'a symbolic link' : 'another repository (submodule)'
    return [findingOn(path, 'tree', `${link === newMode ? 'is' : 'was'} ${what}`)]
  }
  const isNew = status === 'added'
  const became = isNew ? newMode === '100755' : oldMode !== newMode
  const what = newMode === '100755' ? 'is executable' : 'is no longer executable'
  return [
    ...(became ? [findingOn(path, 'mode', what)] : []),
    ...(isText ? [] : [findingOn(path, 'binary', 'is not text, or too large to check')]),
  ]
}
