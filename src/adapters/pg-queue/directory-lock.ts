import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ExecutorError } from '../../core/domain/errors.ts'
import { loadSqlite } from '../sqlite-history/load-sqlite.ts'

export interface DirectoryLock {
  release(): void
}

/**
 * One process at a time. SQLite's lock on a file is the system's own: it ends with the process,
 * however that ends, and holds between containers that share the folder.
 *
 * @throws ExecutorError `queue_locked`
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  await mkdir(directory, { recursive: true })
  const Database = await loadSqlite()
  const database = new Database(join(directory, 'lock.sqlite'))
  try {
    database.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
  } catch (cause) {
    database.close()
    if (!isBusy(cause)) throw cause
    throw new ExecutorError('queue_locked', directory, { cause })
  }
  return { release: () => database.close() }
}

/** SQLITE_BUSY */
const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === 5
