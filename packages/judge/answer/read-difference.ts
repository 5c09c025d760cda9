import { type ChangeSet, changeBetween, type DiffEntry, newFileMode } from '../../change/change.ts'

export interface Difference {
  /** What text can say of it; a renamed file is deleted and created. */
  readonly changes: ChangeSet
  /** What only git can say: links, modes and files that are not text; or that they are too many. */
  readonly beyond: readonly {
    readonly path: string
    readonly kind: 'tree' | 'mode' | 'binary' | 'size'
    /** `is a symbolic link` */
    readonly what: string
  }[]
}

/** A larger difference is no work on one task: no file of it is read. */
const mostFiles = 1000

type Texts = ReadonlyMap<string, string>

type Read = (paths: readonly string[]) => Promise<Texts>

/**
 * Reads what git says of a difference as a change set, and lists what a change set cannot hold.
 *
 * @param readBefore reads texts of the commit that the difference starts from
 * @param readAfter reads texts of its result
 */
export async function readDifference(
  entries: readonly DiffEntry[],
  readBefore: Read,
  readAfter: Read,
): Promise<Difference> {
  if (entries.length > mostFiles) {
    const what = `changes ${entries.length} files, at most ${mostFiles} are read`
    return { changes: [], beyond: [{ path: '', kind: 'size', what }] }
  }
  const [before, after] = await Promise.all([
    readBefore(entries.map(({ oldPath }) => oldPath)),
    readAfter(entries.map(({ path }) => path)),
  ])
  return {
    changes: entries.flatMap((entry) => changesOf(entry, before, after)),
    beyond: entries.flatMap((entry) => beyondText(entry, after.get(entry.path))),
  }
}

function changesOf({ status, path, oldPath }: DiffEntry, before: Texts, after: Texts): ChangeSet {
  const [old, now] = [before.get(oldPath), after.get(path)]
  const change = (at: string, from: string | undefined, to: string | undefined) => {
    const found = changeBetween(at, from, to)
    return found === null ? [] : [found]
  }
  if (status === 'added') return change(path, undefined, now)
  if (status === 'deleted') return change(path, old, undefined)
  if (status === 'renamed')
    return [...change(oldPath, old, undefined), ...change(path, undefined, now)]
  // A change set cannot say that one side is no text.
  return old === undefined || now === undefined ? [] : change(path, old, now)
}

const isLink = (mode: string): boolean => mode === '120000' || mode === '160000'

function beyondText(
  { status, path, oldMode, newMode }: DiffEntry,
  now: string | undefined,
): Difference['beyond'] {
  if (status === 'deleted') return []
  const link = [newMode, oldMode].find(isLink)
  if (link !== undefined) {
    const what = link === '120000' ? 'a symbolic link' : 'another repository (submodule)'
    return [{ path, kind: 'tree', what: `${link === newMode ? 'is' : 'was'} ${what}` }]
  }
  const isNewProgram = newMode === '100755' && newFileMode(now ?? '') !== newMode
  const became = status === 'added' ? isNewProgram : oldMode !== newMode
  const mode = newMode === '100755' ? 'is executable' : 'is no longer executable'
  return [
    ...(became ? [{ path, kind: 'mode', what: mode } as const] : []),
    ...(now !== undefined
      ? []
      : [{ path, kind: 'binary', what: 'is not text, or too large to check' } as const]),
  ]
}
