import type { RecoveryRecord, RunError, RunState } from '../../core/domain/run-state.ts'
import type { Receipt } from '../../core/domain/test-report.ts'
import { totalTokens } from '../../core/domain/usage.ts'
import { finishedVerdicts, type TaskResult, type Verdict } from '../../core/domain/verdict.ts'
import { describeGap } from './describe-gap.ts'

/** `report.json`, as surface.md has it. Seconds are seconds, shares are per cent. */
export interface Report {
  readonly runId: string
  readonly dryRun: boolean
  readonly base: { readonly branch: string; readonly sha: string }
  readonly startedAt: string
  readonly completedAt: string | null
  readonly durationSeconds: number
  /** Finished tasks of those this run had to deal with, 0 to 1; 1 when there was nothing to do. */
  readonly successRate: number
  readonly tasks: readonly TaskReport[]
  readonly nodes: readonly NodeReport[]
  readonly usage: RunState['usage']
  /** What it was about to do when it began; `null` when the roadmap could not be read. */
  readonly preview: RunState['preview']
  readonly recoveries: readonly RecoveryRecord[]
  /** Destructive operations that were approved or rejected, or wait. */
  readonly destructive: RunState['destructive']
  readonly roadmapChanges: readonly string[]
  readonly errors: readonly RunError[]
  /** What was hidden in texts that a model was shown, and kept from it. */
  readonly hidden: RunState['hidden']
  readonly limits: readonly string[]
  /** Tasks that other runs worked on meanwhile, a sentence each. */
  readonly held: readonly string[]
  readonly retryAt: string | null
  /** What the schedule that began this run left out before, and the same in a sentence. */
  readonly schedule: (NonNullable<RunState['gap']> & { readonly text: string }) | null
}

/**
 * A verdict as reports name it: one that met a limit, or its Budget line, is `budget_exceeded`. A
 * dry run asks nobody, and `planned` is all it can say.
 */
type Outcome = Exclude<Verdict, 'over_budget'> | 'budget_exceeded' | 'planned'

export interface TaskReport {
  readonly id: string
  readonly title: string
  readonly outcome: Outcome
  readonly reason: string
  readonly branch: string | null
  /** The branch or commit it grew from, for the picture of the stack. */
  readonly start: string | null
  readonly sha: string | null
  readonly pr: { readonly number: number; readonly url: string } | null
  readonly attempts: number
  readonly repairs: number
  readonly tokens: number
  readonly cost: number
  readonly seconds: number
  readonly receipt: Receipt | null
  readonly thisRun: boolean
}

export interface NodeReport {
  readonly node: string
  readonly calls: number
  readonly tokens: number
  /** Per cent of all tokens; of all seconds where no tokens were used. Sums to 100. */
  readonly share: number
  readonly seconds: number
}

/** The report of a run, from its state alone. */
export function buildReport(state: RunState): Report {
  const results = Object.values(state.results)
  const finished = results.filter(({ verdict }) => finishedVerdicts.includes(verdict))
  return {
    runId: state.runId,
    dryRun: state.dryRun,
    base: state.base,
    startedAt: state.startedAt,
    completedAt: state.completedAt,
    durationSeconds: round(state.seconds, 3),
    successRate: results.length === 0 ? 1 : round(finished.length / results.length, 4),
    tasks: results.map((result) => reportTask(result, state.dryRun)),
    nodes: reportNodes(state.nodes),
    usage: state.usage,
    preview: state.preview,
    recoveries: state.recoveries,
    destructive: state.destructive,
    roadmapChanges: state.roadmapChanges,
    errors: state.errors,
    hidden: state.hidden,
    limits: state.limits,
    held: Object.entries(state.held).map(([id, by]) => `${id} is left alone: ${by}.`),
    retryAt: state.retryAt,
    schedule: state.gap && { ...state.gap, text: describeGap(state.gap) },
  }
}

function reportTask(result: TaskResult, dryRun: boolean): TaskReport {
  const { id, title, verdict, reason, branch, start, sha, pullRequest, usage } = result
  const { attempts, repairs, seconds, receipt, thisRun } = result
  return {
    id,
    title,
    outcome: verdict === 'over_budget' ? (dryRun ? 'planned' : 'budget_exceeded') : verdict,
    reason,
    branch,
    start,
    sha,
    pr: pullRequest,
    attempts,
    repairs,
    tokens: totalTokens(usage),
    cost: usage.dollars,
    seconds: round(seconds, 3),
    receipt,
    thisRun,
  }
}

function reportNodes(nodes: RunState['nodes']): readonly NodeReport[] {
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
