import type { FileChange } from '../domain/change-set.ts'

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

/** The file's text before the change, or `undefined` when there was no file. */
export function contentBefore(change: FileChange): string | undefined {
  return change.action === 'create' ? undefined : change.before
}
