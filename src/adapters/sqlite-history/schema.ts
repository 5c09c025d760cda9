/**
 * The tables of `.executor/history.db`. Everything comes from journals, so a database with another
 * schema is rebuilt, not migrated.
 *
 * Triggers keep the sums `daily` and `error_days`; take-in.ts fills `reroutes`. Each index covers
 * all columns of its statistic, including those of its condition, which SQLite reads again. Counts
 * are REAL, so that a sum of foreign lines cannot overflow.
 */
import { detailTables, latestColumns, summedColumns } from '../../core/history/fold-events.ts'
import { manyFiles } from '../../core/history/routing.ts'
import { failedVerdicts, servedVerdicts } from '../../core/history/statistics.ts'
import type { Schema } from '../database-file.ts'

const place = 'run TEXT NOT NULL, seq INTEGER NOT NULL, at TEXT, task TEXT, attempt INTEGER'

const details = Object.entries(detailTables).map(([name, types]) => {
  const columns = Object.entries(types).map(([column, type]) => `"${column}" ${type}`)
  return `CREATE TABLE ${name} (${place}, ${columns.join(', ')}, PRIMARY KEY (run, seq)) WITHOUT ROWID`
})

const daily = 'day, model, strategy, verdict, n, requests, tokens, dollars, seconds'

/** Adds an execution's new or old values to the sums of its day. */
const count = (row: 'NEW' | 'OLD', sign: '' | '-') =>
  `INSERT INTO daily (${daily}) VALUES (${row}.day, ${row}.model, ${row}.strategy, ${row}.verdict,
     ${sign}1, ${sign}${row}.requests, ${sign}${row}.tokens, ${sign}${row}.dollars, ${sign}${row}.seconds)
   ON CONFLICT DO UPDATE SET n = n + excluded.n, requests = requests + excluded.requests,
     tokens = tokens + excluded.tokens, dollars = dollars + excluded.dollars,
     seconds = seconds + excluded.seconds;`

const countError = (row: 'NEW' | 'OLD', sign: '' | '-') =>
  `INSERT INTO error_days (day, type, node, signature, n)
   VALUES (substr(${row}.at, 1, 10), ${row}.type, ${row}.node, ${row}.signature, ${sign}1)
   ON CONFLICT DO UPDATE SET n = n + excluded.n;`

const list = (verdicts: readonly string[]) => verdicts.map((name) => `'${name}'`).join(', ')

/** For `verdict IN (…)`. */
export const served = list(servedVerdicts)
export const failed = list(failedVerdicts)

// A query uses an index only if it repeats the index's condition verbatim.
const isJudged = "verdict <> ''"
export const isTooLarge = `strategy = 'single' AND verdict IN (${failed}) AND (files >= ${manyFiles}
  OR cut > 0 OR recovery = 'DECOMPOSE' OR recoveryReason = 'task_too_complex')`
export const isSmallSingle = `strategy = 'single' AND verdict IN (${served}) AND files <= 1`
export const isSmallPlanned = `strategy = 'two_phase' AND verdict IN (${served}) AND files <= 1 AND repairs = 0`
const ofRoute = (name: string, verdicts: string) =>
  `${name}verdict IN (${verdicts}) AND ${name}strategy <> '' AND ${name}fingerprint <> ''`
export const isFailed = (name: string) => ofRoute(`${name}.`, failed)
export const isServed = (name: string) => ofRoute(`${name}.`, served)

const statements: readonly string[] = [
  `CREATE TABLE sources (path TEXT PRIMARY KEY, inode TEXT NOT NULL, size REAL NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE runs (run TEXT PRIMARY KEY, seq INTEGER NOT NULL, startedAt TEXT NOT NULL,
     lastAt TEXT NOT NULL, model TEXT NOT NULL, roadmap TEXT NOT NULL, base TEXT NOT NULL,
     end TEXT NOT NULL, task TEXT, attempt INTEGER) WITHOUT ROWID`,
  `CREATE TABLE executions (run TEXT NOT NULL, task TEXT NOT NULL, attempt INTEGER NOT NULL,
     day TEXT NOT NULL, startedAt TEXT NOT NULL, endedAt TEXT NOT NULL, strategy TEXT NOT NULL,
     tokens REAL NOT NULL, files REAL, repairs REAL NOT NULL,
     ${summedColumns.map((name) => `${name} REAL NOT NULL`).join(', ')},
     ${latestColumns.map((name) => `${name} TEXT NOT NULL`).join(', ')},
     PRIMARY KEY (run, task, attempt))`,
  ...details,
  `CREATE TABLE daily (day TEXT, model TEXT, strategy TEXT, verdict TEXT, n REAL, requests REAL,
     tokens REAL, dollars REAL, seconds REAL, PRIMARY KEY (day, model, strategy, verdict)) WITHOUT ROWID`,
  `CREATE TABLE error_days (day TEXT, type TEXT, node TEXT, signature TEXT, n REAL,
     PRIMARY KEY (day, type, node, signature)) WITHOUT ROWID`,
  `CREATE TABLE reroutes (lost INTEGER PRIMARY KEY, won INTEGER NOT NULL, fingerprint TEXT NOT NULL,
     day TEXT NOT NULL, model TEXT NOT NULL, strategy TEXT NOT NULL, wonModel TEXT NOT NULL,
     wonStrategy TEXT NOT NULL)`,
  `CREATE TRIGGER execution_added AFTER INSERT ON executions BEGIN ${count('NEW', '')} END`,
  `CREATE TRIGGER execution_changed AFTER UPDATE ON executions
   BEGIN ${count('OLD', '-')} ${count('NEW', '')} END`,
  `CREATE TRIGGER execution_gone AFTER DELETE ON executions BEGIN ${count('OLD', '-')} END`,
  `CREATE TRIGGER error_added AFTER INSERT ON errors BEGIN ${countError('NEW', '')} END`,
  `CREATE TRIGGER error_gone AFTER DELETE ON errors BEGIN ${countError('OLD', '-')} END`,
  `CREATE INDEX by_start ON executions (startedAt, run, attempt)`,
  `CREATE INDEX by_task ON executions (task, startedAt, run, attempt)`,
  `CREATE INDEX by_day ON executions (day, seconds, verdict) WHERE ${isJudged}`,
  `CREATE INDEX by_model ON executions (model, seconds, day, verdict) WHERE ${isJudged}`,
  `CREATE INDEX by_strategy ON executions (strategy, seconds, day, verdict) WHERE ${isJudged}`,
  `CREATE INDEX by_route ON executions (model, strategy, tokens, day, verdict) WHERE ${isJudged}`,
  `CREATE INDEX by_complexity ON executions (model, strategy, complexity, verdict, day) WHERE ${isJudged}`,
  `CREATE INDEX too_large ON executions (model, day, startedAt, strategy, verdict, files, cut,
     recovery, recoveryReason) WHERE ${isTooLarge}`,
  `CREATE INDEX small_single ON executions (model, tokens, strategy, verdict, files) WHERE ${isSmallSingle}`,
  `CREATE INDEX small_planned ON executions (model, tokens, day, strategy, verdict, files, repairs) WHERE ${isSmallPlanned}`,
  `CREATE INDEX losses ON executions (fingerprint, startedAt, model, strategy, day, verdict)
     WHERE ${ofRoute('', failed)}`,
  `CREATE INDEX wins ON executions (fingerprint, startedAt, model, strategy, run, verdict)
     WHERE ${ofRoute('', served)}`,
  `CREATE INDEX reroutes_of_task ON reroutes (fingerprint)`,
  `CREATE INDEX by_reroute ON reroutes (model, strategy, wonModel, wonStrategy, day)`,
  `CREATE INDEX tried ON remedies (signature, type, node, at, strategy, worked)`,
]

export const historySchema: Schema = { statements, patience: 100 }
