import { openClient } from '../../adapters/octokit/client.ts'
import { toRefusal } from '../../adapters/octokit/failure.ts'
import { readDefaultBranch } from '../../adapters/octokit/repository.ts'
import { dispatchWorkflow } from '../../adapters/octokit/workflows.ts'
import type { Log, LogFacts, LogLevel } from '../../adapters/pino-log.ts'
import type { GitHubApp, TokenScope } from '../../adapters/probot-app.ts'
import type { Telemetry } from '../../adapters/telemetry/signals.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { Settings } from '../../core/domain/settings.ts'
import type { InstallationSpending } from '../../core/ports/installation-spending.ts'
import type { JobResult } from '../../core/ports/job-queue.ts'
import type { Amount } from '../../core/ports/ledger.ts'
import type { InstallationPace, Pace } from '../../core/ports/pace.ts'
import type { Clock } from '../../core/ports.ts'
import type { Trigger } from '../../runs/triggers/trigger.ts'
import { isThisMachine } from '../compose/compose-github.ts'
import { readConfigFile } from '../config/read-config-file.ts'
import { resolveSettings } from '../config/resolve-settings.ts'
import { waitForTomorrow } from './installation-ceiling.ts'
import { type AppEnvironment, mayRunHere } from './read-environment.ts'
import type { TriggerJob } from './receive-webhook.ts'

/** Logs a line of an App process; the level defaults to `info`. */
export type AppLog = (line: string, facts?: LogFacts & { readonly level?: LogLevel }) => void

/** The log of one job's runs, each line with its facts. */
export const jobLog = (log: AppLog): Log =>
  Object.assign(
    (level: LogLevel, message: string, facts: LogFacts = {}) => log(message, { ...facts, level }),
    { close: async () => {} },
  )

/** A repository that uses `runner: local` with its operator's permission. */
export interface LocalPlace {
  readonly owner: string
  readonly repo: string
  readonly defaultBranch: string
  readonly serverUrl: string
  readonly apiUrl: string
  readonly settings: Settings
  /** Called before every request: an installation token that is valid for some minutes. */
  readonly token: () => Promise<string>
  readonly login: string
  /** Counts the installation's writes. */
  readonly writes: Pace | undefined
  /** Takes what this repository has spent on a day so far. */
  readonly noteSpending: (day: string, sum: Amount) => Promise<void>
  /** Receives the run's telemetry; shared by all runs of the App. */
  readonly telemetry: Telemetry
  readonly log: AppLog
}

/** Serves an event on the App's own machine, like the Action. */
export type ServeRepository = (
  trigger: Trigger,
  place: LocalPlace,
  signal: AbortSignal,
) => Promise<JobResult>

export interface JobServices {
  readonly app: Pick<GitHubApp, 'installationOf' | 'token' | 'login'>
  readonly environment: Pick<
    AppEnvironment,
    'apiUrl' | 'serverUrl' | 'localRepositories' | 'localAgents' | 'ceiling'
  >
  readonly clock: Clock
  /** Counts the writes of all processes of the App; without it, each client counts its own. */
  readonly writes?: InstallationPace | undefined
  readonly spending?: InstallationSpending | undefined
  readonly serveRepository: ServeRepository
  readonly telemetry: Telemetry
  readonly log: AppLog
}

const configPath = '.github/executor.yml'

const toDispatch: TokenScope['permissions'] = {
  actions: 'write',
  contents: 'read',
  metadata: 'read',
}

/** For local work: the permissions in `app.yml`, except starting workflows. */
const toWork: TokenScope['permissions'] = {
  actions: 'read',
  actions_variables: 'read',
  checks: 'read',
  contents: 'write',
  issues: 'write',
  metadata: 'read',
  pull_requests: 'write',
  statuses: 'read',
}

/** Does the work that a webhook triggers, in the repository's own workflow or here. */
export async function serveJob(
  job: TriggerJob,
  services: JobServices,
  signal: AbortSignal,
): Promise<JobResult> {
  try {
    return await serve(job, services, signal)
  } catch (error) {
    if (error instanceof ExecutorError) {
      const reason = `${error.message} ${error.next}`
      if (error.code !== 'forge_unreachable') return { status: 'failed', reason }
      return { status: 'again', reason, ...laterOf(error.retryAt) }
    }
    const { code, detail } = toRefusal(error, job.repository)
    return { status: code === 'forge_unreachable' ? 'again' : 'failed', reason: detail }
  }
}

/** As a part of a job's result. */
const laterOf = (notBefore: string | null) => (notBefore === null ? {} : { notBefore })

/** The repository's default branch and settings, read as its installation. */
async function openRepository(
  { repository: name, installation: given }: Pick<TriggerJob, 'repository' | 'installation'>,
  {
    app,
    environment: { apiUrl },
    clock,
    writes: writesOf,
  }: Omit<JobServices, 'serveRepository' | 'telemetry' | 'spending'>,
  log: AppLog,
) {
  const [owner = '', repo = ''] = name.split('/')
  const installation = given ?? (await app.installationOf(owner, repo))
  const tokenFor = (permissions: TokenScope['permissions']) => () =>
    app.token({ installation, repository: repo, permissions })
  const pace = !isThisMachine(apiUrl)
  const writes = pace ? writesOf?.(installation) : undefined
  const asked = { owner, repo, token: tokenFor(toDispatch), apiUrl, pace, writes }
  const repository = openClient({ ...asked, clock, log })
  const branch = await readDefaultBranch(repository, configPath)
  return {
    owner,
    repo,
    installation,
    tokenFor,
    writes,
    repository,
    branch,
    settings: readSettings(branch.text),
  }
}

/** The repository's own schedule for `runner: local`: `null` leaves it to the operator, `off` is none. */
export async function readSchedule(
  place: Pick<TriggerJob, 'repository' | 'installation'>,
  services: Omit<JobServices, 'serveRepository' | 'telemetry' | 'spending'>,
): Promise<string | null> {
  const { settings } = await openRepository(place, services, services.log)
  const { runner, schedule } = settings.app
  return settings.enabled && runner === 'local' ? schedule : 'off'
}

async function serve(
  job: TriggerJob,
  services: JobServices,
  signal: AbortSignal,
): Promise<JobResult> {
  const { app, environment } = services
  const { apiUrl, serverUrl, localRepositories, localAgents } = environment
  const about = { repository: job.repository, event: job.event, job: job.id }
  const log: AppLog = (line, facts = {}) =>
    services.log(`${job.repository}: ${line}`, { ...about, ...facts })
  const opened = await openRepository(job, services, log)
  const { owner, repo, tokenFor, writes, repository, branch, settings } = opened
  if (!settings.enabled) {
    log('switched off (enabled: false)')
    return { status: 'done' }
  }
  if (settings.app.runner === 'actions') {
    const inputs = inputsOf(job.payload)
    // A workflow has a schedule of its own.
    if (inputs === null || job.event === 'schedule') return { status: 'done' }
    const { workflow } = settings.app
    await dispatchWorkflow(repository, { workflow, ref: branch.name, inputs, since: branch.at })
    log(`${job.event}: ${workflow} was started`)
    const link = `${serverUrl}/${job.repository}/actions/workflows/${workflow}`
    return { status: 'done', left: { link } }
  }
  if (!mayRunHere(job.repository, localRepositories)) {
    const reason = 'runner: local is not allowed here; EXECUTOR_LOCAL_REPOSITORIES does not name it'
    return { status: 'failed', reason }
  }
  if (settings.strategy === 'agent' && !mayRunHere(job.repository, localAgents)) {
    const reason = 'strategy: agent is not allowed here; EXECUTOR_LOCAL_AGENTS does not name it'
    return { status: 'failed', reason }
  }
  const { spending, clock } = services
  const { installation } = opened
  const now = clock.now()
  const later =
    spending && (await waitForTomorrow(installation, environment.ceiling, { spending, now }))
  if (later) return later
  const noteSpending = async (day: string, sum: Amount) =>
    spending?.note({ installation, repository: job.repository, day }, sum)
  const place = {
    ...{
      owner,
      repo,
      defaultBranch: branch.name,
      serverUrl,
      apiUrl,
      settings,
      writes,
      log,
      noteSpending,
    },
    ...{ token: tokenFor(toWork), login: await app.login(), telemetry: services.telemetry },
  }
  return services.serveRepository(job.payload, place, signal)
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

/** Reads the settings as the Action does, from the same file. */
function readSettings(text: string | null): Settings {
  const resolved = resolveSettings({
    flags: {},
    environment: process.env,
    file: text === null ? null : readConfigFile(configPath, text),
    defaults: { approvalMode: 'interactive', stack: 'auto' },
  })
  if (resolved.status === 'ok') return resolved.settings
  const said = resolved.problems.map(({ line, message, fix }) => `line ${line}: ${message}. ${fix}`)
  throw new ExecutorError('config_invalid', said.join(' '))
}
