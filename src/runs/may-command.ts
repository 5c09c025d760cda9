import type { Author, Discussion, Permission } from '../core/ports/discussion.ts'

const enough: ReadonlySet<Permission> = new Set(['admin', 'maintain', 'write'])

/** Whether somebody may write to this repository now. In doubt: no. */
export async function mayCommand(
  person: Author,
  discussion: Pick<Discussion, 'permissionOf'>,
): Promise<boolean> {
  return !person.isBot && enough.has(await discussion.permissionOf(person))
}
