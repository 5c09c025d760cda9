import type { JobWithMetadata } from 'pg-boss'
import type { Job, JobHandler, JobQueue, JobResult } from '../core/ports/job-queue.ts'
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

/** What a job that was told to stop has, in seconds, to put its things in order. */
const tidySeconds = 5

/** How often, in seconds, jobs that ended with their third worker are put aside. */
const sweepSeconds = 4

/**
 * The queue in PostgreSQL, or in the embedded one, by pg-boss: order by repository and one at a time
 * are its `key_strict_fifo`, and the job's id is its own.
 *
 * @throws ExecutorError `queue_locked`, `queue_unreachable`
 */
export async function openPgQueue<Payload>(options: PgQueueOptions): Promise<JobQueue<Payload>> {
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
  const closing = new AbortController()
  let closed: Promise<void> | undefined
  const shut = async (graceSeconds: number) => {
    clearInterval(timer)
    const ended = boss.offWork(table.name, { wait: true })
    await within(graceSeconds, ended)
    closing.abort(new Error('The queue is closed.'))
    await within(tidySeconds, ended)
    await boss.stop({ graceful: false })
    await close()
  }

  return {
    enqueue: (job) => table.add(job),
    counts: () => table.counts(),
    async work(handler, { concurrency }) {
      for (let worker = 0; worker < concurrency; worker++) {
        await startWorker({ table, handler, closing: closing.signal }, heartbeatSeconds)
      }
    },
    close(graceSeconds) {
      closed ??= shut(graceSeconds)
      return closed
    },
  }
}

type StoredJob = JobWithMetadata<StoredData>

interface Worker<Payload> {
  readonly table: JobTable
  readonly handler: JobHandler<Payload>
  readonly closing: AbortSignal
}

async function startWorker<Payload>(
  worker: Worker<Payload>,
  heartbeatSeconds: number,
): Promise<void> {
  const { boss, name } = worker.table
  const options = {
    includeMetadata: true,
    pollingIntervalSeconds: pollingSeconds,
    notifyPollingIntervalSeconds: pollingSeconds,
    heartbeatRefreshSeconds: heartbeatSeconds / 4,
  } as const
  const own: { id?: string } = {}
  own.id = await boss.work(name, options, async (stored: StoredJob[]) => {
    try {
      for (const one of stored) await workOn(worker, one)
    } finally {
      // The next one may wait already: look before sleeping.
      if (own.id !== undefined) boss.notifyWorker(own.id)
    }
  })
}

/** What is thrown from here, pg-boss takes for "again". */
async function workOn<Payload>(
  { table, handler, closing }: Worker<Payload>,
  stored: StoredJob,
): Promise<void> {
  const job = JSON.parse(stored.data.job) as Job<Payload>
  const signal = AbortSignal.any([stored.signal, closing])
  const result = await handle(handler, job, signal)
  if (result.status === 'done' || stored.signal.aborted) return
  if (result.status === 'again') {
    if (closing.aborted) return table.putBack(stored)
    if (stored.retryCount < stored.retryLimit) throw new Error(result.reason)
  }
  await table.giveUp(stored, result.reason)
}

async function handle<Payload>(
  handler: JobHandler<Payload>,
  job: Job<Payload>,
  signal: AbortSignal,
): Promise<JobResult> {
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
