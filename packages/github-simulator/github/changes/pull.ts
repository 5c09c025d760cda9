import type { Scene } from '../exchange.ts'
import { mergeStateOf } from '../merge-state.ts'
import type { AutoMerge, Pull } from '../records.ts'
import { tellOfIssue } from './event.ts'

/** Each of these returns GitHub's reason for a refusal, or `null` on success. */
type Change = Promise<string | null>

export async function enableAutoMerge(
  scene: Scene,
  pull: Pull,
  asked: Pick<AutoMerge, 'method' | 'title' | 'message'>,
): Change {
  const { store, repository, viewer } = scene
  const { autoMerge, mergeMethods = ['merge', 'squash'] } = repository.options
  if (autoMerge !== true) return 'Auto merge is not allowed for this repository'
  if (!mergeMethods.includes(asked.method)) {
    return `Merge method ${asked.method} merging is not allowed on this repository`
  }
  if (pull.state === 'closed') return "Can't enable auto-merge for this pull request."
  const { status } = await mergeStateOf(repository, pull)
  // Auto-merge requires something to wait for.
  if (status === 'CLEAN' || status === 'UNSTABLE') {
    return `Pull request Pull request is in ${status.toLowerCase()} status`
  }
  if (status === 'DIRTY') return 'Pull request is not in the correct state to enable auto-merge'
  pull.autoMerge = { ...asked, by: viewer, at: store.now() }
  await tellOfIssue(scene, pull, 'auto_merge_enabled')
  return null
}

export async function disableAutoMerge(scene: Scene, pull: Pull): Change {
  if (pull.autoMerge === null) return "Can't disable auto-merge for this pull request."
  pull.autoMerge = null
  await tellOfIssue(scene, pull, 'auto_merge_disabled')
  return null
}

export async function markReady(scene: Scene, pull: Pull): Change {
  if (!pull.draft) return null
  pull.draft = false
  pull.updatedAt = scene.store.now()
  await tellOfIssue(scene, pull, 'ready_for_review')
  return null
}

export async function convertToDraft(scene: Scene, pull: Pull): Change {
  if (scene.repository.options.draftPullRequests === false) {
    return 'Draft pull requests are not supported in this repository.'
  }
  if (pull.draft) return null
  pull.draft = true
  pull.updatedAt = scene.store.now()
  await tellOfIssue(scene, pull, 'converted_to_draft')
  return null
}
