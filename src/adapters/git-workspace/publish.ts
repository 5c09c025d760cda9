/**
 * The only way a branch of anybody's repository changes: under `agent/` or `executor/`, forwards,
 * and only from where it was expected to be.
 */
import type { PublishResult } from '../../core/ports/workspace.ts'
import type { Clone } from './clone.ts'
import { checkSha } from './git.ts'
import { moveRef, type RefMeans } from './move-ref.ts'
import { contains } from './trees.ts'
import type { Publication, Upstream } from './upstream.ts'

/**
 * Objects first, then the ref. `known` are commits that are surely there.
 *
 * @throws Error for a name that is not ours to write: a bug
 */
export async function publish(
  clone: Clone,
  upstream: Upstream,
  publication: Publication,
  known: readonly string[],
  means: RefMeans,
): Promise<PublishResult> {
  const { branch, sha, expected } = publication
  check(publication)
  const ref = `refs/heads/${branch}`
  const foreseen = await upstream.foresee(publication)
  if (foreseen !== null) return foreseen
  if (expected !== null && !(await contains(clone, sha, expected))) {
    const now = await upstream.refs.tip(ref)
    return now === sha ? { status: 'published' } : { status: 'moved', sha: now ?? '' }
  }
  await upstream.send(sha, known)
  return moveRef(upstream.refs, { kind: 'branch', ref, sha, expected }, means)
}

function check({ branch, sha, expected }: Publication): void {
  const plain = /^(?:agent|executor)(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)+$/.test(branch)
  if (!plain || /\.\.|\.lock(?:\/|$)|\.(?:\/|$)/.test(branch)) {
    throw new Error(`not a branch of ours: ${branch}`)
  }
  for (const each of [sha, expected]) if (each !== null) checkSha(each)
}
