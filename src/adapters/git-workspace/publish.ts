/**
 * The only way a branch of anybody's repository changes: under `agent/` or `executor/`, forwards,
 * and only from where it was expected to be.
 */
import type { PublishResult } from '../../ports.ts'
import type { Clone, Source } from './clone.ts'
import { checkSha, gitBytes, gitText, runGit } from './git.ts'
import { type NetworkRemote, readTrouble, withToken } from './network.ts'
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
 * Into the user's own repository: objects first, then the ref by compare-and-swap. No push, because
 * a push runs the hooks of the repository it goes to. `known` are commits the source surely has.
 */
export async function publishLocally(
  clone: Clone,
  source: Source,
  publication: Publication,
  known: readonly string[],
): Promise<PublishResult> {
  const { branch, sha, expected } = publication
  const now = await readBranch(source, branch)
  if (now.sha === sha) return { status: 'published' }
  if (now.sha !== expected) return { status: 'moved', sha: now.sha ?? '' }
  if (now.checkedOutAt !== '') return refused(`${branch} is checked out in ${now.checkedOutAt}`)
  if (!(await canFollow(clone, publication))) return { status: 'moved', sha: expected ?? '' }
  const sent = await sendObjects(clone, source, sha, known)
  if (sent !== null) return sent
  const updated = await moveLocalRef(source, { ref: `refs/heads/${branch}`, sha, expected })
  if (updated === null) return { status: 'published' }
  const then = await readBranch(source, branch)
  return then.sha === expected ? updated : { status: 'moved', sha: then.sha ?? '' }
}

/** Copies a commit, and what it needs, into the user's repository; answers what went wrong, if anything. */
export async function sendObjects(
  clone: Clone,
  source: Source,
  sha: string,
  known: readonly string[],
): Promise<PublishResult | null> {
  const objects = await gitBytes(['pack-objects', '--revs', '--local', '--stdout', '-q'], {
    gitDir: clone.gitDir,
    input: [sha, ...known.map((each) => `^${each}`), ''].join('\n'),
  })
  const gitDir = source.commonDir
  const unpacked = await runGit(['unpack-objects', '-q'], { gitDir, input: objects })
  return unpacked.code === 0 ? null : refused(unpacked.stderr)
}

/** Where a ref is to go, and where it is now; `null` is nowhere. */
export interface RefMove {
  readonly ref: string
  readonly sha: string | null
  readonly expected: string | null
}

/** Compare-and-swap of a ref in the user's repository; answers what went wrong, if anything. */
export async function moveLocalRef(
  source: Source,
  { ref, sha, expected }: RefMove,
): Promise<PublishResult | null> {
  const old = expected ?? '0'.repeat((sha ?? '').length)
  const target = sha === null ? ['-d', ref, old] : [ref, sha, old]
  const update = ['update-ref', '-m', 'executor: publish', ...target]
  const updated = await runGit(update, { gitDir: source.commonDir })
  return updated.code === 0 ? null : refused(updated.stderr)
}

/** Over the network. */
export async function publishRemotely(
  clone: Clone,
  remote: NetworkRemote,
  publication: Publication,
): Promise<PublishResult> {
  const { branch, sha, expected } = publication
  const move = { ref: `refs/heads/${branch}`, sha, expected }
  // The lease alone would let a branch go backwards; together with `canFollow` it cannot.
  const forwards = await canFollow(clone, publication)
  return moveRemoteRef(clone, remote, move, forwards)
}

/**
 * Compare-and-swap of a ref over the network. A push that ended in doubt is looked up before
 * anything is said of it; one that is not `permitted` is only looked up.
 */
export async function moveRemoteRef(
  clone: Clone,
  remote: NetworkRemote,
  { ref, sha, expected }: RefMove,
  permitted = true,
): Promise<PublishResult> {
  const call = { gitDir: clone.gitDir, env: await withToken(remote) }
  const lease = `--force-with-lease=${ref}:${expected ?? ''}`
  const refspec = `${sha ?? ''}:${ref}`
  const push = ['push', '--porcelain', '--no-verify', lease, '--', remote.url, refspec]
  const run = permitted ? await runGit(push, call) : null
  if (run?.code === 0) return { status: 'published' }
  const look = await runGit(['ls-remote', '--', remote.url, ref], call)
  if (look.code !== 0) return readTrouble(run ?? look)
  const now = look.stdout.toString('utf8').split('\t')[0] || null
  if (now === sha) return { status: 'published' }
  if (now !== expected || run === null) return { status: 'moved', sha: now ?? '' }
  return readTrouble(run)
}

async function canFollow(clone: Clone, { sha, expected }: Publication): Promise<boolean> {
  return expected === null || contains(clone, sha, expected)
}

async function readBranch(
  source: Source,
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
