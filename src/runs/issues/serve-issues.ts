import { issueOf } from '../../../packages/roadmap/roadmap.ts'
import type { AdoptedIssue } from '../../core/domain/answer.ts'
import { taskIdOfBranch, taskIdOfRecoveryBranch } from '../../core/domain/branches.ts'
import type { Overview } from '../../core/ports/discussion.ts'
import type { PullRequest } from '../../core/ports/forge.ts'
import { readDashboardOrders } from '../../publish/report/write-dashboard.ts'
import { mayCommand, type Seen, type Services } from '../pass.ts'
import type { Trigger } from '../triggers/trigger.ts'
import { type Adopted, adoptIssue, adoptSwept } from './adopt-issue.ts'
import { loadAdopted, parkedNameOf } from './adopted-issues.ts'

export interface ServedIssues {
  /** Adopted, open and labelled: their tasks belong to the repository. */
  readonly issues: readonly AdoptedIssue[]
  /** Ids that the event asks for; empty: none. */
  readonly work: readonly string[]
}

/** Handles added and removed labels, from the event and from lost events, and the dashboard's boxes. */
export async function serveIssues(
  trigger: Trigger,
  seen: Seen,
  services: Services,
  say: (sentence: string) => void,
): Promise<ServedIssues> {
  switch (trigger.kind) {
    case 'issue_labelled': {
      const adopted = await adoptIssue(trigger.issue, services)
      say(describe(trigger.issue.number, adopted))
      const work = adopted.status === 'adopted' ? adopted.ids : []
      return { issues: await standing(seen, services, trigger.issue.number), work }
    }
    case 'issue_dropped':
      if (await dropIssue(trigger.number, seen, services)) say(`#${trigger.number} is released.`)
      return { issues: seen.issues.filter(({ number }) => number !== trigger.number), work: [] }
    case 'dashboard':
      return { issues: standingOf(seen), work: await ticked(trigger, seen, services) }
    default:
      return sweep(seen, services, say)
  }
}

/** Handles labels set while no run was listening. */
async function sweep(
  seen: Seen,
  services: Services,
  say: (sentence: string) => void,
): Promise<ServedIssues> {
  const known = new Set(seen.issues.map(({ number }) => number))
  const issues = seen.overview.issues.filter(({ number }) => !known.has(number))
  if (issues.length === 0) return { issues: standingOf(seen), work: [] }
  const adopted = await adoptSwept({ issues }, services)
  const work = adopted.flatMap((each) => (each.status === 'adopted' ? each.ids : []))
  if (work.length > 0) say(`${work.join(', ')}: adopted from issues.`)
  return { issues: await standing(seen, services, null), work }
}

/** Reads the parked texts again: earlier reads lack what was just adopted. */
async function standing(
  seen: Seen,
  { ports }: Services,
  labelled: number | null,
): Promise<readonly AdoptedIssue[]> {
  const issues = await loadAdopted(ports)
  return standingOf({ ...seen, issues }, labelled)
}

/** An issue that was closed or lost its label is no longer a task. */
function standingOf(
  { issues, overview }: Pick<Seen, 'issues' | 'overview'>,
  labelled: number | null = null,
): readonly AdoptedIssue[] {
  const open = new Set(overview.issues.map(({ number }) => number))
  return issues.filter(({ number }) => open.has(number) || number === labelled)
}

/** Tasks whose box a writer ticked, if they still exist. */
async function ticked(
  trigger: Extract<Trigger, { readonly kind: 'dashboard' }>,
  seen: Seen,
  { discussion }: Services,
): Promise<readonly string[]> {
  if (trigger.number !== seen.overview.dashboard?.number) return []
  if (!(await mayCommand(trigger.by, discussion))) return []
  const { tasks } = await seen.standing()
  const known = new Set(tasks.map(({ id }) => id))
  return readDashboardOrders(trigger.body)
    .map(({ id }) => id)
    .filter((id) => known.has(id))
}

function describe(number: number, adopted: Adopted): string {
  switch (adopted.status) {
    case 'adopted':
      return `#${number} is adopted: ${adopted.ids.join(', ')}.`
    case 'refused':
      return `#${number} cannot be adopted: ${adopted.problems[0]?.message ?? ''}`
    case 'ignored':
      return `#${number} is not adopted: ${adopted.reason}.`
  }
}

const marker = '<!-- executor:dropped -->'

/**
 * Releases an issue that lost its label or was closed, unless it is labelled and open again: an event may come late,
 * or twice. False when there was nothing to release.
 */
export async function dropIssue(
  number: number,
  seen: {
    readonly overview: Pick<Overview, 'issues'>
    /** Ours, in any state. */
    readonly pullRequests: readonly PullRequest[]
  },
  services: Services,
): Promise<boolean> {
  if (seen.overview.issues.some((issue) => issue.number === number)) return false
  await forgetIssue(number, seen.pullRequests, services)
  return true
}

/** Forgets an issue's words, and closes its open pull requests with a comment. Safe to repeat. */
export async function forgetIssue(
  number: number,
  pullRequests: readonly PullRequest[],
  { ports, discussion }: Services,
): Promise<void> {
  const { forge, workspace } = ports
  const self = await discussion.self()
  const open = pullRequests.filter(
    ({ state, author, head }) => state === 'open' && author === self && isOf(number, head),
  )
  for (const pull of open) {
    const why = `#${number} was closed or lost its label, so this is closed, too. The branch stays.`
    await forge.upsertComment(pull.number, marker, why)
    await forge.close(pull.number)
  }
  if ((await workspace.parked()).has(parkedNameOf(number))) {
    await workspace.park(parkedNameOf(number), null)
  }
}

function isOf(number: number, head: string): boolean {
  const id = taskIdOfBranch(head) ?? taskIdOfRecoveryBranch(head)
  return id !== null && issueOf([{ number }], id) === number
}
