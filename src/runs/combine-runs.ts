import type { NodeMetrics, RunState } from '../core/domain/run-state.ts'
import { addUsage, noUsage } from '../core/domain/usage.ts'

/**
 * Several runs of one job as one, for its report: what was done in any of them was done, the rest is
 * as the last one left it.
 */
export function combineRuns(first: RunState, ...others: readonly RunState[]): RunState {
  return others.reduce(
    (before, after) => ({
      ...after,
      startedAt: before.startedAt,
      results: combineResults(before.results, after.results),
      usage: addUsage(before.usage, after.usage),
      seconds: before.seconds + after.seconds,
      nodes: combineNodes(before.nodes, after.nodes),
      recoveries: [...before.recoveries, ...after.recoveries],
      destructive: [...before.destructive, ...after.destructive],
      roadmapChanges: [...before.roadmapChanges, ...after.roadmapChanges],
      errors: [...before.errors, ...after.errors],
      hidden: [...before.hidden, ...after.hidden],
      limits: [...new Set([...before.limits, ...after.limits])],
      stopped: after.stopped ?? before.stopped,
      retryAt: after.retryAt ?? before.retryAt,
      gap: after.gap ?? before.gap,
      pullRequestsOpened: before.pullRequestsOpened + after.pullRequestsOpened,
    }),
    first,
  )
}

/** A task that a later run only found is still one that an earlier one did. */
function combineResults(
  before: RunState['results'],
  after: RunState['results'],
): RunState['results'] {
  const done = Object.entries(before).filter(
    ([id, { thisRun }]) => thisRun && after[id]?.thisRun !== true,
  )
  const found = done.map(([id, result]) => [id, { ...after[id], ...result }] as const)
  return { ...before, ...after, ...Object.fromEntries(found) }
}

function combineNodes(before: RunState['nodes'], after: RunState['nodes']): RunState['nodes'] {
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
