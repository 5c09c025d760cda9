import type { Scene } from '../exchange.ts'
import type { Pull } from '../records.ts'
import { retarget } from './event.ts'
import { pushRef } from './push.ts'

/**
 * Deletes the branch of a merged pull request as part of merging it, or by the button in it. Only then
 * do pull requests that are based on it get its base; one that is deleted by git or the API closes them.
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
