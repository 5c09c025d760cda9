import { z } from 'zod'
import { issueTasks, tasksOfIssue } from '../../../packages/roadmap/roadmap.ts'
import type { Task } from '../../../packages/task/task.ts'
import { parseJson } from '../../../packages/text/text.ts'
import type { AdoptedIssue } from '../../core/domain/answer.ts'
import { isBefore, secondsBefore } from '../../core/domain/instant.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { Ports } from '../../core/ports.ts'
import { issueMarker, writeIssueComment } from '../../publish/report/write-issue-comment.ts'
import { loadRoadmap } from '../../tasks/load-roadmap.ts'
import { fortnight, type Seen, type Services } from '../pass.ts'

export const parkedNameOf = (number: number): string => `issue-${number}`

const shape = z.object({
  version: z.literal(1),
  title: z.string(),
  body: z.string(),
  by: z.string(),
  at: z.string(),
  confirmed: z.boolean().optional(),
})

export const writeAdopted = ({ number: _, ...kept }: AdoptedIssue): string =>
  `${JSON.stringify({ version: 1, ...kept })}\n`

/** The adopted issues among the parked texts, lowest number first, without damaged ones. */
export function readAdopted(parked: ReadonlyMap<string, string>): readonly AdoptedIssue[] {
  const issues = [...parked].flatMap(([name, text]) => {
    const number = Number(/^issue-([1-9]\d{0,9})$/.exec(name)?.[1])
    const read = Number.isNaN(number) ? null : shape.safeParse(parseJson(text))
    if (!read?.success) return []
    const { version: _, ...kept } = read.data
    return [{ number, ...kept }]
  })
  return issues.sort((a, b) => a.number - b.number)
}

/** The tasks of an issue whose commands (Verify, Accept) would run on this machine without a sandbox. */
export async function tasksWithoutSandbox(
  issue: Pick<AdoptedIssue, 'number' | 'title' | 'body'>,
  ports: Pick<Ports, 'sandbox' | 'settings'>,
): Promise<readonly Task[]> {
  if (ports.settings.verify.mode === 'skip') return []
  const { tasks } = issueTasks(issue, ports.settings)
  const running = tasks.filter(({ verify, accept }) => verify !== null || accept.length > 0)
  if (running.length === 0) return []
  return (await ports.sandbox.ability()).kind === 'unsandboxed' ? running : []
}

/** The adopted issues whose tasks may run here: their commands run in a sandbox, or were confirmed. */
export async function loadAdopted(
  ports: Pick<Ports, 'workspace' | 'sandbox' | 'settings'>,
): Promise<readonly AdoptedIssue[]> {
  const adopted: AdoptedIssue[] = []
  for (const issue of readAdopted(await ports.workspace.parked())) {
    const mayRun = issue.confirmed || (await tasksWithoutSandbox(issue, ports)).length === 0
    if (mayRun) adopted.push(issue)
  }
  return adopted
}

/**
 * Updates the sticky comment on every issue whose tasks this run worked on, and writes it where a run was killed
 * before it could. Returns failures, one sentence each.
 */
export async function tellIssues(
  state: RunState,
  { ports }: Pick<Services, 'ports'>,
  seen: Pick<Seen, 'remarks'> | null = null,
): Promise<readonly string[]> {
  return writeIssueComments(state, ports, (issue, tasks) => {
    const results = tasks.flatMap(({ id }) => state.tasks.results[id] ?? [])
    const isUntold = results.length > 0 && seen !== null && !isTold(issue, seen, ports.clock.now())
    return isUntold || results.some(({ thisRun }) => thisRun)
  })
}

/** Writes the sticky comment on the selected issues. Returns failures, one sentence each. */
export async function writeIssueComments(
  state: RunState,
  ports: Pick<Ports, 'workspace' | 'settings' | 'forge'>,
  isMeant: (issue: AdoptedIssue, tasks: readonly Task[]) => boolean,
): Promise<readonly string[]> {
  const roadmap = state.asked.issues.length === 0 ? null : await loadRoadmap(state, ports)
  const unsaid: string[] = []
  for (const issue of state.asked.issues) {
    const tasks = tasksOfIssue(roadmap?.tasks ?? [], issue.number)
    if (!isMeant(issue, tasks)) continue
    const body = writeIssueComment(issue, tasks, state.tasks.results)
    const told = await ports.forge.upsertComment(issue.number, issueMarker, body)
    if (told.status === 'refused')
      unsaid.push(`The comment on #${issue.number} was not written: ${told.detail}`)
  }
  return unsaid
}

/** The remarks go back a fortnight; for an older issue the answer is unknown. */
function isTold(
  { number, at }: AdoptedIssue,
  { remarks }: Pick<Seen, 'remarks'>,
  now: string,
): boolean {
  const isOld = isBefore(at, secondsBefore(now, fortnight))
  return (
    isOld ||
    remarks.some(({ on, isOurs, body }) => on === number && isOurs && body.startsWith(issueMarker))
  )
}
