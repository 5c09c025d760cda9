import type { PgBoss } from 'pg-boss'
import { z } from 'zod'
import { type Job, type JobCounts, mostStarts } from '../../core/ports/job-queue.ts'
import { takingTurns } from '../file-store/in-turn.ts'
import { toJobId } from './job-id.ts'
import { schema } from './open-database.ts'

/** As text: a database's JSON takes neither NUL nor half a character, and a comment may hold both. */
export interface StoredData {
  readonly job: string
}

/** A job as one worker holds it: another start has another count. */
type Attempt = { readonly id: string; readonly retryCount: number }

/** pg-boss's tables, in terms of our jobs. */
export interface JobTable {
  readonly boss: PgBoss
  /** pg-boss's name of the queue. */
  readonly name: string
  add(job: Job): Promise<'queued' | 'known'>
  /** Puts a job aside that this worker holds, so that its repository goes on. */
  giveUp(stored: Attempt & { readonly data: StoredData }, reason: string): Promise<void>
  /** Lets go of a job that this worker holds, as if it had not been started. */
  putBack(stored: Attempt): Promise<void>
  /** Puts aside the jobs whose last worker died: pg-boss would let their repositories wait for ever. */
  sweep(): Promise<void>
  /** Lets all that run be started again. */
  releaseActive(reason: string): Promise<void>
  counts(): Promise<JobCounts>
}

interface TableOptions {
  readonly alone: boolean
  readonly heartbeatSeconds: number
  readonly retryDelaySeconds: number
}

const jobs = 'jobs'
/** Nobody works on these; they are kept to be counted and looked at. */
const givenUp = 'given-up'

const day = 86_400
/** GitHub repeats a delivery of at most three days ago. */
const rememberedSeconds = 7 * day
const longestJobSeconds = 6 * 3600
const longestDelaySeconds = 600

export async function openJobTable(boss: PgBoss, options: TableOptions): Promise<JobTable> {
  await prepareQueues(boss, options)
  const inOrder = options.alone ? oneAfterTheOther() : <T>(work: () => Promise<T>) => work()
  const put = (job: Job) => {
    const data: StoredData = { job: JSON.stringify(job) }
    const singletonKey = job.repository.toLowerCase()
    return inOrder(() => boss.send(jobs, data, { id: toJobId(job.id), singletonKey }))
  }
  const setAside = async (id: string, data: object, reason: string) => {
    await boss.send(givenUp, { ...data, reason }, { id })
  }
  const table: JobTable = {
    boss,
    name: jobs,
    async add(job) {
      if ((await put(job)) !== null) return 'queued'
      const known = await boss.getJobById(jobs, toJobId(job.id))
      if (known !== null && known.state !== 'failed') return 'known'
      await table.sweep()
      return (await put(job)) === null ? 'known' : 'queued'
    },
    async giveUp(stored, reason) {
      await setAside(stored.id, stored.data, reason)
      await boss.deleteJob(jobs, stored)
    },
    async putBack({ id, retryCount }) {
      // The next claim counts no start; the limit goes up with the count, which tells claims apart.
      await run(
        boss,
        `UPDATE ${schema}.job
        SET state = 'created', started_on = NULL, heartbeat_on = NULL,
          retry_count = retry_count + 1, retry_limit = retry_limit + 1
        WHERE name = $1 AND id = $2 AND state = 'active' AND retry_count = $3`,
        [jobs, id, retryCount],
      )
    },
    async sweep() {
      for (const { id, data, output } of await selectJobs(boss, 'failed')) {
        await setAside(id, data, JSON.stringify(output))
        await run(
          boss,
          `DELETE FROM ${schema}.job WHERE name = $1 AND id = $2 AND state = 'failed'`,
          [jobs, id],
        )
      }
    },
    async releaseActive(reason) {
      const active = await selectJobs(boss, 'active')
      const held = active.map(({ id, retryCount }) => ({ id, retryCount }))
      if (held.length > 0) await boss.fail(jobs, held, { reason })
    },
    counts: () => countJobs(boss),
  }
  return table
}

async function prepareQueues(boss: PgBoss, options: TableOptions): Promise<void> {
  const { heartbeatSeconds, retryDelaySeconds } = options
  const settings = {
    retryLimit: mostStarts - 1,
    retryDelay: retryDelaySeconds,
    retryBackoff: retryDelaySeconds > 0,
    retryDelayMax: retryDelaySeconds > 0 ? longestDelaySeconds : null,
    expireInSeconds: longestJobSeconds,
    heartbeatSeconds,
    retentionSeconds: 14 * day,
    deleteAfterSeconds: rememberedSeconds,
    notify: true,
  }
  const { retryDelayMax: _, ...withoutMaximum } = settings
  await boss.createQueue(jobs, { policy: 'key_strict_fifo', ...withoutMaximum })
  // One that was made by another version keeps nothing of what it was made with.
  await boss.updateQueue(jobs, settings)
  await boss.createQueue(givenUp, { retentionSeconds: rememberedSeconds })
}

/**
 * The embedded database's clock has milliseconds, and what has the same one has no order. Each
 * waits for the one before it, and for the clock to have gone on.
 */
function oneAfterTheOther(): <T>(work: () => Promise<T>) => Promise<T> {
  const inTurn = takingTurns()
  return (work) => inTurn(() => work().finally(untilTick))
}

async function untilTick(): Promise<void> {
  const start = Date.now()
  while (Date.now() === start) await new Promise((resolve) => setImmediate(resolve))
}

const storedShape = z.object({
  id: z.string(),
  data: z.object({ job: z.string() }),
  output: z.unknown(),
  retryCount: z.number(),
})

async function selectJobs(boss: PgBoss, state: 'active' | 'failed') {
  const columns = 'id, data, output, retry_count AS "retryCount"'
  const rows = await run(
    boss,
    `SELECT ${columns} FROM ${schema}.job WHERE name = $1 AND state = $2`,
    [jobs, state],
  )
  return z.array(storedShape).parse(rows)
}

const countShape = z.array(z.object({ name: z.string(), state: z.string(), count: z.number() }))

async function countJobs(boss: PgBoss): Promise<JobCounts> {
  const rows = await run(
    boss,
    `SELECT name, state::text, count(*)::int AS count FROM ${schema}.job WHERE name = $1 OR name = $2 GROUP BY name, state`,
    [jobs, givenUp],
  )
  const counts = countShape.parse(rows)
  const sum = (queue: string, ...states: readonly string[]) =>
    counts
      .filter(({ name, state }) => name === queue && states.includes(state))
      .reduce((total, { count }) => total + count, 0)
  return {
    waiting: sum(jobs, 'created', 'retry'),
    active: sum(jobs, 'active'),
    done: sum(jobs, 'completed'),
    failed: sum(jobs, 'failed') + sum(givenUp, 'created'),
  }
}

async function run(
  boss: PgBoss,
  text: string,
  values: readonly unknown[],
): Promise<readonly unknown[]> {
  return (await boss.getDb().executeSql(text, [...values])).rows
}
