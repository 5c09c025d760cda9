import type { DatabaseSync } from 'node:sqlite'
import {
  type ErrorGroup,
  type Execution,
  type Figures,
  type HistoryQuery,
  type Period,
  type RouteFigures,
  wilsonInterval,
} from '../../core/history/statistics.ts'
import { rowAs } from '../database-file.ts'
import { failed, served } from './schema.ts'

const sums = `sum(n) AS executions, sum(CASE WHEN verdict IN (${served}) THEN n ELSE 0 END) AS served,
  sum(CASE WHEN verdict IN (${failed}) THEN n ELSE 0 END) AS failed,
  sum(CASE WHEN verdict <> '' THEN n ELSE 0 END) AS judged,
  sum(requests) AS requests, sum(tokens) AS tokens, sum(dollars) AS dollars`

type Sums = Pick<
  Figures,
  'executions' | 'served' | 'failed' | 'requests' | 'tokens' | 'dollars'
> & { readonly judged: number }

/** Sums executions by model or strategy (most first), or by day (newest first). */
export function queryFigures(
  database: DatabaseSync,
  by: 'model' | 'strategy' | 'day',
  { since }: Period,
): readonly Figures[] {
  const order = by === 'day' ? 'name DESC' : 'executions DESC'
  const percentile = percentileOf(database, 'seconds', [by])
  return database
    .prepare(
      `SELECT ${by} AS name, ${sums} FROM daily WHERE n > 0 AND day >= ? GROUP BY ${by} ORDER BY ${order}`,
    )
    .all(since ?? '')
    .map(rowAs<Sums & Pick<Figures, 'name'>>)
    .map(({ judged, ...row }) => {
      const rank = (share: number) => percentile([row.name, since ?? ''], judged, share)
      return { ...row, ...rateOf(row), secondsP50: rank(0.5), secondsP90: rank(0.9) }
    })
}

/** The figures of each model and strategy that produced code. */
export function queryRoutes(database: DatabaseSync, { since }: Period): readonly RouteFigures[] {
  const tokens = percentileOf(database, 'tokens', ['model', 'strategy'])
  const counts = database.prepare(
    `SELECT complexity, sum(verdict IN (${served})) AS served, sum(verdict IN (${failed})) AS failed
     FROM executions WHERE verdict <> '' AND model = ? AND strategy = ? AND day >= ?
     GROUP BY complexity HAVING served + failed > 0`,
  )
  return database
    .prepare(
      `SELECT model || ' ' || strategy AS name, model, strategy, ${sums} FROM daily
       WHERE n > 0 AND day >= ? AND strategy <> '' GROUP BY model, strategy ORDER BY executions DESC`,
    )
    .all(since ?? '')
    .map(rowAs<Sums & Pick<RouteFigures, 'name' | 'model' | 'strategy'>>)
    .map(({ judged, ...row }) => ({
      ...row,
      ...rateOf(row),
      ...{ secondsP50: null, secondsP90: null },
      confidence: wilsonInterval(row.served, row.served + row.failed),
      medianTokens: tokens([row.model, row.strategy, since ?? ''], judged, 0.5),
      byComplexity: counts
        .all(row.model, row.strategy, since ?? '')
        .map(rowAs<RouteFigures['byComplexity'][number]>),
    }))
}

/** The most frequent errors, and how often each remedy helped. */
export function queryErrors(
  database: DatabaseSync,
  { since }: Period,
  limit: number,
): readonly ErrorGroup[] {
  const remedies = database.prepare(
    `SELECT strategy, count(*) AS tried, sum(worked) AS worked FROM remedies
     WHERE signature = ? AND type = ? AND node = ? AND at >= ? GROUP BY strategy ORDER BY tried DESC`,
  )
  return database
    .prepare(
      `SELECT type, node, signature, sum(n) AS times, max(day) AS lastDay FROM error_days
       WHERE n > 0 AND day >= ? GROUP BY type, node, signature ORDER BY times DESC, lastDay DESC LIMIT ?`,
    )
    .all(since ?? '', limit)
    .map(rowAs<Omit<ErrorGroup, 'remedies'>>)
    .map((group) => {
      const { signature, type, node } = group
      const tried = remedies.all(signature, type, node, since ?? '')
      return { ...group, remedies: tried.map(rowAs<ErrorGroup['remedies'][number]>) }
    })
}

const rateOf = ({ served, failed }: Pick<Figures, 'served' | 'failed'>) => ({
  successRate: served + failed > 0 ? served / (served + failed) : null,
})

/**
 * The nearest-rank percentile of the judged executions, from an index that starts with these
 * columns and the value: it is read from the nearer end, without sorting.
 */
function percentileOf(
  database: DatabaseSync,
  value: 'seconds' | 'tokens',
  columns: readonly string[],
) {
  const where = columns.map((column) => `${column} = ?`).join(' AND ')
  const found = (order: 'ASC' | 'DESC') =>
    database.prepare(
      `SELECT ${value} AS value FROM executions
       WHERE verdict <> '' AND ${where} AND day >= ? ORDER BY ${value} ${order} LIMIT 1 OFFSET ?`,
    )
  const [fromLeast, fromMost] = [found('ASC'), found('DESC')]
  return (key: readonly string[], samples: number, share: number): number | null => {
    if (samples === 0) return null
    const rank = Math.max(1, Math.ceil(share * samples))
    const row =
      share <= 0.5 ? fromLeast.get(...key, rank - 1) : fromMost.get(...key, samples - rank)
    return row === undefined ? null : Number(row.value)
  }
}

/** One event of an execution, for display. */
export interface TrailEvent {
  readonly at: string
  readonly kind: 'step' | 'call' | 'effect' | 'error' | 'remedy' | 'recovery'
  /** The node, the purpose of a request, the effect's kind, the error type, or the strategy. */
  readonly name: string
  readonly outcome: string
  /** `null` if not measured. */
  readonly seconds: number | null
  readonly tokens: number | null
  readonly detail: string
}

/** Newest first. */
export function queryExecutions(
  database: DatabaseSync,
  { task, since, limit }: HistoryQuery,
): readonly Execution[] {
  const ofTask = task === null ? '' : 'AND task = :task'
  return database
    .prepare(
      `SELECT run, task, attempt, title, startedAt, endedAt, seconds, model, strategy, requests, tokens,
         dollars, cut, files, repairs, verdict, reason, recovery, decision, errorType
       FROM executions WHERE startedAt >= :since ${ofTask}
       ORDER BY startedAt DESC, run DESC, attempt DESC LIMIT :limit`,
    )
    .all({ since: since ?? '', limit, ...(task !== null && { task }) })
    .map(rowAs<Execution>)
}

const trail = [
  `SELECT seq, at, 'step' AS kind, node AS name, outcome, seconds, tokens, '' AS detail FROM steps`,
  `SELECT seq, at, 'call', purpose, finish, seconds, tokens, model FROM calls`,
  `SELECT seq, at, 'effect', effect, outcome, NULL, NULL, key FROM effects`,
  `SELECT seq, at, 'error', type, severity, NULL, NULL, message FROM errors`,
  `SELECT seq, at, 'remedy', strategy, CASE WHEN worked THEN 'worked' ELSE 'did not help' END, NULL, NULL, fix FROM remedies`,
  `SELECT seq, at, 'recovery', strategy, decision, NULL, NULL, reason FROM recoveries`,
]
  .map((select) => `${select} WHERE run = :run AND task = :task AND attempt = :attempt`)
  .join(' UNION ALL ')

export const queryTrail = (
  database: DatabaseSync,
  { run, task, attempt }: Pick<Execution, 'run' | 'task' | 'attempt'>,
): readonly TrailEvent[] =>
  database
    .prepare(`SELECT at, kind, name, outcome, seconds, tokens, detail FROM (${trail}) ORDER BY seq`)
    .all({ run, task, attempt })
    .map(rowAs<TrailEvent>)
