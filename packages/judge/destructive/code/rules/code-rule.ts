import type { CodeCall } from '../code-call.ts'
import { always, type CallJudge, harm, sql } from '../code-judges.ts'

/** What a call destroys, by the names of its callee. */
export interface CodeRule {
  /**
   * Modules or types that have it; `global` for a bare name, `()` for a receiver that tokens cannot
   * name, `?` for any receiver in tokens. Without it, any receiver or none matches.
   */
  readonly of?: string
  /** Names separated by white space; `*` matches each. */
  readonly calls: string
  /** The text before the last dot. */
  readonly on?: RegExp
  readonly judge: CallJudge
}

export const dropped = harm('database', 'It deletes tables or whole databases.')
export const emptied = harm('database', 'It deletes every row or document.')
const flushed = harm('database', 'It deletes every key.')
export const cloud = harm('cloud', 'It deletes something that runs or is stored in a cloud.')
export const containers = harm('containers', 'It deletes containers, images or volumes.')
export const drops = always(dropped)
export const empties = always(emptied)
export const hasNoArguments = ({ count }: CodeCall): boolean => count === 0
export const something = /./

export const everyLanguage: readonly CodeRule[] = [
  {
    calls: `query queryRaw queryAsync queryObject queryArray executeSql executeSQL executeQuery
      executeRaw executeAsync executeSync executeUpdate executeLargeUpdate execute executemany
      executescript execute_sql execute_batch exec_driver_sql exec_query raw rawQuery raw_sql run_sql
      runSql runSQL execSql execSQL execAsync read_sql read_sql_query unsafe createQuery
      createNativeQuery createSQLQuery nativeQuery select_all sql_query query_as query! query_raw
      simple_query batch_execute unprepared $executeRawUnsafe $queryRawUnsafe $executeRaw $queryRaw
      fetchrow fetchval fetch_all fetch_one sql`,
    judge: sql,
  },
  {
    calls: 'flushall flushAll flushdb flushDb flushDB FLUSHALL FLUSHDB FlushAll FlushDB',
    on: something,
    judge: always(flushed),
  },
]

/** For languages that are read only by tokens. */
export const everyOther: readonly CodeRule[] = [
  {
    calls: `Query QueryRow queryRow QueryContext QueryRowContext Exec ExecContext MustExec NamedExec exec
      prepare Prepare PrepareContext prepareStatement statement Raw update batchUpdate Sql Ecto
      ExecuteSqlRaw ExecuteSqlRawAsync ExecuteSqlCommand ExecuteSqlInterpolated ExecuteNonQuery
      ExecuteAsync Execute SqlCommand NpgsqlCommand MySqlCommand SqliteCommand OracleCommand
      mysqli_query mysql_query pg_query pg_send_query sqlite_exec sqlite3_exec PQexec`,
    judge: sql,
  },
]
