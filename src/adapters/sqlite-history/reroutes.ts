/**
 * Which lost executions were won later by another route, the first time: told anew for the tasks that an
 * intake touched, so that the statistic reads one row for each and joins nothing.
 */
import type { DatabaseSync } from 'node:sqlite'
import { isFailed, isServed } from './schema.ts'

/** From so many tasks on, all of them at once are quicker. */
const many = 500

const tell = (condition: string) => `
  INSERT INTO reroutes (lost, won, fingerprint, day, model, strategy, wonModel, wonStrategy)
  SELECT lost.rowid, won.rowid, lost.fingerprint, lost.day, lost.model, lost.strategy, won.model, won.strategy
  FROM executions AS lost JOIN executions AS won ON won.rowid = (
    SELECT later.rowid FROM executions AS later
    WHERE later.fingerprint = lost.fingerprint AND later.startedAt > lost.startedAt
      AND ${isServed('later')} AND (later.model <> lost.model OR later.strategy <> lost.strategy)
    ORDER BY later.startedAt LIMIT 1)
  WHERE ${isFailed('lost')} ${condition}`

/** `fingerprints` are those of the tasks; `null` is all of them. */
export function tellReroutes(
  database: DatabaseSync,
  fingerprints: ReadonlySet<string> | null,
): void {
  if (fingerprints === null || fingerprints.size > many) {
    database.exec(`DELETE FROM reroutes; ${tell('')}`)
    return
  }
  const forget = database.prepare('DELETE FROM reroutes WHERE fingerprint = ?')
  const anew = database.prepare(tell('AND lost.fingerprint = ?'))
  for (const fingerprint of fingerprints) {
    forget.run(fingerprint)
    anew.run(fingerprint)
  }
}
