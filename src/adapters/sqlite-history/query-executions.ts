import type { DatabaseSync } from 'node:sqlite'
import type { Execution } from '../../core/history/execution.ts'
import type { HistoryQuery } from '../../core/history/statistics.ts'
import { rowAs } from './database-file.ts'

/** One event of an execution, for a person. */
export interface TrailEvent {
  readonly at: string
  readonly kind: 'step' | 'call' | 'effect' | 'error' | 'remedy' | 'recovery'
  /** The node, the purpose of a model call, the kind of effect, the type of error, the strategy. */
  readonly name: string
  readonly outcome: string
  /** `null` where nothing was measured. */
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

export function queryTrail(
  database: DatabaseSync,
  { run, task, attempt }: Pick<Execution, 'run' | 'task' | 'attempt'>,
): readonly TrailEvent[] {
  return database
    .prepare(`SELECT at, kind, name, outcome, seconds, tokens, detail FROM (${trail}) ORDER BY seq`)
    .all({ run, task, attempt })
    .map(rowAs<TrailEvent>)
}
