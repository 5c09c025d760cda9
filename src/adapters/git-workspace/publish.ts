/**
 * The only way a branch of anybody's repository changes: under `agent/` or `executor/`, forwards,
 * and only from where it was expected to be.
 */
import type { PublishResult } from '../../core/ports/workspace.ts'
import type { Clone, SourceRepository } from './clone.ts'
import { checkSha, gitBytes, gitText } from './git.ts'
import { localRefs, moveRef, type RefMeans, type RefMove, remoteRefs } from './move-ref.ts'
import type { NetworkRemote } from './network.ts'
import { contains } from './trees.ts'

export interface Publication {
  readonly branch: string
  readonly sha: string
  /** `null` when the branch must not be there yet. */
  readonly expected: string | null
}

/** @throws Error for a name that is not ours to write: a bug. */
export function checkPublication(publication: Publication): void {
  const { branch, sha, expected } = publication
  const plain = /^(?:agent|executor)(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)+$/.test(branch)
  if (!plain || /\.\.|\.lock(?:\/|$)|\.(?:\/|$)/.test(branch)) {
    throw new Error(`not a branch of ours: ${branch}`)
  }
  checkSha(sha)
  if (expected !== null) checkSha(expected)
}

/**
 * Into the user's own repository: objects first, then the ref. `known` are commits the source surely
 * has.
 */
export async function publishLocally(
  clone: Clone,
  source: SourceRepository,
  publication: Publication,
  known: readonly string[],
  means: RefMeans,
): Promise<PublishResult> {
  const { branch, sha, expected } = publication
  const now = await readBranch(source, branch)
  if (now.sha === sha) return { status: 'published' }
  if (now.sha !== expected) return { status: 'moved', sha: now.sha ?? '' }
  if (now.checkedOutAt !== '') return refused(`${branch} is checked out in ${now.checkedOutAt}`)
  if (!(await canFollow(clone, publication))) return { status: 'moved', sha: expected ?? '' }
  await sendObjects(clone, source, sha, known)
  return moveRef(localRefs(source), moveOf(publication), means)
}

/** Copies a commit, and what it needs, into the user's repository. @throws ExecutorError `git_failed` */
export async function sendObjects(
  clone: Clone,
  source: SourceRepository,
  sha: string,
  known: readonly string[],
): Promise<void> {
  const objects = await gitBytes(['pack-objects', '--revs', '--local', '--stdout', '-q'], {
    gitDir: clone.gitDir,
    input: [sha, ...known.map((each) => `^${each}`), ''].join('\n'),
  })
  await gitBytes(['unpack-objects', '-q'], { gitDir: source.commonDir, input: objects })
}

/** Over the network. */
export async function publishRemotely(
  clone: Clone,
  remote: NetworkRemote,
  publication: Publication,
  means: RefMeans,
): Promise<PublishResult> {
  const host = remoteRefs(clone, remote)
  const move = moveOf(publication)
  if (await canFollow(clone, publication)) return moveRef(host, move, means)
  const now = await host.tip(move.ref)
  return now === publication.sha ? { status: 'published' } : { status: 'moved', sha: now ?? '' }
}

const moveOf = ({ branch, sha, expected }: Publication): RefMove => ({
  kind: 'branch',
  ref: `refs/heads/${branch}`,
  sha,
  expected,
})

async function canFollow(clone: Clone, { sha, expected }: Publication): Promise<boolean> {
  return expected === null || contains(clone, sha, expected)
}

async function readBranch(
  source: SourceRepository,
  branch: string,
): Promise<{ readonly sha: string | null; readonly checkedOutAt: string }> {
  const ref = `refs/heads/${branch}`
  const format = '--format=%(refname)%00%(objectname)%00%(worktreepath)%00'
  const output = await gitText(['for-each-ref', format, ref], { gitDir: source.commonDir })
  const [name, sha, checkedOutAt] = output.split('\0')
  return name === ref && sha
    ? { sha, checkedOutAt: checkedOutAt ?? '' }
    : { sha: null, checkedOutAt: '' }
}

const refused = (detail: string): PublishResult => ({
  status: 'refused',
  code: 'forge_denied',
  detail,
})
