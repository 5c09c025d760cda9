import type { FileChange } from '../../core/domain/change-set.ts'

/** The change that leads from one text of a file to another; `undefined` is no file, `null` no change. */
export function changeBetween(
  path: string,
  before: string | undefined,
  content: string | undefined,
): FileChange | null {
  if (before === content) return null
  if (before === undefined) return { action: 'create', path, content: content ?? '' }
  if (content === undefined) return { action: 'delete', path, before }
  return { action: 'modify', path, before, content }
}
