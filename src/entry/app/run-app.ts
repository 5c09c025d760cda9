import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readPlain } from '../../../packages/files/files.ts'
import { createRedactor } from '../../../packages/text/text.ts'
import { openPgQueue } from '../../adapters/pg-queue.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { Ports } from '../../core/ports.ts'
import type { Services } from '../../runs/pass.ts'
import { serveTrigger } from '../../runs/serve-trigger.ts'
import { readEvent } from '../../runs/triggers/read-event.ts'
import { findApiKey } from '../compose/compose.ts'
import { inLog, openProgress } from '../progress/open-progress.ts'
import { secretsOfEnvironment } from '../redact/redact-ports.ts'
import type { AppLog } from './app-log.ts'
import { appFolderOf, openAppSession, workspaceIn } from './app-session.ts'
import { openApp } from './open-app.ts'
import type { LocalPlace, ServeRepository } from './open-place.ts'
import {
  type Environment,
  isUnregistered,
  readEnvironment,
  readPlaces,
} from './read-environment.ts'
import type { AppWork } from './receive-webhook.ts'
import { setUpApp } from './set-up/set-up-app.ts'

export interface AppRole {
  readonly takesWebhooks: boolean
  readonly works: boolean
}

export interface AppHost {
  readonly environment: Environment
  readonly log: AppLog
}

/**
 * Runs one process of the App until it is asked to stop.
 *
 * @throws ExecutorError `app_not_configured`, `weak_webhook_secret`, `queue_locked`, `queue_unreachable`
 */
export async function runApp(
  { takesWebhooks, works }: AppRole,
  { environment, log }: AppHost,
  signal: AbortSignal,
): Promise<void> {
  if (takesWebhooks && (await isUnregistered(environment))) {
    const redact = createRedactor(secretsOfEnvironment(environment))
    await setUpApp(readPlaces(environment), { log, redact }, signal)
    if (signal.aborted) return
  }
  const read = await readEnvironment(environment, { takesWebhooks })
  const { database } = read
  if (database.kind === 'embedded' && !(takesWebhooks && works)) {
    const detail = 'DATABASE_URL is not set, and the embedded queue is for one process'
    throw new ExecutorError('app_not_configured', detail)
  }
  const queue = await openPgQueue<AppWork>({ database, log })
  const app = await openApp({
    environment: read,
    queue,
    writes: queue.writes,
    spending: queue.spending,
    readEvent: takesWebhooks ? readEvent : null,
    serve: works ? { serveRepository: serveHere, openSession: openAppSession } : null,
    log,
  })
  const where = database.kind === 'embedded' ? `in ${database.directory}` : 'in PostgreSQL'
  const jobs = works ? `works on ${read.concurrency} repositories at a time` : 'runs no jobs'
  log(`The App listens at ${app.url}, keeps its queue ${where} and ${jobs}.`)
  if (!signal.aborted) await once(signal, 'abort')
  log('The App stops.')
  await app.close()
}

/** A larger one is not kept in the queue. */
const mostReportBytes = 4_000_000

/** The report that a run since this time wrote; `null` if there was none. */
async function readReport(workspace: string, since: number): Promise<string | null> {
  const path = join(workspace, '.executor/report.html')
  const found = await stat(path).catch(() => null)
  if (found === null || found.mtimeMs < since) return null
  const { text, problem } = await readPlain(path, mostReportBytes)
  return problem === null ? text : null
}

async function noteDay(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  note: LocalPlace['noteSpending'],
): Promise<void> {
  const day = clock.now().slice(0, 10)
  const { tokens, dollars } = await store.spendingOn(day)
  await note(day, { tokens, dollars })
}

/** In a workspace, a repository knows the tasks of the others and its own sets. */
const withMembership = ({ ports }: Pick<Services, 'ports'>, joined: LocalPlace['membership']) =>
  joined && { ports: { ...ports, elsewhere: joined }, sets: joined.sets }

/**
 * `runner: local`: works like the Action, on this machine. The files that a repository's last job left here (state,
 * clone, installed dependencies) serve the next one, so a killed job resumes.
 */
const serveHere: ServeRepository = async (trigger, place, signal) => {
  const { settings, log, noteSpending, membership } = place
  const folder = appFolderOf(place)
  const session = await openAppSession(place, folder, {
    signal,
    apiKey: findApiKey(settings, process.env),
    progress: openProgress(inLog(log), settings, 'all tasks'),
  })
  const say = (line: string) => log(session.redact(line))
  const { observer } = session
  try {
    const request = { trigger, dryRun: false, signal, say, observer }
    const begun = Date.now()
    const runs = await serveTrigger(request, { ...session, ...withMembership(session, membership) })
    if (signal.aborted) return { status: 'again', reason: 'the App stops' }
    const retryAt = runs.at(-1)?.progress.retryAt ?? null
    if (retryAt !== null)
      return { status: 'again', reason: 'a limit is reached', notBefore: retryAt }
    const report = await readReport(workspaceIn(folder), begun)
    return report === null ? { status: 'done' } : { status: 'done', left: { report } }
  } finally {
    await noteDay(session.ports, noteSpending).catch((error: unknown) =>
      log(`The day's spending was not noted: ${String(error)}`, { level: 'warn' }),
    )
    await session.close()
  }
}
