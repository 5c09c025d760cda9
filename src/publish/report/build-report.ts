import type { RunState } from '../../core/domain/run-state.ts'
import type { Task } from '../../core/domain/task.ts'
import { totalTokens } from '../../core/domain/usage.ts'
import { finishedVerdicts, type TaskResult, type Verdict } from '../../core/domain/verdict.ts'
import { describeGap } from './describe-gap.ts'

type FactsOfRun = Pick<RunState['run'], 'dryRun' | 'startedAt' | 'completedAt'> &
  Pick<RunState['roadmap'], 'base' | 'preview'> &
  Pick<RunState['progress'], 'limits' | 'retryAt'> &
  Pick<RunState['spent'], 'usage'>

/** `report.json`, as surface.md has it. Seconds are seconds, shares are per cent. */
export interface Report extends FactsOfRun, Readonly<RunState['record']> {
  readonly runId: string
  readonly roadmapChanges: readonly string[]
  readonly durationSeconds: number
  /**
   * Tasks that are done or in review with tests that ran, of those that this run tried, 0 to 1; `replaced`
   * counts neither way. Where it tried none: 1 when nothing was left to do, else 0.
   */
  readonly successRate: number
  readonly totals: Totals
  /** Stubs per 1,000 changed lines of code; 0 where nothing was changed. */
  readonly lei: number
  /** Proposals that were carried out to get a task done, and those whose tasks are done now. */
  readonly recovered: { readonly tried: number; readonly succeeded: number }
  readonly tasks: readonly TaskReport[]
  readonly nodes: readonly NodeReport[]
  /** Tasks that other runs worked on meanwhile, a sentence each. */
  readonly held: readonly string[]
  /** What the schedule that began this run left out before, and the same in a sentence. */
  readonly schedule: (NonNullable<RunState['run']['gap']> & { readonly text: string }) | null
}

/** Each task is in one of them; `done` is done or in review. A dry run's are none. */
export type Totals = Readonly<
  Record<'done' | 'unverified' | 'failed' | 'deferred' | 'waiting' | 'skipped' | 'replaced', number>
>

type FactsOfTask = 'id' | 'title' | 'reason' | 'branch' | 'sha' | 'attempts' | 'repairs'

export interface TaskReport
  extends Pick<TaskResult, FactsOfTask | 'start' | 'seconds' | 'receipt' | 'thisRun'> {
  /**
   * A verdict as reports name it: one that met a limit, or its Budget line, is `budget_exceeded`. A
   * dry run asks nobody, and `planned` is all it can say.
   */
  readonly outcome: Exclude<Verdict, 'over_budget'> | 'budget_exceeded' | 'planned'
  readonly pr: TaskResult['pullRequest']
  readonly tokens: number
  readonly cost: number
}

export interface NodeReport {
  readonly node: string
  readonly calls: number
  readonly tokens: number
  /** Per cent of all tokens; of all seconds where no tokens were used. Sums to 100. */
  readonly share: number
  readonly seconds: number
}

/** From the state of the run alone. */
export function buildReport(state: RunState): Report {
  const results = Object.values(state.tasks.results)
  const { id: runId, dryRun, startedAt, completedAt, gap } = state.run
  const { base, preview, changes: roadmapChanges } = state.roadmap
  const { usage } = state.spent
  const { recoveries, destructive, errors, hidden } = state.record
  const { limits, retryAt } = state.progress
  return {
    ...{ runId, dryRun, base, startedAt, completedAt },
    durationSeconds: round(state.spent.seconds, 3),
    successRate: round(successRate(results, preview?.tasks ?? 0), 4),
    totals: totalsOf(dryRun ? [] : results),
    lei: round(stubsPerThousand(results), 2),
    recovered: countRecovered(state),
    tasks: results.map((result) => reportTask(result, dryRun)),
    nodes: reportNodes(state.spent.nodes),
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
  return results.every(({ verdict }) => finishedVerdicts.includes(verdict)) ? 1 : 0
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
  waiting: 'waiting',
} as const satisfies Record<Verdict, keyof Totals>

function totalsOf(results: readonly TaskResult[]): Totals {
  const none = { done: 0, unverified: 0, failed: 0, deferred: 0, waiting: 0 }
  const totals = { ...none, skipped: 0, replaced: 0 }
  for (const { verdict } of results) totals[totalOf[verdict]] += 1
  return totals
}

/** Tasks that were put off or replaced; what was left out or left to a person was not tried. */
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

/** `3 of 6 done, 1 unverified, 2 failed`; what was replaced is none of them. */
export function describeTotals({ done, replaced, ...others }: Totals): string {
  const all = Object.values(others).reduce((sum, count) => sum + count, done)
  const more = Object.entries({ ...others, replaced })
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `, ${count} ${name}`)
  return `${done} of ${all} done${more.join('')}`
}

function reportTask(result: TaskResult, dryRun: boolean): TaskReport {
  const { id, title, verdict, reason, branch, start, sha, usage, receipt, thisRun } = result
  return {
    ...{ id, title },
    outcome: verdict === 'over_budget' ? (dryRun ? 'planned' : 'budget_exceeded') : verdict,
    ...{ reason, branch, start, sha },
    pr: result.pullRequest,
    attempts: result.attempts,
    repairs: result.repairs,
    tokens: totalTokens(usage),
    cost: usage.dollars,
    seconds: round(result.seconds, 3),
    ...{ receipt, thisRun },
  }
}

function reportNodes(nodes: RunState['spent']['nodes']): readonly NodeReport[] {
  const rows = Object.entries(nodes)
  const tokens = rows.reduce((sum, [, { usage }]) => sum + totalTokens(usage), 0)
  const seconds = rows.reduce((sum, [, node]) => sum + node.seconds, 0)
  const weights = rows.map(([, node]) =>
    tokens > 0 ? totalTokens(node.usage) / tokens : node.seconds / (seconds || 1),
  )
  const shares = sharesOf(weights)
  return rows.map(([node, metrics], index) => ({
    node,
    calls: metrics.calls,
    tokens: totalTokens(metrics.usage),
    share: shares[index] ?? 0,
    seconds: round(metrics.seconds, 3),
  }))
}

/** Per cent with one decimal that sum to exactly 100: the largest remainders are rounded up. */
function sharesOf(weights: readonly number[]): readonly number[] {
  const exact = weights.map((weight) => weight * 1000)
  const floors = exact.map(Math.floor)
  const total = exact.some((weight) => weight > 0) ? 1000 : 0
  let missing = total - floors.reduce((sum, part) => sum + part, 0)
  const byRemainder = exact
    .map((weight, index) => ({ index, rest: weight - (floors[index] ?? 0) }))
    .toSorted((a, b) => b.rest - a.rest)
  for (const { index } of byRemainder) {
    if (missing <= 0) break
    floors[index] = (floors[index] ?? 0) + 1
    missing -= 1
  }
  return floors.map((part) => part / 10)
}

function round(value: number, digits: number): number {
  const factor = 10 ** digits
  return Math.round(value * factor) / factor
}

/** `.executor/todos.json`: every task of the roadmap, `completed` where it is done. */
export function writeTodos(tasks: readonly Task[], results: RunState['tasks']['results']): string {
  const todos = tasks.map(({ id, title, status: box }) => {
    const verdict = results[id]?.verdict
    const isDone = box === 'done' || (verdict !== undefined && totalOf[verdict] === 'done')
    const status = isDone || verdict === 'unverified' ? 'completed' : (verdict ?? box)
    return { id, title, status }
  })
  return `${JSON.stringify({ todos }, null, 2)}\n`
}
