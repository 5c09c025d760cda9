/** Merges and reverts, made without a work tree: `git merge-tree` tells the tree, or what is in its way. */
import type { MergeOutcome, MergeRequest, RevertRequest } from '../../core/ports/workspace.ts'
import type { Clone } from './clone.ts'
import { type CommitAuthor, importCommit } from './commits.ts'
import { checkSha, gitFailed, runGit } from './git.ts'
import { ancestor, contains, mergeBase, treeOf } from './trees.ts'

/** git 2.38 is the first that can. */
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
 * `git revert` without a work tree: the change from a commit back to its first parent, merged into
 * what lies on top of it by then. What others changed meanwhile stays, or is a conflict.
 */
export async function revert(
  clone: Clone,
  { onto, commit, also, message }: RevertRequest,
  author: CommitAuthor,
): Promise<MergeOutcome> {
  const parent = await ancestor(clone, commit, 1)
  if (parent === null) throw new Error(`${commit} has no parent to go back to`)
  const before = await treeOf(clone, parent)
  // A commit on top of the one to take back, of its parent's files: where the two meet is that commit.
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

/** A path on which the two sides do not agree. */
interface Conflict {
  readonly path: string
  /** Where two versions of a regular file differ in nothing but their text; else `null`. */
  readonly mode: string | null
}

/** `null` when the two have no history in common. */
async function mergeTrees(
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

/** Mode, object, stage and path of each version, an empty field, then git's messages. */
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

/** Paths of conflicts that are about more than a text: renames, deletions, kinds of file. */
function readOtherConflicts(fields: readonly string[]): ReadonlySet<string> {
  const paths = new Set<string>()
  let at = 0
  while (at + 1 < fields.length) {
    const count = Number(fields[at])
    if (!Number.isInteger(count)) throw new Error('git merge-tree: its messages cannot be read')
    const kind = fields[at + 1 + count] ?? ''
    // "CONFLICT (contents)" is how git names two edits of one file, and two files of one name.
    if (kind.startsWith('CONFLICT') && kind !== 'CONFLICT (contents)') {
      for (const path of fields.slice(at + 1, at + 1 + count)) paths.add(path)
    }
    at += count + 3
  }
  return paths
}
