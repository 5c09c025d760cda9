import { openPgQueue } from '../../adapters/pg-queue.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import { readEvent } from '../../runs/triggers/read-event.ts'
import type { Trigger } from '../../runs/triggers/trigger.ts'
import type { AppLog } from './app-log.ts'
import { openApp } from './open-app.ts'
import { type Environment, readEnvironment } from './read-environment.ts'
import { serveHere } from './serve-here.ts'

/** What a process of the App does. */
export interface AppRole {
  readonly takesWebhooks: boolean
  readonly works: boolean
}

export interface AppHost {
  readonly environment: Environment
  readonly log: AppLog
}

/**
 * One process of the App, until it is asked to stop.
 *
 * @throws ExecutorError `app_not_configured`, `weak_webhook_secret`, `queue_locked`, `queue_unreachable`
 */
export async function runApp(
  { takesWebhooks, works }: AppRole,
  { environment, log }: AppHost,
  signal: AbortSignal,
): Promise<void> {
  const read = await readEnvironment(environment, { takesWebhooks })
  const { database } = read
  if (database.kind === 'embedded' && !(takesWebhooks && works)) {
    const detail = 'DATABASE_URL is not set, and the embedded queue is for one process'
    throw new ExecutorError('app_not_configured', detail)
  }
  const app = await openApp({
    environment: read,
    queue: await openPgQueue<Trigger>({ database, log }),
    readEvent: takesWebhooks ? readEvent : null,
    serveRepository: works ? serveHere : null,
    log,
  })
  const where = database.kind === 'embedded' ? `in ${database.directory}` : 'in PostgreSQL'
  const jobs = works ? `works on ${read.concurrency} repositories at a time` : 'works on no jobs'
  log(`The App listens at ${app.url}, keeps its queue ${where} and ${jobs}.`)
  await untilAborted(signal)
  log('The App stops.')
  await app.close()
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
