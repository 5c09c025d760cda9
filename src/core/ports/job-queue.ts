/**
 * Work that outlives the process that was told of it: what GitHub says once is done once, although
 * machines stop in the middle of it.
 */

/** One webhook that asks for something. */
export interface Job<Payload = unknown> {
  /** Of what the webhook says: what comes under the same id again is the same job. */
  readonly id: string
  /** `owner/name`. Jobs of one repository run one at a time, in the order they came. */
  readonly repository: string
  /** The App's installation there; `null` where the webhook does not say. */
  readonly installation: number | null
  /** GitHub's name of it, `issue_comment`. */
  readonly event: string
  /** What is needed of the webhook; plain data. */
  readonly payload: Payload
  /** ISO 8601, UTC. */
  readonly receivedAt: string
}

export type JobResult =
  | { readonly status: 'done' }
  /** It may go better later: it is started again, in its place, until it was started three times. */
  | { readonly status: 'again'; readonly reason: string }
  /** No other start can help. */
  | { readonly status: 'failed'; readonly reason: string }

/** Works on one job. What it throws counts as `again`. `signal`: somebody else has the job now, or the queue closes. */
export type JobHandler<Payload = unknown> = (
  job: Job<Payload>,
  signal: AbortSignal,
) => Promise<JobResult>

export interface JobCounts {
  readonly waiting: number
  readonly active: number
  /** Of the last days: so long a repeated delivery is recognised. */
  readonly done: number
  /** Given up in the last days. */
  readonly failed: number
}

/** Starts of one job before it is given up, those that ended with their process included. */
export const mostStarts = 3

export interface JobQueue<Payload = unknown> {
  /**
   * On disk when this returns. `known`: a job of this id waits, runs or is done. One that was given
   * up is queued anew.
   */
  enqueue(job: Job<Payload>): Promise<'queued' | 'known'>
  /** Works on so many repositories at once, until the queue is closed. To be called once. */
  work(handler: JobHandler<Payload>, options: { readonly concurrency: number }): Promise<void>
  counts(): Promise<JobCounts>
  /** Takes no new job, waits so long for those that run, and leaves the rest to the next process. */
  close(graceSeconds: number): Promise<void>
}
