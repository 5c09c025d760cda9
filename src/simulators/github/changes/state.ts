import type { Scene } from '../exchange.ts'
import type { Issue } from '../records.ts'
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

/** Opens it again; the answer says why not. */
export async function reopenIssue(scene: Scene, issue: Issue): Promise<string | null> {
  const { store, repository } = scene
  const pull = repository.pulls.get(issue.number)
  if (pull !== undefined) {
    if (pull.merged !== null) return 'state cannot be changed. It is merged.'
    const headSha = (await repository.git.refs()).get(`refs/heads/${pull.head}`)
    if (headSha === undefined) {
      return `state cannot be changed. The ${pull.head} branch has been deleted.`
    }
    pull.headSha = headSha
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
