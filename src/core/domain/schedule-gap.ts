import { count, object, type Stored, text, texts } from './stored.ts'

/** What a schedule of a workflow left out before this run. Times are ISO 8601, UTC. */
export const scheduleGapSchema = object({
  cron: text,
  /** When runs should have begun and none did, oldest first; of many the first few and the last one. */
  missed: texts,
  /** All of them; 1000 is that many or more. */
  missedRuns: count,
  /** How long after its time this run began; 0 where that is usual. */
  lateSeconds: count,
})

export type ScheduleGap = Stored<typeof scheduleGapSchema>
