import { clip, oneLine } from '../../../packages/text/text.ts'
import type { JournalEvent } from '../../core/domain/journal-event.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import { totalTokens, type Usage } from '../../core/domain/usage.ts'
import { foldScratchpad, type ScratchEntry } from '../../core/journal/fold-scratchpad.ts'
import { describeToolCall } from './describe-tool-call.ts'

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

/** A tool call or a reflection of an attempt, neither neutralised. */
export type TaskNote = { readonly attempt: number } & (
  | {
      readonly kind: 'call'
      /** The model's words before it. */
      readonly thought: string
      /** `grep "total"` */
      readonly call: string
      /** `3 in 2 files` */
      readonly summary: string
    }
  /** Why a change failed, in the model's words: at most three lines. */
  | { readonly kind: 'reflection'; readonly lines: readonly string[] }
)

/** The most notes of a task, the newest kept; and in characters. */
const mostNotes = 100
const longestLine = 300
const mostLines = 3

/** The tool calls and reflections of each task, in order, from the journal of its run. */
export function notesByTask(
  events: readonly JournalEvent[],
): ReadonlyMap<string, readonly TaskNote[]> {
  const places = new Map<string, { from: number; to: number }>()
  for (const [index, event] of events.entries()) {
    if (event.kind !== 'observed' && event.kind !== 'reflected') continue
    if (event.task === null) continue
    const from = places.get(event.task)?.from ?? index
    places.set(event.task, { from, to: index + 1 })
  }
  return new Map(
    [...places].map(([task, { from, to }]) => {
      const { entries } = foldScratchpad(task, events.slice(from, to))
      return [task, entries.flatMap(noteOf).slice(-mostNotes)]
    }),
  )
}

function noteOf(entry: ScratchEntry): readonly TaskNote[] {
  const { attempt } = entry
  if (entry.kind === 'turn') {
    const call = inOneLine(describeToolCall(entry))
    const thought = inOneLine(entry.thought)
    return [{ attempt, kind: 'call', thought, call, summary: inOneLine(entry.summary) }]
  }
  if (entry.kind !== 'reflection' || entry.lines.length === 0) return []
  const lines = entry.lines.slice(0, mostLines).map(inOneLine)
  return [{ attempt, kind: 'reflection', lines }]
}

const inOneLine = (text: string): string => clip(oneLine(text), longestLine)
