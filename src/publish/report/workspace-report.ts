import {
  headed,
  inlineCode,
  paragraphs,
  tableCell,
  writeList,
  writeTable,
} from '../../../packages/text/text.ts'
import { totalTokens } from '../../core/domain/usage.ts'
import { isFinishedVerdict, type Verdict } from '../../core/domain/verdict.ts'
import type { Standing } from '../../tasks/standing/find-standing.ts'
import type { Report } from './build-report.ts'

/** A set of tasks across repositories, as `workspace.yml` names it. */
export interface TaskSet {
  readonly name: string
  /** `api:T-1` */
  readonly tasks: readonly string[]
  /** All of them are merged, or none. */
  readonly atomic: boolean
}

/** One task of a workspace. */
export interface WorkspaceTask {
  /** `api:T-1` */
  readonly id: string
  readonly title: string
  /** Its verdict; without one, `ready` or `waiting`. */
  readonly outcome: Verdict | 'ready'
  /** Why it waits or failed; empty for one that is done. */
  readonly reason: string
  readonly branch: string | null
  readonly sha: string | null
}

/** The document of `executor workspace run --json`. */
export interface WorkspaceReport {
  readonly version: 1
  readonly repositories: Readonly<
    Record<string, { readonly root: string; readonly runs: readonly Report[] }>
  >
  /** Open tasks and those of these runs, in the order of the repositories. */
  readonly tasks: readonly WorkspaceTask[]
  readonly sets: readonly (TaskSet & {
    /** `complete`: every task is done; `broken`: one failed; `open`: one is left. */
    readonly status: 'complete' | 'broken' | 'open'
    /** What a person should know or do. */
    readonly advice: string
  })[]
  readonly tokens: number
  readonly done: number
  readonly open: number
  readonly failed: number
}

/** A repository at the end. */
export interface WorkspaceMember {
  readonly name: string
  readonly root: string
  readonly runs: readonly Report[]
  readonly standing: Pick<Standing, 'tasks' | 'results'>
  readonly waits: Readonly<Record<string, string>>
}

export function buildWorkspaceReport(
  members: readonly WorkspaceMember[],
  sets: readonly TaskSet[],
): WorkspaceReport {
  const tasks = members.flatMap(tasksOf)
  const count = (is: (task: WorkspaceTask) => boolean) => tasks.filter(is).length
  const reports = members.flatMap(({ runs }) => runs)
  return {
    version: 1,
    repositories: Object.fromEntries(members.map(({ name, root, runs }) => [name, { root, runs }])),
    tasks,
    sets: sets.map((set) => ({ ...set, ...judgeSet(set, tasks) })),
    tokens: reports.reduce((sum, { usage }) => sum + totalTokens(usage), 0),
    done: count(isDone),
    open: count(isOpen),
    failed: count((task) => !isDone(task) && !isOpen(task)),
  }
}

const isDone = ({ outcome }: Pick<WorkspaceTask, 'outcome'>): boolean => isFinishedVerdict(outcome)
const isOpen = ({ outcome }: WorkspaceTask): boolean => outcome === 'waiting' || outcome === 'ready'

function tasksOf({ name, standing, waits }: WorkspaceMember): readonly WorkspaceTask[] {
  return standing.tasks.flatMap(({ id, title, status }) => {
    const result = standing.results[id]
    if (result === undefined && (status === 'done' || status === 'cancelled')) return []
    const wait = waits[id]
    const { branch = null, sha = null } = result ?? {}
    const outcome = result?.verdict ?? (wait === undefined ? 'ready' : 'waiting')
    const why = result?.reason ?? wait ?? ''
    const reason = isDone({ outcome }) ? '' : why
    return [{ id: `${name}:${id}`, title, outcome, reason, branch, sha }]
  })
}

/** A task that is not in the list was done and merged before, or is not there at all. */
function judgeSet({ name, tasks: ids, atomic }: TaskSet, tasks: readonly WorkspaceTask[]) {
  const members = ids.flatMap((id) => tasks.find((task) => task.id === id) ?? [])
  const failed = members.filter((task) => !isDone(task) && !isOpen(task)).map(({ id }) => id)
  const left = members.filter(isOpen).map(({ id }) => id)
  const others = members.filter(isDone).map(({ id }) => id)
  if (failed.length > 0) {
    const advice =
      atomic && others.length > 0
        ? `Do not merge ${others.join(', ')}: executor workspace rollback ${name} takes them back.`
        : ''
    return { status: 'broken' as const, advice: `${failed.join(', ')} failed. ${advice}`.trim() }
  }
  if (left.length > 0) {
    const advice = atomic && others.length > 0 ? ` Do not merge ${others.join(', ')} yet.` : ''
    return {
      status: 'open' as const,
      advice: `${left.join(', ')} ${left.length === 1 ? 'is' : 'are'} left.${advice}`,
    }
  }
  const order = others.length > 1 ? `Merge them in this order: ${others.join(', ')}.` : ''
  return { status: 'complete' as const, advice: order }
}

/** `.executor/workspace.md`. */
export function writeWorkspaceReport(report: WorkspaceReport): string {
  const { tasks, sets, tokens, done, open, failed } = report
  const rows = tasks.map(({ id, title, outcome, reason, branch }) => [
    inlineCode(id),
    tableCell(title),
    outcome,
    branch === null ? '' : inlineCode(branch),
    tableCell(reason),
  ])
  const lines = sets.map(({ name, atomic, status, tasks: ids, advice }) => {
    const names = ids.map(inlineCode).join(', ')
    return `**${name}**${atomic ? ' (atomic)' : ''}: ${status}, ${names}${advice === '' ? '' : `. ${advice}`}`
  })
  return `${paragraphs([
    '# Workspace',
    `${done} done, ${failed} failed, ${open} open, ${tokens} tokens.`,
    writeTable(['Task', 'Title', 'Outcome', 'Branch', 'Reason'], rows),
    headed('## Sets', writeList(lines)),
  ])}\n`
}
