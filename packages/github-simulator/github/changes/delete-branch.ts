import type { Scene } from '../exchange.ts'
import type { Pull } from '../records.ts'
import { retarget } from './event.ts'
import { pushRef } from './push.ts'

/**
 * Deletes a merged pull request's branch as part of the merge, or with its button. Only then do
 * pull requests based on it get its base; deleting with git or the API closes them.
 */
export async function deleteHeadBranch(scene: Scene, pull: Pull): Promise<void> {
  const { git, pulls } = scene.repository
  const baseSha = (await git.refs()).get(`refs/heads/${pull.base}`)
  for (const other of pulls.values()) {
    if (other.state !== 'open' || other.base !== pull.head || baseSha === undefined) continue
    await retarget(scene, other, pull.base, baseSha)
  }
  await pushRef(scene, `refs/heads/${pull.head}`, null)
}
