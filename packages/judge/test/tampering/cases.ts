import type { ChangeSet } from '../../../change/change-set.ts'
import { findWeakenedTests } from '../../tampering/weakened-tests.ts'

export const modified = (path: string, before: string, content: string): ChangeSet => [
  { action: 'modify', path, before, content },
]
export const created = (path: string, content: string): ChangeSet => [
  { action: 'create', path, content },
]
export const deleted = (path: string, before: string): ChangeSet => [
  { action: 'delete', path, before },
]

/** Each finding as `kind test` on its own line. */
export async function kindsIn(changes: ChangeSet): Promise<readonly string[]> {
  const found = await findWeakenedTests(changes)
  return found.map(({ kind, test }) => (test === '' ? kind : `${kind} ${test}`))
}

/** Name of the case, text before, text after, findings. */
export type Row = readonly [name: string, before: string, after: string, found: readonly string[]]
