import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { newRunFacts, type RunChanges, type RunFacts } from '../../core/history/fold-events.ts'

/** Puts what happened in runs into the tables. */
export interface ChangeWriter {
  factsOf(run: string): RunFacts
  write(changes: RunChanges): void
  /** Fingerprints of the tasks that were written about since this was asked last. */
  touched(): ReadonlySet<string>
}

type Row = Readonly<Record<string, SQLInputValue>>

const added = [
  'seconds',
  'requests',
  'promptTokens',
  'completionTokens',
  'tokens',
  'dollars',
  'cut',
]

/** Text that the newest event knows; kept where it knows nothing. */
const known = [
  ...['model', 'complexity', 'title', 'fingerprint', 'verdict', 'reason'],
  ...['recovery', 'recoveryReason', 'decision', 'errorType'],
]

const inserted = ['run', 'task', 'attempt', 'day', 'startedAt', 'endedAt', 'strategy']

const executionSql = `
  INSERT INTO executions (${[...inserted, 'files', 'repairs', ...added, ...known].join(', ')})
  VALUES (${inserted.map((name) => `:${name}`).join(', ')}, :files, coalesce(:repairs, 0),
    ${added.map((name) => `:${name}`).join(', ')}, ${known.map((name) => `coalesce(:${name}, '')`).join(', ')})
  ON CONFLICT DO UPDATE SET endedAt = excluded.endedAt,
    strategy = CASE WHEN 'two_phase' IN (strategy, excluded.strategy) THEN 'two_phase'
      WHEN excluded.strategy = '' THEN strategy ELSE excluded.strategy END,
    files = coalesce(:files, files), repairs = coalesce(:repairs, repairs),
    ${added.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')},
    ${known.map((name) => `${name} = coalesce(:${name}, ${name})`).join(', ')}`

const details = {
  steps: ['node', 'outcome', 'seconds', 'tokens', 'dollars'],
  calls: ['purpose', 'model', 'seconds', 'finish', 'tokens', 'dollars'],
  effects: ['effect', 'key', 'outcome', 'detail'],
  recoveries: ['strategy', 'reason', 'decision', 'by'],
  errors: ['node', 'type', 'severity', 'recoverable', 'signature', 'message'],
  remedies: ['node', 'type', 'strategy', 'signature', 'fix', 'worked'],
} as const

const tables = ['steps', 'calls', 'effects', 'recoveries', 'errors', 'remedies'] as const

const factColumns = [
  ...['run', 'seq', 'startedAt', 'lastAt', 'model', 'roadmap', 'base', 'end', 'task', 'attempt'],
]

export function openChangeWriter(database: DatabaseSync): ChangeWriter {
  const execution = database.prepare(executionSql)
  const facts = database.prepare('SELECT * FROM runs WHERE run = ?')
  const run = database.prepare(insertSql('runs', factColumns))
  const fingerprint = database.prepare(
    "SELECT fingerprint FROM executions WHERE run = ? AND task = ? AND attempt = ? AND fingerprint <> ''",
  )
  let touched = new Set<string>()
  const touch = (name: string, { task, attempt }: { task: string; attempt: number }): void => {
    const found = fingerprint.get(name, task, attempt)
    if (found !== undefined) touched.add(String(found.fingerprint))
  }
  const inserts = new Map<string, StatementSync>()
  for (const table of tables) {
    const columns = ['run', 'seq', 'at', 'task', 'attempt', ...details[table]]
    inserts.set(table, database.prepare(insertSql(table, columns)))
  }
  return {
    factsOf: (name) => ({ ...newRunFacts(name), ...facts.get(name) }),
    write(changes) {
      run.run(rowOf(changes.facts))
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
      for (const table of tables)
        for (const row of changes[table]) inserts.get(table)?.run(rowOf(row))
    },
    touched() {
      const found = touched
      touched = new Set()
      return found
    },
  }
}

const rowOf = (row: object): Row => ({ ...row })

const insertSql = (table: string, columns: readonly string[]): string =>
  `INSERT OR REPLACE INTO ${table} (${columns.map((name) => `"${name}"`).join(', ')})
   VALUES (${columns.map((name) => `:${name}`).join(', ')})`
