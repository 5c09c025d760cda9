import type { RunState } from '../../core/domain/run-state.ts'
import { totalTokens, type Usage } from '../../core/domain/usage.ts'

export interface NodeReport {
  readonly node: string
  readonly calls: number
  readonly tokens: number
  /** Per cent of all tokens, or of all seconds if no tokens were used. Sums to 100. */
  readonly share: number
  /** Dollars; `null` when the price is unknown. */
  readonly cost: number | null
  readonly seconds: number
}

/** The cost of each kind of step in a run. */
export function reportNodes(
  nodes: RunState['spent']['nodes'],
  cost: (usage: Usage) => number | null,
): readonly NodeReport[] {
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
    cost: cost(metrics.usage),
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

export function round(value: number, digits: number): number {
  const factor = 10 ** digits
  return Math.round(value * factor) / factor
}
