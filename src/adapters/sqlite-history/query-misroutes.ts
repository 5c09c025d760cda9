import type { DatabaseSync } from 'node:sqlite'
import {
  comparedFrom,
  type MisrouteCase,
  type MisrouteGroup,
  wasteFactor,
} from '../../core/history/routing.ts'
import type { Period } from '../../core/history/statistics.ts'
import { rowAs } from '../database-file.ts'
import { isSmallPlanned, isSmallSingle, isTooLarge } from './schema.ts'

const examples = 3

type Group = Omit<MisrouteGroup, 'of'>

interface ModelCount {
  readonly model: string
  readonly n: number
}

/** The groups of each kind; history/routing.ts documents the kinds. */
export function queryMisroutes(database: DatabaseSync, { since }: Period): readonly Group[] {
  const from = since ?? ''
  return [
    ...neededPlan(database, from),
    ...planNotNeeded(database, from),
    ...otherServed(database, from),
  ]
}

function neededPlan(database: DatabaseSync, since: string): readonly Group[] {
  const cases = database.prepare(
    `SELECT run, task, attempt, startedAt, verdict, concat_ws(', ',
       CASE WHEN recovery = 'DECOMPOSE' THEN 'split afterwards' END,
       CASE WHEN recoveryReason = 'task_too_complex' THEN 'judged too complex' END,
       CASE WHEN cut > 0 THEN 'the answer was truncated' END,
       CAST(files AS INTEGER) || ' files') AS evidence
     FROM executions WHERE ${isTooLarge} AND model = ? AND day >= ?
     ORDER BY day DESC, startedAt DESC LIMIT ${examples}`,
  )
  return database
    .prepare(
      `SELECT model, count(*) AS n FROM executions WHERE ${isTooLarge} AND day >= ? GROUP BY model`,
    )
    .all(since)
    .map(rowAs<ModelCount>)
    .map(({ model, n }) => ({
      kind: 'needed_a_plan',
      route: { model, strategy: 'single' },
      better: { model, strategy: 'two_phase' },
      cases: n,
      examples: cases.all(model, since).map(rowAs<MisrouteCase>),
    }))
}

function planNotNeeded(database: DatabaseSync, since: string): readonly Group[] {
  const usual = database.prepare(
    `SELECT tokens FROM executions WHERE ${isSmallSingle} AND model = ?
     ORDER BY tokens LIMIT 1 OFFSET ?`,
  )
  const wasted = `FROM executions WHERE ${isSmallPlanned} AND model = ? AND tokens > ? AND day >= ?`
  const count = database.prepare(`SELECT count(*) AS n ${wasted}`)
  const cases = database.prepare(
    `SELECT run, task, attempt, startedAt, verdict, CAST(round(tokens) AS INTEGER)
       || ' tokens for one file; the median of single is ' || ? AS evidence ${wasted}
     ORDER BY tokens DESC LIMIT ${examples}`,
  )
  return database
    .prepare(`SELECT model, count(*) AS n FROM executions WHERE ${isSmallSingle} GROUP BY model`)
    .all()
    .map(rowAs<ModelCount>)
    .filter(({ n }) => n >= comparedFrom)
    .map(({ model, n }) => {
      const median = Number(usual.get(model, Math.ceil(n / 2) - 1)?.tokens)
      const key = [model, median * wasteFactor, since]
      return {
        kind: 'plan_not_needed',
        route: { model, strategy: 'two_phase' },
        better: { model, strategy: 'single' },
        cases: Number(count.get(...key)?.n),
        examples: cases.all(`${Math.round(median)}`, ...key).map(rowAs<MisrouteCase>),
      }
    })
}

/** Failed executions that another route later completed; shows the newest. */
function otherServed(database: DatabaseSync, since: string): readonly Group[] {
  const groups = database.prepare(
    `SELECT model, strategy, wonModel, wonStrategy, count(*) AS n, max(lost) AS newest
     FROM reroutes WHERE day >= ? GROUP BY 1, 2, 3, 4`,
  )
  const won = database.prepare(
    `SELECT lost.run, lost.task, lost.attempt, lost.startedAt, lost.verdict,
       'served in run ' || won.run AS evidence
     FROM reroutes JOIN executions AS lost ON lost.rowid = reroutes.lost
       JOIN executions AS won ON won.rowid = reroutes.won
     WHERE reroutes.lost = ?`,
  )
  return groups.all(since).map((row) => ({
    kind: 'other_route_served',
    route: { model: String(row.model), strategy: String(row.strategy) },
    better: { model: String(row.wonModel), strategy: String(row.wonStrategy) },
    cases: Number(row.n),
    examples: won.all(Number(row.newest)).map(rowAs<MisrouteCase>),
  }))
}
