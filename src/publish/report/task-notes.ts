import { clip, oneLine } from '../../../packages/text/text.ts'
import type { JournalEvent } from '../../core/domain/journal-event.ts'
import { foldScratchpad, type ScratchEntry } from '../../core/journal/fold-scratchpad.ts'
import { describeToolCall } from './describe-tool-call.ts'

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
