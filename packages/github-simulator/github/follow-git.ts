import { mergeWhatWaited } from './changes/auto-merge.ts'
import { noteEvent, tellOfIssue } from './changes/event.ts'
import { markMerged } from './changes/merge.ts'
import { moveThreads } from './changes/place.ts'
import { closeIssue } from './changes/state.ts'
import type { Scene } from './exchange.ts'
import { figuresOf } from './pull-figures.ts'
import type { Pull } from './records.ts'

/**
 * Updates open pull requests after a push by `viewer`, as GitHub does: moves heads, closes those
 * whose branch or base is gone, marks those merged whose head is now in the base, and merges those
 * that waited for this.
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
  const baseSha = refs.get(`refs/heads/${pull.base}`)
  if (baseSha === undefined) {
    noteEvent(scene, pull, 'base_ref_deleted')
    return closeIssue(scene, pull)
  }
  if (headSha !== pull.headSha || baseSha !== pull.baseSha)
    await move(scene, pull, headSha, baseSha)
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
  if ((await figuresOf(repository, pull)).commits > 0) return
  await (headMoved ? closeIssue(scene, pull) : markMerged(scene, pull, baseSha))
}
