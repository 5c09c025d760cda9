import type { Job as StoredJob } from 'pg-boss'
import {
  type Job,
  type JobHandler,
  type JobQueue,
  type JobResult,
  mostStarts,
} from '../ports/job-queue.ts'
import { type JobTable, openJobTable, type StoredData } from './pg-queue/job-table.ts'
import { openDatabase, type QueueDatabase } from './pg-queue/open-database.ts'

export interface PgQueueOptions {
  readonly database: QueueDatabase
  /** What went wrong besides the jobs themselves. */
  readonly log: (line: string) => void
  /** A worker that is silent for so long is dead; 20 when not given, at least 10. */
  readonly heartbeatSeconds?: number
  /** Before the second start of a job, doubled before the third; 10 when not given. */
  readonly retryDelaySeconds?: number
}

/** Looks for jobs even if nobody called, in seconds: for those that come back. */
const pollingSeconds = 2

/** How often, in seconds, jobs that ended with their third worker are put aside. */
const sweepSeconds = 4

/**
 * The queue in PostgreSQL, or in the embedded one, by pg-boss: order by repository and one at a time
 * are its `key_strict_fifo`, and the delivery's id is the job's.
 *
 * @throws ExecutorError `queue_locked`, `queue_unreachable`
 */
export async function openPgQueue(options: PgQueueOptions): Promise<JobQueue> {
  const { log, heartbeatSeconds = 20, retryDelaySeconds = 10 } = options
  const { boss, alone, close } = await openDatabase(options.database)
  boss.on('error', (error) => log(`queue: ${error.message}`))
  const table = await openJobTable(boss, { alone, heartbeatSeconds, retryDelaySeconds })
  // Whoever was at work in a database that is ours alone is dead.
  if (alone) await table.releaseActive('The process ended in the middle of it.')
  const sweep = () => table.sweep().catch((error: unknown) => log(`queue: ${String(error)}`))
  await sweep()
  const timer = setInterval(sweep, sweepSeconds * 1000)
  timer.unref()
  let closed: Promise<void> | undefined
  const shut = async (graceSeconds: number) => {
    clearInterval(timer)
    await within(graceSeconds, boss.offWork(table.name, { wait: true }))
    await boss.stop({ graceful: false })
    await close()
  }

  return {
    enqueue: (job) => table.add(job),
    counts: () => table.counts(),
    async work(handler, { concurrency }) {
      for (let worker = 0; worker < concurrency; worker++) {
        await startWorker(table, handler, heartbeatSeconds)
      }
    },
    close(graceSeconds) {
      closed ??= shut(graceSeconds)
      return closed
    },
  }
}

async function startWorker(
  table: JobTable,
  handler: JobHandler,
  heartbeatSeconds: number,
): Promise<void> {
  const { boss, name } = table
  const options = {
    pollingIntervalSeconds: pollingSeconds,
    notifyPollingIntervalSeconds: pollingSeconds,
    heartbeatRefreshSeconds: heartbeatSeconds / 4,
  }
  const worker: { id?: string } = {}
  worker.id = await boss.work<StoredData>(name, options, async (stored) => {
    try {
      for (const one of stored) await workOn(table, handler, one)
    } finally {
      // The next one may wait already: look before sleeping.
      if (worker.id !== undefined) boss.notifyWorker(worker.id)
    }
  })
}

/** What is thrown from here, pg-boss takes for "again". */
async function workOn(
  table: JobTable,
  handler: JobHandler,
  stored: StoredJob<StoredData>,
): Promise<void> {
  const job = JSON.parse(stored.data.job) as Job
  const result = await handle(handler, job, stored.signal)
  if (result.status === 'done' || stored.signal.aborted) return
  const isLast = stored.retryCount >= mostStarts - 1
  if (result.status === 'again' && !isLast) throw new Error(result.reason)
  await table.giveUp(stored, result.reason)
}

async function handle(handler: JobHandler, job: Job, signal: AbortSignal): Promise<JobResult> {
  try {
    return await handler(job, signal)
  } catch (error) {
    return { status: 'again', reason: error instanceof Error ? error.message : String(error) }
  }
}

async function within(seconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, seconds * 1000)
  })
  await Promise.race([work, late])
  clearTimeout(timer)
}
