import { z } from 'zod'
import type { Job } from '../../core/ports/job-queue.ts'
import { schema } from './open-database.ts'

/**
 * Fair turns between installations (start-time fair queueing, Goyal et al. 1996): a job's tag is one more than that of its
 * installation's previous job, but at least the tag of the job that started last; the lowest tag starts first. So an
 * installation with a thousand jobs delays another's single job by one job per worker, and idle turns are not saved up.
 * Tags take two statements per job, whatever waits.
 *
 * A job that was put off until a time takes a new turn then: with its old tag, all that an installation had put off would start
 * before any other's. Such jobs take turns of their own, so that they do not wait behind those that never started.
 */
type Run = (text: string, values: readonly unknown[]) => Promise<readonly unknown[]>

const table = `${schema}.turn`

/** The row with the tag of the job that started last. */
const started = ''

export const createTurns = (run: Run): Promise<unknown> =>
  run(
    `DO $$ BEGIN
      PERFORM pg_advisory_xact_lock(hashtext('${table}'));
      CREATE TABLE IF NOT EXISTS ${table} (installation text PRIMARY KEY, tag bigint NOT NULL);
    END $$`,
    [],
  )

const tagShape = z.tuple([z.object({ tag: z.coerce.number() })])

/** The priority of a job that is put off, above all others: it takes a turn as soon as its time has come. */
export const withoutTurn = 1

/** The priority of a job for pg-boss, which starts the highest first. */
export async function takeTurn(
  run: Run,
  { installation, repository }: Job,
  kind: 'new' | 'put off',
): Promise<number> {
  const [owner = ''] = repository.toLowerCase().split('/')
  const flow = `${installation ?? owner}`
  const rows = await run(
    `INSERT INTO ${table} AS own (installation, tag)
    VALUES ($1, COALESCE((SELECT tag FROM ${table} WHERE installation = $2), 0))
    ON CONFLICT (installation) DO UPDATE SET tag = GREATEST(own.tag + 1, EXCLUDED.tag)
    RETURNING tag`,
    [kind === 'new' ? flow : `${flow} put off`, started],
  )
  const [{ tag }] = tagShape.parse(rows)
  return tag === 0 ? 0 : -tag
}

/** Notes that a job of this priority starts. */
export const noteStart = (run: Run, priority: number): Promise<unknown> =>
  run(
    `INSERT INTO ${table} AS last (installation, tag) VALUES ($1, $2)
    ON CONFLICT (installation) DO UPDATE SET tag = GREATEST(last.tag, EXCLUDED.tag)`,
    [started, -priority],
  )
