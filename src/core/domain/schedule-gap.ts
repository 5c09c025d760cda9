import { count, object, type Stored, text, texts } from '../../../packages/text/text.ts'

/** Runs that a workflow's schedule missed before this one. Times are ISO 8601, UTC. */
export const scheduleGapSchema = object({
  cron: text,
  /** Times at which no run began although one was due, oldest first; of many, the first few and the last. */
  missed: texts,
  /** Their total number; 1000 stands for that many or more. */
  missedRuns: count,
  /** Delay of this run's start; 0 when it is usual. */
  lateSeconds: count,
})

export type ScheduleGap = Stored<typeof scheduleGapSchema>
