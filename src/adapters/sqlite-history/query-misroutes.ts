import type { DatabaseSync } from 'node:sqlite'
import {
  comparedFrom,
  type MisrouteCase,
  type MisrouteGroup,
  wasteFactor,
} from '../../core/history/misroutes.ts'
import type { Period } from '../../core/history/statistics.ts'
import { isSmallPlanned, isSmallSingle, isTooLarge } from './schema.ts'

/** Cases shown of a group. */
const examples = 3

/** Groups of each kind; docs of the kinds are in history/misroutes.ts. */
export function queryMisroutes(
  database: DatabaseSync,
  { since }: Period,
): readonly Omit<MisrouteGroup, 'of'>[] {
  const from = since ?? ''
  return [
    ...neededPlan(database, from),
    ...planNotNeeded(database, from),
    ...otherServed(database, from),
  ]
}

type Group = Omit<MisrouteGroup, 'of'>

function neededPlan(database: DatabaseSync, since: string): readonly Group[] {
  const cases = database.prepare(
    `SELECT run, task, attempt, startedAt, verdict, files, cut, recovery, recoveryReason
     FROM executions WHERE ${isTooLarge} AND model = ? AND day >= ?
     ORDER BY day DESC, startedAt DESC LIMIT ${examples}`,
  )
  return database
    .prepare(
      `SELECT model, count(*) AS n FROM executions WHERE ${isTooLarge} AND day >= ? GROUP BY model`,
    )
    .all(since)
    .map(({ model, n }) => ({
      kind: 'needed_a_plan',
      route: { model: String(model), strategy: 'single' },
      better: { model: String(model), strategy: 'two_phase' },
      cases: Number(n),
      examples: cases.all(String(model), since).map((row) => caseOf(row, describeSize(row))),
    }))
}

function describeSize(row: Row): string {
  const facts = [
    row.recovery === 'DECOMPOSE' ? 'split afterwards' : '',
    row.recoveryReason === 'task_too_complex' ? 'judged too complex' : '',
    Number(row.cut) > 0 ? 'the answer was cut at its greatest length' : '',
    row.files === null ? '' : `${Number(row.files)} files`,
  ]
  return facts.filter((fact) => fact !== '').join(', ')
}

function planNotNeeded(database: DatabaseSync, since: string): readonly Group[] {
  const usual = database.prepare(
    `SELECT tokens FROM executions WHERE ${isSmallSingle} AND model = ?
     ORDER BY tokens LIMIT 1 OFFSET ?`,
  )
  const wasted = `FROM executions WHERE ${isSmallPlanned} AND model = ? AND tokens > ? AND day >= ?`
  const count = database.prepare(`SELECT count(*) AS n ${wasted}`)
  const cases = database.prepare(
    `SELECT run, task, attempt, startedAt, verdict, tokens ${wasted}
     ORDER BY tokens DESC LIMIT ${examples}`,
  )
  return database
    .prepare(`SELECT model, count(*) AS n FROM executions WHERE ${isSmallSingle} GROUP BY model`)
    .all()
    .filter(({ n }) => Number(n) >= comparedFrom)
    .map(({ model: name, n }) => {
      const model = String(name)
      const median = Number(usual.get(model, Math.ceil(Number(n) / 2) - 1)?.tokens)
      const limit = median * wasteFactor
      const said = (tokens: number) =>
        `${Math.round(tokens)} tokens for one file; by single the median is ${Math.round(median)}`
      return {
        kind: 'plan_not_needed',
        route: { model, strategy: 'two_phase' },
        better: { model, strategy: 'single' },
        cases: Number(count.get(model, limit, since)?.n),
        examples: cases
          .all(model, limit, since)
          .map((row) => caseOf(row, said(Number(row.tokens)))),
      }
    })
}

/** Which lost ones were won later, and by which route; the newest is shown. */
function otherServed(database: DatabaseSync, since: string): readonly Group[] {
  const groups = database.prepare(
    `SELECT model, strategy, wonModel, wonStrategy, count(*) AS n, max(lost) AS newest
     FROM reroutes WHERE day >= ? GROUP BY 1, 2, 3, 4`,
  )
  const won = database.prepare(
    `SELECT lost.run, lost.task, lost.attempt, lost.startedAt, lost.verdict, won.run AS wonRun
     FROM reroutes JOIN executions AS lost ON lost.rowid = reroutes.lost
       JOIN executions AS won ON won.rowid = reroutes.won
     WHERE reroutes.lost = ?`,
  )
  return groups.all(since).map((row) => {
    const better = { model: String(row.wonModel), strategy: String(row.wonStrategy) }
    const found = won.all(Number(row.newest))
    return {
      kind: 'other_route_served',
      route: { model: String(row.model), strategy: String(row.strategy) },
      better,
      cases: Number(row.n),
      examples: found.map((one) => caseOf(one, `served in run ${String(one.wonRun)}`)),
    }
  })
}

type Row = ReturnType<ReturnType<DatabaseSync['prepare']>['all']>[number]

const caseOf = (row: Row, evidence: string): MisrouteCase => ({
  run: String(row.run),
  task: String(row.task),
  attempt: Number(row.attempt),
  startedAt: String(row.startedAt),
  verdict: String(row.verdict),
  evidence,
})
