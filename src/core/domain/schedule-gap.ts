/** What a schedule of a workflow left out before this run. Times are ISO 8601, UTC. */
export interface ScheduleGap {
  readonly cron: string
  /** When runs should have begun and none did, oldest first; of many the first few and the last one. */
  readonly missed: readonly string[]
  /** All of them; 1000 is that many or more. */
  readonly missedRuns: number
  /** How long after its time this run began; 0 where that is usual. */
  readonly lateSeconds: number
}
