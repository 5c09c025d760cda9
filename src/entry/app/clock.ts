import { createHash } from 'node:crypto'
import { countOf } from '../../../packages/text/text.ts'
import type { GitHubApp } from '../../adapters/probot-app.ts'
import { isBefore, secondsBefore } from '../../core/domain/instant.ts'
import { lastUntil, readCron } from '../../runs/schedule/cron-times.ts'
import type { AppLog } from './app-log.ts'
import { type AppEnvironment, mayRunHere } from './read-environment.ts'
import type { AppJob } from './receive-webhook.ts'

type Place = Pick<AppJob, 'repository' | 'installation'>

export interface ClockOptions {
  readonly environment: Pick<AppEnvironment, 'localRepositories' | 'schedule'>
  readonly app: Pick<GitHubApp, 'installations' | 'repositories'>
  /** The repository's own schedule; `null` leaves it to the operator, `off` is none. */
  readonly readSchedule: (place: Place) => Promise<string | null>
  readonly enqueue: (job: AppJob) => Promise<unknown>
  /** ISO 8601, UTC. */
  readonly now: () => string
  readonly log: AppLog
}

/** Seconds after which the repositories' own schedules are read again. */
const renewSeconds = 3600

/** Seconds for which a scheduled time still counts: the server may have been down. */
const lateSeconds = 3600

/**
 * Queues a run for each repository with `runner: local` at its scheduled times. A time's job has the same id in every
 * process and after a restart, so the queue takes it once.
 *
 * @returns what to call every minute
 */
export function createRunClock(options: ClockOptions): () => Promise<void> {
  const { enqueue, now, log } = options
  let schedules: readonly (Place & { readonly cron: string })[] = []
  let renewed: string | null = null
  const queued = new Map<string, string>()
  return async () => {
    const at = now()
    if (renewed === null || isBefore(renewed, secondsBefore(at, renewSeconds))) {
      schedules = await readSchedules(options)
      renewed = at
      log(`The clock knows ${countOf(schedules.length, 'schedule')}.`, { level: 'debug' })
    }
    for (const { repository, installation, cron } of schedules) {
      const times = readCron(cron)
      if (times === null)
        log(`${repository}: the schedule "${cron}" has a field that cron does not have`, {
          level: 'warn',
        })
      const due = times && lastUntil(times, at)
      if (due === null || isBefore(due, secondsBefore(at, lateSeconds))) continue
      if (queued.get(repository) === due) continue
      const id = createHash('sha256')
        .update(`schedule ${repository.toLowerCase()} ${due}`)
        .digest('hex')
      const payload = { kind: 'run', only: null } as const
      await enqueue({ id, repository, installation, event: 'schedule', payload, receivedAt: at })
      queued.set(repository, due)
    }
  }
}

/** What cannot be read is logged: one installation or repository does not stop the others. */
async function readSchedules({ environment, app, readSchedule, log }: ClockOptions) {
  const found: (Place & { readonly cron: string })[] = []
  const orLog = <T>(name: string, work: Promise<T>) =>
    work.catch((error: unknown) => {
      log(`${name}: the schedule cannot be read: ${String(error)}`, { level: 'warn' })
      return null
    })
  for (const { id: installation, account } of await app.installations()) {
    for (const repository of (await orLog(account, app.repositories(installation))) ?? []) {
      if (!mayRunHere(repository, environment.localRepositories)) continue
      const place = { repository, installation }
      const own = await orLog(
        repository,
        readSchedule(place).then((cron) => cron ?? environment.schedule ?? 'off'),
      )
      if (own !== null && own !== 'off') found.push({ ...place, cron: own })
    }
  }
  return found
}
