import { z } from 'zod'
import type { JournalEntry, JournalEvent, RecordedAnswer } from '../domain/journal-event.ts'
import type { RunState } from '../domain/run-state.ts'
import type { Stored } from '../domain/stored.ts'

export type LoadResult =
  /** `restored` says what was wrong with the newest state, when `state` is the one before it. */
  | {
      readonly status: 'loaded'
      readonly state: RunState
      readonly restored?: string
      /** Where another machine left it; from this disk when not given. */
      readonly from?: 'repository'
    }
  /** `setAside` says why a state of another version was put aside, and where it is. */
  | { readonly status: 'none'; readonly setAside?: string }
  /** The file was kept aside; `detail` says where and what was wrong. */
  | { readonly status: 'corrupt'; readonly detail: string }

const amount = z.number().nonnegative()

/** What one model call used, and when (ISO 8601, UTC). */
export const spendingSchema = z.object({
  /** Tells it from an equal one on another machine, where there are others. */
  id: z.string().optional(),
  at: z.string(),
  tokens: amount,
  dollars: amount,
})

export type Spending = Stored<typeof spendingSchema>

/** What the model calls of one day (UTC) used, those of earlier runs included. */
export interface DaySpending {
  readonly tokens: number
  readonly dollars: number
  /** What of the record cannot be read, and so is not counted; `null`: nothing. */
  readonly unreadable: string | null
}

/** A task some run has finished: what it took, and what its forecast without history was. */
export interface PastTask {
  readonly tokens: number
  readonly forecastTokens: number
}

export interface Store {
  /** The unfinished run of this request, where one is known; else the newest state. */
  load(request?: string): Promise<LoadResult>
  /**
   * Old state or new state on disk, never a torn one. The entries are in the journal before the state
   * is: a kill in between leaves what happened twice in it, never too little.
   */
  save(state: RunState, entries?: readonly JournalEntry[]): Promise<void>
  /** Appends to the journal of a run; on disk when this returns. */
  record(run: string, entries: readonly JournalEntry[]): Promise<void>
  /** All that is known of a run, in order; what is damaged is left out. Empty for one that is not known. */
  journal(run: string): Promise<readonly JournalEvent[]>
  /** Runs with a journal here, oldest first. */
  runs(): Promise<readonly string[]>
  /** What the model answered at this call of a run, if it was asked just this and all of it was kept. */
  answer(run: string, call: number, hash: string): Promise<RecordedAnswer | null>
  /** Writes `.executor/<name>`, replacing it whole; answers its path. */
  writeReport(name: string, text: string): Promise<string>
  /** Books a model call for the limits per day; it is on disk when this returns. */
  recordSpending(spending: Spending): Promise<void>
  /** The day is `2026-01-31`. What is damaged is left out and said, never thrown. */
  spendingOn(day: string): Promise<DaySpending>
  /** Finished tasks of this run and earlier ones, as far as this store still knows them. */
  pastTasks(): Promise<readonly PastTask[]>
}
