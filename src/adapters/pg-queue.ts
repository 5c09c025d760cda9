import type { JobWithMetadata } from 'pg-boss'
import type { InstallationSpending } from '../core/ports/installation-spending.ts'
import type { Job, JobHandler, JobQueue, JobResult } from '../core/ports/job-queue.ts'
import { githubWrites, type InstallationPace, type PaceLimit } from '../core/ports/pace.ts'
import { beatSeconds, type JobTable, openJobTable, type StoredData } from './pg-queue/job-table.ts'
import { findJob, listJobs } from './pg-queue/job-views.ts'
import { openDatabase, type QueueDatabase } from './pg-queue/open-database.ts'
import { settle } from './pg-queue/settle.ts'
import { openSpending } from './pg-queue/spending-table.ts'
import { createSupervision } from './pg-queue/supervise.ts'
import { noteStart, withoutTurn } from './pg-queue/turns.ts'
import { createWritePace } from './pg-queue/write-pace.ts'

export interface PgQueueOptions {
  readonly database: QueueDatabase
  /** Receives errors outside the jobs themselves. */
  readonly log: (line: string) => void
  /** A worker that is silent for this long counts as dead; 20 by default, at least 10. Its jobs start again a beat later. */
  readonly heartbeatSeconds?: number
  /** Delay before the second start of a job that failed, doubled before the third; 10 by default. */
  readonly retryDelaySeconds?: number
  /** GitHub's by default. */
  readonly writeLimits?: readonly PaceLimit[]
}

export interface PgQueue<Payload> extends JobQueue<Payload> {
  /** Counts the writes of all processes that share the database. */
  readonly writes: InstallationPace
  readonly spending: InstallationSpending
}

/** Polling interval in seconds, for jobs that are due again. */
const pollingSeconds = 2

/** Seconds that an aborted job has to finish cleanly. */
const tidySeconds = 5

/** Interval in seconds for detecting silent workers, and for setting aside jobs whose third worker died. */
const lookSeconds = 4

/**
 * The queue in PostgreSQL, external or embedded, based on pg-boss. Its `key_strict_fifo` keeps the
 * order and runs one job per repository; the job id is ours.
 * @throws ExecutorError `queue_locked`, `queue_unreachable`
 */
export async function openPgQueue<Payload>(options: PgQueueOptions): Promise<PgQueue<Payload>> {
  const { log, heartbeatSeconds = 20, retryDelaySeconds = 10 } = options
  const { boss, alone, close } = await openDatabase(options.database)
  boss.on('error', (error) => log(`queue: ${error.message}`))
  const table = await openJobTable(boss, { alone, heartbeatSeconds, retryDelaySeconds })
  // In a database of our own, every earlier worker is dead.
  if (alone) await table.releaseActive('The process ended during the job.')
  const look = createSupervision({
    sweep: () => table.sweep(),
    judge: () => boss.supervise(),
    graceSeconds: lookSeconds + 2 * beatSeconds(heartbeatSeconds),
    monotonic: () => performance.now() / 1000,
    log,
  })
  await look()
  const timer = setInterval(look, lookSeconds * 1000)
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
    writes: createWritePace(table.query, options.writeLimits ?? githubWrites),
    spending: openSpending(table.query),
    enqueue: (job) => table.add(job),
    counts: () => table.counts(),
    list: (repositories, most) => listJobs(table, repositories, most),
    find: (id) => findJob(table, id),
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
    heartbeatRefreshSeconds: beatSeconds(heartbeatSeconds),
  } as const
  const own: { id?: string } = {}
  own.id = await boss.work(name, options, async (stored: StoredJob[]) => {
    try {
      // One at a time: what it leaves is kept with it.
      const [one] = stored
      if (one !== undefined) await workOn(worker, one)
    } finally {
      // The next job may already wait: poll before sleeping.
      if (own.id !== undefined) boss.notifyWorker(own.id)
    }
  })
}

async function workOn<Payload>(
  { table, handler, closing }: Worker<Payload>,
  stored: StoredJob,
): Promise<void> {
  const job = JSON.parse(stored.data.job) as Job<Payload>
  if (stored.priority === withoutTurn) return table.takeTurn(stored, job)
  // Without it, turns are less fair for a moment.
  await noteStart(table.query, stored.priority).catch(() => {})
  const signal = AbortSignal.any([stored.signal, closing])
  await settle(table, stored, await handle(handler, job, signal), closing)
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
