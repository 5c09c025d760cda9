import type { DatabaseSync } from 'node:sqlite'
import {
  detailTables,
  latestColumns,
  newRunFacts,
  type RunChanges,
  type RunFacts,
  summedColumns,
} from '../../core/history/fold-events.ts'

/** Puts what happened in runs into the tables. */
export interface ChangeWriter {
  factsOf(run: string): RunFacts
  write(changes: RunChanges): void
  /** Fingerprints of the tasks that were written about since this was asked last. */
  touched(): ReadonlySet<string>
}

const tables = ['steps', 'calls', 'effects', 'recoveries', 'errors', 'remedies'] as const

/** Tokens are those of the prompts and of the answers together. */
const added = [...summedColumns, 'tokens']

const inserted = ['run', 'task', 'attempt', 'day', 'startedAt', 'endedAt', 'strategy']

const executionSql = `
  INSERT INTO executions (${[...inserted, 'files', 'repairs', ...added, ...latestColumns].join(', ')})
  VALUES (${inserted.map((name) => `:${name}`).join(', ')}, :files, coalesce(:repairs, 0),
    ${added.map((name) => `:${name}`).join(', ')}, ${latestColumns.map((name) => `coalesce(:${name}, '')`).join(', ')})
  ON CONFLICT DO UPDATE SET endedAt = excluded.endedAt,
    strategy = CASE WHEN 'two_phase' IN (strategy, excluded.strategy) THEN 'two_phase'
      WHEN excluded.strategy = '' THEN strategy ELSE excluded.strategy END,
    files = coalesce(:files, files), repairs = coalesce(:repairs, repairs),
    ${added.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')},
    ${latestColumns.map((name) => `${name} = coalesce(:${name}, ${name})`).join(', ')}`

export function openChangeWriter(database: DatabaseSync): ChangeWriter {
  const execution = database.prepare(executionSql)
  const facts = database.prepare('SELECT * FROM runs WHERE run = ?')
  const run = database.prepare(insertSql('runs', Object.keys(newRunFacts(''))))
  const fingerprint = database.prepare(
    "SELECT fingerprint FROM executions WHERE run = ? AND task = ? AND attempt = ? AND fingerprint <> ''",
  )
  let touched = new Set<string>()
  const touch = (name: string, { task, attempt }: { task: string; attempt: number }): void => {
    const found = fingerprint.get(name, task, attempt)
    if (found !== undefined) touched.add(String(found.fingerprint))
  }
  const place = ['run', 'seq', 'at', 'task', 'attempt']
  const inserts = tables.map((table) => {
    const columns = [...place, ...Object.keys(detailTables[table])]
    return { table, insert: database.prepare(insertSql(table, columns)) }
  })
  return {
    factsOf: (name) => ({ ...newRunFacts(name), ...facts.get(name) }),
    write(changes) {
      run.run({ ...changes.facts })
      for (const { firstAt, lastAt, ...change } of changes.executions) {
        touch(changes.facts.run, change)
        execution.run({
          ...change,
          run: changes.facts.run,
          day: firstAt.slice(0, 10),
          startedAt: firstAt,
          endedAt: lastAt,
          strategy: change.strategy ?? '',
          tokens: change.promptTokens + change.completionTokens,
        })
        touch(changes.facts.run, change)
      }
      for (const { table, insert } of inserts) for (const row of changes[table]) insert.run(row)
    },
    touched() {
      const found = touched
      touched = new Set()
      return found
    },
  }
}

const insertSql = (table: string, columns: readonly string[]): string =>
  `INSERT OR REPLACE INTO ${table} (${columns.map((name) => `"${name}"`).join(', ')})
   VALUES (${columns.map((name) => `:${name}`).join(', ')})`
