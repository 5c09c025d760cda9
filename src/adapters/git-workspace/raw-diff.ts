import type { DiffEntry } from '../../core/ports/workspace.ts'

const statuses: Readonly<Record<string, DiffEntry['status']>> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  T: 'type_changed',
}

/** Reads what `git diff-tree --raw -z` and its sisters print. A status it does not know is an error. */
export function readRawDiff(output: string): DiffEntry[] {
  const fields = output.split('\0')
  const entries: DiffEntry[] = []
  let at = 0
  while (at + 1 < fields.length) {
    const [oldMode = '', newMode = '', , , letter = ''] = (fields[at++] ?? '').slice(1).split(' ')
    const status = statuses[letter.charAt(0)]
    if (status === undefined) throw new Error(`git diff: unknown status ${letter}`)
    const oldPath = fields[at++] ?? ''
    const path = status === 'renamed' ? (fields[at++] ?? '') : oldPath
    entries.push({ status, path, oldPath, oldMode, newMode })
  }
  return entries
}
