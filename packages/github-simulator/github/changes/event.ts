import type { Scene } from '../exchange.ts'
import { presentIssue } from '../present/issue.ts'
import { presentPullNow } from '../present/pull-now.ts'
import type { Issue, IssueEvent, Pull } from '../records.ts'
import { tell } from '../webhooks.ts'

/** Adds a line to an issue's timeline. */
export function noteEvent(
  { store, repository, viewer }: Scene,
  issue: Issue,
  event: IssueEvent['event'],
  { label = null, ...more }: Partial<Pick<IssueEvent, 'label' | 'rename'>> = {},
): void {
  const id = store.nextId()
  repository.events.push({
    id,
    issue: issue.number,
    actor: viewer,
    createdAt: store.now(),
    event,
    label,
    ...more,
  })
}

/** A webhook of `issues`, or of `pull_request` where the issue is one. */
export async function tellOfIssue(
  scene: Scene,
  issue: Issue,
  action: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const { store, repository } = scene
  const pull = repository.pulls.get(issue.number)
  if (pull === undefined) {
    return tell(scene, 'issues', { action, issue: presentIssue(store, repository, issue), ...more })
  }
  const { number } = pull
  const presented = await presentPullNow(store, repository, pull)
  // There is no merge commit on which a workflow could run.
  const startsWorkflows = presented.mergeable !== false
  tell(
    scene,
    'pull_request',
    { action, number, pull_request: presented, ...more },
    { startsWorkflows },
  )
}

/** Changes the text of an issue or pull request; sends no event if it is the same. */
export async function noteEdit(
  scene: Scene,
  issue: Issue,
  { title, body }: Pick<Issue, 'title' | 'body'>,
): Promise<void> {
  const changes = {
    ...(title === issue.title ? {} : { title: { from: issue.title } }),
    ...(body === issue.body ? {} : { body: { from: issue.body ?? '' } }),
  }
  if (Object.keys(changes).length === 0) return
  if (changes.title)
    noteEvent(scene, issue, 'renamed', { rename: { from: issue.title, to: title } })
  issue.title = title
  issue.updatedAt = scene.store.now()
  if (body !== issue.body) issue.lastEditedAt = issue.updatedAt
  issue.body = body
  await tellOfIssue(scene, issue, 'edited', { changes })
}

export async function retarget(
  scene: Scene,
  pull: Pull,
  base: string,
  baseSha: string,
): Promise<void> {
  const changes = { base: { ref: { from: pull.base }, sha: { from: pull.baseSha } } }
  pull.base = base
  pull.baseSha = baseSha
  pull.updatedAt = scene.store.now()
  await tellOfIssue(scene, pull, 'edited', { changes })
}
