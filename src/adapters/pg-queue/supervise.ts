export interface SupervisionOptions {
  /** Sets aside jobs that no worker may start again. */
  readonly sweep: () => Promise<void>
  /** Takes their jobs from workers that have been silent for long. */
  readonly judge: () => Promise<void>
  /** The time in which every worker that lives shows it. */
  readonly graceSeconds: number
  /** Seconds of a clock that is never set. */
  readonly monotonic: () => number
  readonly log: (line: string) => void
}

/**
 * Returns what each process does at intervals. After an outage of the database, all workers have been silent: they are judged
 * once those that live have shown it.
 */
export function createSupervision(options: SupervisionOptions): () => Promise<void> {
  const { sweep, judge, graceSeconds, monotonic, log } = options
  let judgesFrom = monotonic() + graceSeconds
  let isLooking = false
  return async () => {
    if (isLooking) return
    isLooking = true
    try {
      await sweep()
      if (monotonic() >= judgesFrom) await judge()
    } catch (error) {
      judgesFrom = monotonic() + graceSeconds
      log(`queue: ${String(error)}`)
    } finally {
      isLooking = false
    }
  }
}
