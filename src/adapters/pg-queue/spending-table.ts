import { z } from 'zod'
import type { InstallationSpending } from '../../core/ports/installation-spending.ts'
import { schema } from './open-database.ts'

type Run = (text: string, values: readonly unknown[]) => Promise<readonly unknown[]>

const table = `${schema}.spending`

export const createSpendingTable = (run: Run): Promise<unknown> =>
  run(
    `DO $$ BEGIN
      PERFORM pg_advisory_xact_lock(hashtext('${table}'));
      CREATE TABLE IF NOT EXISTS ${table} (installation bigint, day date, repository text,
        tokens float8 NOT NULL, dollars float8 NOT NULL, PRIMARY KEY (installation, day, repository));
    END $$`,
    [],
  )

const daysKept = 30

const sumShape = z.tuple([z.object({ tokens: z.coerce.number(), dollars: z.coerce.number() })])

export const openSpending = (run: Run): InstallationSpending => ({
  async note({ installation, repository, day }, { tokens, dollars }) {
    await run(
      `INSERT INTO ${table} AS own (installation, day, repository, tokens, dollars)
      VALUES ($1, $2, $3, $4, $5) ON CONFLICT (installation, day, repository) DO UPDATE
      SET tokens = GREATEST(own.tokens, EXCLUDED.tokens), dollars = GREATEST(own.dollars, EXCLUDED.dollars)`,
      [installation, day, repository.toLowerCase(), tokens, dollars],
    )
    await run(`DELETE FROM ${table} WHERE day < $1::date - ${daysKept}`, [day])
  },
  async on(installation, day) {
    const rows = await run(
      `SELECT COALESCE(sum(tokens), 0) AS tokens, COALESCE(sum(dollars), 0) AS dollars
      FROM ${table} WHERE installation = $1 AND day = $2`,
      [installation, day],
    )
    return sumShape.parse(rows)[0]
  },
})
