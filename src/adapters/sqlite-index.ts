/**
 * An index of code in `.executor/index.db` (SQLite with FTS5, WAL). It holds nothing that the repository lacks: a damaged
 * one is rebuilt, and where none can be written or read, the caller does without.
 */
import { join } from 'node:path'
import { errorCode } from '../../packages/files/files.ts'
import { takingTurns } from '../../packages/text/text.ts'
import { ExecutorError } from '../core/domain/errors.ts'
import type { Clock } from '../core/ports/clock.ts'
import type { CodeIndex } from '../core/ports/code-index.ts'
import { isDamage, isUnavailable, openDatabaseFile, removeFile } from './database-file.ts'
import { makeDirectory } from './file-store/state-files.ts'
import { loadSqlite } from './sqlite-history/load-sqlite.ts'
import { indexOf } from './sqlite-index/ask.ts'
import { indexSchema } from './sqlite-index/tables.ts'
import {
  type IndexedFile,
  type Sources,
  takeInCommits,
  takeInFiles,
} from './sqlite-index/take-in.ts'

export interface IndexPlace {
  /** `.executor` itself. */
  readonly directory: string
  readonly clock: Pick<Clock, 'monotonic'>
  /** Receives the reason why there is no index, once. */
  readonly note: (line: string) => void
  /** Milliseconds to wait for another process. */
  readonly patience?: number
}

export const indexName = 'index.db'

/** Seconds of reading; the next question reads the rest. */
const mostSeconds = 60

export type AskIndex = <T>(
  files: readonly IndexedFile[],
  sources: Sources,
  ask: (index: CodeIndex) => T,
) => Promise<T | null>

/** Opens the index for one question at a time; `null` when there is none. */
export function createSqliteIndex({ directory, clock, note, patience }: IndexPlace): AskIndex {
  const schema = { ...indexSchema, ...(patience !== undefined && { patience }) }
  const path = join(directory, indexName)
  let isGone = false
  const inTurn = takingTurns()
  const attempt: AskIndex = async (files, sources, ask) => {
    const Database = await loadSqlite()
    await makeDirectory(directory)
    const database = openDatabaseFile(Database, path, schema)
    try {
      const late = clock.monotonic() + mostSeconds
      const live = await takeInFiles(database, files, sources, () => clock.monotonic() > late)
      return ask(indexOf(database, live, await takeInCommits(database, sources)))
    } finally {
      database.close()
    }
  }
  const lookUp: AskIndex = async (...given) => {
    if (isGone) return null
    try {
      return await attempt(...given).catch((error: unknown) => {
        if (!isDamage(error)) throw error
        removeFile(path)
        return attempt(...given)
      })
    } catch (error) {
      if (!isExpected(error)) throw error
      isGone = true
      note(`Code is searched without an index, in fewer files: ${error.message}`)
      return null
    }
  }
  return (...given) => inTurn(() => lookUp(...given))
}

/** A Node without SQLite, a SQLite without FTS5, or a disk that refuses. */
const isExpected = (error: unknown): error is Error =>
  error instanceof Error &&
  (isDamage(error) ||
    isUnavailable(error) ||
    errorCode(error) === 'ERR_UNKNOWN_BUILTIN_MODULE' ||
    (error instanceof ExecutorError && error.code === 'state_unwritable'))
