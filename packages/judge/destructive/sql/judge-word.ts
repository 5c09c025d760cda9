import { isMark, type Statement } from './statement.ts'

/** What `DROP` deletes with its data; views, indexes, functions and triggers can be recreated. */
const dropped: ReadonlyMap<string, string> = new Map([
  ['TABLE', 'It deletes a table with all its rows.'],
  ['DATABASE', 'It deletes a whole database.'],
  ['PLUGGABLE', 'It deletes a whole database.'],
  ['SCHEMA', 'It deletes a schema with its tables.'],
  ['KEYSPACE', 'It deletes a keyspace with its tables.'],
  ['TABLESPACE', 'It deletes a tablespace.'],
  ['COLLECTION', 'It deletes a collection with all its documents.'],
  ['USER', 'It deletes an account of the database.'],
  ['ROLE', 'It deletes a role of the database.'],
  ['LOGIN', 'It deletes an account of the database.'],
  ['OWNED', 'It deletes everything that a role owns.'],
])

/** After `ALTER TABLE … DROP`: rules and keys of a column, not its data. */
const keepsData = new Set([
  ...['CONSTRAINT', 'INDEX', 'KEY', 'PRIMARY', 'FOREIGN', 'UNIQUE', 'CHECK', 'DEFAULT', 'NOT'],
  ...['IDENTITY', 'EXPRESSION', 'STATISTICS', 'SYSTEM', 'PERIOD', 'POLICY', 'TRIGGER', 'RULE'],
  ...['TAG', 'MASKING', 'PROJECTION', 'TTL'],
])

/** Words after which a statement may start, besides `;` and parentheses. */
const beforeStatement = new Set([
  ...['BEGIN', 'THEN', 'ELSE', 'AS', 'DO', 'LOOP', 'GO', 'EXPLAIN', 'ANALYZE', 'TRY', 'ATOMIC'],
  ...['CATCH', 'NOTHING', 'DESCRIBE', 'VERBOSE'],
])

const emptied = 'It deletes every row of a table.'

type WordJudge = (statement: Statement, index: number) => string | null

const judges: ReadonlyMap<string, WordJudge> = new Map([
  ['DROP', judgeDrop],
  ['TRUNCATE', judgeTruncate],
  ['DELETE', judgeDelete],
  ['UPDATE', judgeUpdate],
])

/** Judges the statement that this word starts; `null` for any other word. */
export const judgeWord: WordJudge = (statement, index) =>
  judges.get(statement.word(index))?.(statement, index) ?? null

function judgeDrop(statement: Statement, index: number): string | null {
  const next = statement.word(index + 1)
  if (isAltering(statement, index)) {
    if (next === 'PARTITION') return 'It deletes a part of a table with its rows.'
    return statement.isName(index + 1) && !keepsData.has(next)
      ? 'It deletes a column with all its values.'
      : null
  }
  const named = statement.word(index + 2) === 'IF' ? index + 4 : index + 2
  // A temporary table, in T-SQL.
  if (statement.word(named).startsWith('#')) return null
  return statement.isName(named) ? (dropped.get(next) ?? null) : null
}

/** Inside `ALTER TABLE name`, possibly after other actions of it. */
function isAltering(statement: Statement, index: number): boolean {
  for (let at = index - 1; at >= 0 && index - at < 400; at -= 1) {
    const word = statement.word(at)
    if (word === 'ALTER' && statement.word(at + 1) !== 'COLUMN') {
      return [1, 2, 3].some((next) => statement.word(at + next) === 'TABLE')
    }
    if (word === 'BEGIN' || word === 'THEN' || word === 'GO') return false
  }
  return false
}

function judgeTruncate(statement: Statement, index: number): string | null {
  const next = statement.word(index + 1)
  if (next === 'PARTITION') return isAltering(statement, index) ? emptied : null
  if (next === 'TABLE') return statement.isName(index + 2) ? emptied : null
  const isName = statement.isName(index + 1) && next !== 'ON' && next !== 'OR'
  const after = statement.tokens[index + 2]
  const isEnd =
    after === undefined ||
    /^[.,;*]$/.test(after.text) ||
    /^(?:CASCADE|RESTART|CONTINUE|RESTRICT)$/.test(after.text)
  return begins(statement, index) && isName && isEnd ? emptied : null
}

function judgeDelete(statement: Statement, index: number): string | null {
  if (statement.word(index + 1) === 'FROM') {
    if (!statement.isName(index + 2)) return null
    return statement.isWithoutCondition(index + 3) ? emptied : null
  }
  // `DELETE users`, or MySQL's `DELETE u FROM users u`.
  const next = statement.word(index + 1)
  if (!begins(statement, index) || statement.word(index - 1) === 'THEN') return null
  if (!statement.isName(index + 1) || /^(?:ON|OR|CASCADE)$/.test(next)) return null
  const third = statement.tokens[index + 2]
  const isStatement = third === undefined || /^(?:FROM|WHERE|\.|,)$/.test(third.text)
  return isStatement && statement.isWithoutCondition(index + 2) ? emptied : null
}

function judgeUpdate(statement: Statement, index: number): string | null {
  if (!begins(statement, index) || !statement.isName(index + 1)) return null
  if (statement.word(index + 1) === 'SET') return null
  for (let at = index + 2; at < index + 12; at += 1) {
    const word = statement.word(at)
    if (statement.tokens[at] === undefined || word === 'WHERE' || word === 'SELECT') return null
    if (word !== 'SET') continue
    return statement.isWithoutCondition(at + 1) ? 'It changes every row of a table.' : null
  }
  return null
}

/** True where a statement may start: alone, inside a block, in parentheses, or after a `WITH`. */
function begins(statement: Statement, index: number): boolean {
  const before = statement.tokens[index - 1]
  if (before === undefined || isMark(before, '(') || isMark(before, ')')) return true
  return before.kind === 'word' && beforeStatement.has(before.text)
}
