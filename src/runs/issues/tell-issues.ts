import type { AdoptedIssue } from '../../core/domain/answer.ts'
import { isBefore, secondsBefore } from '../../core/domain/instant.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { Task } from '../../core/domain/task.ts'
import type { Ports } from '../../core/ports.ts'
import { issueMarker, writeIssueComment } from '../../publish/report/write-issue-comment.ts'
import { tasksOfIssue } from '../../roadmap/document/issue-tasks.ts'
import { loadRoadmap } from '../../roadmap/load-roadmap.ts'
import { fortnight, type Seen } from '../seen.ts'
import type { Services } from '../services.ts'

/**
 * Brings the sticky comment up to date on every issue whose tasks this run worked on, and writes it
 * where a run died before it could. Answers what could not be said, a sentence each.
 */
export async function tellIssues(
  state: RunState,
  { ports }: Pick<Services, 'ports'>,
  seen: Pick<Seen, 'remarks' | 'self'> | null = null,
): Promise<readonly string[]> {
  return writeIssueComments(state, ports, (issue, tasks) => {
    const results = tasks.flatMap(({ id }) => state.results[id] ?? [])
    const isUntold = results.length > 0 && seen !== null && !isTold(issue, seen, ports.clock.now())
    return isUntold || results.some(({ thisRun }) => thisRun)
  })
}

/** Writes the sticky comment on the issues that are meant. Answers what could not be said, a sentence each. */
export async function writeIssueComments(
  state: RunState,
  ports: Pick<Ports, 'workspace' | 'settings' | 'forge'>,
  isMeant: (issue: AdoptedIssue, tasks: readonly Task[]) => boolean,
): Promise<readonly string[]> {
  const roadmap = state.issues.length === 0 ? null : await loadRoadmap(state, ports)
  const unsaid: string[] = []
  for (const issue of state.issues) {
    const tasks = tasksOfIssue(roadmap?.tasks ?? [], issue.number)
    if (!isMeant(issue, tasks)) continue
    const body = writeIssueComment(issue, tasks, state.results)
    const told = await ports.forge.upsertComment(issue.number, issueMarker, body)
    if (told.status === 'refused') unsaid.push(`#${issue.number} was not told: ${told.detail}`)
  }
  return unsaid
}

/** What was seen goes back a fortnight; of an issue that is older, nothing more is known. */
function isTold(
  { number, at }: AdoptedIssue,
  { remarks, self }: Pick<Seen, 'remarks' | 'self'>,
  now: string,
): boolean {
  const isOld = isBefore(at, secondsBefore(now, fortnight))
  return (
    isOld ||
    remarks.some(
      ({ on, author, body }) =>
        on === number && author.login === self && body.startsWith(issueMarker),
    )
  )
}
