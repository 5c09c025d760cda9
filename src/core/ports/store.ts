import { z } from 'zod'
import type { Stored } from '../../../packages/text/text.ts'
import type {
  JournalEntry,
  JournalEvent,
  RecordedAnswer,
  RecordedSilence,
} from '../domain/journal-event.ts'
import type { RunState } from '../domain/run-state.ts'

export type LoadResult =
  /** `restored` describes the fault of the newest state, when `state` is the previous one. */
  | {
      readonly status: 'loaded'
      readonly state: RunState
      readonly restored?: string
      /** The repository, where another machine left it; otherwise this disk. */
      readonly from?: 'repository'
    }
  /** `setAside` says why a state of another version was set aside, and where it is. */
  | { readonly status: 'none'; readonly setAside?: string }
  /** The file was kept aside; `detail` says where, and names the fault. */
  | { readonly status: 'corrupt'; readonly detail: string }

const amount = z.number().nonnegative()

/** Usage of one model call, and its time (ISO 8601, UTC). */
export const spendingSchema = z.object({
  /** Distinguishes it from an equal one on another machine. */
  id: z.string().optional(),
  at: z.string(),
  tokens: amount,
  dollars: amount,
})

export type Spending = Stored<typeof spendingSchema>

/** Usage of one day's model calls (UTC), including earlier runs. */
export interface DaySpending {
  readonly tokens: number
  readonly dollars: number
  /** The unreadable part of the record, which is not counted; `null`: none. */
  readonly unreadable: string | null
}

/** A finished task of any run: its usage, and its uncalibrated forecast. */
export interface PastTask {
  readonly tokens: number
  readonly forecastTokens: number
}

export interface Store {
  /** The unfinished run of this request, if known; otherwise the newest state. */
  load(request?: string): Promise<LoadResult>
  /**
   * Leaves the old or the new state on disk, never a torn one. Writes the entries to the journal before the state: a
   * kill in between records events twice, never too few.
   */
  save(state: RunState, entries?: readonly JournalEntry[]): Promise<void>
  /** Appends to the journal of a run; on disk when this returns. */
  record(run: string, entries: readonly JournalEntry[]): Promise<void>
  /** All events of a run, in order, without damaged lines. Empty for an unknown run. */
  journal(run: string): Promise<readonly JournalEvent[]>
  /** Runs with a journal here, oldest first. */
  runs(): Promise<readonly string[]>
  /** The model's answer to this call of a run, if the request was the same and the answer was stored whole; or silence. */
  answer(run: string, call: number, hash: string): Promise<RecordedAnswer | RecordedSilence | null>
  /** Writes `.executor/<name>`, replacing it whole; returns its path. */
  writeReport(name: string, text: string): Promise<string>
  /** Books a model call for the daily limits; on disk when this returns. */
  recordSpending(spending: Spending): Promise<void>
  /** The day is `2026-01-31`. Reports damaged lines, and never throws for them. */
  spendingOn(day: string): Promise<DaySpending>
  /** Finished tasks of this run and earlier ones that this store still has. */
  pastTasks(): Promise<readonly PastTask[]>
}
