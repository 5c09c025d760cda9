import { createHash } from 'node:crypto'
import type { PgBoss } from 'pg-boss'
import { z } from 'zod'
import { takingTurns } from '../../../packages/text/text.ts'
import { type Job, type JobCounts, type JobOutput, mostStarts } from '../../core/ports/job-queue.ts'
import { schema } from './open-database.ts'
import { createSpendingTable } from './spending-table.ts'
import { createTurns, takeTurn, withoutTurn } from './turns.ts'
import { createWriteTable } from './write-pace.ts'

/** A string, because PostgreSQL's JSON allows neither NUL nor lone surrogates, unlike a comment. */
export interface StoredData {
  readonly job: string
}

/** One worker's claim of a job: each start has another count. */
type Attempt = { readonly id: string; readonly retryCount: number }

interface TableOptions {
  readonly alone: boolean
  readonly heartbeatSeconds: number
  readonly retryDelaySeconds: number
}

const jobs = 'jobs'
/** No one works on these; they are kept for counts and inspection. */
export const givenUp = 'given-up'

const day = 86_400
/** GitHub redelivers webhooks of the last three days at most. */
const rememberedSeconds = 7 * day
const longestJobSeconds = 6 * 3600

/** A worker shows this often that it lives, and learns this soon that another process has its job. */
export const beatSeconds = (heartbeatSeconds: number): number => heartbeatSeconds / 4

export async function openJobTable(boss: PgBoss, options: TableOptions): Promise<JobTable> {
  await prepareQueues(boss, options)
  const table = new JobTable(boss, options)
  await createTurns(table.query)
  await createWriteTable(table.query)
  await createSpendingTable(table.query)
  return table
}

async function prepareQueues(boss: PgBoss, options: TableOptions): Promise<void> {
  const { alone, heartbeatSeconds } = options
  const settings = {
    retryLimit: mostStarts - 1,
    // pg-boss retries the jobs of silent workers: one that lives after all learns it before the job starts again.
    retryDelay: alone ? 0 : Math.ceil(beatSeconds(heartbeatSeconds)),
    retryBackoff: false,
    retryDelayMax: null,
    expireInSeconds: longestJobSeconds,
    heartbeatSeconds,
    retentionSeconds: 14 * day,
    deleteAfterSeconds: rememberedSeconds,
    notify: true,
  }
  const { retryDelayMax: _, ...withoutMaximum } = settings
  await boss.createQueue(jobs, { policy: 'key_strict_fifo', ...withoutMaximum })
  // Updates the settings of a queue that another version created.
  await boss.updateQueue(jobs, settings)
  await boss.createQueue(givenUp, { retentionSeconds: rememberedSeconds })
}

const storedShape = z.object({
  id: z.string(),
  data: z.object({ job: z.string() }),
  output: z.unknown(),
  retryCount: z.number(),
})

const countShape = z.array(z.object({ name: z.string(), state: z.string(), count: z.number() }))

/** Access to pg-boss's tables in terms of our jobs. */
export class JobTable {
  readonly boss: PgBoss
  readonly name = jobs
  readonly #isAlone: boolean
  readonly #retryDelaySeconds: number
  readonly #inTurn = takingTurns()

  constructor(boss: PgBoss, { alone, retryDelaySeconds }: TableOptions) {
    this.boss = boss
    this.#isAlone = alone
    this.#retryDelaySeconds = retryDelaySeconds
  }

  async add(job: Job): Promise<'queued' | 'known'> {
    if ((await this.#put(job)) !== null) return 'queued'
    const known = await this.boss.getJobById(jobs, toJobId(job.id))
    if (known !== null && known.state !== 'failed') return 'known'
    await this.sweep()
    return (await this.#put(job)) === null ? 'known' : 'queued'
  }

  /** Ends a job that this worker holds; otherwise does nothing. */
  async complete(stored: Attempt, left: JobOutput | undefined): Promise<void> {
    await this.boss.complete(jobs, stored, left)
  }

  /** Starts a job that this worker holds again after a delay; its repository waits for it. */
  async retry(
    { id, retryCount, retryLimit }: Attempt & { readonly retryLimit: number },
    reason: string,
  ): Promise<void> {
    const failedStarts = mostStarts - (retryLimit - retryCount)
    await this.query(
      `UPDATE ${schema}.job SET state = 'retry', heartbeat_on = NULL,
        start_after = now() + $4::float8 * interval '1s', output = jsonb_build_object('message', $5::text)
      WHERE name = $1 AND id = $2 AND state = 'active' AND retry_count = $3`,
      [jobs, id, retryCount, this.#retryDelaySeconds * 2 ** (failedStarts - 1), reason],
    )
  }

  /** Sets aside a job that this worker holds, so that its repository continues. */
  async giveUp(stored: Attempt & { readonly data: StoredData }, reason: string): Promise<void> {
    await this.#setAside(stored.id, stored.data, reason)
    await this.boss.deleteJob(jobs, stored)
  }

  /** Returns a job that this worker holds as if it had never started. */
  putBack(stored: Attempt & { readonly priority: number }): Promise<void> {
    return this.#return(stored, 'created', stored.priority, null)
  }

  /** Returns a job that this worker holds until a time, as if it had never started; its repository waits for it. */
  putOff(stored: Attempt, notBefore: string): Promise<void> {
    return this.#return(stored, 'retry', withoutTurn, notBefore)
  }

  /** Returns a job that was put off to wait for its turn, now that its time has come. */
  async takeTurn(stored: Attempt, job: Job): Promise<void> {
    const priority = await takeTurn(this.query, job, 'put off')
    await this.#return(stored, 'created', priority, null)
  }

  async #return(
    { id, retryCount }: Attempt,
    state: 'created' | 'retry',
    priority: number,
    notBefore: string | null,
  ): Promise<void> {
    // The limit rises with the count, which identifies claims, so the next claim counts no start.
    await this.query(
      `UPDATE ${schema}.job
      SET state = $4::${schema}.job_state, priority = $5, start_after = COALESCE($6::timestamptz, start_after),
        started_on = NULL, heartbeat_on = NULL, retry_count = retry_count + 1, retry_limit = retry_limit + 1
      WHERE name = $1 AND id = $2 AND state = 'active' AND retry_count = $3`,
      [jobs, id, retryCount, state, priority, notBefore],
    )
  }

  /** Sets aside the jobs whose last worker died; pg-boss would block their repositories forever. */
  async sweep(): Promise<void> {
    for (const { id, data, output } of await this.#select('failed')) {
      await this.#setAside(id, data, JSON.stringify(output))
      await this.query(
        `DELETE FROM ${schema}.job WHERE name = $1 AND id = $2 AND state = 'failed'`,
        [jobs, id],
      )
    }
  }

  /** Makes all running jobs start again. */
  async releaseActive(reason: string): Promise<void> {
    const active = await this.#select('active')
    const held = active.map(({ id, retryCount }) => ({ id, retryCount }))
    if (held.length > 0) await this.boss.fail(jobs, held, { reason })
  }

  async counts(): Promise<JobCounts> {
    const rows = await this.query(
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

  /** Returns `null` if a job with this id exists. */
  #put(job: Job): Promise<string | null> {
    const data: StoredData = { job: JSON.stringify(job) }
    const send = async () => {
      const priority = await takeTurn(this.query, job, 'new')
      const options = { id: toJobId(job.id), singletonKey: keyOf(data), priority }
      return this.boss.send(jobs, data, options)
    }
    // The embedded clock has milliseconds, and jobs with equal times have no order.
    return this.#isAlone ? this.#inTurn(() => send().finally(untilTick)) : send()
  }

  async #setAside(id: string, data: StoredData, reason: string): Promise<void> {
    const singletonKey = keyOf(data)
    await this.boss.send(givenUp, { ...data, reason }, { id, singletonKey })
  }

  async #select(state: 'active' | 'failed') {
    const columns = 'id, data, output, retry_count AS "retryCount"'
    const where = 'WHERE name = $1 AND state = $2'
    const rows = await this.query(`SELECT ${columns} FROM ${schema}.job ${where}`, [jobs, state])
    return z.array(storedShape).parse(rows)
  }

  readonly query = async (text: string, values: readonly unknown[]): Promise<readonly unknown[]> =>
    (await this.boss.getDb().executeSql(text, [...values])).rows
}

async function untilTick(): Promise<void> {
  const start = Date.now()
  while (Date.now() === start) await new Promise((resolve) => setImmediate(resolve))
}

/** Jobs with one key run one at a time. */
const keyOf = ({ job }: StoredData): string => (JSON.parse(job) as Job).repository.toLowerCase()

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** GitHub's delivery ids are UUIDs, like the database's; any other text is hashed to one. */
function toJobId(delivery: string): string {
  if (uuid.test(delivery)) return delivery.toLowerCase()
  const hash = createHash('sha256').update(delivery).digest('hex')
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`]
  return [...parts, `a${hash.slice(17, 20)}`, hash.slice(20, 32)].join('-')
}
