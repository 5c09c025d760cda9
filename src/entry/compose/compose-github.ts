import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Holder } from '../../adapters/durable-store/lease.ts'
import { openSharedState } from '../../adapters/durable-store/shared-state.ts'
import { openDurableStore } from '../../adapters/durable-store.ts'
import { createFileMemory } from '../../adapters/file-store/memory-file.ts'
import { createFileStore } from '../../adapters/file-store.ts'
import { createGitWorkspace, type GitWorkspaceOptions } from '../../adapters/git-workspace.ts'
import { type ApiCalls, openClient } from '../../adapters/octokit/client.ts'
import { askRunLiveness } from '../../adapters/octokit/workflows.ts'
import { createOctokitDiscussion } from '../../adapters/octokit-discussion.ts'
import { createOctokitForge } from '../../adapters/octokit-forge.ts'
import type { Log } from '../../adapters/pino-log.ts'
import { createSystemClock } from '../../adapters/system-clock.ts'
import type { Telemetry } from '../../adapters/telemetry/signals.ts'
import { openTelemetry } from '../../adapters/telemetry.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { recordEffects } from '../../core/journal/record-effects.ts'
import type { Discussion } from '../../core/ports/discussion.ts'
import { type EffectLog, unrecorded } from '../../core/ports/effect-log.ts'
import type { Workspace } from '../../core/ports/workspace.ts'
import type { Ports } from '../../core/ports.ts'
import { createRedactor } from '../../text/secrets/redact.ts'
import { observeSession } from '../observe/observe-session.ts'
import { watchDiscussion } from '../observe/watch-ports.ts'
import { redactOutgoing } from '../redact/redact-outgoing.ts'
import { redactDiscussion, redactStore } from '../redact/redact-ports.ts'
import { openMachine, type Session, secretsOf } from './compose-local.ts'
import { workPlace } from './local-workspace.ts'

/** Where a workflow run is, from the runner's environment; GitHub Enterprise included. */
export interface WorkflowPlace {
  readonly owner: string
  readonly repo: string
  readonly serverUrl: string
  readonly apiUrl: string
  /** The default branch; `null` asks GitHub. */
  readonly base: string | null
  /** The checkout, whose installed dependencies serve, and where the report goes. */
  readonly workspace: string
  /** The file of the workflow that this is a run of, `.github/workflows/executor.yml`. */
  readonly workflowPath?: string
  /** Which run of it. */
  readonly runId?: string
  /** 1 for the first; those before it are over. */
  readonly runAttempt?: number
  /** False where there is no checkout whose objects could be shared: then all comes from GitHub. */
  readonly checkedOut: boolean
  /** Ours alone, fresh for each job. */
  readonly temporary: string
}

/** Asked before every request: one of an App lives for an hour. */
export type Token = () => Promise<string> | string

/** Our own clone beside the checkout. `identity` signs commits; to look, none is needed. */
export async function openCheckout(
  place: WorkflowPlace,
  token: Token,
  identity = { name: '', email: '' },
  effects: EffectLog = unrecorded,
): Promise<Workspace> {
  const options = checkoutOptions(place, token, identity)
  return createGitWorkspace({ ...options, effects, work: workPlace(options.home) })
}

function checkoutOptions(
  place: WorkflowPlace,
  token: Token,
  identity: GitWorkspaceOptions['identity'],
): Omit<GitWorkspaceOptions, 'effects'> {
  const remote = `${place.serverUrl}/${place.owner}/${place.repo}.git`
  return {
    source: place.checkedOut ? place.workspace : remote,
    remote,
    token,
    base: place.base,
    home: join(place.temporary, 'roadmap-executor', 'repository'),
    identity,
    clock: createSystemClock(),
  }
}

/** Ports, and the way to the people on GitHub. */
export interface GitHubSession extends Session {
  readonly discussion: Discussion
  readonly apiCalls: Readonly<ApiCalls>
}

interface GitHubSessionOptions {
  readonly place: WorkflowPlace
  readonly settings: Settings
  readonly apiKey: string
  readonly token: Token
  /** Ours, where the token may not be asked whose it is. */
  readonly login?: string
  readonly signal: AbortSignal
  readonly log: (line: string) => void
  /** Nothing is written, and nobody is told of requests that are not made. */
  readonly dryRun?: boolean
  /** Where the lines about runs go; a file beside the report when not given. */
  readonly lines?: Log
  /** Of the App, for all its jobs; else the session has its own. */
  readonly telemetry?: Telemetry
  /** Told what a person should know; else it is logged. */
  readonly notice?: (sentence: string) => void
}

/** The ports of a workflow run: GitHub as the forge, nobody to ask, state on the runner's disk. */
export async function composeGitHub(options: GitHubSessionOptions): Promise<GitHubSession> {
  const { place, settings, apiKey, token, signal, dryRun = false } = options
  const { answers, retentionDays } = settings.state
  const { owner, repo, apiUrl, workspace: checkout, temporary } = place
  const directory = join(checkout, '.executor')
  const secrets = [...secretsOf(apiKey), await token()]
  const redact = createRedactor(secrets)
  const machine = openMachine({
    ...{ settings, apiKey, signal, redact, cache: join(temporary, 'roadmap-executor') },
    checkout: place.checkedOut ? checkout : null,
  })
  const { clock, random } = machine.ports
  const log = (line: string) => {
    options.log(redact(line))
    observation.note(line)
  }
  const notice = (sentence: string) => (options.notice ?? options.log)(redact(sentence))
  const keepAnswers = answers !== 'off'
  const memory = createFileMemory({ directory, clock })
  const durable = openDurableStore({
    openDisk: (heard) => createFileStore({ directory, clock, heard, keepAnswers }),
    memory,
    shared: await openSharedState(checkoutOptions(place, token, settings.commit), random),
    ...{ roadmap: settings.roadmap, shareAnswers: answers === 'ref', retentionDays },
    holder: holderOf(place),
    ask: (run) => askRunLiveness(repository, run),
    ...{ clock, random, notice },
  })
  const safe = redactStore(durable.store, secrets)
  const { store, effects } = recordEffects(safe, { redact, note: log })
  // A server on this very machine is nobody's to be spared.
  const pace = !['127.0.0.1', 'localhost', '[::1]'].includes(new URL(apiUrl).hostname)
  const { workflowPath, runId } = place
  const repository = openClient({
    ...{ owner, repo, token, apiUrl, clock, pace, log, effects },
    ...(workflowPath === undefined ? {} : { workflowPath }),
    ...(runId === undefined ? {} : { runId }),
    ...(options.login === undefined ? {} : { login: options.login }),
  })
  const ports: Ports = {
    ...machine.ports,
    forge: createOctokitForge(repository),
    workspace: await openCheckout(place, token, settings.commit, effects),
    store,
    leases: durable.leases,
    memory,
    person: { present: false, ask: async () => null },
  }
  const observation = observeSession(ports, {
    ...{ directory: dryRun ? null : directory, redact, log: options.lines },
    telemetry: dryRun ? null : (options.telemetry ?? (await openTelemetry(process.env))),
  })
  const discussion = watchDiscussion(createOctokitDiscussion(repository), observation.watch)
  return {
    ports: redactOutgoing(observation.ports, secrets),
    observer: observation.observer,
    discussion: redactDiscussion(discussion, secrets),
    apiCalls: repository.calls,
    reportPath: join(directory, 'report.md'),
    redact,
    async close() {
      await Promise.all([observation.close(), machine.close(), durable.close()])
    },
  }
}

/** A run of the workflow, or this machine, which serves one job of a repository at a time. */
const holderOf = ({ runId, runAttempt = 1, temporary }: WorkflowPlace): Holder =>
  runId === undefined
    ? { kind: 'machine', name: `${hostname()}:${temporary}` }
    : { kind: 'workflow', run: runId, attempt: runAttempt }
