import type { DiffStat } from '../../../packages/change/change.ts'
import type { Receipt } from '../../../packages/judge/judge.ts'
import type { Task } from '../../../packages/task/task.ts'
import { clip, countOf, oneLine } from '../../../packages/text/text.ts'
import { taskIdOfBranch } from '../../core/domain/branches.ts'
import { attemptsOf } from '../../core/domain/change-state.ts'
import type { JournalEvent } from '../../core/domain/journal-event.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import { totalTokens, type Usage } from '../../core/domain/usage.ts'
import {
  isFinishedVerdict,
  redBefore,
  type TaskResult,
  type Verdict,
} from '../../core/domain/verdict.ts'
import { type Phase, type PhasesByTask, timeByPhase } from '../../core/journal/time-by-phase.ts'
import { describeGap } from './describe-gap.ts'
import { type NodeReport, notesByTask, reportNodes, round, type TaskNote } from './report-steps.ts'

type FactsOfRun = Pick<RunState['run'], 'dryRun' | 'startedAt' | 'completedAt'> &
  Pick<RunState['roadmap'], 'base' | 'preview'> &
  Pick<RunState['progress'], 'limits' | 'retryAt'> &
  Pick<RunState['spent'], 'usage'>

/** `report.json`, as in surface.md. Times are in seconds, shares in per cent. */
export interface Report extends FactsOfRun, Readonly<RunState['record']> {
  readonly runId: string
  readonly roadmapChanges: readonly string[]
  readonly durationSeconds: number
  /** Dollars; `null` when no model used has a known price. */
  readonly cost: number | null
  /** True when a model without a known price answered, too: then `cost` is the least that the run cost. */
  readonly isCostPartial: boolean
  /** The task that the run started and did not finish. */
  readonly unfinished: string | null
  /**
   * Web address of the repository, `https://github.com/owner/repo`; `null` without a pull request to derive it from.
   */
  readonly repository: string | null
  /** Web address of the workflow run's log, if known. */
  readonly runLog: string | null
  /** Times of the run's work besides its tasks. Empty without its journal. */
  readonly phases: readonly Phase[]
  /**
   * The share, 0 to 1, of attempted tasks that are done or in review and whose tests ran; `replaced` tasks do not
   * count. Without attempted tasks: 1 when nothing was left to do, else 0.
   */
  readonly successRate: number
  readonly totals: Totals
  /** Of the done tasks: what the tests show. */
  readonly evidence: Readonly<Record<'proven' | 'unharmed', number>>
  /** Stubs per 1,000 changed lines of code; 0 without changes. */
  readonly lei: number
  /** How many proposals were carried out to get a task done, and for how many the tasks are done now. */
  readonly recovered: { readonly tried: number; readonly succeeded: number }
  readonly tasks: readonly TaskReport[]
  readonly nodes: readonly NodeReport[]
  /** A sentence for each task that another run worked on meanwhile. */
  readonly held: readonly string[]
  /** The runs that this run's schedule missed before it, as data and as a sentence. */
  readonly schedule: (NonNullable<RunState['run']['gap']> & { readonly text: string }) | null
}

/** Counts each task once; `done` includes those in review. Tasks of a dry run are not counted. */
export type Totals = Readonly<Record<(typeof totalOf)[Verdict], number>>

type FactsOfTask = 'id' | 'title' | 'reason' | 'branch' | 'sha' | 'attempts' | 'repairs'

export interface TaskReport
  extends Pick<
    TaskResult,
    FactsOfTask | 'start' | 'seconds' | 'receipt' | 'route' | 'request' | 'overtaken' | 'thisRun'
  > {
  /**
   * A verdict as reports name it: `budget_exceeded` for a task that reached a limit or its Budget, `planned` for
   * every task of a dry run, which asks no one.
   */
  readonly outcome: Exclude<Verdict, 'over_budget'> | 'budget_exceeded' | 'planned'
  readonly pr: TaskResult['pullRequest']
  readonly tokens: number
  /** Dollars; `null` when the price is unknown. */
  readonly cost: number | null
  /** `null` when this run verified nothing. */
  readonly changed: DiffStat | null
  /** Times of the work on the task. Empty without the run's journal. */
  readonly phases: readonly Phase[]
  /** Its tool calls and reflections. Empty without the run's journal. */
  readonly notes: readonly TaskNote[]
}

interface Surroundings {
  readonly events?: readonly JournalEvent[]
  readonly runLog?: string | undefined
}

/** Builds the report from the run's state. The journal, if given, adds when each task was worked on. */
export function buildReport(state: RunState, { events = [], runLog }: Surroundings = {}): Report {
  const results = Object.values(state.tasks.results)
  const { id: runId, dryRun, startedAt, completedAt, gap } = state.run
  const { base, preview, changes: roadmapChanges } = state.roadmap
  const { usage } = state.spent
  const { recoveries, destructive, errors, hidden } = state.record
  const { limits, retryAt } = state.progress
  const phases = timeByPhase(events, {
    startedAt,
    endsAt: completedAt ?? events.at(-1)?.at ?? startedAt,
  })
  const notes = notesByTask(events)
  const cost = (used: Usage) => costOf(used, preview)
  return {
    ...{ runId, dryRun, base, startedAt, completedAt },
    durationSeconds: round(state.spent.seconds, 3),
    cost: cost(usage),
    isCostPartial: isCostPartial(state),
    unfinished: attemptsOf(state)[0]?.task.id ?? null,
    repository: repositoryOf(results),
    runLog: runLog ?? null,
    phases: phases.get(null) ?? [],
    successRate: round(successRate(results, preview?.tasks ?? 0), 4),
    totals: totalsOf(dryRun ? [] : results),
    evidence: evidenceOf(dryRun ? [] : results),
    lei: round(stubsPerThousand(results), 2),
    recovered: countRecovered(state),
    tasks: results.map((result) => reportTask(result, { dryRun, phases, notes, cost })),
    nodes: reportNodes(state.spent.nodes, cost),
    ...{ usage, preview, recoveries, destructive, roadmapChanges, errors, hidden, limits },
    held: Object.entries(state.tasks.leases).map(([id, by]) => `${id} is left alone: ${by}.`),
    retryAt,
    schedule: gap && { ...gap, text: describeGap(gap) },
  }
}

function successRate(results: readonly TaskResult[], open: number): number {
  const tried = results.filter(
    ({ verdict, thisRun, attempts }) => thisRun && attempts > 0 && verdict !== 'replaced',
  )
  if (tried.length > 0) return tried.filter(isVerified).length / tried.length
  if (results.length === 0 && open > 0) return 0
  return results.every(({ verdict }) => isFinishedVerdict(verdict)) ? 1 : 0
}

function stubsPerThousand(results: readonly TaskResult[]): number {
  const known = results.flatMap(({ receipt }) => receipt?.stubs ?? [])
  const sum = (key: 'found' | 'lines') => known.reduce((total, each) => total + each[key], 0)
  return sum('lines') === 0 ? 0 : (1000 * sum('found')) / sum('lines')
}

const isVerified = ({ verdict, receipt }: TaskResult): boolean =>
  (verdict === 'done' || verdict === 'in_review') && receipt?.result === 'passed'

const totalOf = {
  done: 'done',
  in_review: 'done',
  unverified: 'unverified',
  replaced: 'replaced',
  deferred: 'deferred',
  skipped: 'skipped',
  rejected: 'skipped',
  failed: 'failed',
  over_budget: 'failed',
  rolled_back: 'rolledBack',
  waiting: 'waiting',
} as const satisfies Record<Verdict, string>

function totalsOf(results: readonly TaskResult[]): Totals {
  const none = { done: 0, unverified: 0, failed: 0, deferred: 0, waiting: 0 }
  const totals = { ...none, skipped: 0, rolledBack: 0, replaced: 0 }
  for (const { verdict } of results) totals[totalOf[verdict]] += 1
  return totals
}

/** Counts tasks that were deferred or replaced. A skipped task, or one left to a person, was not a recovery. */
function countRecovered({
  record: { recoveries },
  tasks: { results },
}: RunState): Report['recovered'] {
  const tried = recoveries.filter(
    ({ decision, proposal: { strategy } }) =>
      (decision === 'approved' || decision === 'edited') &&
      strategy !== 'SKIP' &&
      strategy !== 'ESCALATE',
  )
  const isDone = (id: string) => {
    const result = results[id]
    return result !== undefined && (isVerified(result) || result.verdict === 'unverified')
  }
  const succeeded = tried.filter(({ taskId, proposal: { strategy, tasks } }) =>
    strategy === 'DEFER' ? isDone(taskId) : tasks.length > 0 && tasks.every(({ id }) => isDone(id)),
  )
  return { tried: tried.length, succeeded: succeeded.length }
}

/** How many of the done tasks each kind of evidence shows. */
const evidenceOf = (results: readonly TaskResult[]): Report['evidence'] => {
  const done = results.filter(({ verdict }) => totalOf[verdict] === 'done')
  const having = (kind: Receipt['evidence']) =>
    done.filter(({ receipt }) => receipt?.evidence === kind).length
  return { proven: having('proven'), unharmed: having('unharmed') }
}

/**
 * `3 of 6 done (2 proven, 1 unharmed), 2 failed`; `5 pull requests to review (…), 1 failed` where there are such, as
 * nothing of them is merged. Replaced tasks do not count.
 */
export function describeTotals(report: Pick<Report, 'totals' | 'evidence' | 'tasks'>): string {
  const { done, unverified, replaced, ...others } = report.totals
  const all = Object.values(others).reduce((sum, count) => sum + count, done + unverified)
  const reviewed = report.tasks.filter(isInReview)
  const merged = done - reviewed.filter(({ outcome }) => outcome === 'in_review').length
  const left = unverified - reviewed.filter(({ outcome }) => outcome === 'unverified').length
  const shown = Object.entries({ ...report.evidence, unverified: unverified - left })
  const evidence = shown.flatMap(([kind, n]) => (n > 0 ? `${n} ${kind}` : []))
  const more = Object.entries({ unverified: left, ...others, replaced })
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `, ${count} ${name === 'rolledBack' ? 'rolled back' : name}`)
  const head = describeReview(reviewed) ?? `${done} of ${all} done`
  const also = reviewed.length > 0 && merged > 0 ? `, ${merged} done` : ''
  return `${head}${evidence.length > 0 ? ` (${evidence.join(', ')})` : ''}${also}${more.join('')}`
}

/** The tasks whose pull request waits for a reviewer. */
const isInReview = ({ outcome, pr }: Pick<TaskReport, 'outcome' | 'pr'>): boolean =>
  pr !== null && (outcome === 'in_review' || outcome === 'unverified')

/** `5 pull requests to review`; `null` without any. */
export function describeReview(tasks: readonly TaskReport[]): string | null {
  const pulls = new Set(tasks.filter(isInReview).flatMap(({ pr }) => pr?.number ?? []))
  return pulls.size === 0 ? null : `${countOf(pulls.size, 'pull request')} to review`
}

/**
 * `Your suite is red at main (df447ec): 1 of 2 tests fails before any change.`, or `pytest ends with code 4 before any
 * change`, where no test runs at all; `null` for a suite that is green or did not run.
 */
export function describeRedStart({ base, tasks }: Pick<Report, 'base' | 'tasks'>): string | null {
  const [red] = tasks.flatMap(({ start, receipt }) =>
    start === base.sha && receipt !== null ? (redBefore(receipt) ?? []) : [],
  )
  if (red === undefined) return null
  const at = `Your suite is red at ${base.branch} (${base.sha.slice(0, 7)})`
  if ('command' in red) {
    const exitCode = red.before?.exitCode ?? null
    const ending = exitCode === null ? 'is stopped' : `ends with code ${exitCode}`
    return `${at}: ${clip(oneLine(red.command), 80)} ${ending} before any change.`
  }
  const { failed, passed } = red
  return `${at}: ${failed} of ${countOf(failed + passed, 'test')} ${failed === 1 ? 'fails' : 'fail'} before any change.`
}

/** The recorded dollars; `null` when tokens were used at an unknown price. */
function costOf(usage: Usage, preview: Report['preview']): number | null {
  const isPriced = preview !== null && preview.dollars !== null
  return usage.dollars > 0 || isPriced || totalTokens(usage) === 0 ? usage.dollars : null
}

/** Returns true when some tasks have a cost and others used tokens at an unknown price. */
function isCostPartial(state: RunState): boolean {
  const { preview } = state.roadmap
  const { spent, tasks } = state
  if (preview === null || preview.dollars !== null || spent.usage.dollars === 0) return false
  const own = Object.values(tasks.results).filter(({ thisRun }) => thisRun)
  return [...own, ...attemptsOf(state)].some(
    ({ usage }) => usage.dollars === 0 && totalTokens(usage) > 0,
  )
}

function repositoryOf(results: readonly TaskResult[]): string | null {
  for (const { pullRequest } of results) {
    const address = /^(https?:\/\/.+)\/pull\/\d+$/.exec(pullRequest?.url ?? '')?.[1]
    if (address !== undefined) return address
  }
  return null
}

interface ReportedRun {
  readonly dryRun: boolean
  readonly phases: PhasesByTask
  readonly notes: ReturnType<typeof notesByTask>
  cost(usage: Usage): number | null
}

/** Seconds of a run by phase, including its tasks, the longest first. Overlapping phases count in full. */
export function secondsByPhase(report: Pick<Report, 'phases' | 'tasks'>) {
  const all = [...report.phases, ...report.tasks.flatMap((task) => task.phases)]
  return [...Map.groupBy(all, ({ phase }) => phase)]
    .map(([phase, some]) => ({ phase, seconds: some.reduce((sum, each) => sum + each.seconds, 0) }))
    .toSorted((a, b) => b.seconds - a.seconds)
}

function reportTask(result: TaskResult, { dryRun, phases, notes, cost }: ReportedRun): TaskReport {
  const { id, title, verdict, reason, branch, start, sha, usage, receipt, thisRun } = result
  return {
    ...{ id, title },
    outcome: verdict === 'over_budget' ? (dryRun ? 'planned' : 'budget_exceeded') : verdict,
    ...{ reason, branch, start, sha },
    pr: result.pullRequest,
    attempts: result.attempts,
    repairs: result.repairs,
    ...(result.route !== undefined && { route: result.route }),
    ...(result.request !== undefined && { request: result.request }),
    ...(result.overtaken !== undefined && { overtaken: result.overtaken }),
    tokens: totalTokens(usage),
    cost: cost(usage),
    seconds: round(result.seconds, 3),
    changed: receipt?.changed ?? null,
    phases: phases.get(id) ?? [],
    notes: notes.get(id) ?? [],
    ...{ receipt, thisRun },
  }
}

/**
 * `.executor/todos.json`: every task of the roadmap, with status `completed` when it is done. `group` is the name of
 * its `**Group**`, or the first task of the group that it was done in.
 */
export function writeTodos(tasks: readonly Task[], results: RunState['tasks']['results']): string {
  const byBranch = Map.groupBy(Object.values(results), ({ branch }) => branch)
  const todos = tasks.map(({ id, title, status: box, group, files, dependsOn }) => {
    const { verdict, branch = null } = results[id] ?? {}
    const isDone = box === 'done' || (verdict !== undefined && totalOf[verdict] === 'done')
    const status = isDone || verdict === 'unverified' ? 'completed' : (verdict ?? box)
    const isShared = branch !== null && (byBranch.get(branch)?.length ?? 0) > 1
    const first = isShared ? taskIdOfBranch(branch) : null
    return { id, title, status, group: group ?? first, files, dependsOn }
  })
  return `${JSON.stringify({ todos }, null, 2)}\n`
}
