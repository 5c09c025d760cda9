/**
 * `git revert` without a work tree: the change from a commit back to its first parent, merged into
 * what lies on top of it by then. What others changed meanwhile stays, or is a conflict.
 */
import type { MergeOutcome, RevertRequest } from '../../core/ports/workspace.ts'
import type { Clone } from './clone.ts'
import { type CommitAuthor, commitTree } from './commits.ts'
import { checkSha, gitFailed, runGit } from './git.ts'
import { mergeTrees } from './merge.ts'
import { ancestor } from './trees.ts'

export async function revert(
  clone: Clone,
  { onto, commit, also, message }: RevertRequest,
  author: CommitAuthor,
): Promise<MergeOutcome> {
  const parent = await ancestor(clone, commit, 1)
  if (parent === null) throw new Error(`${commit} has no parent to go back to`)
  const parents = [onto, ...also]
  // A commit on top of the one to take back, of its parent's files: where the two meet is that commit.
  const back = await commitTree(clone, [commit], await treeOf(clone, parent), message, author)
  const joined =
    onto === commit
      ? { tree: await treeOf(clone, parent), conflicts: [] }
      : await mergeTrees(clone, onto, back)
  if (joined === null) return { status: 'conflict', paths: [] }
  if (joined.conflicts.length > 0) {
    return { status: 'conflict', paths: joined.conflicts.map(({ path }) => path).sort() }
  }
  if (joined.tree === (await treeOf(clone, onto))) return { status: 'nothing_to_merge' }
  return {
    status: 'merged',
    sha: await commitTree(clone, parents, joined.tree, message, author),
  }
}

async function treeOf({ gitDir }: Clone, sha: string): Promise<string> {
  const args = ['rev-parse', '--verify', '--quiet', `${checkSha(sha)}^{tree}`]
  const run = await runGit(args, { gitDir })
  if (run.code !== 0) throw gitFailed(args, run)
  return run.stdout.toString('utf8').trim()
}
