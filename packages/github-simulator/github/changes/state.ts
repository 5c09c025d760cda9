import type { Scene } from '../exchange.ts'
import type { Issue, Pull } from '../records.ts'
import type { Repository } from '../store.ts'
import { noteEvent, tellOfIssue } from './event.ts'

export async function closeIssue(
  scene: Scene,
  issue: Issue,
  reason: Issue['stateReason'] = 'completed',
): Promise<void> {
  const { store, repository, viewer } = scene
  issue.state = 'closed'
  issue.stateReason = repository.pulls.has(issue.number) ? null : reason
  issue.closedAt = store.now()
  issue.closedBy = viewer
  issue.updatedAt = issue.closedAt
  noteEvent(scene, issue, 'closed')
  await tellOfIssue(scene, issue, 'closed')
}

/** Finds the branches of a closed pull request as it knew them; otherwise returns the obstacle. */
async function comeBack({ git }: Repository, pull: Pull): Promise<string | null> {
  const refs = await git.refs()
  const headSha = refs.get(`refs/heads/${pull.head}`)
  const baseSha = refs.get(`refs/heads/${pull.base}`)
  if (headSha === undefined) return `The ${pull.head} branch has been deleted.`
  if (baseSha === undefined) return `The ${pull.base} branch has been deleted.`
  if ((await git.mergeBase(pull.headSha, headSha)) !== pull.headSha) {
    return `The ${pull.head} branch was force-pushed or recreated.`
  }
  pull.headSha = headSha
  pull.baseSha = baseSha
  return null
}

/** Reopens it; returns the reason if it cannot. */
export async function reopenIssue(scene: Scene, issue: Issue): Promise<string | null> {
  const { store, repository } = scene
  const pull = repository.pulls.get(issue.number)
  if (pull !== undefined) {
    if (pull.merged !== null) return 'state cannot be changed. The pull request is merged.'
    const refused = await comeBack(repository, pull)
    if (refused !== null) return `state cannot be changed. ${refused}`
  }
  issue.state = 'open'
  issue.stateReason = pull === undefined ? 'reopened' : null
  issue.closedAt = null
  issue.closedBy = null
  issue.updatedAt = store.now()
  noteEvent(scene, issue, 'reopened')
  await tellOfIssue(scene, issue, 'reopened')
  return null
}
