/**
 * The file of the index, and what can be wrong with it. It holds nothing that the journals do not: one
 * that cannot be read is made anew.
 */
import { lstatSync, rmSync } from 'node:fs'
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { hasTables, makeTables } from './schema.ts'

/** Milliseconds another process is waited for. */
const patience = 100

type Database = typeof DatabaseSync

/** An index that is there, or a new one. @throws an Error of SQLite or the file system */
export function openDatabaseFile(Database: Database, path: string): DatabaseSync {
  if (!isThere(path)) removeFile(path)
  return prepare(new Database(path, { timeout: patience }))
}

/** An index that ends with the process, for where none can be written. */
export function openMemory(Database: Database): DatabaseSync {
  const database = new Database(':memory:')
  makeTables(database)
  return database
}

/** Takes the index away; it can be made again from the journals. */
export function removeFile(path: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(path + end, { force: true })
}

/** A database that is broken or not ours, as opposed to one that cannot be had now. */
export function isDamage(error: unknown): boolean {
  const code = codeOf(error)
  // SQLITE_ERROR, CORRUPT, SCHEMA, MISMATCH, FORMAT, NOTADB
  return error instanceof ForeignTables || (code !== null && [1, 11, 17, 20, 24, 26].includes(code))
}

/** What keeps us from the file just now: another process, no room, no permission. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return codeOf(error) !== null || 'syscall' in error || error instanceof NotAFile
}

class ForeignTables extends Error {}
class NotAFile extends Error {}

function prepare(database: DatabaseSync): DatabaseSync {
  try {
    // A schema of somebody else's making runs nothing. 32 MB are for making the index anew; what a run
    // writes touches some pages.
    database.exec('PRAGMA cache_size = -32000')
    database.exec(
      'PRAGMA trusted_schema = OFF; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL',
    )
    const { n } = database.prepare('SELECT count(*) AS n FROM sqlite_schema').get() ?? {}
    if (n === 0) inTransaction(database, () => makeTables(database))
    else if (!hasTables(database)) throw new ForeignTables('The tables are of another version.')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** A row whose columns are selected as a type's fields, by their names; who selects says so. */
export const rowAs = <Row extends object>(row: Readonly<Record<string, SQLOutputValue>>): Row =>
  ({ ...row }) as unknown as Row

/** All of it, or nothing. */
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

/** @throws NotAFile for a link or a folder: a repository can hold one, and it could lead anywhere */
function isThere(path: string): boolean {
  for (const end of ['-wal', '-shm', '-journal', '']) {
    const found = lstatSync(path + end, { throwIfNoEntry: false })
    if (found !== undefined && !found.isFile()) throw new NotAFile(`${path}${end} is not a file`)
    if (end === '') return found !== undefined
  }
  return false
}

/** SQLite's primary result code; `null` for what is no error of SQLite. */
function codeOf(error: unknown): number | null {
  if (!(error instanceof Error && 'errcode' in error)) return null
  return typeof error.errcode === 'number' ? error.errcode & 0xff : null
}
