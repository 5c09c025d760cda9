import type { Scene } from '../exchange.ts'
import { mergeStateOf } from '../merge-state.ts'
import { mergePull } from './merge.ts'

/** Merges the pull requests that waited for this; returns whether there were any. */
export async function mergeWhatWaited(scene: Scene): Promise<boolean> {
  let merged = false
  for (const pull of scene.repository.pulls.values()) {
    const { autoMerge } = pull
    if (autoMerge === null || pull.state === 'closed') continue
    const { status } = await mergeStateOf(scene.repository, pull)
    if (status !== 'CLEAN' && status !== 'UNSTABLE') continue
    const answer = await mergePull({ ...scene, viewer: autoMerge.by }, pull, autoMerge)
    merged ||= typeof answer === 'string'
  }
  return merged
}
