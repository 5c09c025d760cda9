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
  const objects = await gitBytes(['pack-objects', '--revs', '--local', '--stdout', '-q'], {
    gitDir: clone.gitDir,
    input: [sha, ...known.map((each) => `^${each}`), ''].join('\n'),
  })
  const gitDir = source.commonDir
  const unpacked = await runGit(['unpack-objects', '-q'], { gitDir, input: objects })
  if (unpacked.code !== 0) return refused(unpacked.stderr)
  const old = expected ?? '0'.repeat(sha.length)
  const update = ['update-ref', '-m', 'executor: publish', `refs/heads/${branch}`, sha, old]
  const updated = await runGit(update, { gitDir })
  if (updated.code === 0) return { status: 'published' }
  const then = await readBranch(source, branch)
  return then.sha === expected ? refused(updated.stderr) : { status: 'moved', sha: then.sha ?? '' }
}

/** Over the network. A push that ended in doubt is looked up before anything is said of it. */
export async function publishRemotely(
  clone: Clone,
  remote: NetworkRemote,
  publication: Publication,
): Promise<PublishResult> {
  const { branch, sha, expected } = publication
  const ref = `refs/heads/${branch}`
  const call = { gitDir: clone.gitDir, env: withToken(remote) }
  const forwards = await canFollow(clone, publication)
  // The lease alone would let a branch go backwards; together with `canFollow` it cannot.
  const lease = `--force-with-lease=${ref}:${expected ?? ''}`
  const push = ['push', '--porcelain', '--no-verify', lease, '--', remote.url, `${sha}:${ref}`]
  const run = forwards ? await runGit(push, call) : null
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
