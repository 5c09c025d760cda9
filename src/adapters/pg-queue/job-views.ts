import { z } from 'zod'
import type { JobQueue, JobView } from '../../core/ports/job-queue.ts'
import { givenUp, type JobTable } from './job-table.ts'
import { schema } from './open-database.ts'

const jobShape = z.object({
  id: z.string(),
  repository: z.string(),
  installation: z.number().nullable(),
  event: z.string(),
  receivedAt: z.string(),
})

const time = z.coerce.date().nullable()

const rowShape = z.object({
  id: z.string(),
  name: z.string(),
  state: z.string(),
  job: z.string(),
  startedAt: time,
  endedAt: time,
  reason: z.string().nullable(),
  link: z.string().nullable(),
  hasReport: z.boolean(),
})

type Row = z.infer<typeof rowShape>

const columns = `id, name, state::text, data->>'job' AS job, started_on AS "startedAt",
  COALESCE(completed_on, CASE WHEN name = $2 THEN created_on END) AS "endedAt",
  COALESCE(data->>'reason', output->>'message') AS reason,
  output->>'link' AS link, output->>'report' IS NOT NULL AS "hasReport"`

export const listJobs = async (
  table: JobTable,
  repositories: readonly string[] | null,
  most: number,
): Promise<readonly JobView[]> => {
  // JSON, because the two engines write arrays of a parameter differently.
  const some = repositories === null ? null : JSON.stringify(repositories)
  const rows = await table.query(
    `SELECT ${columns} FROM (
      SELECT *, row_number() OVER (PARTITION BY name, state ORDER BY created_on DESC) AS number
      FROM ${schema}.job WHERE name IN ($1, $2)
      AND ($3::jsonb IS NULL OR $3::jsonb ? singleton_key)
    ) AS latest WHERE number <= $4 ORDER BY created_on DESC`,
    [table.name, givenUp, some, most],
  )
  return z.array(rowShape).parse(rows).map(viewOf)
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const findJob: (table: JobTable, id: string) => ReturnType<JobQueue['find']> = async (
  table,
  id,
) => {
  if (!uuid.test(id)) return null
  const rows = await table.query(
    `SELECT ${columns}, output->>'report' AS report FROM ${schema}.job
    WHERE name IN ($1, $2) AND id = $3`,
    [table.name, givenUp, id],
  )
  const [row] = z.array(rowShape.extend({ report: z.string().nullable() })).parse(rows)
  return row === undefined ? null : { ...viewOf(row), report: row.report }
}

function viewOf({
  id,
  name,
  state,
  job,
  startedAt,
  endedAt,
  reason,
  link,
  hasReport,
}: Row): JobView {
  return {
    ...jobShape.parse(JSON.parse(job)),
    ...{ id, reason, link, hasReport },
    state: stateOf(name, state),
    startedAt: startedAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
  }
}

function stateOf(name: string, state: string): JobView['state'] {
  if (name === givenUp || state === 'failed') return 'failed'
  if (state === 'completed') return 'done'
  return state === 'active' ? 'active' : 'waiting'
}
