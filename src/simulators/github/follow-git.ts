import { noteEvent, tellOfIssue } from './changes/event.ts'
import { moveThreads } from './changes/place.ts'
import { closeIssue } from './changes/state.ts'
import type { Scene } from './exchange.ts'
import type { Pull } from './records.ts'

/**
 * Brings open pull requests to where their branches are now, as GitHub does on a push by `viewer`: the
 * head moves, a deleted branch closes, a head that has become part of its base counts as merged.
 */
export async function followGit(scene: Scene): Promise<void> {
  const { repository } = scene
  const refs = await repository.git.refs()
  for (const pull of repository.pulls.values()) {
    if (pull.state !== 'open') continue
    const headSha = refs.get(`refs/heads/${pull.head}`)
    const baseSha = refs.get(`refs/heads/${pull.base}`)
    if (headSha === undefined || baseSha === undefined) await closeIssue(scene, pull)
    else if (headSha !== pull.headSha || baseSha !== pull.baseSha) {
      await move(scene, pull, headSha, baseSha)
    }
  }
}

export const pullRef = (pull: Pull): string => `refs/pull/${pull.number}/head`

/** A pull request counts as merged by `sha`, which is on its base. */
export async function markMerged(scene: Scene, pull: Pull, sha: string): Promise<void> {
  pull.merged = { at: scene.store.now(), by: scene.viewer, sha }
  noteEvent(scene, pull, 'merged')
  await closeIssue(scene, pull)
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
