import { type ChangeSet, contentAfter } from './change-set.ts'
import type { TreeEntry, Trees } from './trees.ts'

/** The files of a commit, with changes on top of it. */
export interface Tree {
  readonly sha: string
  /** Of the commit alone. */
  readonly files: readonly TreeEntry[]
  readonly changes: ChangeSet
  /** Each once, without those that the changes delete. */
  readonly paths: readonly string[]
  /** As `Trees.readFiles`, after the changes. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The same commit with these changes in place of its own. */
  with(changes: ChangeSet): Tree
}

type Reader = Pick<Trees, 'listFiles' | 'readFiles'>

/** A list of 50,000 files takes some 10 MB. */
const mostKept = 4
const known = new WeakMap<Reader, Map<string, Promise<Tree>>>()

/** Lists a commit once for all who ask this workspace for it; the last few stay known. */
export function openTree(sha: string, workspace: Reader): Promise<Tree> {
  const trees = known.get(workspace) ?? new Map<string, Promise<Tree>>()
  known.set(workspace, trees)
  const tree = trees.get(sha) ?? listTree(sha, workspace)
  trees.delete(sha)
  trees.set(sha, tree)
  const [oldest] = trees.keys()
  if (trees.size > mostKept && oldest !== undefined) trees.delete(oldest)
  tree.catch(() => trees.delete(sha))
  return tree
}

async function listTree(sha: string, workspace: Reader): Promise<Tree> {
  const files = await workspace.listFiles(sha)
  const paths = files.map(({ path }) => path)
  const there = new Set(paths)
  const read = (wanted: readonly string[]) => workspace.readFiles(sha, wanted)
  const withChanges = (changes: ChangeSet): Tree => ({
    ...{ sha, files, changes, with: withChanges },
    paths: changes.length === 0 ? paths : pathsAfter(there, changes),
    read: changes.length === 0 ? read : (wanted) => readAfter(changes, wanted, read),
  })
  return withChanges([])
}

function pathsAfter(before: ReadonlySet<string>, changes: ChangeSet): readonly string[] {
  const paths = new Set(before)
  for (const { action, path } of changes) {
    if (action === 'delete') paths.delete(path)
    else paths.add(path)
  }
  return [...paths]
}

async function readAfter(
  changes: ChangeSet,
  wanted: readonly string[],
  read: Tree['read'],
): Promise<ReadonlyMap<string, string>> {
  const changed = new Map(changes.map((change) => [change.path, contentAfter(change)]))
  const texts = await read(wanted.filter((path) => !changed.has(path)))
  const own = wanted.flatMap((path) => {
    const text = changed.get(path)
    return text === undefined ? [] : [[path, text] as const]
  })
  return new Map([...texts, ...own])
}
