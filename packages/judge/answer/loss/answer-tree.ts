import { type ChangeSet, overlay } from '../../../change/change.ts'
import type { ChangeTree } from './check-replaced.ts'

/** The commit that a change starts from. */
export type StartTree = Pick<ChangeTree, 'paths' | 'read'>

/** The files of a commit with a change on top. */
export interface AnswerTree {
  exists(path: string): boolean
  /** Reads these files; the result knows the changed ones as well. */
  read(paths: readonly string[]): Promise<(path: string) => string | undefined>
}

/** Puts a change on top of a commit. */
export function openChanged(changes: ChangeSet, { paths, read }: StartTree): AnswerTree {
  const changed = new Set(changes.map(({ path }) => path))
  const known = new Set(paths)
  const written = overlay(() => undefined, changes)
  return {
    exists: (path) => (changed.has(path) ? written(path) !== undefined : known.has(path)),
    async read(wanted) {
      const texts = await read([...new Set(wanted)].filter((path) => !changed.has(path)))
      return overlay((path) => texts.get(path), changes)
    },
  }
}
