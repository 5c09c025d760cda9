/** Merges and reverts without a work tree: `git merge-tree` returns the tree or the conflicts. */
import type { MergeOutcome, MergeRequest, RevertRequest } from '../../core/ports/workspace.ts'
import type { Clone } from './clone.ts'
import { type CommitAuthor, importCommit } from './commits.ts'
import { checkSha, gitFailed, runGit } from './git.ts'
import { ancestor, contains, mergeBase, treeOf } from './trees.ts'

/** Requires git 2.38. */
export async function merge(
  clone: Clone,
  request: MergeRequest,
  author: CommitAuthor,
): Promise<MergeOutcome> {
  const { ours, theirs, strategy, message, resolve } = request
  const parents = [ours, theirs]
  if (await contains(clone, ours, theirs)) return { status: 'nothing_to_merge' }
  if (strategy === 'ours') {
    return { status: 'merged', sha: await importCommit(clone, { parents, message }, author) }
  }
  const joined = await mergeTrees(clone, ours, theirs)
  if (joined === null) return { status: 'conflict', paths: [] }
  const { tree, conflicts } = joined
  const left = conflicts.filter(({ path, mode }) => mode === null || !resolve.has(path))
  if (left.length > 0) return conflictOn(left)
  const files = conflicts.map(({ path, mode }) => ({ path, mode, text: resolve.get(path) ?? '' }))
  const sha = await importCommit(clone, { parents, tree, files, message }, author)
  return { status: 'merged', sha }
}

/**
 * `git revert` without a work tree: merges the change from a commit back to its first parent into
 * the current tip. Later changes by others stay, or conflict.
 */
export async function revert(
  clone: Clone,
  { onto, commit, also, message }: RevertRequest,
  author: CommitAuthor,
): Promise<MergeOutcome> {
  const parent = await ancestor(clone, commit, 1)
  if (parent === null) throw new Error(`${commit} has no parent to go back to`)
  const before = await treeOf(clone, parent)
  // The revert as a child of the commit, with its parent's tree: the merge base is that commit.
  const back = await importCommit(clone, { parents: [commit], tree: before, message }, author)
  const joined =
    onto === commit ? { tree: before, conflicts: [] } : await mergeTrees(clone, onto, back)
  if (joined === null) return { status: 'conflict', paths: [] }
  const { tree, conflicts } = joined
  if (conflicts.length > 0) return conflictOn(conflicts)
  if (tree === (await treeOf(clone, onto))) return { status: 'nothing_to_merge' }
  const sha = await importCommit(clone, { parents: [onto, ...also], tree, message }, author)
  return { status: 'merged', sha }
}

const conflictOn = (conflicts: readonly Conflict[]): MergeOutcome => ({
  status: 'conflict',
  paths: conflicts.map(({ path }) => path).sort(),
})

/** A path on which the two sides conflict. */
interface Conflict {
  readonly path: string
  /** The mode if two versions of a regular file differ only in their text; otherwise `null`. */
  readonly mode: string | null
}

/** Returns `null` if the two have no common history. */
export async function mergeTrees(
  clone: Clone,
  ours: string,
  theirs: string,
): Promise<{ readonly tree: string; readonly conflicts: readonly Conflict[] } | null> {
  const args = ['merge-tree', '--write-tree', '-z', '--messages', checkSha(ours), checkSha(theirs)]
  const run = await runGit(args, { gitDir: clone.gitDir })
  if (run.code > 1) {
    if ((await mergeBase(clone, ours, theirs)) === null) return null
    throw gitFailed(args, run)
  }
  const fields = run.text.split('\0')
  const tree = checkSha(fields[0] ?? '')
  return { tree, conflicts: run.code === 0 ? [] : readConflicts(fields.slice(1)) }
}

/** Reads mode, object, stage and path of each version, an empty field, then git's messages. */
function readConflicts(fields: readonly string[]): readonly Conflict[] {
  const end = fields.indexOf('')
  const versions = fields.slice(0, end).map((field) => {
    const tab = field.indexOf('\t')
    const [mode = '', , stage = ''] = field.slice(0, tab).split(' ')
    return { mode, stage, path: field.slice(tab + 1) }
  })
  const otherwise = readOtherConflicts(fields.slice(end + 1))
  const byPath = Map.groupBy(versions, ({ path }) => path)
  return [...new Set([...byPath.keys(), ...otherwise])].map((path) => {
    const both = (byPath.get(path) ?? []).filter(({ stage }) => stage !== '1')
    const [first, second] = both
    const textual = first?.mode === second?.mode && first?.mode.startsWith('100') === true
    return { path, mode: textual && !otherwise.has(path) ? first.mode : null }
  })
}

/** The paths of conflicts beyond text: renames, deletions, file types. */
function readOtherConflicts(fields: readonly string[]): ReadonlySet<string> {
  const paths = new Set<string>()
  let at = 0
  while (at + 1 < fields.length) {
    const count = Number(fields[at])
    if (!Number.isInteger(count)) throw new Error('git merge-tree: its messages cannot be read')
    const kind = fields[at + 1 + count] ?? ''
    // git reports two edits of one file, and two files of one name, as "CONFLICT (contents)".
    if (kind.startsWith('CONFLICT') && kind !== 'CONFLICT (contents)') {
      for (const path of fields.slice(at + 1, at + 1 + count)) paths.add(path)
    }
    at += count + 3
  }
  return paths
}
