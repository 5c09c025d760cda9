/**
 * The file of an index and its possible damage. An index holds nothing that its sources lack, so an unreadable one is
 * rebuilt.
 */
import { lstatSync, rmSync } from 'node:fs'
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'

type Database = typeof DatabaseSync

export interface Schema {
  /** Creates the tables, indexes and triggers. */
  readonly statements: readonly string[]
  /** Names of the tables in which a virtual table keeps its content. */
  readonly shadow?: RegExp
  /** Milliseconds to wait for another process. */
  readonly patience: number
}

/** Opens the index or creates it. @throws an Error of SQLite or the file system */
export function openDatabaseFile(Database: Database, path: string, schema: Schema): DatabaseSync {
  if (!isThere(path)) removeFile(path)
  return prepare(new Database(path, { timeout: schema.patience }), schema)
}

/** An index that ends with the process, for when no file can be written. */
export function openMemory(Database: Database, schema: Schema): DatabaseSync {
  const database = new Database(':memory:')
  makeTables(database, schema)
  return database
}

function makeTables(database: DatabaseSync, { statements }: Schema): void {
  database.exec(statements.map((statement) => `${statement};`).join('\n'))
}

/** Returns true if the database has exactly these tables, unlike another version or program. */
function hasTables(database: DatabaseSync, { statements, shadow }: Schema): boolean {
  const rows = database.prepare('SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL').all()
  const own = rows.filter(({ name }) => !shadow?.test(String(name))).map(({ sql }) => sql)
  return own.length === statements.length && statements.every((each) => own.includes(each))
}

/** Deletes the index; its sources can rebuild it. */
export function removeFile(path: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(path + end, { force: true })
}

/** Returns true for a database that is broken or foreign, not just unavailable. */
export function isDamage(error: unknown): boolean {
  const code = codeOf(error)
  // SQLITE_ERROR, CORRUPT, SCHEMA, MISMATCH, FORMAT, NOTADB
  return error instanceof ForeignTables || (code !== null && [1, 11, 17, 20, 24, 26].includes(code))
}

/** Returns true if the file is unavailable: another process, no space, no permission. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return codeOf(error) !== null || 'syscall' in error || error instanceof NotAFile
}

class ForeignTables extends Error {}
class NotAFile extends Error {}

function prepare(database: DatabaseSync, schema: Schema): DatabaseSync {
  try {
    // A foreign schema must not run code. 32 MB are for a rebuild; a run writes only a few pages.
    database.exec('PRAGMA cache_size = -32000')
    database.exec(
      'PRAGMA trusted_schema = OFF; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL',
    )
    const { n } = database.prepare('SELECT count(*) AS n FROM sqlite_schema').get() ?? {}
    if (n === 0) inTransaction(database, () => makeTables(database, schema))
    else if (!hasTables(database, schema))
      throw new ForeignTables('The tables belong to another version.')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Types a row by the column names of its query. */
export const rowAs = <Row extends object>(row: Readonly<Record<string, SQLOutputValue>>): Row =>
  ({ ...row }) as unknown as Row

/** Runs all of the work or none. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** @throws NotAFile for a link or a folder: a repository can contain one that leads anywhere */
function isThere(path: string): boolean {
  for (const end of ['-wal', '-shm', '-journal', '']) {
    const found = lstatSync(path + end, { throwIfNoEntry: false })
    if (found !== undefined && !found.isFile()) throw new NotAFile(`${path}${end} is not a file`)
    if (end === '') return found !== undefined
  }
  return false
}

/** SQLite's primary result code; `null` for other errors. */
function codeOf(error: unknown): number | null {
  if (!(error instanceof Error && 'errcode' in error)) return null
  return typeof error.errcode === 'number' ? error.errcode & 0xff : null
}
