import { mergeWhatWaited } from './changes/auto-merge.ts'
import { retarget, tellOfIssue } from './changes/event.ts'
import { markMerged } from './changes/merge.ts'
import { moveThreads } from './changes/place.ts'
import { closeIssue } from './changes/state.ts'
import type { Scene } from './exchange.ts'
import type { Pull } from './records.ts'

/**
 * Brings open pull requests to where their branches are now, as GitHub does on a push by `viewer`: the
 * head moves, a deleted branch closes, a head that has become part of its base counts as merged, and
 * what waited for this is merged.
 */
export async function followGit(scene: Scene): Promise<void> {
  const { repository } = scene
  do {
    const refs = await repository.git.refs()
    for (const pull of repository.pulls.values()) {
      if (pull.state === 'open') await follow(scene, pull, refs)
    }
  } while (await mergeWhatWaited(scene))
}

export const pullRef = (pull: Pull): string => `refs/pull/${pull.number}/head`

async function follow(scene: Scene, pull: Pull, refs: ReadonlyMap<string, string>): Promise<void> {
  const headSha = refs.get(`refs/heads/${pull.head}`)
  if (headSha === undefined) return closeIssue(scene, pull)
  const base = baseAfter(scene, pull, refs)
  const baseSha = refs.get(`refs/heads/${base}`)
  if (baseSha === undefined) return closeIssue(scene, pull)
  if (base !== pull.base) await retarget(scene, pull, base, baseSha)
  if (headSha !== pull.headSha || baseSha !== pull.baseSha)
    await move(scene, pull, headSha, baseSha)
}

/** Where the base was the branch of a merged pull request and is deleted, that one's base takes its place. */
function baseAfter({ repository }: Scene, pull: Pull, refs: ReadonlyMap<string, string>): string {
  let { base } = pull
  const seen = new Set<string>()
  while (!refs.has(`refs/heads/${base}`) && !seen.has(base)) {
    seen.add(base)
    const merged = [...repository.pulls.values()].findLast(
      (one) => one.head === base && one.merged !== null,
    )
    base = merged?.base ?? base
  }
  return base
}

async function move(scene: Scene, pull: Pull, headSha: string, baseSha: string): Promise<void> {
  const { store, repository } = scene
  const { git } = repository
  const before = pull.headSha
  const headMoved = headSha !== before
  pull.headSha = headSha
  pull.baseSha = baseSha
  if (headMoved) {
    pull.updatedAt = store.now()
    await git.setRef(pullRef(pull), headSha)
    await moveThreads(repository, pull)
    await tellOfIssue(scene, pull, 'synchronize', { before, after: headSha })
  }
  if ((await git.count(`${baseSha}..${headSha}`)) > 0) return
  await (headMoved ? closeIssue(scene, pull) : markMerged(scene, pull, baseSha))
}
