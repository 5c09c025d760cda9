import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fromPglite, PgBoss } from 'pg-boss'
import { ExecutorError } from '../../core/domain/errors.ts'
import { loadSqlite } from '../sqlite-history/load-sqlite.ts'

export type QueueDatabase =
  /** `postgres://…`, for any number of processes. */
  | { readonly kind: 'postgres'; readonly url: string }
  /** A folder with an embedded database, for one process. */
  | { readonly kind: 'embedded'; readonly directory: string }

export interface OpenDatabase {
  readonly boss: PgBoss
  /** True if no other process can work in it. */
  readonly alone: boolean
  /** Call it after stopping `boss`. */
  close(): Promise<void>
}

/** The schema of all our tables. */
export const schema = 'executor_queue'

const bossOptions = {
  schema,
  useListenNotify: true,
  schedule: false,
  // We say when: see `supervise.ts`.
  supervise: false,
  // All processes together look at most this often.
  monitorIntervalSeconds: 2,
}

/** @throws ExecutorError `queue_locked`, `queue_unreachable` */
export async function openDatabase(database: QueueDatabase): Promise<OpenDatabase> {
  return database.kind === 'postgres'
    ? openPostgres(database.url)
    : openEmbedded(database.directory)
}

async function openPostgres(connectionString: string): Promise<OpenDatabase> {
  const boss = new PgBoss({
    ...bossOptions,
    connectionString,
    application_name: 'roadmap-executor',
    connectionTimeoutMillis: 10_000,
  })
  await startBoss(boss, withoutPassword(connectionString))
  return { boss, alone: false, close: async () => {} }
}

async function openEmbedded(directory: string): Promise<OpenDatabase> {
  const release = await lockDirectory(directory)
  try {
    const data = join(directory, 'database')
    await mkdir(data, { recursive: true })
    const { PGlite } = await import('@electric-sql/pglite')
    const engine = await PGlite.create({ dataDir: data })
    const boss = new PgBoss({ ...bossOptions, db: fromPglite(engine), backend: 'pglite' })
    await startBoss(boss, directory)
    return {
      boss,
      alone: true,
      async close() {
        await engine.close()
        release()
      },
    }
  } catch (error) {
    release()
    throw error
  }
}

/**
 * Allows one process at a time; returns a function that releases the lock. SQLite's file lock is
 * the operating system's: it ends with the process in any case, and works across containers that
 * share the folder.
 * @throws ExecutorError `queue_locked`
 */
async function lockDirectory(directory: string): Promise<() => void> {
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
  return () => database.close()
}

/** SQLITE_BUSY */
const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === 5

async function startBoss(boss: PgBoss, where: string): Promise<void> {
  // Until the queue listens; an unhandled error would end the process.
  const ignore = () => {}
  boss.on('error', ignore)
  try {
    await boss.start()
  } catch (cause) {
    const why = cause instanceof Error ? cause.message || cause.name : String(cause)
    throw new ExecutorError('queue_unreachable', `${where} (${why})`, { cause })
  } finally {
    boss.off('error', ignore)
  }
}

function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return 'DATABASE_URL'
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}
