import type { RunState } from '../domain/run-state.ts'
import { loadRoadmap } from '../reconcile/load-roadmap.ts'
import { writeIssueComment } from '../report/write-issue-comment.ts'
import { issueMarker } from '../report/write-issue-problems.ts'
import { issueOf } from '../roadmap/issue-tasks.ts'
import type { Services } from './services.ts'

/**
 * Brings the sticky comment up to date on every issue whose tasks this run worked on. Answers what
 * could not be said, a sentence each.
 */
export async function tellIssues(
  state: RunState,
  { ports }: Pick<Services, 'ports'>,
): Promise<readonly string[]> {
  const roadmap = await loadRoadmap(state, ports)
  const unsaid: string[] = []
  for (const issue of state.issues) {
    const tasks = (roadmap?.tasks ?? []).filter(
      ({ id }) => issueOf(state.issues, id) === issue.number,
    )
    if (!tasks.some(({ id }) => state.results[id]?.thisRun)) continue
    const body = writeIssueComment(issue, tasks, state.results)
    const told = await ports.forge.upsertComment(issue.number, issueMarker, body)
    if (told.status === 'refused') unsaid.push(`#${issue.number} was not told: ${told.detail}`)
  }
  return unsaid
}
