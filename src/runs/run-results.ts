import { changeState } from '../core/domain/change-state.ts'
import { catalogue, isCatalogued, type RunErrorCode } from '../core/domain/errors.ts'
import type { NodeMetrics, RunState } from '../core/domain/run-state.ts'
import { addUsage, noUsage } from '../core/domain/usage.ts'
import { isFinishedVerdict } from '../core/domain/verdict.ts'

/**
 * Combines several runs of one job for its report: work done in any of them is done; the rest is as the last one left
 * it.
 */
export function combineRuns(first: RunState, ...others: readonly RunState[]): RunState {
  return others.reduce(
    (before, after) =>
      changeState(after, {
        run: { startedAt: before.run.startedAt, gap: after.run.gap ?? before.run.gap },
        tasks: { results: combineResults(before.tasks.results, after.tasks.results) },
        spent: {
          usage: addUsage(before.spent.usage, after.spent.usage),
          seconds: before.spent.seconds + after.spent.seconds,
          nodes: combineNodes(before.spent.nodes, after.spent.nodes),
        },
        record: {
          recoveries: [...before.record.recoveries, ...after.record.recoveries],
          destructive: [...before.record.destructive, ...after.record.destructive],
          errors: [...before.record.errors, ...after.record.errors],
          hidden: [...before.record.hidden, ...after.record.hidden],
        },
        roadmap: { changes: [...before.roadmap.changes, ...after.roadmap.changes] },
        progress: {
          limits: [...new Set([...before.progress.limits, ...after.progress.limits])],
          stopped: after.progress.stopped ?? before.progress.stopped,
          retryAt: after.progress.retryAt ?? before.progress.retryAt,
        },
        pullRequests: { opened: before.pullRequests.opened + after.pullRequests.opened },
      }),
    first,
  )
}

/** A task that a later run only found still counts as done by the earlier one. */
function combineResults(
  before: RunState['tasks']['results'],
  after: RunState['tasks']['results'],
): RunState['tasks']['results'] {
  const done = Object.entries(before).filter(
    ([id, { thisRun }]) => thisRun && after[id]?.thisRun !== true,
  )
  const found = done.map(([id, result]) => [id, { ...after[id], ...result }] as const)
  return { ...before, ...after, ...Object.fromEntries(found) }
}

function combineNodes(
  before: RunState['spent']['nodes'],
  after: RunState['spent']['nodes'],
): RunState['spent']['nodes'] {
  const combined: Record<string, NodeMetrics> = { ...before }
  for (const [name, { calls, seconds, usage }] of Object.entries(after)) {
    const known = combined[name] ?? { calls: 0, seconds: 0, usage: noUsage }
    combined[name] = {
      calls: known.calls + calls,
      seconds: known.seconds + seconds,
      usage: addUsage(known.usage, usage),
    }
  }
  return combined
}

/**
 * The exit code of a run (surface.md): 0 all requested tasks done, 1 some failed, 2 wrong use or set-up, 3 waiting
 * for a person, 4 a limit or a cancel, resumable.
 */
export function exitCodeOf(state: RunState): 0 | 1 | 2 | 3 | 4 {
  const codes = state.record.errors.map(({ code }) => exitCodeOfError(code))
  if (state.run.dryRun) return codes.includes(2) ? 2 : 0
  if (state.progress.stopped !== null) return 4
  if (codes.includes(2)) return 2
  if (codes.includes(4)) return 4
  const open = Object.values(state.tasks.results).filter(
    ({ verdict }) => !isFinishedVerdict(verdict),
  )
  if (open.some(({ verdict }) => verdict === 'over_budget')) return 4
  const failed = ['failed', 'skipped', 'deferred', 'rejected', 'rolled_back']
  if (open.some(({ verdict, thisRun }) => thisRun && failed.includes(verdict))) return 1
  return open.some(({ verdict }) => verdict === 'waiting') ? 3 : 0
}

/** A resumed run still lists these, and `stopped` says whether they count; the verdicts show a common cause. */
const uncounted: ReadonlySet<RunErrorCode> = new Set([
  'model_unavailable',
  'forge_unavailable',
  'same_cause',
])

/** Besides the catalogue, problems that lint found in the roadmap: nothing was started. */
function exitCodeOfError(code: RunErrorCode): number {
  if (uncounted.has(code)) return 0
  return isCatalogued(code) ? catalogue[code].exitCode : 2
}
