import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { ErrorGroup, Figures, Period, RouteFigures } from '../../core/history/statistics.ts'
import { wilsonInterval } from '../../core/history/wilson.ts'
import { failed, served } from './schema.ts'

const sums = `sum(n) AS executions, sum(CASE WHEN verdict IN (${served}) THEN n ELSE 0 END) AS served,
  sum(CASE WHEN verdict IN (${failed}) THEN n ELSE 0 END) AS failed,
  sum(CASE WHEN verdict <> '' THEN n ELSE 0 END) AS judged,
  sum(requests) AS requests, sum(tokens) AS tokens, sum(dollars) AS dollars`

/** Executions summed up, the most first; of days the newest first. */
export function queryFigures(
  database: DatabaseSync,
  by: 'model' | 'strategy' | 'day',
  { since }: Period,
): readonly Figures[] {
  const order = by === 'day' ? 'name DESC' : 'executions DESC'
  const rows = database
    .prepare(
      `SELECT ${by} AS name, ${sums} FROM daily WHERE n > 0 AND day >= ? GROUP BY ${by} ORDER BY ${order}`,
    )
    .all(since ?? '')
  const percentile = percentileOf(database, 'seconds', [by])
  return rows.map((row) => {
    const rank = (share: number) =>
      percentile([String(row.name), since ?? ''], Number(row.judged), share)
    return {
      name: String(row.name),
      ...figuresOf(row),
      secondsP50: rank(0.5),
      secondsP90: rank(0.9),
    }
  })
}

/** The figures of each model and strategy that code was asked of. */
export function queryRoutes(database: DatabaseSync, { since }: Period): readonly RouteFigures[] {
  const rows = database
    .prepare(
      `SELECT model, strategy, ${sums} FROM daily
       WHERE n > 0 AND day >= ? AND strategy <> '' GROUP BY model, strategy ORDER BY executions DESC`,
    )
    .all(since ?? '')
  const tokens = percentileOf(database, 'tokens', ['model', 'strategy'])
  return rows.map((row) => {
    const [model, strategy] = [String(row.model), String(row.strategy)]
    const figures = figuresOf(row)
    return {
      ...{ name: `${model} ${strategy}`, model, strategy },
      ...figures,
      ...{ secondsP50: null, secondsP90: null },
      confidence: wilsonInterval(figures.served, figures.served + figures.failed),
      medianTokens: tokens([model, strategy, since ?? ''], Number(row.judged), 0.5),
    }
  })
}

/** What went wrong most often, and how often each remedy helped. */
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
      `SELECT type, node, signature, sum(n) AS times, max(day) AS last FROM error_days
       WHERE n > 0 AND day >= ? GROUP BY type, node, signature ORDER BY times DESC, last DESC LIMIT ?`,
    )
    .all(since ?? '', limit)
    .map((row) => {
      const [type, node, signature] = [row.type, row.node, row.signature].map(String)
      const tried = remedies.all(signature ?? '', type ?? '', node ?? '', since ?? '')
      return {
        type: type ?? '',
        node: node ?? '',
        signature: signature ?? '',
        times: Number(row.times),
        lastDay: String(row.last),
        remedies: tried.map((remedy) => ({
          strategy: String(remedy.strategy),
          tried: Number(remedy.tried),
          worked: Number(remedy.worked),
        })),
      }
    })
}

function figuresOf(row: Readonly<Record<string, SQLInputValue>>) {
  const [served, failed] = [Number(row.served), Number(row.failed)]
  return {
    executions: Number(row.executions),
    served,
    failed,
    successRate: served + failed > 0 ? served / (served + failed) : null,
    requests: Number(row.requests),
    tokens: Number(row.tokens),
    dollars: Number(row.dollars),
  }
}

/**
 * The value that this share of the judged executions does not exceed (nearest rank), out of an index
 * that begins with these columns and the value: it is walked from its nearer end, nothing is sorted.
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
