import { toRefusal } from '../../adapters/octokit/failure.ts'
import { dispatchWorkflow } from '../../adapters/octokit/workflows.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { JobResult } from '../../core/ports/job-queue.ts'
import type { Trigger } from '../../runs/triggers/trigger.ts'
import type { AppLog } from './app-log.ts'
import { waitForTomorrow } from './installation-ceiling.ts'
import {
  type JobServices,
  localPlaceOf,
  openRepository,
  type ReadServices,
  whyNotHere,
} from './open-place.ts'
import type { AppJob } from './receive-webhook.ts'
import { joinWorkspace, passAfter, serveWorkspace } from './serve-workspace.ts'

/** Does the work that a webhook triggers, in the repository's own workflow or here. */
export async function serveJob(
  job: AppJob,
  services: JobServices,
  signal: AbortSignal,
): Promise<JobResult> {
  try {
    return await serve(job, services, signal)
  } catch (error) {
    if (signal.aborted) return { status: 'again', reason: 'the App stops' }
    if (error instanceof ExecutorError) {
      const reason = `${error.message} ${error.next}`
      if (!mayPass.has(error.code)) return { status: 'failed', reason }
      return { status: 'again', reason, ...laterOf(error.retryAt) }
    }
    const { code, detail } = toRefusal(error, job.repository)
    return { status: code === 'forge_unreachable' ? 'again' : 'failed', reason: detail }
  }
}

/** Failures that another start may not meet: of the network, as a rule. */
const mayPass: ReadonlySet<string> = new Set(['forge_unreachable', 'git_failed'])

/** As a part of a job's result. */
const laterOf = (notBefore: string | null) => (notBefore === null ? {} : { notBefore })

/** The repository's own schedule for `runner: local`: `null` leaves it to the operator, `off` is none. */
export async function readSchedule(
  place: Pick<AppJob, 'repository' | 'installation'>,
  services: ReadServices & Pick<JobServices, 'log'>,
): Promise<string | null> {
  const { settings } = await openRepository(place, services, services.log)
  const { runner, schedule } = settings.app
  return settings.enabled && runner === 'local' ? schedule : 'off'
}

async function serve(job: AppJob, services: JobServices, signal: AbortSignal): Promise<JobResult> {
  const { environment } = services
  const { serverUrl } = environment
  const about = { repository: job.repository, event: job.event, job: job.id }
  const log: AppLog = (line, facts = {}) =>
    services.log(`${job.repository}: ${line}`, { ...about, ...facts })
  const trigger = job.payload
  if (trigger.kind === 'workspace') return serveWorkspace(job, trigger, services, { signal, log })
  const opened = await openRepository(job, services, log)
  const { repository, branch, settings } = opened
  if (!settings.enabled) {
    log('switched off (enabled: false)')
    return { status: 'done' }
  }
  if (settings.app.runner === 'actions') {
    const inputs = inputsOf(trigger)
    // A workflow has a schedule of its own.
    if (inputs === null || job.event === 'schedule') return { status: 'done' }
    const { workflow } = settings.app
    await dispatchWorkflow(repository, { workflow, ref: branch.name, inputs, since: branch.at })
    log(`${job.event}: ${workflow} was started`)
    const link = `${serverUrl}/${job.repository}/actions/workflows/${workflow}`
    return { status: 'done', left: { link } }
  }
  const refusal = whyNotHere(job.repository, settings, environment)
  if (refusal !== null) return { status: 'failed', reason: refusal }
  const { spending, clock } = services
  const { installation } = opened
  const now = clock.now()
  const later =
    spending && (await waitForTomorrow(installation, environment.ceiling, { spending, now }))
  if (later) return later
  const home = settings.app.workspace
  const membership =
    home === null ? null : joinWorkspace(job.repository, home, services, { signal, log })
  try {
    const place = await localPlaceOf(opened, services, { membership, log })
    const result = await services.serveRepository(trigger, place, signal)
    if (home !== null && trigger.kind !== 'lint' && result.status === 'done')
      await services.queue.enqueue(passAfter(job, home, now))
    return result
  } finally {
    await membership?.close()
  }
}

/**
 * The workflow finds unanswered commands itself, so it gets a task only if exactly one was named. `null` for a pull
 * request's roadmap, which the workflow of that pull request lints.
 */
function inputsOf(trigger: Trigger): Readonly<Record<string, string>> | null {
  if (trigger.kind === 'ignored' || trigger.kind === 'lint') return null
  // No one asked for work, and checks end often.
  if (trigger.kind === 'reconcile' && trigger.after === 'checks') return { command: 'reconcile' }
  if (trigger.kind !== 'run' || trigger.only === null) return {}
  const [task, another] = trigger.only
  return task === undefined || another !== undefined ? {} : { task }
}
