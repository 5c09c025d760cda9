import type { DatabaseSync } from 'node:sqlite'
import { type LearningCounts, learnedFrom, type Recovered } from '../../core/history/learning.ts'
import type { Period } from '../../core/history/statistics.ts'
import { rowAs } from '../database-file.ts'
import { failed, served } from './schema.ts'

/** Judged attempts by what their first request held, most first. */
export function queryLearning(
  database: DatabaseSync,
  { since }: Period,
): readonly LearningCounts[] {
  return learnedFrom.flatMap((about) =>
    database
      .prepare(
        `SELECT '${about}' AS about, ${about} AS value, count(*) AS samples,
           sum(CASE WHEN verdict IN (${served}) AND repairs = 0 AND attempt = 1 THEN 1 ELSE 0 END) AS first
         FROM executions WHERE ${about} <> '' AND verdict IN (${served}, ${failed}) AND day >= ?
         GROUP BY value ORDER BY samples DESC, value`,
      )
      .all(since ?? '')
      .map(rowAs<LearningCounts>),
  )
}

/** A deferred task is recovered when it was completed later; a replaced one, when a part was and none failed since. */
export function queryRecovered(database: DatabaseSync, { since }: Period): Recovered {
  const later = (verdicts: string) =>
    `EXISTS (SELECT 1 FROM executions AS e WHERE e.startedAt >= r.at AND e.verdict IN (${verdicts})
       AND CASE WHEN r.strategy = 'DEFER' THEN e.task = r.task ELSE e.task GLOB r.task || '-[a-e]' END)`
  const row = database
    .prepare(
      `SELECT count(*) AS tried,
         coalesce(sum(CASE WHEN ${later(served)} AND NOT ${later(failed)} THEN 1 ELSE 0 END), 0) AS succeeded
       FROM recoveries AS r WHERE r.decision IN ('approved', 'edited')
         AND r.strategy IN ('DEFER', 'DECOMPOSE', 'REWRITE') AND substr(r.at, 1, 10) >= ?`,
    )
    .get(since ?? '')
  return { tried: Number(row?.tried), succeeded: Number(row?.succeeded) }
}
