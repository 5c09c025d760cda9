import { z } from 'zod'
import type { InstallationPace, PaceLimit } from '../../core/ports/pace.ts'
import { schema } from './open-database.ts'

type Run = (text: string, values: readonly unknown[]) => Promise<readonly unknown[]>

const table = `${schema}.write_pace`

export const createWriteTable = (run: Run): Promise<unknown> =>
  run(
    `DO $$ BEGIN
      PERFORM pg_advisory_xact_lock(hashtext('${table}'));
      CREATE TABLE IF NOT EXISTS ${table}
        (installation bigint PRIMARY KEY, booked float8[] NOT NULL, next float8 NOT NULL);
    END $$`,
    [],
  )

const waitShape = z.tuple([z.object({ wait: z.coerce.number() })])

/**
 * The pace of an installation's writes, shared by all processes that use this database, by its clock. One statement books: the
 * lock of the installation's row makes it atomic. Bookings of a killed process expire like all others.
 */
export const createWritePace =
  (run: Run, limits: readonly PaceLimit[]): InstallationPace =>
  (installation) =>
  async (patience) => {
    const rows = await run(bookWrite(limits), [installation, patience])
    const [{ wait }] = waitShape.parse(rows)
    return Math.max(0, wait)
  }

const clock = 'EXTRACT(EPOCH FROM clock_timestamp())::float8'

/** Limits are ours, so they may be text of the statement. GREATEST ignores the NULL of a window that is not full. */
function bookWrite(limits: readonly PaceLimit[]): string {
  const longest = Math.max(...limits.map(({ seconds }) => seconds))
  const earliest = limits.map(
    ({ most, seconds }) => `kept[cardinality(kept) - ${most - 1}] + ${seconds}`,
  )
  return `INSERT INTO ${table} AS own (installation, booked, next)
    SELECT $1::bigint, ARRAY[now], now FROM (SELECT ${clock} AS now) AS first
    ON CONFLICT (installation) DO UPDATE SET (booked, next) = (
      SELECT CASE WHEN time - now <= $2::float8 THEN kept || time ELSE kept END, time
      FROM (SELECT kept, now, GREATEST(now, ${earliest.join(', ')}) AS time
        FROM (SELECT now, ARRAY(SELECT one FROM unnest(own.booked) AS one
            WHERE one > now - ${longest} ORDER BY one) AS kept
          FROM (SELECT ${clock} AS now OFFSET 0) AS present) AS recent) AS earliest)
    RETURNING next - ${clock} AS wait`
}
