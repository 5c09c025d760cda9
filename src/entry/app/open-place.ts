import { openClient } from '../../adapters/octokit/client.ts'
import { toRefusal } from '../../adapters/octokit/failure.ts'
import { readDefaultBranch } from '../../adapters/octokit/repository.ts'
import type { GitHubApp, TokenScope } from '../../adapters/probot-app.ts'
import type { Telemetry } from '../../adapters/telemetry/signals.ts'
import { endpointAddress } from '../../core/domain/calibration.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { Settings } from '../../core/domain/settings.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { Elsewhere } from '../../core/ports/elsewhere.ts'
import type { InstallationSpending } from '../../core/ports/installation-spending.ts'
import type { JobQueue, JobResult } from '../../core/ports/job-queue.ts'
import type { Amount } from '../../core/ports/ledger.ts'
import type { InstallationPace, Pace } from '../../core/ports/pace.ts'
import type { Services } from '../../runs/pass.ts'
import type { Trigger } from '../../runs/triggers/trigger.ts'
import type { SessionRequest } from '../compose/compose.ts'
import { type GitHubSession, isThisMachine } from '../compose/compose-github.ts'
import { readConfigFile } from '../config/read-config-file.ts'
import { resolveSettings } from '../config/resolve-settings.ts'
import type { AppLog } from './app-log.ts'
import { type AppEnvironment, mayRunHere } from './read-environment.ts'
import type { AppJob, AppWork } from './receive-webhook.ts'

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
  /** In a workspace: the tasks of the other repositories, and the sets. */
  readonly membership: Membership | null
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

/** What a repository knows of its workspace. */
export interface Membership extends Elsewhere {
  readonly sets: NonNullable<Services['sets']>
  close(): Promise<void>
}

/** Opens a repository on this machine. `folder` keeps its state and its clone for the next job. */
export type OpenSession = (
  place: LocalPlace,
  folder: string,
  request: Pick<SessionRequest, 'signal' | 'apiKey' | 'progress'>,
) => Promise<GitHubSession>

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
  readonly queue: Pick<JobQueue<AppWork>, 'enqueue' | 'list'>
  readonly openSession: OpenSession
  readonly serveRepository: ServeRepository
  readonly telemetry: Telemetry
  readonly log: AppLog
}

/** What reading a repository as its installation takes. */
export type ReadServices = Pick<JobServices, 'app' | 'environment' | 'clock' | 'writes'>

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

/** A file of the default branch, read as the repository's installation. */
export async function readAsInstallation(
  { repository: name, installation: given }: Pick<AppJob, 'repository' | 'installation'>,
  path: string,
  { app, environment: { apiUrl }, clock, writes: writesOf }: ReadServices,
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
  const branch = await readDefaultBranch(repository, path)
  return { owner, repo, installation, tokenFor, writes, repository, branch }
}

/** The repository's default branch and settings. */
export async function openRepository(
  place: Pick<AppJob, 'repository' | 'installation'>,
  services: ReadServices,
  log: AppLog,
) {
  const opened = await readAsInstallation(place, configPath, services, log)
  return { ...opened, settings: readSettings(opened.branch.text) }
}

/**
 * Why the operator does not allow a repository's work on this machine; `null` where it is allowed. A repository decides
 * neither who gets the operator's key, nor whether its code runs without a sandbox.
 */
export function whyNotHere(
  repository: string,
  { strategy, model, sandbox }: Settings,
  { localRepositories, localAgents }: JobServices['environment'],
): string | null {
  if (!mayRunHere(repository, localRepositories))
    return 'runner: local is not allowed here; EXECUTOR_LOCAL_REPOSITORIES does not name it'
  if (strategy === 'agent' && !mayRunHere(repository, localAgents))
    return 'strategy: agent is not allowed here; EXECUTOR_LOCAL_AGENTS does not name it'
  const ofOperator = readSettings(null)
  if (endpointAddress(model.baseUrl) !== endpointAddress(ofOperator.model.baseUrl))
    return `base-url: ${endpointAddress(model.baseUrl)} is not allowed here; only the operator names it, in OPENAI_BASE_URL`
  if (sandbox.mode === 'off' && ofOperator.sandbox.mode !== 'off')
    return 'sandbox: off is not allowed here; only the operator sets it, in EXECUTOR_SANDBOX'
  return null
}

export async function localPlaceOf(
  opened: Awaited<ReturnType<typeof openRepository>>,
  { app, environment, spending, telemetry }: JobServices,
  { membership, log }: Pick<LocalPlace, 'membership' | 'log'>,
): Promise<LocalPlace> {
  const { owner, repo, installation, tokenFor, writes, branch, settings } = opened
  const { serverUrl, apiUrl } = environment
  return {
    ...{ owner, repo, defaultBranch: branch.name, serverUrl, apiUrl, settings, writes, log },
    ...{ token: tokenFor(toWork), login: await app.login(), telemetry, membership },
    noteSpending: async (day, sum) =>
      spending?.note({ installation, repository: `${owner}/${repo}`, day }, sum),
  }
}

/**
 * The place of a repository that belongs to a workspace: both its own settings and the workspace name the other. Says
 * nothing about a repository that does not name the workspace, not even whether there is one.
 *
 * @throws ExecutorError `workspace_invalid` for any other repository
 */
export async function openMemberPlace(
  fullName: string,
  home: string,
  services: JobServices,
  log: AppLog,
): Promise<LocalPlace> {
  const wrong = (problem: string) =>
    new ExecutorError('workspace_invalid', `${fullName} ${problem}`)
  const stranger = wrong(`does not set workspace: ${home}, or cannot be read`)
  if (!mayRunHere(fullName, services.environment.localRepositories))
    throw wrong('may not run here: EXECUTOR_LOCAL_REPOSITORIES does not name it')
  const place = { repository: fullName, installation: null }
  const opened = await orElse(
    () => openRepository(place, services, log),
    () => stranger,
  )
  if (opened instanceof ExecutorError) throw opened
  const { settings } = opened
  const { runner, workspace } = settings.app
  if (workspace?.toLowerCase() !== home.toLowerCase()) throw stranger
  if (!settings.enabled) throw wrong('is switched off (enabled: false)')
  if (runner !== 'local') throw wrong('does not set runner: local')
  const refusal = whyNotHere(fullName, settings, services.environment)
  if (refusal !== null) throw wrong(`may not run here: ${refusal}`)
  return localPlaceOf(opened, services, { membership: null, log })
}

/** Another repository that cannot be read does not stop this one; a GitHub that cannot be reached does. */
export async function orElse<T, U>(
  work: () => Promise<T>,
  instead: (reason: string) => U,
): Promise<T | U> {
  try {
    return await work()
  } catch (error) {
    const { code, detail } =
      error instanceof ExecutorError
        ? { code: error.code, detail: error.message }
        : toRefusal(error, 'the workspace')
    if (code === 'forge_unreachable') throw error
    return instead(detail)
  }
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
