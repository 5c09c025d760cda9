import type { DatabaseSync } from 'node:sqlite'
import type { RouteRecord } from '../../core/domain/route.ts'
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

/** How each way served tasks of each shape with this model, what another completed after it, and how first answers ended. */
export function queryShapes(database: DatabaseSync, model: string): RouteRecord {
  const count = (verdicts: string) => `sum(CASE WHEN verdict IN (${verdicts}) THEN 1 ELSE 0 END)`
  const figures = database.prepare(
    `SELECT shape, strategy AS way, count(*) AS executions, ${count(served)} AS served,
       ${count(failed)} AS failed, sum(tokens) AS tokens
     FROM executions WHERE model = ? AND shape <> '' AND strategy <> '' AND verdict <> ''
     GROUP BY shape, strategy`,
  )
  const misroutes = database.prepare(
    `SELECT lost.shape AS shape, lost.strategy AS way, wonStrategy AS better, count(*) AS cases
     FROM reroutes JOIN executions AS lost ON lost.rowid = reroutes.lost
     WHERE lost.model = ? AND wonModel = lost.model AND lost.shape <> '' GROUP BY 1, 2, 3`,
  )
  const firstAnswers = database.prepare(
    `SELECT shape, refinement, context, errorType, count(*) AS samples,
       sum(CASE WHEN verdict IN (${served}) AND repairs = 0 THEN 1 ELSE 0 END) AS first
     FROM executions WHERE model = ? AND shape <> '' AND attempt = 1
       AND strategy IN ('single', 'two_phase') AND verdict IN (${served}, ${failed})
     GROUP BY 1, 2, 3, 4`,
  )
  return {
    firstAnswers: firstAnswers.all(model).map(rowAs<RouteRecord['firstAnswers'][number]>),
    figures: figures.all(model).map(rowAs<RouteRecord['figures'][number]>),
    misroutes: misroutes.all(model).map(rowAs<RouteRecord['misroutes'][number]>),
  }
}
