import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fromPglite, PgBoss } from 'pg-boss'
import { ExecutorError } from '../../core/domain/errors.ts'
import { lockDirectory } from './directory-lock.ts'

export type QueueDatabase =
  /** `postgres://…`, for any number of processes. */
  | { readonly kind: 'postgres'; readonly url: string }
  /** A folder with an embedded database, for one process. */
  | { readonly kind: 'embedded'; readonly directory: string }

export interface OpenDatabase {
  readonly boss: PgBoss
  /** True when nobody else can be at work in it. */
  readonly alone: boolean
  /** After `boss` was stopped. */
  close(): Promise<void>
}

/** Of all our tables in the database. */
export const schema = 'executor_queue'

/** How often, in seconds, jobs are looked for whose worker went silent. */
const superviseIntervalSeconds = 4

const bossOptions = {
  schema,
  useListenNotify: true,
  schedule: false,
  superviseIntervalSeconds,
  monitorIntervalSeconds: superviseIntervalSeconds,
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
  const lock = await lockDirectory(directory)
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
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

async function startBoss(boss: PgBoss, where: string): Promise<void> {
  // Until the queue listens to it; unheard, it would end the process.
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
