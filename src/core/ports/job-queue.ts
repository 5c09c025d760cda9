/** Work that outlives its process: each webhook is carried out once, although machines stop in the middle of it. */

/** One webhook that asks for work. */
export interface Job<Payload = unknown> {
  /** Derived from the webhook's content: the same id means the same job. */
  readonly id: string
  /** `owner/name`. Jobs of one repository run one at a time, in order of arrival. */
  readonly repository: string
  /** The App's installation there; `null` when the webhook does not name it. */
  readonly installation: number | null
  /** GitHub's event name, `issue_comment`. */
  readonly event: string
  /** The needed part of the webhook; plain data. */
  readonly payload: Payload
  /** ISO 8601, UTC. */
  readonly receivedAt: string
}

/** What a job leaves for people to look at. */
export interface JobOutput {
  /** The address of the workflow that it started. */
  readonly link?: string
  /** The HTML report of its run. */
  readonly report?: string
}

export type JobResult =
  | { readonly status: 'done'; readonly left?: JobOutput }
  /**
   * A retry may succeed: the job starts again in its place, three times at most. A start does not count when it ends with a
   * time before which another cannot succeed (ISO 8601, UTC).
   */
  | { readonly status: 'again'; readonly reason: string; readonly notBefore?: string }
  /** No retry can help. */
  | { readonly status: 'failed'; readonly reason: string }

/** Works on one job. An exception counts as `again`. `signal`: another process has the job now, or the queue closes. */
export type JobHandler<Payload = unknown> = (
  job: Job<Payload>,
  signal: AbortSignal,
) => Promise<JobResult>

export interface JobCounts {
  readonly waiting: number
  readonly active: number
  /** Of the last days, for as long as a repeated delivery is recognised. */
  readonly done: number
  /** Abandoned in the last days. */
  readonly failed: number
}

/** A job as people see it. Times are ISO 8601, UTC. */
export interface JobView extends Omit<Job, 'payload'> {
  readonly state: keyof JobCounts
  readonly startedAt: string | null
  readonly endedAt: string | null
  /** Why it failed, or why it starts again. */
  readonly reason: string | null
  readonly link: string | null
  readonly hasReport: boolean
}

/** Starts of one job before it is abandoned, including those that died with their process. */
export const mostStarts = 3

export interface JobQueue<Payload = unknown> {
  /** On disk when this returns. `known`: a job with this id waits, runs or is done. Queues an abandoned one again. */
  enqueue(job: Job<Payload>): Promise<'queued' | 'known'>
  /** Works on this many repositories in parallel until the queue is closed; installations take turns. Call it once. */
  work(handler: JobHandler<Payload>, options: { readonly concurrency: number }): Promise<void>
  counts(): Promise<JobCounts>
  /** The latest jobs of each state, of these repositories, in lower case, or of all; an id here is for `find`. */
  list(repositories: readonly string[] | null, most: number): Promise<readonly JobView[]>
  find(id: string): Promise<(JobView & { readonly report: string | null }) | null>
  /** Takes no new job, waits this long for running ones, and leaves the rest to the next process. */
  close(graceSeconds: number): Promise<void>
}
